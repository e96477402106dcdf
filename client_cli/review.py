"""`blackqueen review`: what the strong bot thinks of the decisions in a match that is over."""

import argparse
import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

from client_cli.arguments import (
    LOCAL,
    add_name,
    add_output,
    check_values,
    run_spoken,
    seat_number,
    take_place,
)
from protocol.address import server_address
from protocol.exits import Exit, UsageError
from protocol.safe_text import complain, say

if TYPE_CHECKING:
    from client_cli.text import Look
    from engine.facts import Seat
    from protocol.connection import Client
    from protocol.to_client import ReviewPage

AGAIN_SECONDS = 1.0
"""The pause between two questions for the rest of a review."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen review`` to `parser`."""
    parser.add_argument("code", metavar="CODE", help="the table's code")
    parser.add_argument(
        "url",
        nargs="?",
        default=LOCAL,
        metavar="URL",
        help="address of the server, ws://host:port, or a link to a table (default: this machine, "
        "port 8765)",
    )
    add_name(parser, "under which you played there (default: your login name)")
    parser.add_argument(
        "--seat", type=seat_number, metavar="N", help="the decisions of seat N (default: your own)"
    )
    parser.add_argument(
        "--match", type=int, metavar="N", help="match N of the table (default: the last one)"
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the review as it is made and return the exit code."""
    return run_spoken(arguments, _review(arguments))


async def _review(arguments: argparse.Namespace) -> Exit:
    from client_cli.identity import known_identity, login_name, state_directory
    from client_cli.run_table import connected

    take_place(arguments)
    check_values(arguments)
    url, name = server_address(arguments.url), arguments.name or login_name()
    with known_identity(url, name, state_directory()) as who:
        async with connected(url, None, who, None) as client:
            if not client.session.knows("review"):
                raise UsageError("this server is too old for reviews")
            await print_review(client, arguments)
    return Exit.DONE


async def print_review(client: "Client", arguments: argparse.Namespace) -> None:
    """Request the review again and again until it is complete, and print it.

    `arguments` are those of ``blackqueen review``, without the place of the server.
    """
    from client_cli.review_view import ReviewLines, Waiting
    from client_cli.terminal import look_of_stdout
    from protocol.to_server import Review

    first: ReviewPage | None = None
    lines: ReviewLines | None = None
    look = look_of_stdout(ascii_only=arguments.ascii)
    had, waiting = 0, Waiting()
    which = {"table": arguments.code, "match": arguments.match, "seat": arguments.seat}
    while True:
        page = await client.ask(Review, **which, after=had)
        had += len(page.decisions)
        first = first or page
        if told := waiting.told(page.seconds, monotonic(), had):
            complain("blackqueen review", told)
        if arguments.json:
            say(*_json_lines(page), flush=True)
        elif page.decisions or page.summary is not None:
            if lines is None:
                lines = ReviewLines(first, look(), *await _people(client, page, look()))
            say(*lines.of(page), flush=True)
        if page.summary is not None and not page.more:
            return
        if not page.more:
            await asyncio.sleep(AGAIN_SECONDS)


async def _people(
    client: "Client", page: "ReviewPage", look: "Look"
) -> tuple[list[str], "Seat | None"]:
    """The players by seat at the first of these decisions, and the reader's seat.

    The names are empty if the log may not be read.
    """
    from client_cli.names import seat_names
    from protocol.errors import ProtocolError
    from protocol.to_server import Log

    if not page.decisions:
        return [], None
    before = page.decisions[0].entry - 1
    try:
        log = await client.ask(Log, table=page.table, after=before, size=1)
    except ProtocolError:
        return [], None
    return seat_names(log.info, look), log.seat


def _json_lines(page: "ReviewPage") -> list[str]:
    """A line for each decision, and one for the summary."""
    import json

    from protocol.wire_form import wire_form

    told: list[dict[str, Any]] = [
        {"type": "decision", **wire_form(each)} for each in page.decisions
    ]
    if page.summary is not None and not page.more:
        told.append({"type": "summary", **wire_form(page.summary)})
    return [json.dumps(each, ensure_ascii=False) for each in told]
