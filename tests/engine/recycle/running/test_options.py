"""The options of a choice: every combination of its `any`s, in the order of the text."""

import pytest

from engine.recycle.views.action_texts import action_texts
from tests.engine.recycle.running.playing import WORTH, begun, pile, played, value

STOCK = "(game vloc STOCK)"
T = "(game vloc T)"
TAKE = "(move 'C (top ((current player) vloc HAND)))"
SETS = "(set (game sto X) {})"


def choosing(*options: str, before: str = "(turn pass)") -> list[str]:
    """The texts of the options of one choice."""
    world = begun(f"(do ({WORTH} {before}))", f"(choice ({' '.join(options)}))")
    assert world.stop is None, world.stop
    return list(action_texts(world))


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        (["(turn pass)"], "pass"),
        (["(turn pass)", SETS.format(3)], "pass|x 3"),
        (["((== 1 2) (turn pass))", SETS.format(1)], "x 1"),
        ([f"(any (top 2 {STOCK}) 'C {TAKE})"], "take 4C|take 4H"),
        ([f"(any (top 2 {STOCK}) 'C ((== (cardatt SUIT 'C) CLUBS) {TAKE}))"], "take 4C"),
        ([f"(do ((any (top 2 {STOCK}) 'C {TAKE}) (set (game sto X) 1)))"], "take 4C|take 4H"),
        (
            ["(any (range 1 .. 2) 'A (any (range 5 .. 6) 'B (set (game sto X) (+ 'A 'B))))"],
            "x 6|x 7 1 6|x 7 2 5|x 8",
        ),
        (
            [
                "(do ((any (range 1 .. 2) 'A (set (game sto X) 'A))"
                " (any (range 1 .. 2) 'B (set (game sto Y) 'B))))"
            ],
            "x 1, y 1|x 1, y 2|x 2, y 1|x 2, y 2",
        ),
        (
            [
                "(all (range 1 .. 2) 'N (any (A, B) 'W (set (game str (cardatt RANK ('N"
                " (game vloc STOCK)))) 'W)))"
            ],
            "a A, two A|a A, two B|a B, two A|a B, two B",
        ),
        (
            [
                "(all (range 1 .. 2) 'N (do ((any (A, B) 'W (set (game str K) 'W)) (inc"
                " (game sto X) 'N))))"
            ],
            "k A, x 1, k A, x 3|k A, x 1, k B, x 3|k B, x 1, k A, x 3|k B, x 1, k B, x 3",
        ),
        (
            [
                "(do ((set (game sto X) 1) ((== (game sto X) 1) (any (range 5 .. 6) 'N"
                " (set (game sto Y) 'N)))))"
            ],
            "x 1, y 5|x 1, y 6",
        ),
        (
            [
                "(do ((set (game sto X) 1) ((== (game sto X) 2) (any (range 5 .. 6) 'N"
                " (set (game sto Y) 'N)))))"
            ],
            "x 1",
        ),
        (
            [
                "(do (((== 1 2) (any (range 5 .. 6) 'N (set (game sto Y) 'N))) (set"
                " (game sto X) 1)))"
            ],
            "x 1",
        ),
        (
            [
                "(do (((== 1 1) (any (range 5 .. 6) 'N (set (game sto Y) 'N))) (set"
                " (game sto X) 1)))"
            ],
            "y 5, x 1|y 6, x 1",
        ),
        (
            [
                "(do (((== 1 1) (set (game sto X) 9)) (any (range 5 .. 6) 'N (set (game"
                " sto Y) 'N))))"
            ],
            "x 9, y 5|x 9, y 6",
        ),
        (["(let 5 'N (any (range 1 .. 2) 'M (set (game sto X) (+ 'N 'M))))"], "x 6|x 7"),
        (["(let 5 'N (set (game sto X) 'N))"], "x 5"),
        (
            ["(do ((let (range 1 .. 2) 'R (any 'R 'M (set (game sto X) 'M))) (turn pass)))"],
            "x 1|x 2",
        ),
        (["(repeat 2 (turn pass))"], "pass"),
        (["(do ((turn pass) (cycle next (2 player))))"], "next 1, pass"),
        (
            [f"(any (top 2 {STOCK}) 'C (do ((remember 'C (top (game mem M))) (turn pass))))"],
            "mark 4C, pass|mark 4H, pass",
        ),
        (["(set (game sto (game str NONE)) 3)"], "no_name 3"),
        (["(any (range 5 .. 4) 'N (turn pass))", "(turn pass)"], "pass"),
        (["(do ((turn pass) (any (range 5 .. 4) 'N (set (game sto X) 'N))))"], "pass"),
        (["(do ((any (range 5 .. 4) 'N (set (game sto X) 'N)) (turn pass)))"], "pass"),
        (
            [
                "(do ((any (range 1 .. 2) 'N ((== 'N 1) (set (game sto X) 'N))) ((== 1"
                " 2) (turn pass))))"
            ],
            "x 1",
        ),
        (
            ["(do ((set (game sto X) 4) (any (range 1 .. 2) 'N ((== 'N 9) (turn pass)))))"],
            "x 4 1|x 4 2",
        ),
        (
            [
                "(do ((turn pass) (any (range 1 .. 2) 'N ((== 'N 1) (set (game sto X)"
                " (game sto Y))))"
                " ((== 1 2) (turn pass))))"
            ],
            "x 0|pass",
        ),
        (
            [
                f"(do ((move (top {STOCK}) (top {T})) (any (top 1 {T}) 'C (move 'C"
                f" (bottom {STOCK})))))"
            ],
            "move 4H from stock to t, move 4H from t to stock",
        ),
        (
            ["(any (all player 'P ('P vloc HAND)) 'L (move (top (game vloc STOCK)) (top 'L)))"],
            "take 4H|move 4H from stock to hand/1|move 4H from stock to hand/2",
        ),
    ],
)
def test_options(options: list[str], texts: str) -> None:
    """A choice has the expected options, in order."""
    assert choosing(*options) == texts.split("|")


def test_options_are_not_done_before_they_are_chosen() -> None:
    """Finding the options leaves the table, the log and the random draws as they were."""
    option = (
        f"(do ((shuffle {STOCK}) (any (range 1 .. 2) 'N (do ((move (top {STOCK}) (top {T}))"
        " (set (game sto X) (random 9)) (cycle current (2 player))"
        f" (cycle next (3 player)) (remember (top {T}) (top (game mem M)))"
        f" (move (top {STOCK}) (top (game vloc PILE (+ 1 'N))))"
        " (set (game str (cardatt RANK (top (game vloc T)))) A)"
        f" (create teams (1, 2)) (create deck {T} (deck (RANK (A)))) (forget (top (game mem M)))"
        " (any (range 1 .. 2) 'M (set (game sto Y) 'M)))))))"
    )
    world = begun(f"(choice ({option}))")
    assert world.stop is None, world.stop
    assert world.count == 4
    assert pile(world, "t") == []
    assert (world.turns.current, world.turns.queued, len(world.state.teams), world.state.more) == (
        0,
        -1,
        3,
        {},
    )
    assert len(world.state.places) == len(world.program.components.storage.piles)
    twin = world.clone()
    twin.play(3)
    assert twin.over
    assert value(twin, "y") == 2
    assert [value(world, name) for name in ("x", "y")] == [0, 0]
    assert pile(twin, "pile//3") != []
    assert len(pile(world, "stock")) == 8


def test_an_option_that_is_impossible_stops_the_game_when_it_is_chosen() -> None:
    """An impossible option is offered like any other, and choosing it ends the game."""
    world = begun(
        f"(choice ((turn pass) (move (top {T}) (top {STOCK})) ((== 1 1) (forget (top"
        " (game mem M))))))"
    )
    assert world.count == 3
    other = world.clone()
    other.play(0)
    assert other.stop is None
    world.play(1)
    assert world.stop is not None
    assert world.stop.reason == "there is no card to move"


def test_a_conditional_option_that_is_impossible_is_on_offer_too() -> None:
    """A conditional option whose trial fails is offered as well."""
    option = f"(all (range 1 .. 1) 'N ((== 'N 1) (move (top {T}) (top {STOCK}))))"
    assert played(begun(f"(choice ({option}))"), 0).stop is not None


def test_bodies_run_when_they_are_chosen() -> None:
    """The body of the chosen option runs once, with the values bound when it was offered."""
    world = begun(
        "(choice ((any (range 1 .. 3) 'N (let (* 'N 2) 'M (do ((inc (game sto X) 'M)"
        " ((> 'N 1) (inc (game sto X)))))))))"
    )
    assert [value(played(world.clone(), at), "x") for at in range(3)] == [2, 5, 7]


@pytest.mark.parametrize(
    ("option", "texts"),
    [
        (
            f"(any (range 1 .. 2) 'N (move (top {STOCK}) (top (game vloc PILE 'N))))",
            "move 4H from stock to pile//1|move 4H from stock to pile//2",
        ),
        (
            "(any (game hloc DARK) 'C (move 'C (top ((current player) iloc HAND))))",
            "take @1 from dark|take @2 from dark",
        ),
        ("(move (top (game hloc DARK)) (top ((current player) iloc HAND)))", "take from dark"),
        (
            "(repeat 2 (move (top (game hloc DARK)) (top ((current player) iloc HAND))))",
            "take 2 from dark",
        ),
        ("(move (top ((current player) iloc OWN)) (top ((next player) iloc OWN)))", "give 4C"),
        (
            "(any player 'P (move (top ((current player) iloc OWN)) (top ('P iloc OWN))))",
            "play 4C|give 4C to own/1|give 4C to own/2",
        ),
        ("(move (top ((current player) iloc OWN)) (top ((current player) vloc OPEN)))", "play 4C"),
        (
            "(any player 'P (do ((move (top ((current player) iloc OWN)) (top ((current"
            " player) vloc OPEN)))"
            " (cycle next 'P))))",
            "play 4C from own to open, next 0|play 4C from own to open, next 1|play 4C"
            " from own to open, next 2",
        ),
        ("(cycle next (2 player))", "next 1"),
        ("(cycle current (2 player))", "next 1"),
        (f"(shuffle {STOCK})", "shuffle stock"),
        (f"(remember (top {STOCK}) (top (game mem M)))", "mark 4H"),
        (
            f"(do ((remember (top {STOCK}) (top (game mem M))) (forget (top (game mem M)))))",
            "mark 4H, forget 4H",
        ),
        ("(do ((set (game points P) (((RANK : A) 1))) (turn pass)))", "pass"),
        ("(set (game points P) (((RANK : A) 1)))", "go on"),
        ("(set (game str W) (game str V))", "w none"),
        ("(set ((current player) sto BID) 3)", "bid 3"),
        ("(set ((next player) sto BID) 3)", "bid/1 3"),
        (f"(create deck {T} (deck (RANK (A))))", "go on"),
    ],
)
def test_texts(option: str, texts: str) -> None:
    """The text of an option says what it does, as briefly as tells the options apart."""
    hide = (
        f"(do ((repeat 2 (move (bottom {STOCK}) (top (game hloc DARK))))"
        f" (move (6 {STOCK}) (top ((current player) iloc OWN)))))".replace("(6 ", "(4 ")
    )
    assert choosing(option, before=hide) == texts.split("|")
