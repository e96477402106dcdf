"""The tools for descriptions: a survey of a folder, and a fuzzer."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.recycle.games import description
from tools.fuzz import TESTS
from tools.fuzz import main as fuzz
from tools.survey import main as survey

ROOT = Path(__file__).parents[3]
ENDLESS = "(end (== 0 1))"


def clock(seconds_a_look: float) -> Callable[[], float]:
    """A clock that advances by a fixed step each time it is read."""
    times = iter(range(1000))
    return lambda: next(times) * seconds_a_look


def test_it_goes_on_until_the_time_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    """The fuzzer finishes the round in which its time is over."""
    codes = [0] * 9
    assert fuzz(["2"], run=codes.pop, now=clock(40)) == 0
    assert capsys.readouterr().out == "Nothing was found in 2 rounds, 2 minutes.\n"
    assert len(codes) == 7


def test_what_is_found_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    """The fuzzer stops at the first failure, with an exit code that says so."""
    codes = [0, 0, 1, 0]
    assert fuzz([], run=codes.pop, now=clock(1)) == 1
    assert capsys.readouterr().out == ""
    assert len(codes) == 2


def test_its_tests_exist() -> None:
    """The test files that the fuzzer runs exist."""
    assert all((ROOT / test).is_file() for test in TESTS)


def test_a_folder_is_gone_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The survey lists what plays, what cannot be read and why, and what does not end and where."""
    good = description("Agram2")
    (tmp_path / "Good2.rcy").write_text(good, encoding="utf-8-sig")
    (tmp_path / "Wrong2.gdl").write_text(good.replace("(shuffle", "(shufle"))
    endless = description("Goofspiel3").replace("(end (== (size (game hloc PRIZES)) 0))", ENDLESS)
    assert ENDLESS in endless
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "Endless3.rcy").write_text(endless)
    (tmp_path / "notes.txt").write_text("no game")
    assert survey([str(tmp_path), "--games", "3"]) == 1
    plays, wrong, stopped, total = capsys.readouterr().out.splitlines()
    assert plays == "Good2.rcy: plays"
    assert wrong.startswith("Wrong2.gdl: not read: 26:4: error [unknown_word] 'shufle'")
    assert stopped.startswith("sub/Endless3.rcy: stopped 3 times: line ")
    assert total == "2 of 3 accepted, 1 play 3 random games"


def test_a_folder_in_which_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The survey's exit code is 0 for a folder without problems."""
    (tmp_path / "Good2.rcy").write_text(description("Agram2"))
    assert survey([str(tmp_path), "--games", "2"]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 accepted, 1 play 2 random games\n")
