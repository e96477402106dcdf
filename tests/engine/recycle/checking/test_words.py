"""Warnings for attributes and values that no card of the deck has."""

import pytest

from engine.recycle.problems import Code
from tests.engine.recycle.checking.checking import found

A = "(game hloc STOCK)"


@pytest.mark.parametrize(
    ("action", "key", "hint"),
    [
        (f"(set (game str S) (cardatt SIUT (top {A})))", "SIUT", "; did you mean SUIT?"),
        (f"(set (game sto N) (size (partition PIPS {A})))", "PIPS", ""),
        ("(set (game points P) (((RNK : A) 1)))", "RNK", "; did you mean RANK?"),
    ],
)
def test_an_attribute_that_no_card_has_is_warned_of(action: str, key: str, hint: str) -> None:
    """An attribute that no card has is warned of wherever it is read."""
    column = f"(do ({action}))".index(key) + 1
    assert found(Code.UNKNOWN_ATTRIBUTE, f"(do ({action}))") == [
        f"3:{column}: warning no card has this attribute: {key}; expected COLOR, RANK, SUIT{hint}"
    ]
    assert found(Code.UNKNOWN_VALUE, f"(do ({action}))") == []


@pytest.mark.parametrize(
    ("action", "value", "expected"),
    [
        (
            f"((== (cardatt SUIT (top {A})) HEART) (turn pass))",
            "HEART",
            "no card has this SUIT: HEART; expected HEARTS, SPADES; did you mean HEARTS?",
        ),
        (
            f"((!= RED (cardatt SUIT (top {A}))) (turn pass))",
            "RED",
            "no card has this SUIT: RED; expected HEARTS, SPADES; it is a COLOR",
        ),
        (
            "(set (game points P) (((RANK : TEN) 1)))",
            "TEN",
            "no card has this RANK: TEN; expected A, K, Q",
        ),
    ],
)
def test_a_value_that_no_card_has_is_warned_of(action: str, value: str, expected: str) -> None:
    """A value that no card has is warned of in comparisons and in point maps."""
    column = f"(do ({action}))".index(value) + 1
    assert found(Code.UNKNOWN_VALUE, f"(do ({action}))") == [f"3:{column}: warning {expected}"]


def test_of_many_values_a_few_are_named() -> None:
    """The warning names a few of the known values if there are many."""
    setup = (
        "(setup (create players 2) (create deck (game vloc A) "
        "(deck (RANK (A, B, C, D, E, F, G, H)))))"
    )
    text = "(do ((set (game points P) (((RANK : X) 1)))))"
    assert found(Code.UNKNOWN_VALUE, text, setup=setup) == [
        "3:37: warning no card has this RANK: X; expected A, B, C, D, E, F …"
    ]


@pytest.mark.parametrize(
    "action",
    [
        f"((== (cardatt SUIT (top {A})) (cardatt SUIT (bottom {A}))) (turn pass))",
        f"((== (cardatt SUIT (top {A})) (game str S)) (turn pass))",
        f"((== (cardatt (game str K) (top {A})) HEART) (turn pass))",
        "((== HEART SPADE) (turn pass))",
        "(set (game points P) (((SUIT : (game str S)) 1) (((game str K) : HEART) 1)))",
    ],
)
def test_what_is_worked_out_is_not_guessed(action: str) -> None:
    """A computed string is not compared with the deck's values."""
    for code in (Code.UNKNOWN_ATTRIBUTE, Code.UNKNOWN_VALUE):
        assert found(code, f"(do ({action}))") == []


def test_decks_made_in_play_count() -> None:
    """The attributes of decks made during play count as known."""
    deck = "(do ((create deck (game vloc A) (deck (SUIT (STARS))))))"
    award = "(do ((set (game points P) (((SUIT : STARS) 1)))))"
    assert found(Code.UNKNOWN_VALUE, deck, award) == []
