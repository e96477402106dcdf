"""What `blackqueen play --browser` has the page open."""

import argparse
from pathlib import Path
from typing import Any

import pytest

from client_cli import browser, play
from client_cli.arguments import table_fields
from client_cli.browser import play_in_browser
from protocol.exits import UsageError


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(["--browser", *words])


def wanted(*words: str) -> dict[str, Any]:
    arguments = parsed(*words)
    return browser.wanted(arguments, table_fields(arguments.option), "Ann")


def test_without_a_game_the_page_shows_them_all() -> None:
    """Without a game the page is given only the name, and shows all games."""
    assert wanted() == {"name": "Ann"}


def test_a_table_is_named_with_all_that_the_command_line_says() -> None:
    """The page is given the command line's game or file, seats, bots and options."""
    told = wanted(
        "whist", "--seats", "3", "--bots", "easy,2", "--option", "hints=no", "--seed", "7"
    )
    settings = {"hints": False, "private": True}
    table = {"game": "whist", "options": {}, "settings": settings, "seats": 3, "seed": 7}
    assert told == {"name": "Ann", "bots": ["easy", 2], "table": table}
    file = "engine/recycle/games/Cribbage2.rcy"
    told = wanted(file)
    assert (told["table"]["game"], told["bots"]) == ("Cribbage2.rcy", ["medium"])


@pytest.mark.parametrize("flag", [("--data", "x"), ("--auto",), ("--json",), ("--last",)])
async def test_what_a_page_cannot_do_is_refused(flag: tuple[str, ...], tmp_path: Path) -> None:
    """Flags that the page cannot follow are refused before a server is started."""
    with pytest.raises(UsageError, match=f"{flag[0]} and --browser"):
        await play_in_browser(parsed(*flag), {}, "Ann", tmp_path)
