"""Arguments that several of the client's commands share."""

import argparse
import os
import re
import socket
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from protocol.exits import Exit, UsageError, run_client
from protocol.pasted import is_code, pasted, server_and_table

if TYPE_CHECKING:
    from protocol.strengths import Wished
    from protocol.to_server import Command

MOST_SEATS = 64
"""No table has more."""


LOCAL = "localhost"
"""Where a server is looked for if none is named."""


def add_address(parser: argparse.ArgumentParser) -> None:
    """Add the address of the server, by default one on this machine."""
    parser.add_argument(
        "url",
        nargs="?",
        default=LOCAL,
        metavar="URL",
        help="address of the server, ws://host:port, or a link to a table (default: this machine, "
        "port 8765)",
    )


def take_place(arguments: argparse.Namespace) -> None:
    """Take server and table from the words that name them, in either order, or from a link.

    A single word that may be a code counts as one if it is in capitals, or if no machine has that
    name.
    """
    url, code = server_and_table(arguments.url, arguments.code)
    if url is not None and code is None and is_code(url) and not _is_host(url):
        code, url = url.upper(), None
    arguments.url, arguments.code = url or LOCAL, code


def _is_host(name: str) -> bool:
    try:
        return bool(socket.getaddrinfo(name, None))
    except OSError:
        return False


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how to print."""
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")
    forms.add_argument(
        "--speak", action="store_true", help="sentences only, nothing drawn, for screen readers"
    )
    parser.add_argument("--ascii", action="store_true", help="letters instead of card symbols")
    add_language(parser, "play in this language", "; with --json en")


def add_language(parser: argparse.ArgumentParser, does: str, otherwise: str = "") -> None:
    """Add the flag that names a language; `does` says what is done in it."""
    parser.add_argument(
        "--language",
        type=known_language,
        metavar="LANG",
        help=f"{does}, such as de (default: that of your locale{otherwise})",
    )


def add_name(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the flag with a player's name, which may have been copied from somewhere."""
    parser.add_argument("--name", type=pasted, help=about)


def add_player(parser: argparse.ArgumentParser) -> None:
    """Add the flags that name the player."""
    add_name(parser, "your name at the table (default: your login name)")
    parser.add_argument("--auto", action="store_true", help="let the seat play by itself")
    parser.add_argument("--bell", action="store_true", help="ring when it is your turn")


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a new table."""
    parser.add_argument("--seats", type=int, metavar="N", help="number of players")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game or a setting of the table, such as deals=2; may be repeated",
    )


def for_a_new_match(arguments: argparse.Namespace) -> Iterator[str]:
    """The given flags that apply only to a new match."""
    for flag in ("seats", "bots", "option", "seed"):
        if getattr(arguments, flag) not in (None, []):
            yield f"--{flag}"


def known_language(text: str) -> str:
    """The argument type for a language with texts: ``de``."""
    from protocol.texts import LANGUAGES

    if text not in LANGUAGES:
        raise argparse.ArgumentTypeError(f"{text}: there are texts in {', '.join(LANGUAGES)}")
    return text


def run_spoken(arguments: argparse.Namespace, main: Coroutine[Any, Any, Exit]) -> int:
    """Call `run_client` in the language that the arguments ask for."""
    from protocol.texts import speaking

    with speaking(chosen_language(arguments)):
        return run_client(_worded(main))


async def _worded(main: Coroutine[Any, Any, Exit]) -> Exit:
    """Run `main` with its last messages in the current language."""
    from protocol.errors import ConnectionLost, ProtocolError
    from protocol.texts.language import language

    try:
        return await main
    except Exception as error:
        from client_cli.refusals import told_reason
        from client_cli.tell import tell

        first = error
        while isinstance(first, ExceptionGroup):
            first = first.exceptions[0]
        if language() == "en" or type(first) not in (ConnectionLost, ProtocolError):
            raise
        if isinstance(first, ProtocolError):
            raise ProtocolError(first.code, told_reason(first)) from error
        raise ConnectionLost(tell("told.unreachable", why=str(first))) from error


def chosen_language(arguments: argparse.Namespace) -> str:
    """The requested language, or that of the locale; scripts get English."""
    from protocol.texts import LANGUAGES

    for_scripts: bool = getattr(arguments, "json", False)
    if arguments.language is not None or for_scripts:
        return arguments.language or "en"
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next(filter(None, map(os.environ.get, names)), "")
    named = re.split("[_.@]", locale)[0].lower()
    return named if named in LANGUAGES else "en"


def bot_strength(text: str) -> "Wished":
    """The argument type for a strength of bots: a number such as ``2``, or easy, medium, strong."""
    from protocol.strengths import wished_strength

    wished = wished_strength(text.strip())
    if wished is None:
        raise argparse.ArgumentTypeError(f"{text}: a strength is easy, medium, strong or a number")
    return wished


def bot_strengths(text: str) -> "tuple[Wished, ...]":
    """The argument type for strengths: ``2,1,0`` or ``easy,strong``."""
    try:
        return tuple(map(bot_strength, text.split(",")))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text}: strengths look like medium or 2,1,0") from None


def seat_number(text: str) -> int:
    """The argument type for a seat: from 1, as people count, converted to the protocol's from 0."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_SEATS):
        raise argparse.ArgumentTypeError(f"{text}: seats are counted from 1 to {MOST_SEATS}")
    return int(text) - 1


def check_values(arguments: argparse.Namespace) -> None:
    """Raise `UsageError` for the first word of the command line that no server would accept."""
    from protocol.to_server import CreateTable, Hello, Join, ListTables

    for name, shown, kind, field, others in (
        ("game", "GAME", CreateTable, "game", {}),
        ("create", "--create", CreateTable, "game", {}),
        ("code", "CODE", Join, "table", {}),
        ("seats", "--seats", CreateTable, "seats", {"game": "-"}),
        ("seed", "--seed", CreateTable, "seed", {"game": "-"}),
        ("free", "--free", ListTables, "free", {}),
        ("phase", "--phase", ListTables, "phase", {}),
        ("text", "--text", ListTables, "text", {}),
        ("name", "--name", Hello, "name", {"version": 0, "client": "-"}),
    ):
        value = getattr(arguments, name, None)
        if value is not None:
            _must_fit(f"{shown} {value!r}", kind, {**others, field: value})


def table_fields(words: Iterable[str], flag: str = "--option ") -> dict[str, Any]:
    """`options` and `settings` of a table from words such as ``deals=2`` and ``turn_seconds=30``.

    `UsageError` if a word has no meaning, or a value that no server would accept; `flag` stands
    before the word there.
    """
    from client_cli.tell import tell
    from client_cli.typed_values import option_value, setting_value
    from protocol.to_server import CreateTable, TableSettings

    options: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name or not text:
            raise UsageError(f"{flag}{word}: {tell('typed.like')}")
        if name in TableSettings.model_fields:
            settings[name] = setting_value(name, text)
            said = {"settings": {name: settings[name]}}
        else:
            options[name] = option_value(text)
            said = {"options": {name: options[name]}}
        _must_fit(f"{flag}{word}", CreateTable, {"game": "-", **said})
    return {"options": options, "settings": settings}


def _must_fit(typed: str, kind: "type[Command]", fields: Mapping[str, Any]) -> None:
    """Raise `UsageError` about what was `typed` if `fields` make no valid command."""
    from pydantic import ValidationError

    from client_cli.tell import tell
    from protocol.parse import wording

    try:
        kind.model_validate({"id": 1, **fields}, strict=True)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        # If a value may have several types, a reason other than its type is more helpful.
        fault = next((each for each in faults if not each["type"].endswith("_type")), faults[0])
        told = tell("typed.yes_or_no") if fault["type"] == "bool_type" else wording(fault)
        raise UsageError(f"{typed}: {told}") from None
