"""The score sheet, drawn from the values of a match."""

from hypothesis import given
from hypothesis import strategies as st

from client_cli.pages import final_lines
from client_cli.sheet_view import sheet_lines
from client_cli.table_view import draw_scores
from client_cli.text import Look, width
from engine.facts import Fact
from tests.client_cli.tables import ASCII, WIDE, table, text_of

SHEET = {
    "sheet/bid/1": (0, 2, 1),
    "sheet/tricks/1": (0, 1, 2),
    "sheet/score/1": (10, 1, 2),
    "sheet/bid/2": (1, 0, 1),
    "sheet/tricks/2": (1, 0, 0),
    "sheet/score/2": (11, 10, 0),
}


def test_a_row_a_deal_and_a_column_a_player() -> None:
    """The sheet has a row a deal and a column a player, with kept values before the score."""
    assert (
        text_of(sheet_lines(table(values=SHEET), WIDE))
        == """
score sheet: bid/tricks, score
deal     Ann  Blaise   Carl
   1  0/0 10  2/1  1  1/2 2
   2  1/1 11  0/0 10  1/0 0
"""
    )


def test_deals_are_in_order_however_they_came() -> None:
    """The deals are sorted, in whatever order they came."""
    values = {f"sheet/bid/{deal}": (deal, 0, 0) for deal in (10, 2, 1)}
    rows = text_of(sheet_lines(table(values=values), ASCII)).splitlines()[3:]
    assert [row.split()[0] for row in rows] == ["1", "2", "10"]


def test_without_a_sheet_nothing_is_drawn() -> None:
    """A game without a sheet draws none."""
    assert sheet_lines(table(values={"total/0": 3, "sheet/x": 1}), WIDE) == []


def test_the_scores_and_the_result_come_with_the_sheet() -> None:
    """The sheet is shown with the scores and with the result."""
    ended = Fact("match_ended", {"totals": (21, 11, 2), "ranks": (1, 2, 3)})
    over = table(values=SHEET, facts=(ended,), phase="finished")
    for lines in (draw_scores(over, WIDE), final_lines(over, WIDE)):
        assert "\n   2  1/1 11  0/0 10  1/0 0\n" in text_of(lines)


@given(
    st.dictionaries(
        st.one_of(
            st.builds("sheet/{}/{}".format, st.sampled_from(["bid", "score", "x"]), st.integers()),
            st.text(max_size=6).map("sheet/{}/1".format),
        ),
        st.lists(st.integers(), max_size=5).map(tuple),
        max_size=6,
    ),
    st.builds(Look, st.integers(20, 130), st.booleans(), st.booleans()),
)
def test_any_sheet_fits(values: dict[str, tuple[int, ...]], look: Look) -> None:
    """Any sheet fits the width, in ASCII if needed."""
    drawn = sheet_lines(table(values=values), look)
    assert all(width(each) <= look.width for each in drawn)
    assert look.symbols or text_of(drawn).isascii()
