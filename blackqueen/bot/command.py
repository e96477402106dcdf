"""The command `blackqueen bot`: takes a seat at a server's table and plays a match."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from math import inf
from pathlib import Path
from random import Random

from blackqueen.bot.check import check
from blackqueen.bot.engine import SECONDS, command_words, running_engine
from blackqueen.bot.included import IncludedBot, must_have, some_game_must_have
from blackqueen.client import Turn
from blackqueen.client.connecting import BOTS_WANT
from bots.command_line import telling
from bots.roster import strengths
from bots.spec import BadBot, Spec, parse_spec
from client_cli.arguments import add_language, add_name, run_spoken, take_place
from client_cli.standing import Standing
from client_cli.tell import tell as worded
from engine.catalogue import GAMES
from protocol.address import server_address
from protocol.client_events import (
    ClientEvent,
    Disconnected,
    Reconnected,
)
from protocol.connection import Client, connect
from protocol.exits import Exit, UsageError
from protocol.isolates import isolated
from protocol.lines import record
from protocol.playing import MatchResult, SeatPlayer, always, take_seat
from protocol.safe_text import say
from protocol.strengths import LEVELS, MEDIUM
from protocol.to_client import TableInfo
from protocol.visible_text import NAME, shown_name
from protocol.wire_form import WireForm

PROGRAM = "blackqueen bot"
"""What a table says of a seat that plays with a bot of this repository."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen bot`` to `parser`."""
    parser.add_argument(
        "url", nargs="?", metavar="URL", help="address of the server: ws://host:port"
    )
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="table (default: the next open one)"
    )
    player = parser.add_mutually_exclusive_group()
    player.add_argument(
        "--strength",
        type=_strength,
        default=Spec(MEDIUM),
        metavar="N[:NAME=VALUE…]",
        help="how well it plays: easy, medium, strong or a number, and settings of that bot: "
        "3:aim=score (default: medium)",
    )
    player.add_argument(
        "--engine",
        metavar="CMD",
        help="a program of yours that chooses the moves: reads a line of JSON, writes one",
    )
    player.add_argument(
        "--check", metavar="CMD", help="try such a program out, without a server, and report"
    )
    parser.add_argument(
        "--engine-seconds",
        type=_seconds,
        default=SECONDS,
        metavar="N",
        help="seconds that an answer of the program may take (default: %(default)g)",
    )
    parser.add_argument("--game", metavar="GAME", help="play only this game (default: any)")
    add_name(parser, "its name at the table (default: Bot and its strength)")
    parser.add_argument("--seed", type=int, metavar="N", help="make its random choices repeatable")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")
    add_language(parser, "say in this language what becomes of it", "; with --json en")


def run(arguments: argparse.Namespace) -> int:
    """Sit down at a table, play a match and return the exit code."""
    main = _checked(arguments) if arguments.check is not None else _bot(arguments)
    return run_spoken(arguments, main)


def _strength(text: str) -> Spec:
    """The argument type for a bot by strength, since tables know no other names of bots."""
    try:
        spec = parse_spec(text)
    except BadBot as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if spec.strength is None and spec.name not in LEVELS:
        raise argparse.ArgumentTypeError(
            f"{text!r} must begin with easy, medium, strong or a number, such as 2"
        )
    return spec


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds


async def _checked(arguments: argparse.Namespace) -> Exit:
    if arguments.url is not None:
        raise UsageError("--check needs no server: leave its address out")
    games = [info.id for info in GAMES if arguments.game in (None, info.id)]
    if not games:
        known = ", ".join(info.id for info in GAMES)
        raise UsageError(f"there is no game {arguments.game!r} to check; there are {known}")
    words = command_words(arguments.check)
    return await check(words, arguments.engine_seconds, games, arguments.seed or 0)


async def _bot(arguments: argparse.Namespace) -> Exit:
    if arguments.url is None:
        raise UsageError("the address of a server is missing, such as ws://localhost:8765")
    take_place(arguments)
    url, code = server_address(arguments.url), arguments.code
    tell = tell_json if arguments.json else tell_people
    standing = Standing()

    def hear(told: ClientEvent | MatchResult | None) -> None:
        standing.happened(told)
        tell(told)

    async with AsyncExitStack() as stack:
        if not arguments.json:
            stack.enter_context(telling(standing.__str__, sys.stderr))
        if arguments.engine is not None:
            words = command_words(arguments.engine)
            # Before there is a seat that it could lose.
            engine = await stack.enter_async_context(
                running_engine(words, arguments.engine_seconds)
            )
            program = shown_name(_name_of(words))
            name = arguments.name or program
            client = await stack.enter_async_context(
                connect(url, name=name, program=program, wanted=BOTS_WANT)
            )
            code = await take_seat(client, code, lambda info: _is(info, arguments.game))
            prepare = always(lambda table: engine.choose(Turn.of(table)))
        else:
            spec: Spec = arguments.strength
            name = arguments.name or f"Bot {spec.name}"
            if code is None and spec.strength is not None:
                some_game_must_have(spec.strength)
            client = await stack.enter_async_context(
                connect(url, name=name, program=PROGRAM, wanted=BOTS_WANT)
            )
            code = await seated(client, code, spec.strength, arguments.game)
            prepare = IncludedBot(client, spec, Random(arguments.seed)).prepare
        hear(await SeatPlayer(client, code, prepare).play(hear))
    return Exit.DONE


async def seated(
    client: Client, code: str | None, strength: int | None, game: str | None = None
) -> str:
    """The table at which we have taken a seat: `code`, or the first public one with room.

    No seat is taken at a listed table of another game than `game`, or whose game has no bot of this
    strength, since that might remove a bot from its seat. A strength that is given as a word, here
    None, exists in every game.
    """

    def suits(info: TableInfo) -> bool:
        if strength is None:
            return _is(info, game)
        if code is not None:
            must_have(info.game, info.title, strength)
        return _is(info, game) and strength in strengths(info.game)

    return await take_seat(client, code, suits)


def _is(info: TableInfo, game: str | None) -> bool:
    """Whether a table plays `game`; the digest of a described game may be left out."""
    return game is None or game in (info.game, info.game.partition("@")[0])


def _name_of(words: Sequence[str]) -> str:
    """The name of an engine: that of its file, or of the script that it runs."""
    files = [Path(word) for word in words if Path(word).is_file()]
    return (files or [Path(words[0])])[-1].stem[: NAME.graphemes] or "Engine"


def tell_json(told: ClientEvent | MatchResult | None) -> None:
    """Print everything as one line of JSON."""
    match told:
        case None:
            return
        case MatchResult(table, _, names, totals, ranks):
            result = {"table": table, "totals": totals, "ranks": ranks, "names": names}
            _print({"type": "finished", **result})
        case _:
            _print(record(told))


def tell_people(told: ClientEvent | MatchResult | None) -> None:
    """Print what people want to know about a bot: the connection and the result."""
    match told:
        case Disconnected(reason):
            say(worded("told.lost", why=reason), flush=True)
        case Reconnected():
            say(worded("told.connected"), flush=True)
        case MatchResult(_, _, names, totals):
            scores = (f"{isolated(n)} {t}" for n, t in zip(names, totals, strict=True))
            say(", ".join(scores), flush=True)


def _print(form: WireForm) -> None:
    say(json.dumps(form, separators=(",", ":")), flush=True)
