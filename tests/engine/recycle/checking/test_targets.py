"""Checks of where cards and marks are put, and whose cards are named."""

import pytest

from engine.recycle.problems import Code
from tests.engine.recycle.checking.checking import found

A, B, M = "(game vloc A)", "(game vloc B)", "(game mem M)"
PILES = "(all player 'P ('P vloc A))"


@pytest.mark.parametrize(
    ("action", "target"),
    [
        (f"(move (top {A}) (top (union {A} {B})))", f"(union {A} {B})"),
        (f"(move (top {A}) (top (top 2 {A})))", f"(top 2 {A})"),
        (f"(move (top {A}) (top (top (subsets {A}))))", f"(top (subsets {A}))"),
        (f"(all (subsets {A}) 'S (move (top {A}) (top 'S)))", "'S"),
        (f"(let (subsets {A}) 'L (all 'L 'S (move (top {A}) (top 'S))))", "'S"),
        (
            f"(all (filter (subsets {A}) 'S (== (size 'S) 1)) 'T (move (top {A}) (top 'T)))",
            "'T",
        ),
        (f"(let (filter {A} 'C (== 'C (top {A}))) 'L (move (top {A}) (top 'L)))", "'L"),
        (f"(shuffle (union {A} {B}))", f"(union {A} {B})"),
        (f"(shuffle faro {A} (top 2 {B}))", f"(top 2 {B})"),
        (f"(swap (top 2 {A}) {B})", f"(top 2 {A})"),
        (f"(remember (top {A}) (top (union {M} {M})))", f"(union {M} {M})"),
        (f"(create deck (top 2 {A}) (deck (SUIT (H))))", f"(top 2 {A})"),
    ],
)
def test_cards_are_put_into_piles_alone(action: str, target: str) -> None:
    """Cards can be moved only to piles; a computed list is no place, under any name."""
    text = f"(do ({action}))"
    column = text.rindex(target) + 1
    if action.startswith("(swap"):
        column = text.index(target) + 1
    assert found(Code.VIRTUAL_TARGET, text) == [
        f"3:{column}: error this list is worked out, not a pile: {target}; "
        "expected a place, (OWNER vloc NAME)"
    ]


@pytest.mark.parametrize(
    "action",
    [
        f"(move (top (union {A} {B})) (top {B}))",
        f"(let {A} 'L (move (top {B}) (top 'L)))",
        f"(all {PILES} 'L (move (top {B}) (top 'L)))",
        f"(let {PILES} 'LS (all 'LS 'L (move (top {B}) (top 'L))))",
        f"(all (indexed game vloc A) 'L (move (top {B}) (top 'L)))",
        f"(all (filter {PILES} 'L (== (size 'L) 0)) 'M (move (top {B}) (top 'M)))",
        f"(move (top {B}) (top (top {PILES})))",
        f"(shuffle {A})",
        f"(swap {A} {B})",
        f"(swap (top {A}) (top {B}))",
        f"(shuffle faro {A} {B})",
        f"(move (top {M}) (top {A}))",
        f"(remember (top {A}) (top {M}))",
        f"(forget (top {M}))",
        f"(any {M} 'C (forget 'C))",
    ],
)
def test_piles_by_other_names_are_piles(action: str) -> None:
    """A variable or an item may stand for a pile, and a marked card may be moved."""
    for code in (Code.VIRTUAL_TARGET, Code.MEM_MOVED, Code.NOT_MEM):
        assert found(code, f"(do ({action}))") == []


@pytest.mark.parametrize(
    ("action", "place"),
    [
        (f"(move (top {A}) (top {M}))", M),
        (f"(swap (top {M}) (top {A}))", f"(top {M})"),
        (f"(swap {A} {M})", M),
        (f"(create deck {M} (deck (SUIT (H))))", M),
    ],
)
def test_a_mem_holds_no_cards(action: str, place: str) -> None:
    """A mem pile holds marks only: moving, swapping or creating cards in one is an error."""
    column = f"(do ({action}))".index(place) + 1
    assert found(Code.MEM_MOVED, f"(do ({action}))") == [
        f"3:{column}: error a mem holds marks, no cards: {place}; "
        "expected a vloc, iloc, hloc or oloc; (remember …) puts a mark there"
    ]


@pytest.mark.parametrize(
    ("action", "place"),
    [(f"(remember (top {A}) (top {B}))", B), (f"(forget (top {A}))", f"(top {A})")],
)
def test_only_a_mem_holds_marks(action: str, place: str) -> None:
    """Only a mem pile can remember and forget cards."""
    column = f"(do ({action}))".index(place) + 1
    assert found(Code.NOT_MEM, f"(do ({action}))") == [
        f"3:{column}: error only a mem holds marks: {place}; "
        "expected (OWNER mem NAME); (move …) moves cards"
    ]


@pytest.mark.parametrize(
    ("card", "owned"),
    [
        ("(top (game hloc STOCK))", False),
        ("(top (union (game hloc STOCK) (game vloc A)))", False),
        ("(top (union (game hloc STOCK) ((current player) vloc A)))", True),
        ("(top ((current player) vloc A))", True),
        ("(top (game mem A))", True),
    ],
)
def test_a_card_of_the_table_has_no_owner(card: str, owned: bool) -> None:
    """Asking for the owner of a card on the table is warned of, unless it may be another card."""
    assert found(Code.NO_OWNER, f"(do ((cycle next (owner {card}))))") == [
        f"3:18: warning a card on the table has no owner: (owner {card}); "
        "expected a card of a player's"
    ] * (not owned)
