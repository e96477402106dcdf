"""`blackqueen admin ACT …`: ask and direct a server that runs on this machine."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import NamedTuple

from protocol.exits import Exit
from protocol.pasted import pasted, table_code
from protocol.safe_text import complain, say
from server.admin.client import AdminClient, JsonObject, NoAdminServer
from server.admin.socket_file import socket_path
from server.admin.views import LINES, LISTS, NOTES, failure_lines
from server.nodes.admin_errors import BAD_REQUEST, NOT_SURE, AdminError
from server.ops.settings import SettingsError
from server.ops.settings_sources import add_arguments as add_settings
from server.ops.settings_sources import settings_from

__all__ = ["add_arguments", "run"]


class AdminWord(NamedTuple):
    """The arguments of an act: its word and the field for that word, if it has one."""

    help: str
    word: str = ""
    field: str = ""


USAGE = (
    "blackqueen admin ACT [WORD ...] [--reason TEXT] [--hours N] [--yes] [--lines N] [--json] "
    "[--data DIR] [--config FILE]"
)
PLAYER, SUBJECT = "PLAYER", "PLAYER|ADDRESS"
ACTS = {
    "status": AdminWord(
        "how the server is, and how full; of several nodes this one", "[NODE]", "node"
    ),
    "tables": AdminWord("the open tables of all nodes, and who sits there"),
    "players": AdminWord(
        "who is connected here or has a seat at any node: id, name, address, tables"
    ),
    "nodes": AdminWord("the nodes of the server: who is there, its lease, its tables"),
    "kick": AdminWord(
        "disconnect a player and take their seats away; they may come back", PLAYER, "player"
    ),
    "ban": AdminWord(
        "the same, and keep them out; an address may be 203.0.113.0/24", SUBJECT, "subject"
    ),
    "bans": AdminWord("who is banned"),
    "log": AdminWord(
        "the last lines of the audit logs of all nodes: who asked for what, and where"
    ),
    "link": AdminWord("a link that opens the server's pages for administrators once, in a browser"),
    "unban": AdminWord("lift a ban", SUBJECT, "subject"),
    "drain": AdminWord(
        "let a node give its tables to the others, also in mid-match", "NODE", "node"
    ),
    "undrain": AdminWord("let a node that was drained take tables again", "NODE", "node"),
    "balance": AdminWord("let all nodes give each other their share of the tables"),
    "announce": AdminWord("show a text to everybody who is connected to any node", "TEXT", "text"),
    "close": AdminWord("close a table, also in the middle of a match", "TABLE", "table"),
}
"""Each act in the order in which the help lists them."""
FLAGS = {"reason": ("kick", "ban"), "hours": ("ban",), "yes": ("ban",), "lines": ("log",)}
"""The flags that go with some acts."""


class BadWords(Exception):
    """The words of the command make no request; the message says which words do."""


def act_lines() -> Iterator[str]:
    """List the acts, one a line."""
    for name, act in ACTS.items():
        yield f"  {f'{name} {act.word}':20}  {act.help}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `blackqueen admin`."""
    parser.usage = USAGE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = "\n".join(act_lines())
    parser.epilog = (
        "Any node may be asked: what is done is done at all of them, or at the one named."
    )
    parser.add_argument("act", nargs="?", choices=ACTS, metavar="ACT", help="one of those above")
    parser.add_argument("words", nargs="*", metavar="WORD", help="PLAYER: an id, or a name")
    parser.add_argument("--reason", metavar="TEXT", help="kick, ban: what the player reads")
    parser.add_argument("--hours", type=float, metavar="N", help="ban: for so long (for ever)")
    parser.add_argument(
        "--yes", action="store_true", default=None, help="ban: also where it hits many; not asked"
    )
    parser.add_argument("--lines", type=int, metavar="N", help="log: so many at most (100)")
    parser.add_argument("--json", action="store_true", help="print JSON, one object a line")
    add_settings(parser, "data")


def run(arguments: argparse.Namespace) -> int:
    """Ask the server, print its answer, and return an exit code of `protocol.exits`."""
    if arguments.act is None:
        say(f"usage: {USAGE}", "", *act_lines(), file=sys.stderr)
        return Exit.USAGE
    try:
        request = request_of(arguments)
        path = socket_path(settings_from(arguments).data)
    except (BadWords, SettingsError) as error:
        return _refuse(str(error), Exit.USAGE)
    try:
        with closing(AdminClient(path)) as client:
            if sys.stdout.isatty() and not arguments.json:
                # There may be several, each with a data folder of its own.
                say(f"The server with the data in {path.parent}:")
            listing = _LISTING[arguments.json]
            try:
                failed = listing(client, request)
            except AdminError as error:
                if error.code != NOT_SURE or not _confirms(str(error)):
                    raise
                failed = listing(client, {**request, "yes": True})
    except NoAdminServer as error:
        return _refuse(str(error), Exit.UNREACHABLE)
    except AdminError as error:
        if error.code == NOT_SURE:
            return _refuse(f"{error}; nothing was done, add --yes if that is meant", Exit.REFUSED)
        bad = error.code == BAD_REQUEST
        where = "" if bad else f" (the server with the data in {path.parent})"
        return _refuse(f"{error}{where}", Exit.USAGE if bad else Exit.REFUSED)
    return _refuse("; ".join(failed), Exit.REFUSED) if failed else Exit.DONE


def request_of(arguments: argparse.Namespace) -> JsonObject:
    """The request that the words of the command make; `BadWords` if they make none."""
    act, words = arguments.act, arguments.words
    wanted = ACTS[act].word
    if wanted and not wanted.startswith("[") and not words:
        raise BadWords(f"{act} {wanted}: the {wanted} is missing")
    if act != "announce" and len(words) > bool(wanted):
        raise BadWords(
            f"{act}: {words[bool(wanted)]!r} is too much; put a name with spaces in quotes"
        )
    request: JsonObject = {"act": act}
    if wanted and words:
        said = pasted(" ".join(words))
        request[ACTS[act].field] = table_code(said) if act == "close" else said
    for name, acts in FLAGS.items():
        value = getattr(arguments, name)
        if value is None:
            continue
        if act not in acts:
            raise BadWords(f"--{name} goes with {' and '.join(acts)}")
        request[name] = value
    if act == "ban" and (came := os.environ.get("SSH_CONNECTION", "").partition(" ")[0]):
        request["own"] = came
    return request


def _confirms(question: str) -> bool:
    """Ask at the terminal for confirmation; without a terminal the answer is no."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    say(f"{question}. Type yes to do it:", flush=True)
    return sys.stdin.readline().strip().lower() in ("yes", "y")


def _print_json(client: AdminClient, request: JsonObject) -> list[str]:
    act = request["act"]
    if act not in LISTS:
        told = client.ask(request)
        say(json.dumps(told))
        return list(failure_lines(told))
    for page in client.pages(act):
        say(*map(json.dumps, page[act]))
    return []


def _print_lines(client: AdminClient, request: JsonObject) -> list[str]:
    act = request["act"]
    if act not in LISTS:
        told = client.ask(request)
        say(*LINES[act](told))
        return list(failure_lines(told))
    pages = list(client.pages(act))
    say(*LISTS[act]([line for page in pages for line in page[act]]))
    if act in NOTES:
        say(*NOTES[act](pages[-1]))
    return []


_LISTING: dict[bool, Callable[[AdminClient, JsonObject], list[str]]] = {
    True: _print_json,
    False: _print_lines,
}
"""Print what the server answers, and return what some nodes have not done."""


def _refuse(words: str, code: Exit) -> int:
    complain("blackqueen admin", words)
    return code
