"""Stages that never end, parts that never happen, and choices in the wrong place."""

import pytest

from engine.recycle.checking.stages import truth
from engine.recycle.problems import Code
from tests.engine.recycle.checking.checking import found
from tests.engine.recycle.reading.wording import condition

A, B = "(game vloc A)", "(game vloc B)"
PASS = "(choice ((turn pass)))"


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("(== 1 1)", True),
        ("(!= 1 1)", False),
        ("(< 1 2)", True),
        ("(> 1 2)", False),
        ("(<= 2 2)", True),
        ("(>= 1 2)", False),
        ("(== A A)", True),
        ("(!= A A)", False),
        ("(== A B)", False),
        ("(not (== 1 1))", False),
        ("(not (== (game sto N) 1))", None),
        ("(== (game sto N) 1)", None),
        ("(and (== 1 1) (== 2 2))", True),
        ("(and (== 1 2) (== (game sto N) 1))", False),
        ("(and (== 1 1) (== (game sto N) 1))", None),
        ("(or (== 1 1) (== (game sto N) 1))", True),
        ("(or (== 1 2) (== (game sto N) 1))", None),
        ("(or (== 1 2) (== 1 3))", False),
    ],
)
def test_some_conditions_hold_always_or_never(text: str, holds: bool | None) -> None:
    """Conditions of literals are evaluated; any other condition may be true or false."""
    assert truth(condition(text)) is holds


def test_a_stage_that_ends_at_once_is_warned_of() -> None:
    """A stage whose end holds at its start is warned of, because its children never run."""
    assert found(Code.UNREACHABLE, f"(stage player (end (== 1 1)) {PASS})") == [
        "3:20: warning the stage ends before it begins: (== 1 1); expected an end that comes later"
    ]


def test_a_stage_that_never_ends_is_warned_of() -> None:
    """A stage that never ends is warned of, and so is everything after it."""
    stage = f"(stage player (end (== 1 2)) {PASS})"
    assert found(Code.ENDLESS_STAGE, stage, PASS, PASS) == [
        "3:20: warning the stage never ends: (== 1 2); expected an end that comes"
    ]
    assert found(Code.UNREACHABLE, stage, PASS, PASS) == [
        f"4:1: warning the stage before this never ends: {PASS}; expected one that does"
    ]


def test_a_condition_that_never_holds_is_warned_of() -> None:
    """A condition that is never true is warned of."""
    assert found(Code.UNREACHABLE, "(do (((== A B) (turn pass)) ((== A A) (turn pass))))") == [
        "3:7: warning this never holds: (== A B); expected a condition that can"
    ]


@pytest.mark.parametrize(
    ("end", "action"),
    [
        ("(== (game sto N) 1)", "(set (game sto M) 1)"),
        ("(== (game sto N) 1)", "(all player 'P (set ('P sto N) 1))"),
        ("(== (game str N) X)", "(set (game sto N) 1)"),
        (f"(== (size {A}) 0)", f"(move (top {B}) (top (game hloc STOCK)))"),
        (f"(== (size {A}) 0)", "(cycle next (next player))"),
        ("(all player 'P (== (size ('P iloc HAND)) 0))", f"(move (top {A}) (top {B}))"),
        (f"(== (sum {A} using (game points P)) 0)", f"(shuffle {B})"),
        ("(== (size player) 3)", "(turn pass)"),
    ],
)
def test_a_stage_that_never_changes_what_its_end_asks_is_warned_of(end: str, action: str) -> None:
    """A stage that never changes what its end condition reads is warned of."""
    assert found(Code.ENDLESS_STAGE, f"(stage player (end {end}) (do ({action})))") == [
        "3:20: warning nothing in the stage changes what its end asks: "
        f"{end}; expected something that does"
    ]


@pytest.mark.parametrize(
    ("end", "action"),
    [
        ("(== (game sto N) 1)", "(inc (game sto N))"),
        ("(== (game sto N) 1)", "(set (game sto (game str S)) 1)"),
        ("(== (game sto (game str S)) 1)", "(turn pass)"),
        ("(== (game str N) X)", "(set (game str N) X)"),
        (f"(== (size {A}) 0)", f"(move (top {A}) (top {B}))"),
        (f"(== (size {A}) 0)", f"(move (top {B}) (top {A}))"),
        (f"(== (size {A}) 0)", f"(all {A} 'C (move 'C (top {B})))"),
        (f"(== (size {A}) 0)", f"(let {A} 'L (move (top 'L) (top {B})))"),
        (f"(== (size {A}) 0)", f"(swap {B} {A})"),
        (f"(== (size {A}) 0)", f"(shuffle faro {B} {A})"),
        (f"(== (size {A}) 0)", f"(create deck {A} (deck (SUIT (H))))"),
        (f"(== (cardatt SUIT (top {A})) HEARTS)", f"(shuffle {A})"),
        ("(== (size (game mem M)) 0)", f"(remember (top {A}) (top (game mem M)))"),
        ("(== (size (game mem M)) 0)", "(forget (top (game mem M)))"),
        ("(== (size (indexed game vloc A)) 9)", f"(move (top {B}) (top {A}))"),
        (f"(== (sum {A} using (game points P)) 0)", "(set (game points P) (((SUIT : HEARTS) 1)))"),
        (
            "(all player 'P (== (size ('P iloc HAND)) 0))",
            "(move (top (game hloc STOCK)) (top ((current player) iloc HAND)))",
        ),
        ("(== (current player) (1 player))", "(turn pass)"),
        ("(== ((current team) sto N) 1)", "(turn pass)"),
        ("(== ((team (1 player)) sto N) 1)", "(turn pass)"),
        (f"(== (owner (top {A})) (1 player))", "(turn pass)"),
        ("(== (random 6) 1)", "(turn pass)"),
        ("(any (other player) 'P (== ('P sto N) 1))", "(turn pass)"),
        ("(any team 'T (== ('T sto N) 1))", "(create teams (1, 2) (3, 4))"),
    ],
)
def test_a_stage_that_may_change_what_its_end_asks_is_right(end: str, action: str) -> None:
    """A stage whose parts may change its end condition gets no warning; turns and draws count."""
    assert found(Code.ENDLESS_STAGE, f"(stage player (end {end}) (do ({action})))") == []


def test_a_stage_that_is_done_once_has_no_end_to_ask() -> None:
    """A stage that runs once has no end condition and gets no warning."""
    stage = f"(stage player once {PASS})"
    assert found(Code.ENDLESS_STAGE, stage) == found(Code.UNREACHABLE, stage, PASS) == []


CHOICE = "(choice ((turn pass)))"


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (f"(do ({CHOICE}))", 6),
        (f"(choice ({CHOICE}))", 10),
        (f"(all player 'P {CHOICE})", 16),
        (f"(let 3 'N {CHOICE})", 11),
        (f"(do (((== (game sto N) 1) {CHOICE})))", 27),
        (f"(do ((repeat 2 {CHOICE})))", 16),
    ],
)
def test_a_choice_stands_in_a_stage_or_in_the_game_itself(text: str, column: int) -> None:
    """A choice inside anything but a stage or the game is an error."""
    assert found(Code.MISPLACED_CHOICE, text) == [
        f"3:{column}: error a choice within something else: {CHOICE}; "
        "expected it directly in a stage"
    ]


def test_a_choice_in_its_place_is_right() -> None:
    """A choice may stand in a stage, in a nested stage, and in the game."""
    stage = f"(stage player once {CHOICE} (stage team once {CHOICE}))"
    assert found(Code.MISPLACED_CHOICE, stage, CHOICE) == []


def test_a_game_without_any_choice_is_warned_of() -> None:
    """A game without any choice is warned of."""
    (told,) = found(Code.NO_CHOICE, "(do ((turn pass)))")
    assert told.startswith("1:1: warning nobody ever chooses anything: (game (setup (create")
    assert told.endswith("…; expected a (choice …) in a stage")
    assert found(Code.NO_CHOICE, CHOICE) == []
