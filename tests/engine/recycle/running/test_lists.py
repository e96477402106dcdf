"""Lists of cards and lists of lists, as RECYCLE defines them."""

import pytest

from engine.recycle import limits
from tests.engine.recycle.running.playing import (
    cards,
    done,
    fails,
    lists,
    number,
    pile,
    value,
)

STOCK = "(game vloc STOCK)"
W = "using (game points WORTH)"
SPLIT = (
    "(repeat 3 (move (top (game vloc STOCK)) (top ((1 player) vloc HAND))))",
    "(repeat 2 (move (top (game vloc STOCK)) (top ((2 player) vloc HAND))))",
    "(repeat 2 (remember (bottom ((1 player) vloc HAND)) (top (game mem SEEN))))",
)
"""Player 1 has 4H 4C 3H, player 2 has 3C 2H, STOCK has AC AH 2C; SEEN has 4H twice."""
HANDS = "(all player 'P ('P vloc HAND))"
MINE = "((1 player) vloc HAND)"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (STOCK, "AC AH 2C"),
        ("(filter (game vloc STOCK) 'C (== (cardatt RANK 'C) A))", "AC AH"),
        (f"(union {HANDS})", "4H 4C 3H 3C 2H"),
        (f"(union {STOCK} {MINE})", "AC AH 2C 4H 4C 3H"),
        ("(union (all (range 1 .. 2) 'N (('N player) vloc HAND)))", "4H 4C 3H 3C 2H"),
        (f"(intersect {MINE} (game mem SEEN))", "4H"),
        (f"(intersect {HANDS})", ""),
        ("(intersect (all (range 1 .. 1) 'N (('N player) vloc HAND)))", "4H 4C 3H"),
        (f"(disjunction {MINE} (game mem SEEN))", "4C 3H"),
        (f"(sort {MINE} {W})", "3H 4H 4C"),
        (f"(top 2 {MINE})", "4C 3H"),
        (f"(top 9 {MINE})", "4H 4C 3H"),
        (f"(top 0 {MINE})", ""),
        (f"(bottom 2 {MINE})", "4H 4C"),
        (f"(run top 2 {MINE} {W})", "3H 4C"),
        (f"(run top 3 {MINE} {W})", ""),
        (f"(run top 1 (game vloc NONE) {W})", ""),
        (f"(run bottom 1 {MINE} {W})", "4H"),
        (f"(top (partition RANK {MINE}))", "4H 4C"),
        (f"(bottom (partition RANK {MINE}))", "3H"),
        (f"(1 (partition RANK {MINE}))", "3H"),
        (f"(5 (partition RANK {MINE}))", ""),
        (f"(top {HANDS})", "4H 4C 3H"),
        ("(game mem SEEN)", "4H 4H"),
        (f"(filter {MINE} 'C (== 'C (bottom (top 2 {MINE}))))", "4C"),
    ],
)
def test_lists_of_cards(expression: str, expected: str) -> None:
    """Each expression for a list of cards gives the expected cards, bottom to top."""
    assert cards(expression, *SPLIT) == expected.split()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"(partition RANK {MINE})", "4H 4C|3H"),
        (f"(partition SUIT {HANDS})", "4H 3H 2H|4C 3C"),
        (f"(partition (game str KEY) {MINE} {STOCK})", "4H 3H AH|4C AC 2C"),
        (f"(subsets (top 2 {MINE}))", "4C|3H|4C 3H"),
        (f"(subsets {MINE} == 2)", "4H 4C|4H 3H|4C 3H"),
        (f"(subsets {MINE} > 2)", "4H 4C 3H"),
        (f"(subsets {MINE} < 2)", "4H|4C|3H"),
        (f"(subsets {MINE} != 1)", "4H 4C|4H 3H|4C 3H|4H 4C 3H"),
        (f"(subsets {MINE} >= 3)", "4H 4C 3H"),
        (f"(subsets {MINE} <= 0)", ""),
        (f"(runs largest 2 {MINE} {W})", "3H 4H|3H 4C"),
        (f"(runs largest 3 {STOCK} {W})", ""),
        (f"(runs largest 2 (union {HANDS}) {W})", "2H 3H 4H|2H 3H 4C|2H 3C 4H|2H 3C 4C"),
        (f"(runs all 2 (top 2 (union {HANDS})) {W})", "2H 3C"),
        (f"(runs all 1 (top 2 (union {HANDS})) {W})", "2H|2H 3C|3C"),
        (
            f"(runs largest 1 (union (top 1 {STOCK}) (top 1 {MINE}) (bottom 1 {STOCK})) {W})",
            "AC 2C 3H",
        ),
        (f"(runs largest 1 (union (bottom 1 {STOCK}) (top 1 {MINE})) {W})", "AC|3H"),
        (f"(runs largest 1 (game vloc NONE) {W})", ""),
        (f"(tuples 2 {MINE} {W})", "4H 4C"),
        (f"(tuples 1 {MINE} {W})", "4H 4C|3H"),
        ("(indexed game vloc PILE)", "2C|AH"),
        (HANDS, "4H 4C 3H|3C 2H|"),
        (f"(filter {HANDS} 'L (< (size 'L) 3))", "3C 2H"),
        (f"(filter (partition RANK {MINE}) 'L (== (size 'L) 1))", "3H"),
        (f"(all (partition RANK {MINE}) 'L (top 1 'L))", "4C|3H"),
        (f"(all {HANDS} 'L 'L)", "4H 4C 3H|3C 2H|"),
        ("(filter (indexed game vloc PILE) 'L (== (cardatt RANK (top 'L)) A))", "AH"),
    ],
)
def test_lists_of_lists(expression: str, expected: str) -> None:
    """Each expression for a list of lists gives the expected ones; only filters drop empty ones."""
    before: tuple[str, ...] = (
        "(set (game str KEY) SUIT)",
        "(move (top (game vloc STOCK)) (top (game vloc PILE 1)))",
        "(move (top (game vloc STOCK)) (top (game vloc PILE (+ 1 2))))",
        "(move (1 (game vloc STOCK)) (top (game vloc STOCK)))",
    )
    before = before[:3] if "indexed" in expression else before[:1]
    wanted = [each.split() for each in expected.split("|")] if expected else []
    assert lists(expression, *SPLIT, *before) == wanted


@pytest.mark.parametrize(
    ("collection", "size"),
    [
        ("player", 3),
        ("team", 3),
        ("(other player)", 2),
        ("(other team)", 2),
        ("(team (current player))", 1),
        ("(range 3 .. 5)", 3),
        ("(range 5 .. 3)", 0),
        ("(A, B, C, D)", 4),
        ("(filter player 'P (!= 'P (1 player)))", 2),
        ("(filter (other player) 'P (== 'P (2 player)))", 1),
        ("(filter (range 1 .. 9) 'N (> 'N 5))", 4),
        ("(filter (A, B) 'N (!= 'N A))", 1),
    ],
)
def test_collections(collection: str, size: int) -> None:
    """Each collection has the expected number of items."""
    assert number(f"(size {collection})") == size


def test_lists_get_names() -> None:
    """A named pile is seen as it is now, a named computed list as it was when it was named."""
    take = "(move (top (game vloc STOCK)) (top (game vloc ASIDE)))"
    sizes = "(set (game sto LIVE) (size 'PILE)) (set (game sto FIXED) (size 'LIST))"
    both = "(set (game sto MANY) (size 'PILES)) (set (game sto MORE) (size 'GROUPS))"
    inner = (
        f"(let {HANDS} 'PILES (let (partition RANK {STOCK}) 'GROUPS (do ({take} {sizes} {both}))))"
    )
    world = done(f"(let {STOCK} 'PILE (let (top 9 {STOCK}) 'LIST {inner}))")
    assert [value(world, name) for name in ("live", "fixed", "many", "more")] == [7, 8, 3, 4]


def test_other_things_get_names_too() -> None:
    """`let` names players, teams, ranges and conditions."""
    world = done(
        "(let (other player) 'O (set (game sto A) (size 'O)))",
        "(let (range 1 .. 4) 'R (all 'R 'N (inc (game sto B) 'N)))",
        "(let (== 1 1) 'YES ('YES (set (game sto C) 1)))",
        "(let (2 player) 'P (inc ('P sto SCORE) 3))",
        "(let (current team) 'T (set ('T sto D) 9))",
    )
    names = ("a", "b", "c", "score/1", "d_team/0")
    assert [value(world, name) for name in names] == [2, 10, 1, 3, 9]


def test_piles_of_lists_can_be_moved_to() -> None:
    """Items of a list of piles are piles, to which cards can be moved."""
    world = done(
        "(all (all player 'P ('P vloc HAND)) 'L (move (top (game vloc STOCK)) (top 'L)))",
        "(move (top (game vloc STOCK)) (top (top (all player 'P ('P vloc HAND)))))",
        "(move (top (game vloc STOCK)) (top (bottom (all player 'P ('P vloc HAND)))))",
        "(let (all player 'P ('P vloc HAND)) 'LL (all (filter 'LL 'L (== (size 'L) 1)) 'L"
        " (move (top (game vloc STOCK)) (bottom 'L))))",
    )
    assert pile(world, "hand/0") == ["4H", "3C"]
    assert pile(world, "hand/1") == ["2C", "4C"]
    assert pile(world, "hand/2") == ["3H", "2H"]


@pytest.mark.parametrize("which", ["max", "min"])
def test_ties_are_drawn_alike(which: str) -> None:
    """Each of several best cards is drawn equally often, by the seed of the game."""
    best = {"max": "4", "min": "A"}[which]
    drawn = [
        cards(
            "(bottom 1 (game vloc T))", f"(move ({which} {STOCK} {W}) (top (game vloc T)))", seed=s
        )
        for s in range(40)
    ]
    assert {card for (card,) in drawn} == {f"{best}C", f"{best}H"}
    assert 8 < drawn.count([f"{best}H"]) < 32


def test_a_single_best_card_needs_no_draw() -> None:
    """A single best card is chosen without a random draw."""
    only = "(filter (game vloc STOCK) 'C (== (cardatt SUIT 'C) HEARTS))"
    world = done(f"(move (max {only} {W}) (top (game vloc T)))")
    assert (pile(world, "t"), world.evaluator.draws) == (["4H"], 0)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (f"(set (game sto X) (size (subsets {STOCK})))", "many subsets"),
        (f"(set (game sto X) (size (runs largest 1 {STOCK} {W})))", "too many runs"),
        (f"(set (game sto X) (size (runs all 1 {STOCK} {W})))", "too many runs"),
        (
            "(set (game sto X) (size (all (range 1 .. 2200) 'N (top 60 (game vloc STOCK)))))",
            "the lists have too many cards",
        ),
        (
            f"(set (game sto X) (size (run top 1 (union (all (range 1 .. 200) 'N {STOCK})) {W})))",
            "too much is worked out",
        ),
        (f"(move (max (game vloc NONE) {W}) (top (game vloc T)))", "no cards to take the best of"),
        ("(move (top (game vloc STOCK)) (top (top (indexed game vloc NONE))))", "no such pile"),
        ("(set (game sto X) (size (game vloc PILE (- 0 1))))", "no negative index"),
    ],
)
def test_too_much_or_nothing(action: str, reason: str) -> None:
    """Lists that are too long and piles that do not exist stop the game."""
    many = "(SUIT (" + ", ".join(f"{a}{b}" for a in "ABCDEF" for b in "ABCDEF") + "))"
    setup = (
        f"(setup (create players 3) (create deck {STOCK} (deck (RANK (A, TWO, THREE,"
        f" FOUR)) {many})))"
    )
    assert reason in fails(action, setup=setup)


@pytest.mark.parametrize(
    ("action", "what"),
    [
        ("(shuffle (game vloc T 'N))", "locations"),
        ("(set (game sto (cardatt RANK (top (game vloc STOCK)))) 'N)", ""),
    ],
)
def test_there_are_so_many_locations(action: str, what: str) -> None:
    """A game may use a limited number of locations; a name used again is no new one."""
    every = f"(all (range 1 .. {limits.PILES + 1}) 'N {action})"
    if what:
        assert what in fails(every)
    else:
        done(every)
