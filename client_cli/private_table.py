"""A table on a player's private server: the one kept in its folder, or a new one with bots."""

import argparse
import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from client_cli.arguments import for_a_new_match
from client_cli.effects import Remark
from client_cli.game_menu import names_file
from client_cli.output import Output
from client_cli.refusals import told_reason
from client_cli.run_table import typed_by_hand
from client_cli.seating import create_table, learn_game, unfinished
from client_cli.tell import tell
from client_cli.warm_ups import level_text
from protocol.connection import Client
from protocol.errors import ProtocolError
from protocol.exits import UsageError
from protocol.strengths import MEDIUM, Wished, strength_in
from protocol.texts.language import language
from protocol.to_client import GameCard
from protocol.to_server import AddBot, Games, Start


@contextmanager
def refusing(arguments: argparse.Namespace) -> Iterator[None]:
    """Turn a refusal into `UsageError`: on a private server the command line was wrong."""
    try:
        yield
    except ProtocolError as error:
        if language() != "en" and error.code in ("unknown_game", "bad_setup", "bad_option"):
            raise UsageError(told_reason(error)) from None
        match error.code:
            case "unknown_game":
                raise UsageError(error.reason) from None
            case "bad_setup":
                raise UsageError(f"--seats {arguments.seats}: {error.reason}") from None
            case "bad_option":
                # It names the option first: "option deals: 0 must be …".
                raise UsageError(f"--{error.reason}") from None
        raise


async def open_table(
    client: Client, arguments: argparse.Namespace, fields: dict[str, Any], output: Output
) -> str:
    """The table of a match kept in the folder, or a new table if another game is named."""
    game = await _wanted(client, arguments.game)
    kept = await unfinished(client)
    for table in kept:
        info = table.info
        if arguments.game is None or info.game == game.id:
            if arguments.data is not None:
                where = {"game": info.title, "folder": str(arguments.data)}
                ignored = ", ".join(for_a_new_match(arguments))
                key = "kept.ignored" if ignored else "kept.continued"
                output.remark(Remark(tell(key, **where, flags=ignored)))
            return info.table
    for info in (table.info for table in kept):
        # A described game goes by its file, without the digest of its text.
        name = info.game.partition("@")[0]
        where = {"game": info.title, "folder": str(arguments.data)}
        output.remark(Remark(tell("kept.other", **where, name=name)))
    return await _new_table(client, arguments, fields, game, output)


async def _wanted(client: Client, named: str | None) -> GameCard:
    """The server's card of the requested game."""
    if description_file(named) is not None:
        # The server was started for this one file.
        games = (await client.ask(Games)).games
        if (game := next((game for game in games if game.described), None)) is None:
            raise UsageError(
                f"{named}: the server does not offer it; "
                "a game goes by its file's name, of at most 64 printable characters"
            )
        return game
    return (await client.ask(Games, game=named)).games[0]


async def _new_table(
    client: Client,
    arguments: argparse.Namespace,
    fields: dict[str, Any],
    game: GameCard,
    output: Output,
) -> str:
    """A new table with bots in all other seats, whose match has begun."""
    free = range(1, arguments.seats or game.usual_seats)
    wished = arguments.bots or (MEDIUM,)
    _check_bots(arguments.bots or (), len(free), game)
    if not typed_by_hand(arguments):
        # Nobody follows the game, so nobody waits for it.
        fields["settings"].setdefault("bot_delay", 0.0)
    if arguments.seed is not None:
        fields["seed"] = arguments.seed
    for word in dict.fromkeys(wished):
        if told := level_text(game, word):
            output.remark(Remark(told))
    code = await create_table(client, game.id, arguments.seats, fields)
    learn_game(client, code, game)
    for seat in free:
        strength = strength_in(game, wished[min(seat, len(wished)) - 1])
        await client.ask(AddBot, table=code, seat=seat, strength=strength)
    await client.ask(Start, table=code)
    return code


def _check_bots(wished: Sequence[Wished], free: int, game: GameCard) -> None:
    """Raise `UsageError` for bots that do not exist, before a table waits for them."""
    for strength in wished:
        if isinstance(strength, int) and strength not in game.strengths:
            there_are = ", ".join(map(str, game.strengths))
            raise UsageError(f"--bots {strength}: {game.title} has bots of strength {there_are}")
    if len(wished) > free:
        raise UsageError(f"--bots names {len(wished)} bots, but there are {free} free seats")


def description_file(game: str | None) -> Path | None:
    """The file that `game` names, or None; `UsageError` if it names one that is missing."""
    if game is None or not names_file(game):
        return None
    file = Path(game)
    if not file.is_file():
        raise UsageError(f"{file}: there is no such file")
    return file


async def description_errors(file: Path) -> str:
    """The report of `blackqueen recycle check` on `file`; empty if it can be played."""
    words = (sys.executable, "-m", "blackqueen", "recycle", "check", str(file))
    process = await asyncio.create_subprocess_exec(
        *words, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    said, _ = await process.communicate()
    return said.decode("utf-8", "replace").strip() if process.returncode else ""
