"""What the commands of the client have in common on the command line."""

import argparse
from collections.abc import Iterable
from typing import Any

from protocol.exits import Mistake


def add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="address of the server: ws://host:port")


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")
    parser.add_argument("--ascii", action="store_true", help="letters instead of card symbols")


def add_player(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", help="your name at the table (default: your login name)")
    parser.add_argument("--auto", action="store_true", help="let the seat play by itself")


def add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seats", type=int, metavar="N", help="number of players")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game or a setting of the table, such as deals=2; may be repeated",
    )


def bot_strengths(text: str) -> tuple[int, ...]:
    """``2,1,0`` as numbers."""
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: strengths look like 2,1,0") from None


def seat_number(text: str) -> int:
    """A seat as people count them, from 1, as the wire counts them, from 0."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text}: seats are counted from 1")
    return int(text) - 1


def table_fields(words: Iterable[str]) -> dict[str, Any]:
    """`options` and `settings` of a table from words such as ``deals=2`` and ``turn_seconds=30``.

    The values are whatever the models of the protocol then take or refuse.
    """
    from client_cli.orders import option_value, setting_value
    from protocol.to_server import TableSettings

    options: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name or not text:
            raise Mistake(f"--option {word}: it looks like deals=2")
        if name in TableSettings.model_fields:
            settings[name] = setting_value(name, text)
        else:
            options[name] = option_value(text)
    return {"options": options, "settings": settings}
