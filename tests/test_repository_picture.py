"""The picture of a game, drawn from a terminal's screen."""

from xml.etree import ElementTree

from tests.repository import ROOT
from tools.picture import INK, Style, last_table, runs, svg

SCREEN = "old\n── Black Queen · deal 1\n\x1b[1m▸ Ann\x1b[0m  \x1b[91m4♥\x1b[2;39m▒\x1b[0m <you>\n\n"


def test_styles_last_until_they_are_changed() -> None:
    """Each stretch of text stands in its column with its colour and weight."""
    red = Style().after(91)
    assert list(runs("\x1b[1m▸ Ann\x1b[0m  \x1b[91m4♥\x1b[2;39m▒\n!")) == [
        (0, 0, "▸ Ann", Style(bold=True)),
        (0, 7, "4♥", red),
        (0, 9, "▒", Style(INK, dim=True)),
        (1, 0, "!", Style(INK, dim=True)),
    ]


def test_gaps_are_places_and_not_spaces() -> None:
    """Gaps are positions and not spaces, which browsers collapse."""
    assert [(column, text) for _, column, text, _ in runs("  hand  3  of 4 ")] == [
        (2, "hand"),
        (8, "3"),
        (11, "of 4"),
    ]


def test_only_the_last_table_is_shown() -> None:
    """Only the last table is drawn, without what scrolled by and trailing empty lines."""
    assert last_table(SCREEN).splitlines()[0].startswith("── Black Queen")
    assert last_table(SCREEN).endswith("<you>\n")


def test_the_picture_holds_the_words() -> None:
    """The SVG is well-formed and contains every stretch of text."""
    picture = ElementTree.fromstring(svg(last_table(SCREEN)))
    words = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert words == ["── Black Queen · deal 1", "▸ Ann", "4♥", "▒", "<you>"]


def test_the_readme_shows_a_game() -> None:
    """README.md shows a picture of a table with somebody's turn."""
    assert "](docs/table.svg)" in (ROOT / "README.md").read_text()
    picture = (ROOT / "docs/table.svg").read_text()
    assert "Black Queen" in picture
    assert "your move" in picture
