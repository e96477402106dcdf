"""The rules of a game in a terminal."""

import pytest

from client_cli.markdown_view import rules_lines, rules_of
from client_cli.text import Look
from engine import GAMES
from engine.games.rules import rules_text
from protocol.texts import speaking
from protocol.to_client import GameCard
from tests.client_cli.tables import NARROW, WIDE, text_of


def test_the_rules_are_readable_in_a_narrow_terminal() -> None:
    """Rules are shown as text without marks, with tables in columns, within the width."""
    told = text_of(rules_lines(rules_text("black_queen"), NARROW))
    assert told.startswith("\nBlack Queen\n\nBlack Queen is a trick-taking game")
    assert "|" not in told
    assert "**" not in told
    assert all(len(each) <= NARROW.width for each in told.splitlines())


def test_code_in_rules_keeps_its_lines() -> None:
    """Code in rules keeps its lines, indents and stars."""
    page = "These are *the* rules.\n\n```\n(game\n  (do ((* 2 3)))\n```\nThe end."
    shown = text_of(rules_lines(page, WIDE)).splitlines()[1:]
    assert shown == ["These are the rules.", "", "(game", "  (do ((* 2 3)))", "The end."]


TABLE = """
| players | packs | left out |
|---|---|---:|
| 2 | 1 | none |
| 5 | 2 | two 2♦, one 2♣, **one 2♠** |
The end.
"""


def test_a_table_has_columns() -> None:
    """Columns are as wide as their widest cells, without the rule below the head."""
    assert (
        text_of(rules_lines(TABLE, WIDE))
        == """

players  packs  left out
2        1      none
5        2      two 2♦, one 2♣, one 2♠
The end.
"""
    )


def test_a_table_keeps_its_columns_in_a_narrow_terminal() -> None:
    """In a narrow terminal a long cell continues within its column."""
    assert (
        text_of(rules_lines(TABLE, Look(27)))
        == """

players  packs  left out
2        1      none
5        2      two 2♦, one
                2♣, one 2♠
The end.
"""
    )


@pytest.mark.parametrize("cells", [20, 33, 60, 120])
def test_every_page_of_rules_fits(cells: int) -> None:
    """Every rules page fits any width without losing a word."""
    for info in GAMES:
        page = rules_text(info.id)
        lines = text_of(rules_lines(page, Look(cells))).splitlines()
        assert all(len(line) <= cells for line in lines), info.id
        wide = text_of(rules_lines(page, Look(10_000)))
        assert sorted("".join(lines).replace(" ", "")) == sorted(
            wide.replace("\n", "").replace(" ", "")
        )


def test_a_table_at_the_end_and_one_with_uneven_rows() -> None:
    """Tables at the end and with uneven rows are shown."""
    page = "|a|b|\n|-|-|\n|1|\n|2|3|4|"
    assert (
        text_of(rules_lines(page, WIDE))
        == """
a  b
1
2  3  4
"""
    )


def test_rules_are_those_of_the_language() -> None:
    """The rules are in the current language; a file's are as written."""
    game = GameCard(
        id="hearts",
        version=1,
        title="Hearts",
        seats=(4,),
        usual_seats=4,
        options=(),
        strengths=(0,),
        rules="As written.",
    )
    assert rules_of(game) == "As written."
    with speaking("de"):
        assert "Hearts ist ein Stichspiel" in rules_of(game)
        assert rules_of(game.model_copy(update={"described": True})) == "As written."
