"""Actions change the table as RECYCLE says, and what is impossible stops the game."""

import pytest

from tests.engine.recycle.running.playing import (
    SETUP,
    begun,
    done,
    fails,
    number,
    pile,
    value,
)

STOCK = "(game vloc STOCK)"
T = "(game vloc T)"
W = "using (game points WORTH)"
ALL = ["AC", "AH", "2C", "2H", "3C", "3H", "4C", "4H"]


@pytest.mark.parametrize(
    ("actions", "left", "moved"),
    [
        (f"(move (top {STOCK}) (top {T}))", ALL[:-1], ["4H"]),
        (f"(move (bottom {STOCK}) (top {T}))", ALL[1:], ["AC"]),
        (f"(move (2 {STOCK}) (top {T}))", [*ALL[:2], *ALL[3:]], ["2C"]),
        (f"(repeat 2 (move (top {STOCK}) (bottom {T})))", ALL[:-2], ["4C", "4H"]),
        (f"(repeat 3 (move (top {STOCK}) (1 {T})))", None, None),
        (
            f"(do ((repeat 2 (move (top {STOCK}) (top {T}))) (move (top {STOCK}) (1 {T}))))",
            ALL[:-3],
            ["4H", "3H", "4C"],
        ),
        (f"(repeat 2 (move (0 {STOCK}) (top {T})))", ALL[2:], ["AC", "AH"]),
        (f"(repeat all (move (top {STOCK}) (top {T})))", [], ALL[::-1]),
        (f"(repeat all (move (bottom {STOCK}) (top {T})))", [], ALL),
        (
            f"(repeat all (move (top (filter {STOCK} 'C (== (cardatt RANK 'C) A))) (top {T})))",
            ALL[2:],
            ["AH", "AC"],
        ),
        (f"(repeat 2 (move (bottom (top 3 {STOCK})) (top {T})))", [*ALL[:5], "4H"], ["3H", "4C"]),
        (f"(repeat 2 (move (1 (top 3 {STOCK})) (bottom {T})))", ALL[:6], ["4H", "4C"]),
        (f"(let (top {STOCK}) 'C (repeat 2 (move 'C (top {T}))))", ALL[:-1], ["4H"]),
        (f"(let (top {STOCK}) 'C (repeat all (move 'C (top {T}))))", ALL[:-1], ["4H"]),
        (f"(repeat all (move (max (top 1 {STOCK}) {W}) (top {T})))", ALL[:-1], ["4H"]),
        (f"(move (top {STOCK}) (top {STOCK}))", ALL, []),
        (f"(move (bottom {STOCK}) (top {STOCK}))", [*ALL[1:], "AC"], []),
        (f"(all {STOCK} 'C ((== (cardatt RANK 'C) A) (move 'C (top {T}))))", ALL[2:], ["AC", "AH"]),
        (f"(any {STOCK} 'C (move 'C (bottom {T})))", [], ALL[::-1]),
        (f"(swap (top {STOCK}) (bottom {STOCK}))", ["4H", *ALL[1:-1], "AC"], []),
        (f"(swap (bottom {STOCK}) (1 {STOCK}))", ["AH", "AC", *ALL[2:]], []),
        (
            f"(do ((move (top {STOCK}) (top {T})) (swap (top {T}) (bottom {STOCK}))))",
            ["4H", *ALL[1:-1]],
            ["AC"],
        ),
        (f"(do ((move (top {STOCK}) (top {T})) (swap {STOCK} {T})))", ["4H"], ALL[:-1]),
        (
            f"(do ((repeat 3 (move (bottom {STOCK}) (top {T}))) (shuffle faro {STOCK} {T})))",
            ["2H", "AC", "3C", "AH", "3H", "2C", "4C", "4H"],
            [],
        ),
        (
            f"(do ((repeat 5 (move (bottom {STOCK}) (top {T}))) (shuffle faro {STOCK} {T})))",
            ["3H", "AC", "4C", "AH", "4H", "2C", "2H", "3C"],
            [],
        ),
        (f"(repeat 0 (move (top {STOCK}) (top {T})))", ALL, []),
        ("(turn pass)", ALL, []),
    ],
)
def test_cards_go_where_they_should(
    actions: str, left: list[str] | None, moved: list[str] | None
) -> None:
    """Each action leaves these cards in STOCK and brings these to T, bottom to top."""
    if left is None:
        assert fails(actions) == "there is no such place to move a card to"
        return
    world = done(actions, f"(set (game sto KNOWN) (size {T}))")
    assert (pile(world, "stock"), pile(world, "t")) == (left, moved)
    assert all(
        world.state.piles[slot].count(card) == 1 for card, slot in enumerate(world.state.where)
    )


def test_shuffles_are_drawn_by_the_seed() -> None:
    """A shuffle keeps the cards, and two seeds give two orders."""
    orders = {tuple(pile(done(f"(shuffle {STOCK})", seed=seed), "stock")) for seed in range(5)}
    assert len(orders) == 5
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(ALL))}


@pytest.mark.parametrize(
    ("actions", "marks"),
    [
        (f"(remember (top {STOCK}) (top (game mem M)))", ["4H"]),
        (
            f"(do ((remember (top {STOCK}) (top (game mem M)))"
            f" (remember (bottom {STOCK}) (bottom (game mem M)))))",
            ["AC", "4H"],
        ),
        (f"(do ((remember (top {STOCK}) (top (game mem M))) (forget (top (game mem M)))))", []),
        (
            f"(do ((repeat 2 (remember (top {STOCK}) (top (game mem M))))"
            f" (remember (bottom {STOCK}) (1 (game mem M))) (forget (0 (game mem M)))))",
            ["AC", "4H"],
        ),
        (f"(do ((remember (top {STOCK}) (top (game mem M))) (forget (top {STOCK}))))", None),
        (
            f"(do ((remember (top {STOCK}) (top (game mem M)))"
            f" (let (top {STOCK}) 'C (forget 'C))))",
            [],
        ),
        (
            f"(do ((all {STOCK} 'C (remember 'C (top (game mem M))))"
            f" (repeat all (forget (top (game mem M))))))",
            [],
        ),
        (
            f"(do ((all {STOCK} 'C (remember 'C (top (game mem M))))"
            f" (repeat all (forget (max (game mem M) {W})))))",
            [],
        ),
        (
            f"(do ((all (top 1 {STOCK}) 'C (remember 'C (top (game mem M))))"
            f" (let (top {STOCK}) 'C (repeat all (forget 'C)))))",
            [],
        ),
    ],
)
def test_marks_come_and_go(actions: str, marks: list[str] | None) -> None:
    """`remember` marks a card where it lies, and `forget` removes the mark."""
    if marks is None:
        assert fails(actions) == "what is forgotten lies in a mem"
        return
    world = done(actions)
    assert pile(world, "m") == marks
    assert pile(world, "stock") == ALL


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ("(set (game sto X) 3)", 3),
        ("(inc (game sto X))", 1),
        ("(inc (game sto X) 4)", 4),
        ("(dec (game sto X))", -1),
        ("(repeat 3 (inc (game sto X) 1))", 1),
        ("(repeat 0 (inc (game sto X) 1))", 0),
        ("(repeat 2 (do ((inc (game sto X) 1))))", 2),
        ("(repeat 2 (repeat 3 (turn pass)))", 0),
        ("(do ((inc (game sto X)) (inc (game sto X))))", 2),
        ("(all (range 1 .. 4) 'N (inc (game sto X) 'N))", 10),
        ("((== 1 2) (set (game sto X) 1))", 0),
    ],
)
def test_numbers_are_set(actions: str, expected: int) -> None:
    """Number actions set, increase and decrease; a repeated one computes its amount once."""
    assert number("(game sto X)", actions) == expected


def test_points_are_set_and_updated() -> None:
    """Awards add up, keys and values may be computed; `update` adds and replaces."""
    card = f"(top {STOCK})"
    score = f"(inc (game sto {{}}) (score {card} using (game points P)))"
    world = done(
        "(set (game str KEY) SUIT)",
        f"(set (game points P) (((RANK : FOUR) 1) (((game str KEY) : (cardatt SUIT {card})) 10)"
        " ((RANK : FOUR) (SUIT : CLUBS) 500)))",
        score.format("A"),
        "(update (game points P) (((RANK : FOUR) 7) ((COLOR : RED) 100)))",
        score.format("B"),
        "(set ((current player) points Q) (((RANK : FOUR) 2)))",
        f"(set (game sto C) (score {card} using ((current player) points Q)))",
    )
    assert [value(world, name) for name in "abc"] == [11, 117, 2]


def test_too_many_awards() -> None:
    """A point map with too many awards stops the game."""
    suits = ", ".join(f"{a}{b}" for a in "ABCDEFGH" for b in "ABCDEFGH")
    setup = f"(setup (create players 3) (create deck {STOCK} (deck (SUIT ({suits})))))"
    award = "((SUIT : (cardatt SUIT 'C)) (SUIT : (cardatt SUIT 'D)) 1)"
    update = f"(all {STOCK} 'C (all {STOCK} 'D (update (game points P) ({award}))))"
    assert fails(update, setup=setup) == "more than 300 awards in a point map"


def test_point_maps_are_kept_for_a_while() -> None:
    """The last thousand or so point maps are cached, however many a game sets."""
    world = done("(all (range 1 .. 2500) 'N (set (game points P) (((RANK : FOUR) 'N))))")
    assert 0 < len(world.program.components.tables) <= 1000


def test_decks_are_made_in_the_middle_of_a_game() -> None:
    """A deck made in play adds its cards, which differ from equal ones of another deck."""
    deck = (
        f"(create deck {STOCK} (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS,"
        " HEARTS)) (COLOR (RED))))"
    )
    world = done(f"(move (top {STOCK}) (top {T}))", deck)
    assert pile(world, "stock") == ALL[:-1] + ALL
    assert world.state.counts() == (2,) * 8
    assert "cards" in fails(f"(repeat 9999 {deck})")


def test_a_deck_may_name_a_value_twice() -> None:
    """A deck that names a value twice makes equal cards, each in a place of its own."""
    deck = f"(create deck {STOCK} (deck (RANK (A, TWO, A)) (SUIT (CLUBS))))"
    world = done(setup=f"(setup (create players 3) {deck})")
    (pile,) = (pile for pile in world.state.piles if len(pile) == 3)
    assert len(set(pile)) == 3
    assert world.state.counts() == (2, 1)


def test_setup_repeats_decks() -> None:
    """`repeat` in the setup makes several equal decks."""
    twice = SETUP.replace("(create deck", "(repeat 2 (create deck") + ")"
    assert pile(begun("(do ((turn pass)))", setup=twice), "stock") == ALL + ALL


def test_teams_are_made_in_the_middle_of_a_game() -> None:
    """Teams made in play replace the old ones; a player in none is a team of their own."""
    world = done("(create teams (1, 3))", "(set (game sto N) (size team))")
    assert value(world, "n") == 2
    assert world.state.teams == ((0, 2), (1,))


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (f"(move (top {T}) (top {STOCK}))", "there is no card to move"),
        (f"(move (bottom {T}) (top {STOCK}))", "there is no card to move"),
        (f"(move (bottom {T}) (bottom {STOCK}))", "there is no card to move"),
        (f"(repeat 9 (move (top (top 2 {STOCK})) (top {T})))", "there is no card to move"),
        (f"(move (top {STOCK}) ((- 0 1) {T}))", "a pile has no negative place"),
        (f"(move (top {STOCK}) (top (game mem M)))", "there is no such place to move a card to"),
        (f"(swap (top {STOCK}) (top {T}))", "there are no two cards to swap"),
        (f"(remember (top {T}) (top (game mem M)))", "there is no card to remember"),
        (f"(remember (top {STOCK}) (top {T}))", "a card is remembered in a mem"),
        ("(forget (top (game mem M)))", "there is no mark to forget"),
        (f"(let (top {STOCK}) 'C (forget 'C))", "there is no mark for this card"),
        (f"(shuffle faro {STOCK} {STOCK})", "a pile cannot be interleaved with itself"),
        (f"(repeat 999999 (shuffle {STOCK}))", "999999 times is too often"),
        (
            f"(repeat 9999 (remember (top {STOCK}) (top (game mem M))))",
            "more than 5000 cards are remembered",
        ),
        (
            f"(all (range 1 .. 5) 'N (repeat 1999 (remember (top {STOCK}) (top (game mem M 'N)))))",
            "more than 5000 cards are remembered",
        ),
        ("(create deck (game mem M) (deck (RANK (A))))", "a mem holds no cards"),
        (
            "(all (range 1 .. 9999) 'A (all (range 1 .. 9999) 'B (turn pass)))",
            "too much is worked out between two choices",
        ),
    ],
)
def test_impossible_actions(action: str, reason: str) -> None:
    """An impossible action stops the game with a reason."""
    assert fails(action) == reason


def test_a_stop_says_where() -> None:
    """The reason why a game stopped names the place of the action in the file."""
    world = begun("(do", f"  ((shuffle {STOCK})", f"   (move (top {T}) (top {STOCK}))))")
    assert world.stop is not None
    assert (world.stop.line, world.stop.column) == (8, 4)
    assert str(world.stop) == "line 8, column 4: there is no card to move"
    assert world.outcome().scores == (0, 0, 0)
