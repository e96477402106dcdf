"""Tables of cells, and how they break in a narrow terminal."""

from hypothesis import given
from hypothesis import strategies as st

from client_cli.grid import Column, grid
from client_cli.text import line, width
from tests.client_cli.tables import text_of

NAMES = Column("", (line("Ann"), line("Bob")))


def column(title: str, *cells: str, right: bool = False, block: str = "") -> Column:
    return Column(title, tuple(line(cell) for cell in cells), right=right, block=block)


def test_cells_line_up_below_their_titles() -> None:
    """Numbers are right-aligned below their titles, words left-aligned."""
    drawn = grid(NAMES, [column("total", "5", "-30", right=True), column("", "you", "bot")], 40)
    assert (
        text_of(drawn)
        == """
     total
Ann      5  you
Bob    -30  bot
"""
    )


def test_what_does_not_fit_follows_below_with_the_names_again() -> None:
    """Columns that do not fit follow below, with the names again."""
    drawn = grid(NAMES, [column("hand", "10", "9"), column("taken", "0", "4")], 12)
    assert (
        text_of(drawn)
        == """
     hand
Ann  10
Bob  9
     taken
Ann  0
Bob  4
"""
    )


def test_a_block_stays_together_where_it_can() -> None:
    """The columns of one block move to the next table together."""
    slots = [column(str(at), "QS", "2C", block="slots") for at in (1, 2)]
    drawn = grid(NAMES, [column("hand", "10", "9"), *slots], 14)
    assert (
        text_of(drawn)
        == """
     hand
Ann  10
Bob  9
     1   2
Ann  QS  QS
Bob  2C  2C
"""
    )


def test_a_block_too_wide_for_any_line_is_broken() -> None:
    """A block too wide for any line is broken."""
    slots = [column(str(at), "QS", "2C", block="slots") for at in (1, 2, 3)]
    assert text_of(grid(NAMES, slots, 11)).count("Ann") == 2


cells = st.lists(st.text("aZ♠王", max_size=8), min_size=2, max_size=2)


@given(st.lists(st.tuples(st.text("abc", max_size=6), cells), max_size=6), st.integers(20, 60))
def test_a_grid_fits(columns: list[tuple[str, list[str]]], room: int) -> None:
    """No line of a grid is wider than requested."""
    drawn = grid(NAMES, [column(title, *texts) for title, texts in columns], room)
    assert all(width(each) <= room for each in drawn)
