"""The report for a form that is not of the language: place, words, suggestion.

The cases are in form_problems.txt: an action, which stands in ``(do (…))`` on line 3 from column
6 with ``(game vloc A)`` for each %A, and under it, indented, all that is reported.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.recycle.problems import Code
from engine.recycle.reading.parser import parse
from tests.engine.recycle.reading.wording import SCORING, SETUP, told, whole

PILE = "(game vloc A)"
IDLE = "(do ((turn pass)))"


def cases() -> Iterator[tuple[str, list[str]]]:
    """Each action and the lines under it."""
    told: list[str] = []
    for line in Path(__file__).with_name("form_problems.txt").read_text("utf-8").splitlines():
        if line.startswith(" "):
            told.append(line.strip())
        else:
            told = []
            yield line, told


@pytest.mark.parametrize(("text", "problems"), list(cases()))
def test_a_form_that_is_wrong_is_told_with_its_place(text: str, problems: list[str]) -> None:
    """A wrong form is reported with its place, and the rest of the game is parsed."""
    parsed = parse(whole(f"(do ({text.replace('%A', PILE)}))"))
    assert [line.replace(": error", "", 1) for line in told(parsed)] == problems
    assert problems != []
    assert parsed.game is not None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1:1: error [no_game] there is no description; expected (game …)"),
        (
            "(gmae)",
            "1:1: error [no_game] this is no description of a game: (gmae); expected (game …); "
            "did you mean game?",
        ),
        ("(3)", "1:1: error [no_game] this is no description of a game: (3); expected (game …)"),
    ],
)
def test_what_is_no_game_has_no_tree(text: str, problem: str) -> None:
    """A text that is no game has no tree."""
    parsed = parse(text)
    assert (parsed.game, told(parsed)) == (None, [problem])


IN_SETUP = (
    "expected (create deck …), (repeat NUMBER (create deck …)), (create teams …) "
    "or (create players NUMBER)"
)
STAGE_FORM = "(stage player (end CONDITION) …)"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "(game)",
            [
                "1:2: error [missing_part] there is no (setup …): game; "
                "expected (setup (create players NUMBER) (create deck …)…)",
                "1:2: error [missing_part] there is no (scoring …): game; "
                "expected (scoring min NUMBER) or (scoring max NUMBER)",
                "1:2: error [missing_part] there is nothing to play: game; "
                f"expected {STAGE_FORM}, (do …) or (choice …)",
            ],
        ),
        (
            f"(game\n{SETUP}\n{IDLE})\n{SCORING})",
            [
                "1:2: error [missing_part] there is no (scoring …): game; "
                "expected (scoring min NUMBER) or (scoring max NUMBER); "
                "the ')' at 3:19 ends the description, what follows it is not read",
            ],
        ),
        (
            f"(game\n{SETUP}\n{IDLE}\n{SCORING}\n{IDLE})",
            [
                "5:1: error [wrong_shape] not how this is written: (do ((turn pass))); "
                "expected nothing after (scoring …)",
            ],
        ),
        (
            f"(game\n{SETUP}\n{SETUP}\n{IDLE}\n{SCORING})",
            [
                "3:1: error [wrong_shape] not how this is written: (setup (create players 3) "
                "(create deck (game vloc STOCK) (d…; expected one (setup …), above the stages",
            ],
        ),
        (
            f"(game\n{IDLE}\n{SETUP}\n{SCORING})",
            [
                "3:1: error [wrong_shape] not how this is written: (setup (create players 3) "
                "(create deck (game vloc STOCK) (d…; expected one (setup …), above the stages",
            ],
        ),
        (
            f"(game (declare 3)\n(declare 3 N)\n{SETUP}\n{IDLE}\n{SCORING})",
            [
                "1:7: error [wrong_shape] not how this is written: (declare 3); "
                "expected (declare VALUE 'V)",
                "2:1: error [wrong_shape] not how this is written: (declare 3 N); "
                "expected (declare VALUE 'V); a variable is written 'NAME",
            ],
        ),
        (
            f"(game\n(setup)\n{IDLE}\n{SCORING})",
            [
                "2:2: error [missing_part] there is no (create players NUMBER): setup; "
                "expected (create players NUMBER)",
                "2:2: error [missing_part] there is no deck: setup; "
                "expected (create deck LOCATION (deck …))",
            ],
        ),
        (
            "(game\n(setup (create players) (create) 3 (repeat 2 (turn pass)) "
            "(repeat 2 (create deck))\n"
            f" (create deck (game vloc A) (deck (S (A)))))\n{IDLE}\n{SCORING})",
            [
                "2:8: error [wrong_shape] not how this is written: (create players); "
                "expected (create players NUMBER)",
                f"2:25: error [wrong_shape] not how this is written: (create); {IN_SETUP}",
                f"2:34: error [wrong_shape] not how this is written: 3; {IN_SETUP}",
                f"2:46: error [wrong_shape] not how this is written: (turn pass); {IN_SETUP}",
                "2:69: error [wrong_shape] not how this is written: (create deck); expected "
                "(create deck CARDS (deck (KEY (VALUE, VALUE…))…)) or "
                "(create teams (0, 2) (1, 3))",
            ],
        ),
        (
            f"(game\n{SETUP}\n{IDLE}\n(scoring most 3))",
            [
                "4:1: error [wrong_shape] not how this is written: (scoring most 3); "
                "expected (scoring min NUMBER) or (scoring max NUMBER)",
            ],
        ),
        (
            f"(game\n{SETUP}\n(stage player once\n {IDLE}\n {SCORING}))",
            [
                "5:2: error [wrong_shape] not how this is written: (scoring max (game sto SCORE)); "
                "expected the stages closed before; a ')' is missing before it",
            ],
        ),
        (
            f"(game\n{SETUP}\n(stage player once\n {IDLE}\n{SCORING})",
            [
                "1:1: error [unclosed] a parenthesis is not closed: (game (setup (create players "
                "3) (create deck (game vloc STO…; expected ) at the end; "
                "is one missing before 5:1?",
                "5:1: error [wrong_shape] not how this is written: (scoring max (game sto SCORE)); "
                "expected the stages closed before; a ')' is missing before it",
            ],
        ),
        (
            f"(game\n{SETUP}\n(stgae player once {IDLE})\nplay\n{SCORING})",
            [
                "3:1: error [unknown_word] 'stgae' does not begin a stage or a block: "
                "(stgae player once (do ((turn pass)))); expected a stage or a block; "
                "did you mean stage?",
                "4:1: error [wrong_shape] not how this is written: play; expected an action",
            ],
        ),
        (
            f"(game\n{SETUP}\n(stage (end (== 1 1)) {IDLE})\n{SCORING})",
            [
                "3:1: error [wrong_shape] not how this is written: "
                "(stage (end (== 1 1)) (do ((turn pass)))); "
                f"expected {STAGE_FORM}; whose turns: player or team",
            ],
        ),
        (
            f"(game\n{SETUP}\n(stage player {IDLE})\n(stage player (end) {IDLE})\n{SCORING})",
            [
                "3:1: error [wrong_shape] not how this is written: "
                "(stage player (do ((turn pass)))); "
                f"expected {STAGE_FORM}; or once in place of the end",
                "4:15: error [wrong_shape] not how this is written: (end); "
                "expected (end CONDITION)",
            ],
        ),
        (
            f"(game\n{SETUP}\n(stage)\n(stage player once)\n{SCORING})",
            [
                "3:1: error [wrong_shape] not how this is written: (stage); "
                f"expected {STAGE_FORM}; or once in place of the end",
                "4:1: error [wrong_shape] not how this is written: (stage player once); "
                "expected something to do in the stage",
            ],
        ),
    ],
)
def test_a_whole_that_is_wrong_is_told_with_its_place(text: str, problems: list[str]) -> None:
    """A wrong top-level form is reported with its place, and the rest is parsed."""
    parsed = parse(text)
    assert told(parsed) == problems
    assert parsed.game is not None


def test_all_problems_of_a_text_are_told_in_its_order() -> None:
    """Problems of words and of forms are reported together, in the order of the text."""
    text = whole("(do ((set (game sto X2) (siez player)) # (dance)))")
    codes = [problem.code for problem in parse(text).problems]
    assert codes == [Code.BAD_NAME, Code.UNKNOWN_WORD, Code.BAD_CHARACTER, Code.UNKNOWN_WORD]
