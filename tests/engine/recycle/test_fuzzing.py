"""The tool that looks for harmful descriptions for a given time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.fuzz import TESTS, main

ROOT = Path(__file__).parents[3]


def clock(seconds_a_look: float) -> Callable[[], float]:
    """A clock that has gone on by so much each time one looks at it."""
    times = iter(range(1000))
    return lambda: next(times) * seconds_a_look


def test_it_goes_on_until_the_time_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    """A round that has begun is finished."""
    codes = [0] * 9
    assert main(["2"], run=codes.pop, now=clock(40)) == 0
    assert capsys.readouterr().out == "Nothing was found in 2 rounds, 2 minutes.\n"
    assert len(codes) == 7


def test_what_is_found_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    """The tests have said what it is, and the exit code tells others."""
    codes = [0, 0, 1, 0]
    assert main([], run=codes.pop, now=clock(1)) == 1
    assert capsys.readouterr().out == ""
    assert len(codes) == 2


def test_its_tests_exist() -> None:
    """They are named as files."""
    assert all((ROOT / test).is_file() for test in TESTS)
