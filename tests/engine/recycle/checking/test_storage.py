"""Warnings for values and piles that are read and never written."""

import pytest

from engine.recycle.problems import Code
from tests.engine.recycle.checking.checking import found

SET = "(set (game sto SCORE) 1)"


@pytest.mark.parametrize(
    ("actions", "place", "hint"),
    [
        (
            f"{SET} (inc (game sto SCORE) (game sto SCOER))",
            "(game sto SCOER)",
            "did you mean SCORE?",
        ),
        (
            f"{SET} (set (game str S) A) (inc (game sto SCORE) (game sto S))",
            "(game sto S)",
            "str S of the table is written",
        ),
        (
            f"{SET} (all player 'P (inc ('P sto WON) 1)) (inc (game sto SCORE) (game sto WON))",
            "(game sto WON)",
            "sto WON of a player is written",
        ),
        (
            f"{SET} (all team 'T (inc ('T sto WON) 1)) (inc (game sto SCORE) (game sto WON))",
            "(game sto WON)",
            "sto WON of a team is written",
        ),
        (f"{SET} (set (game str S) (game str T))", "(game str T)", ""),
        (
            f"{SET} (inc (game sto SCORE) (sum (game hloc STOCK) using (game points P)))",
            "(game points P)",
            "",
        ),
    ],
)
def test_what_nothing_sets_is_warned_of(actions: str, place: str, hint: str) -> None:
    """A number, string or point map that is never set is warned of once, at its first use."""
    text = f"(do ({actions} (set (game str V) A)))"
    column = text.index(place) + 1
    end = f"; {hint}" if hint else ""
    assert found(Code.NEVER_SET, text, f"(do ({actions}))") == [
        f"3:{column}: warning nothing ever sets this: {place}; expected a (set …) of it{end}"
    ]


@pytest.mark.parametrize(
    ("pile", "hint"),
    [
        ("(game vloc STOCK)", "; hloc STOCK of the table is written"),
        ("(game hloc STOK)", "; did you mean STOCK?"),
        ("((current player) iloc HAND)", ""),
        ("(game mem LEAD)", ""),
    ],
)
def test_a_pile_that_nothing_fills_is_warned_of(pile: str, hint: str) -> None:
    """A pile that no move, mark or deck fills is warned of."""
    text = f"(do ({SET} (all {pile} 'C (turn pass)) (all {pile} 'C (turn pass))))"
    assert found(Code.NEVER_FILLED, text) == [
        f"3:{text.index(pile) + 1}: warning nothing ever puts a card here: {pile}; "
        f"expected something moved to it{hint}"
    ]


def test_a_table_of_piles_is_filled_by_its_piles() -> None:
    """Filling an indexed pile fills the table of piles of that name."""
    text = "(do ((set (game sto SCORE) (size (indexed game vloc COLUMN)))))"
    assert found(Code.NEVER_FILLED, text) == [
        "3:34: warning nothing ever puts a card here: (indexed game vloc COLUMN); "
        "expected something moved to it"
    ]
    fill = "(do ((move (top (game hloc STOCK)) (top (game vloc COLUMN 2)))))"
    assert found(Code.NEVER_FILLED, text, fill) == []


@pytest.mark.parametrize(
    "fill",
    [
        "(move (top (game hloc STOCK)) (bottom (game vloc A)))",
        "(let (game vloc A) 'L (move (top (game hloc STOCK)) (top 'L)))",
        "(swap (game hloc STOCK) (game vloc A))",
        "(swap (top (game vloc A)) (top (game hloc STOCK)))",
        "(shuffle faro (game vloc A) (game hloc STOCK))",
        "(create deck (game vloc A) (deck (SUIT (H))))",
        "(move (top (game hloc STOCK)) (top (game vloc (game str WHERE))))",
        "(all (A, B) 'N (move (top (game hloc STOCK)) (top (game vloc 'N))))",
        "(let A 'N (move (top (game hloc STOCK)) (top (game vloc 'N))))",
        "(all (range 1 .. 2) 'N (move (top (game hloc STOCK)) (top (game vloc A 'N))))",
    ],
)
def test_whatever_puts_cards_into_a_pile_fills_it(fill: str) -> None:
    """A pile counts as filled under any name; a computed name may stand for any pile."""
    text = f"(do ({fill} (set (game sto SCORE) (size (game vloc A)))))"
    assert found(Code.NEVER_FILLED, text) == []


def test_a_name_that_is_worked_out_is_not_guessed() -> None:
    """A computed name gets no warning when read, and counts as setting every name when set."""
    text = "(do ((set (game sto (game str S)) 1) (set (game str S) (game str (game str S)))))"
    assert found(Code.NEVER_SET, text) == []
    items = "(do ((all (partition SUIT (game hloc STOCK)) 'L (all 'L 'C (set (game str S) A)))))"
    assert found(Code.NEVER_SET, items) == [
        "4:14: warning nothing ever sets this: (game sto SCORE); expected a (set …) of it"
    ]


def test_what_a_variable_is_called_may_be_many_things() -> None:
    """A variable over a list of names sets all of them; one over cards may set any."""
    text = "(do ((all (A, B) 'N (set (game sto 'N) 1)) (set (game str S) X)))"
    scoring = "(scoring max (+ (game sto A) (+ (game sto B) (game sto C))))"
    assert found(Code.NEVER_SET, text, scoring=scoring) == [
        "4:46: warning nothing ever sets this: (game sto C); expected a (set …) of it"
    ]
    cards = "(do ((all (game hloc STOCK) 'C (inc (game sto (cardatt SUIT 'C))))))"
    assert found(Code.NEVER_SET, cards, scoring=scoring) == []
