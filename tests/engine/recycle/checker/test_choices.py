"""Where choices stand."""

import pytest

from engine.recycle.problems import Code
from tests.engine.recycle.checker.checking import found

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
    """Within anything else it is an error."""
    assert found(Code.MISPLACED_CHOICE, text) == [
        f"3:{column}: error a choice within something else: {CHOICE}; "
        "expected it directly in a stage"
    ]


def test_a_choice_in_its_place_is_right() -> None:
    """In a stage, a stage's stage, and the game."""
    stage = f"(stage player once {CHOICE} (stage team once {CHOICE}))"
    assert found(Code.MISPLACED_CHOICE, stage, CHOICE) == []


def test_a_game_without_any_choice_is_warned_of() -> None:
    """It can be played, but by nobody."""
    (told,) = found(Code.NO_CHOICE, "(do ((turn pass)))")
    assert told.startswith("1:1: warning nobody ever chooses anything: (game (setup (create")
    assert told.endswith("…; expected a (choice …) in a stage")
    assert found(Code.NO_CHOICE, CHOICE) == []
