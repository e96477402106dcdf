"""`blackqueen admin ACT …`: ask and direct a server that runs on this machine."""

import argparse
import json
from collections.abc import Callable
from contextlib import closing

from protocol.exits import Exit
from protocol.safe_text import complain, say
from server.admin.client import AdminClient, NoServer, Refused, Told
from server.admin.listener import socket_path
from server.admin.views import LINES, LISTS
from server.ops.settings import SettingsError
from server.ops.settings_sources import add_arguments as add_settings
from server.ops.settings_sources import settings_from

__all__ = ["add_arguments", "run"]

WANTED = {
    "status": "",
    "tables": "",
    "players": "",
    "bans": "",
    "kick": "PLAYER",
    "ban": "PLAYER|ADDRESS",
    "unban": "PLAYER|ADDRESS",
    "announce": "TEXT",
    "close": "TABLE",
}
"""Each act, and what has to be named with it."""
_FIELDS = {
    "kick": "player",
    "ban": "subject",
    "unban": "subject",
    "announce": "text",
    "close": "table",
}


class Mistake(Exception):
    """The words of the command make no request; the text says what would."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `blackqueen admin`."""
    parser.add_argument(
        "act",
        choices=WANTED,
        help="status, tables, players, bans: show them; kick, ban, unban PLAYER; ban, unban "
        "ADDRESS (or a network such as 203.0.113.0/24); announce TEXT; close TABLE",
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="PLAYER: an id, or a name")
    parser.add_argument("--reason", metavar="TEXT", help="kick, ban: what the player reads")
    parser.add_argument("--hours", type=float, metavar="N", help="ban: for so long (for ever)")
    parser.add_argument("--json", action="store_true", help="print JSON, one object a line")
    add_settings(parser, "data")


def run(arguments: argparse.Namespace) -> int:
    """Ask the server, and print what it answers; the exit code is one of `protocol.exits`."""
    try:
        request = request_of(arguments)
        path = socket_path(settings_from(arguments).data)
        with closing(AdminClient(path)) as client:
            _LISTING[arguments.json](client, request)
    except (Mistake, SettingsError) as error:
        return _refuse(str(error), Exit.USAGE)
    except NoServer as error:
        return _refuse(str(error), Exit.UNREACHABLE)
    except Refused as error:
        return _refuse(str(error), Exit.USAGE if error.code == "bad_request" else Exit.REFUSED)
    return Exit.DONE


def request_of(arguments: argparse.Namespace) -> Told:
    """The request that the words of the command make; `Mistake` if they make none."""
    act, words = arguments.act, arguments.words
    wanted = WANTED[act]
    if wanted and not words:
        raise Mistake(f"{act} {wanted}: the {wanted} is missing")
    if act != "announce" and len(words) > bool(wanted):
        raise Mistake(
            f"{act}: {words[bool(wanted)]!r} is too much; put a name with spaces in quotes"
        )
    request: Told = {"act": act}
    if wanted:
        request[_FIELDS[act]] = " ".join(words)
    for name, acts in (("reason", ("kick", "ban")), ("hours", ("ban",))):
        value = getattr(arguments, name)
        if value is None:
            continue
        if act not in acts:
            raise Mistake(f"--{name} goes with {' and '.join(acts)}")
        request[name] = value
    return request


def _print_json(client: AdminClient, request: Told) -> None:
    act = request["act"]
    if act not in LISTS:
        say(json.dumps(client.ask(request)))
        return
    for page in client.pages(act):
        say(*map(json.dumps, page[act]))


def _print_lines(client: AdminClient, request: Told) -> None:
    act = request["act"]
    if act not in LISTS:
        say(*LINES[act](client.ask(request)))
        return
    say(*LISTS[act]([line for page in client.pages(act) for line in page[act]]))


_LISTING: dict[bool, Callable[[AdminClient, Told], None]] = {
    True: _print_json,
    False: _print_lines,
}


def _refuse(words: str, code: Exit) -> int:
    complain("blackqueen admin", words)
    return code
