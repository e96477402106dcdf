"""`blackqueen bot --check`: what it says about engines, good and bad."""

import re
from pathlib import Path
from random import Random

import pytest

from blackqueen.bot import engine as engines
from blackqueen.bot.check import QUESTIONS, Questions
from blackqueen.main import main
from engine.catalogue import GAMES
from engine.facts import Fact
from engine.views import fold
from tests.blackqueen.engines import BAD, GOOD, engine
from tests.repository import ROOT


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that do not end are ended soon."""
    monkeypatch.setattr(engines, "END_SECONDS", 0.5)


def checked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    """The exit code and the lines of a check."""
    code = main(["bot", "--check", *words])
    return code, capsys.readouterr().out.splitlines()


def test_a_good_engine_plays_every_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each, with how slow it was."""
    code, lines = checked(capsys, engine(tmp_path, GOOD))
    assert code == 0
    assert [line.partition(":")[0] for line in lines[:-1]] == [info.title for info in GAMES]
    assert all("answers, the slowest after" in line for line in lines[:-1])
    assert lines[-1] == "This engine can play."


def test_the_engine_of_the_page_can_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As docs/writing-a-bot.md shows it."""
    page = (ROOT / "docs" / "writing-a-bot.md").read_text()
    program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[-1]
    code, lines = checked(capsys, engine(tmp_path, program))
    assert (code, lines[-1]) == (0, "This engine can play.")


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("dies later", "1 answers"),
        ("hangs", "Is the answer flushed?"),
        ("breaks the rules", "'play ZZ' is not one of the choices: "),
        ("says hello", "Engine 3.1 ready"),
    ],
)
def test_what_is_wrong_is_said_with_the_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, words: str
) -> None:
    """The question can be given to the engine again by hand."""
    command = engine(tmp_path, BAD[what])
    code, lines = checked(capsys, command, "--game", "black_queen", "--engine-seconds", "2")
    assert code == 5
    assert words in "\n".join(lines)
    assert lines[-2].startswith('The question of Black Queen was: {"type":"turn",')
    assert lines[-1] == "This engine needs work."


def test_one_question_is_shown_of_an_engine_that_fails_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands after what is wrong at each game."""
    code, lines = checked(capsys, engine(tmp_path, "print('moo', flush=True)"))
    assert code == 5
    assert sum("'moo'" in line for line in lines) == len(list(GAMES))
    assert ['"type":"turn"' in line for line in lines[-3:]] == [False, True, False]


def test_an_engine_that_knows_no_patterns_is_told_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first question of Hearts has nothing but one."""
    program = (
        "for line in sys.stdin: "
        "print(json.dumps({'action': json.loads(line)['choices']['actions'][0]}))"
    )
    code, lines = checked(capsys, engine(tmp_path, program), "--game", "hearts")
    assert code == 5
    assert "IndexError" in lines[0]
    assert "`picks`" in lines[1]


def test_an_engine_that_does_not_end_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be left behind after every match."""
    code, lines = checked(capsys, engine(tmp_path, f"{GOOD}\ntime.sleep(60)"), "--game", "whist")
    assert code == 5
    assert "does not end when its input ends" in lines[1]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("cat", "--game", "chess"), "no game 'chess'; "),
        (("cat", "ws://localhost:1"), "--check needs no server"),
        (("",), "names no program"),
    ],
)
def test_a_check_that_cannot_be_is_a_wrong_command_line(
    words: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and a word on what would do."""
    assert main(["bot", "--check", *words]) == 2
    assert error.replace("; ", " to check") in capsys.readouterr().err


@pytest.mark.parametrize("game", [info.id for info in GAMES])
def test_the_questions_are_those_of_a_table(game: str) -> None:
    """Each view is the fold of the facts, and each question has choices."""
    questions = Questions(GAMES.game(game), Random(1))
    rng = Random(2)
    asked = 0
    for turn in questions:
        asked += 1
        assert turn.choices
        facts: tuple[Fact, ...] = turn.facts
        assert fold(facts) == turn.view
        questions.answer = turn.random_action(rng)
    assert 0 < asked <= QUESTIONS
