"""docs/playing.md agrees with the client."""

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

from client_cli.effects import Show
from client_cli.output import LineOutput
from client_cli.table_commands import TYPED_COMMANDS, aliases
from protocol.client_events import ClientEvent
from protocol.exits import Exit
from protocol.to_client import StrengthInfo
from tests.client_cli.tables import ANNS_TURN, WIDE

PAGE = (Path(__file__).parents[2] / "docs" / "playing.md").read_text("utf-8")


def test_the_picture_is_what_the_client_draws() -> None:
    """The page's picture is what the client draws, line by line."""
    drawn: list[str] = []
    shown = replace(ANNS_TURN, bots=(StrengthInfo(strength=2, levels=("medium",)),))
    LineOutput(lambda: WIDE, drawn.append).show(Show("table"), shown)
    assert f"```\n{''.join(drawn)}your move>\n```" in PAGE


def test_every_order_is_told() -> None:
    """The page names every command and every exit code."""
    assert [
        command for command in TYPED_COMMANDS.values() if f"`{command.usage}`" not in PAGE
    ] == []
    assert set(aliases().values()) <= set(TYPED_COMMANDS)
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}
    assert codes == set(Exit)


def test_every_kind_of_line_is_told() -> None:
    """The page names every kind of JSON line: events, the result, and errors."""
    section = PAGE[PAGE.index("| type | when") : PAGE.index("¹ folded in")]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    types = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert len(types) == len(get_args(ClientEvent)) + 2
