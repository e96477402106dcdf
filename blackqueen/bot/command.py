"""The command `blackqueen bot`: takes a seat at a server's table and plays a match."""

import argparse
import json
from random import Random

from blackqueen.bot.included import IncludedBot, must_have, some_game_must_have
from bots.roster import strengths
from bots.spec import BadBot, Spec, parse_spec
from protocol.address import server_address
from protocol.client_events import ClientEvent, Disconnected, Reconnected
from protocol.connection import Client, connect
from protocol.exits import Exit, run_client
from protocol.lines import record
from protocol.playing import MatchResult, SeatPlayer, take_seat
from protocol.safe_text import say
from protocol.to_client import TableInfo
from protocol.wire_form import WireForm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen bot`` to `parser`."""
    parser.add_argument("url", metavar="URL", help="address of the server: ws://host:port")
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="table (default: the next open one)"
    )
    parser.add_argument(
        "--strength",
        type=_strength,
        default=Spec("0"),
        metavar="N[:NAME=VALUE…]",
        help="how well it plays, and settings of that bot: 3:aim=score (default: 0)",
    )
    parser.add_argument("--name", help="its name at the table (default: Bot and its strength)")
    parser.add_argument("--seed", type=int, metavar="N", help="make what it draws repeatable")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")


def run(arguments: argparse.Namespace) -> int:
    """Sit down at a table, play a match and return the exit code."""
    return run_client(_bot(arguments))


def _strength(text: str) -> Spec:
    """A bot by strength, since names of bots are not known at every table."""
    try:
        spec = parse_spec(text)
    except BadBot as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if spec.strength is None:
        raise argparse.ArgumentTypeError(f"{text!r} must begin with a strength, such as 2")
    return spec


async def _bot(arguments: argparse.Namespace) -> Exit:
    spec: Spec = arguments.strength
    name = arguments.name or f"Bot {spec.name}"
    code = arguments.code and arguments.code.upper()
    if code is None:
        some_game_must_have(int(spec.name))
    async with connect(server_address(arguments.url), name=name) as client:
        code = await seated(client, code, int(spec.name))
        player = SeatPlayer(client, code, IncludedBot(client, spec, Random(arguments.seed)).prepare)
        tell = tell_json if arguments.json else tell_people
        tell(await player.play(tell))
    return Exit.DONE


async def seated(client: Client, code: str | None, strength: int) -> str:
    """The table at which we have taken a seat: `code`, or the first public one that has room.

    None is taken at a listed table whose game has no bot of this strength: it might be that of a
    bot, which would be gone.
    """

    def suits(info: TableInfo) -> bool:
        if code is not None:
            must_have(info.game, info.title, strength)
        return strength in strengths(info.game)

    return await take_seat(client, code, suits)


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
    """Print what people want to know of a bot: the connection and the result."""
    match told:
        case Disconnected(reason):
            say(f"Connection lost: {reason}. Trying to come back.", flush=True)
        case Reconnected():
            say("Connected again.", flush=True)
        case MatchResult(_, _, names, totals):
            say(", ".join(f"{n} {t}" for n, t in zip(names, totals, strict=True)), flush=True)


def _print(form: WireForm) -> None:
    say(json.dumps(form, separators=(",", ":")), flush=True)
