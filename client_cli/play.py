"""`blackqueen play`: a private table against bots, on a server started for it."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from client_cli.arguments import (
    add_output,
    add_player,
    add_table,
    bot_strengths,
    table_fields,
)
from client_cli.description import described_in, errors_in
from protocol.exits import Exit, Mistake, run_client

if TYPE_CHECKING:
    from client_cli.output import Output
    from protocol.connection import Client
    from protocol.to_client import GameCard


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME|FILE",
        help="which game, or a file that describes one (default: black_queen)",
    )
    parser.add_argument(
        "--bots",
        type=bot_strengths,
        metavar="2,1,0",
        help="strengths of the bots, the last for all further seats (default: the strongest)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="deal the same cards every time")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="keep the table here and go on with it next time"
    )
    add_table(parser)
    add_player(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    return run_client(_play(arguments))


async def _play(arguments: argparse.Namespace) -> Exit:
    from client_cli.identity import identity, login_name
    from client_cli.private_server import private_server
    from client_cli.visit import connected, output_for, stay_at
    from client_cli.warming import tell_of_warming

    name = arguments.name or login_name()
    file = described_in(arguments.game)
    if file is not None and (errors := await errors_in(file)):
        print(errors, file=sys.stderr)
        return Exit.USAGE
    flags: tuple[str, ...] = () if arguments.seed is None else ("--allow-seeds",)
    if file is not None:
        flags += ("--games", str(file))
    with ExitStack() as stack:
        data = stack.enter_context(_folder(arguments.data))
        who = stack.enter_context(identity("private", name, data))
        async with (
            private_server(data, *flags) as server,
            connected(server.url, name, who) as client,
        ):
            output = output_for(arguments)
            code = await _table(client, arguments, output)
            tables = client.session.tables
            async with asyncio.TaskGroup() as group:
                slow = group.create_task(tell_of_warming(server, lambda: tables.get(code), output))
                end = await stay_at(client, code, arguments, output)
                slow.cancel()
            return end


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    """Where the server keeps its tables: the folder asked for, or one that vanishes again."""
    if wanted is None:
        with tempfile.TemporaryDirectory(prefix="blackqueen-") as name:
            yield Path(name)
        return
    try:
        wanted.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Mistake(f"--data {wanted}: {error.strerror}") from None
    yield wanted


async def _table(client: "Client", arguments: argparse.Namespace, output: "Output") -> str:
    """The table of a match kept in the folder, or a new one where another game is named."""
    from client_cli.effects import Remark
    from client_cli.seating import unfinished

    wanted, game = await _wanted(client, arguments.game)
    kept = await unfinished(client)
    for table in kept:
        info = table.info
        if arguments.game is None or info.game == wanted:
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
    return await _new_table(client, arguments, wanted, game)


def _for_a_new_match(arguments: argparse.Namespace) -> Iterator[str]:
    """What was said on the command line of a match to be begun."""
    for flag in ("seats", "bots", "option", "seed"):
        if getattr(arguments, flag) not in (None, []):
            yield f"--{flag}"


async def _wanted(client: "Client", named: str | None) -> tuple[str, "GameCard"]:
    """The id of the game to be played, and what the server says of it, or else of its first."""
    from protocol.to_server import Games

    games = (await client.ask(Games)).games
    if described_in(named) is not None:
        # The server was started for this one file.
        described = next(game for game in games if game.described)
        return described.id, described
    game = next((game for game in games if game.id == named), games[0])
    return named or game.id, game


async def _new_table(
    client: "Client", arguments: argparse.Namespace, wanted: str, game: "GameCard"
) -> str:
    """A table with bots in all seats but one, its match begun."""
    from client_cli.seating import create_table
    from client_cli.visit import typed_by_hand
    from protocol.to_server import AddBot, Start

    fields = table_fields(arguments.option)
    if not typed_by_hand(arguments):
        # Nobody follows the game, so nobody waits for it.
        fields["settings"].setdefault("bot_delay", 0.0)
    if arguments.seed is not None:
        fields["seed"] = arguments.seed
    code = await create_table(client, wanted, arguments.seats, fields)
    free = range(1, len(client.session.tables[code].info.seats))
    wished = arguments.bots or (game.strengths[-1],)
    if len(wished) > len(free):
        raise Mistake(f"--bots names {len(wished)} bots, but there are {len(free)} free seats")
    for seat in free:
        await client.ask(AddBot, table=code, seat=seat, strength=wished[min(seat, len(wished)) - 1])
    await client.ask(Start, table=code)
    return code
