"""`blackqueen play`: a private table against bots, on a server started for it."""

import argparse
import asyncio
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from client_cli.arguments import (
    add_output,
    add_player,
    add_table,
    bot_strengths,
    check_values,
    table_fields,
)
from protocol.errors import ProtocolError
from protocol.exits import Exit, Mistake, run_client
from protocol.safe_text import say
from protocol.texts import shipped_games

if TYPE_CHECKING:
    from client_cli.output import Output
    from protocol.connection import Client
    from protocol.strengths import Wished
    from protocol.to_client import GameCard

_ENDINGS = (".rcy", ".gdl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen play`` to `parser`."""
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME|FILE",
        help=f"a game ({shipped_games()}) or a file that describes one (default: black_queen)",
    )
    parser.add_argument(
        "--bots",
        type=bot_strengths,
        metavar="easy|medium|strong|2,1,0",
        help="how strong the bots are, in a word or by number for each, the last for all further "
        "seats (default: medium). With easy nothing is compiled",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="deal the same cards every time")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="keep the table here and go on with it next time"
    )
    add_table(parser)
    add_player(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play at a private table until it ends and return the exit code."""
    return run_client(_play(arguments))


async def _play(arguments: argparse.Namespace) -> Exit:
    from client_cli.farewell import from_private
    from client_cli.identity import identity, login_name
    from client_cli.private_server import private_server
    from client_cli.run_table import connected, output_for, run_table, typed_by_hand

    check_values(arguments)
    name = arguments.name or login_name()
    fields = table_fields(arguments.option)
    file = description_file(arguments.game)
    if file is not None and (errors := await description_errors(file)):
        say(*errors.splitlines(), file=sys.stderr)
        return Exit.USAGE
    flags: tuple[str, ...] = () if arguments.seed is None else ("--allow-seeds",)
    if file is not None:
        flags += ("--games", str(file))
    if set(arguments.bots or ()) == {"easy"}:
        flags += ("--plain-bots",)
    with ExitStack() as stack:
        data = stack.enter_context(_folder(arguments.data))
        who = stack.enter_context(identity("private", name, data))
        program = None if typed_by_hand(arguments) else "blackqueen play"
        async with (
            private_server(data, *flags) as url,
            connected(url, name, who, program) as client,
        ):
            output = output_for(arguments)
            with _refusing(arguments):
                code = await _table(client, arguments, fields, output)
            farewell = from_private(arguments.game, arguments.data)
            return await run_table(client, code, arguments, output, farewell)


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    """The folder for the server's tables: the given one, or a temporary one."""
    if wanted is None:
        with tempfile.TemporaryDirectory(prefix="blackqueen-") as name:
            yield Path(name)
        return
    try:
        wanted.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Mistake(f"--data {wanted}: {error.strerror}") from None
    yield wanted


@contextmanager
def _refusing(arguments: argparse.Namespace) -> Iterator[None]:
    """The server is the player's own: if it refuses something, the command line was wrong."""
    try:
        yield
    except ProtocolError as error:
        match error.code:
            case "unknown_game":
                raise Mistake(error.reason) from None
            case "bad_setup":
                raise Mistake(f"--seats {arguments.seats}: {error.reason}") from None
            case "bad_option":
                # It names the option first: "option deals: 0 must be …".
                raise Mistake(f"--{error.reason}") from None
        raise


async def _table(
    client: "Client", arguments: argparse.Namespace, fields: dict[str, Any], output: "Output"
) -> str:
    """The table of a match kept in the folder, or a new table if another game is named."""
    from client_cli.effects import Remark
    from client_cli.seating import unfinished

    game = await _wanted(client, arguments.game)
    kept = await unfinished(client)
    for table in kept:
        info = table.info
        if arguments.game is None or info.game == game.id:
            told = f"The match of {info.title} kept in {arguments.data} goes on"
            if ignored := ", ".join(_for_a_new_match(arguments)):
                told += f" as it was begun, without regard to {ignored}"
            output.remark(Remark(f"{told}. To begin another, leave it first."))
            return info.table
    for info in (table.info for table in kept):
        # A described game goes by its file, without the digest of its text.
        name = info.game.partition("@")[0]
        told = f"The match of {info.title} stays kept in {arguments.data};"
        output.remark(Remark(f"{told} blackqueen play {name} goes on with it."))
    return await _new_table(client, arguments, fields, game)


def _for_a_new_match(arguments: argparse.Namespace) -> Iterator[str]:
    """The flags on the command line that only a new match can follow."""
    for flag in ("seats", "bots", "option", "seed"):
        if getattr(arguments, flag) not in (None, []):
            yield f"--{flag}"


async def _wanted(client: "Client", named: str | None) -> "GameCard":
    """The server's card of the game to be played."""
    from protocol.to_server import Games

    if description_file(named) is not None:
        # The server was started for this one file.
        games = (await client.ask(Games)).games
        if (game := next((game for game in games if game.described), None)) is None:
            name = "a game goes by its file's name, of at most 64 printable characters"
            raise Mistake(f"{named}: the server does not offer it; {name}")
        return game
    return (await client.ask(Games, game=named)).games[0]


async def _new_table(
    client: "Client", arguments: argparse.Namespace, fields: dict[str, Any], game: "GameCard"
) -> str:
    """A table with bots in all seats but one, and its match begun."""
    from client_cli.run_table import typed_by_hand
    from client_cli.seating import create_table
    from protocol.strengths import MEDIUM, strength_in
    from protocol.to_server import AddBot, Start

    free = range(1, arguments.seats or game.usual_seats)
    wished = arguments.bots or (MEDIUM,)
    _check_bots(arguments.bots or (), len(free), game)
    if not typed_by_hand(arguments):
        # Nobody follows the game, so nobody waits for it.
        fields["settings"].setdefault("bot_delay", 0.0)
    if arguments.seed is not None:
        fields["seed"] = arguments.seed
    code = await create_table(client, game.id, arguments.seats, fields)
    for seat in free:
        strength = strength_in(game, wished[min(seat, len(wished)) - 1])
        await client.ask(AddBot, table=code, seat=seat, strength=strength)
    await client.ask(Start, table=code)
    return code


def _check_bots(wished: "Sequence[Wished]", free: int, game: "GameCard") -> None:
    """`Mistake` before a table is opened that would wait for bots that do not exist."""
    for strength in wished:
        if isinstance(strength, int) and strength not in game.strengths:
            there_are = ", ".join(map(str, game.strengths))
            raise Mistake(f"--bots {strength}: {game.title} has bots of strength {there_are}")
    if len(wished) > free:
        raise Mistake(f"--bots names {len(wished)} bots, but there are {free} free seats")


def description_file(game: str | None) -> Path | None:
    """The file that `game` names, None if it names a game or nothing; `Mistake` if it is missing.

    No id of a game contains a slash or ends like a file of a description.
    """
    if game is None or not (game.endswith(_ENDINGS) or "/" in game):
        return None
    file = Path(game)
    if not file.is_file():
        raise Mistake(f"{file}: there is no such file")
    return file


async def description_errors(file: Path) -> str:
    """The report of `blackqueen recycle check` on `file`; empty if it can be played."""
    words = (sys.executable, "-m", "blackqueen", "recycle", "check", str(file))
    process = await asyncio.create_subprocess_exec(
        *words, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    said, _ = await process.communicate()
    return said.decode("utf-8", "replace").strip() if process.returncode else ""
