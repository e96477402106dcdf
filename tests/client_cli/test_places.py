"""A table drawn by the layout hints of its game."""

from dataclasses import replace

from client_cli.places import place_of, value_hint
from client_cli.signs import signs
from client_cli.spoken_table import spoken_table
from client_cli.table_view import draw_table
from engine.layout import (
    A_FLAG,
    BY_SEAT,
    HAND,
    HIDDEN,
    NOBODY,
    ON_TABLE,
    PILE,
    ROW,
    SLOTS,
    TRICK,
    ValueHint,
    ZoneHint,
    laid_out,
)
from tests.client_cli.tables import WIDE, played, table, text_of

HINTS = laid_out(
    (
        ZoneHint("stock", HIDDEN, "stock"),
        ZoneHint("middle", TRICK, "middle"),
        ZoneHint("cards", HAND, "cards"),
        ZoneHint("won", PILE, "won"),
        ZoneHint("down", SLOTS, "covered"),
        ZoneHint("up", SLOTS, "open", over="down"),
    ),
    (
        ValueHint("broken", "hearts broken", ON_TABLE, holds=A_FLAG),
        ValueHint("count", "count", ON_TABLE, zero=False),
        ValueHint("steps", "steps", NOBODY),
        ValueHint("score", "score", BY_SEAT, zero=False),
        ValueHint("bid", "bid", BY_SEAT, zero=False),
    ),
)
TABLE = replace(
    table(
        zones={
            "stock": "? ?",
            "middle": "4C",
            "cards/0": "2C QS",
            "cards/1": "? ?",
            "won/1": "2D 3D",
            "down/0/1": "?",
            "down/0/2": "?",
            "up/0/1": "JC",
            "up/0/2": "",
            "down/1/1": "",
            "up/1/1": "5H",
        },
        values={
            "broken": 1,
            "count": 0,
            "steps": 3,
            "score/0": 0,
            "score/1": 0,
            "bid/0": 0,
            "bid/1": 2,
        },
        facts=(replace(played(1, "4C"), changes=()),),
    ),
    layout=HINTS,
)


def test_zones_lie_where_the_hints_say() -> None:
    """Zones are drawn where the hints say: slots in shared columns, counted piles, hands."""
    assert (
        text_of(draw_table(TABLE, WIDE))
        == """
── Black Queen · table K7Q2X · hearts broken ──────────────────────────────────
                 bid  cards  won  1   2
  Ann     you             2    0  J♣▒ ▒
  Blaise  bot 2    2      2    2  5♥  ·
  Carl    bot 2           0    0  ·   ·

middle   4♣

hand     2♣
         Q♠
"""
    )


def test_what_is_hidden_or_says_nothing_is_left_out() -> None:
    """Hidden zones and meaningless zeros are neither drawn nor spoken."""
    told = "\n".join(spoken_table(TABLE))
    assert "stock" not in told
    assert "score" not in told
    assert "bid 2" in told
    assert "2 cards won" in told
    assert "The middle: four of clubs." in told


def test_signs_are_those_of_the_picture() -> None:
    """The signs explain counted piles by title, and slots as columns."""
    meant = dict(signs(TABLE, WIDE))
    assert meant["1 to 2"].startswith("the columns before each player")
    assert meant["cards, won"] == "how many cards (cards) and cards (won)"


def test_without_hints_names_tell() -> None:
    """Without hints the names of zones decide."""
    old = replace(TABLE, layout=laid_out((), ()))
    assert place_of(old, "column/0/1") == SLOTS
    assert place_of(old, "won/1") == ROW
    assert place_of(TABLE, "column/0/1") == ROW
    assert value_hint(old, "score/1").shown == BY_SEAT
    assert value_hint(old, "broken").shown == ON_TABLE
    assert value_hint(old, "option/deals").shown == NOBODY
