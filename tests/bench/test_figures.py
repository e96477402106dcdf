"""Figures, and the command that prints them."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator

import pytest

from bench import command
from bench.figures import Figure, Unmeasured, at_least, at_most, percentile
from bench.processes import BenchError

FAST = Figure("a.fast", 7000.4, "moves/s", at_least(6000))
SLOW = Figure("a.slow", 61.5, "ms", at_most(60))
FREE = Figure("b.free", 12, "ms")


@pytest.fixture
def measures(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Figure]]:
    """The figures of the bench in a test, by name."""
    known: dict[str, list[Figure]] = {}

    def figures(name: str) -> Iterator[Figure]:
        return iter(known[name])

    monkeypatch.setattr(command, "MEASURES", known)
    monkeypatch.setattr(command, "figures", figures)
    return known


def bench(*words: str) -> int:
    """The exit code of `blackqueen bench WORDS`."""
    parser = ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


@pytest.mark.parametrize(
    ("limit", "good", "bad"), [(at_most(60), 60, 60.1), (at_least(6000), 6000, 5999)]
)
def test_a_limit_is_kept_on_its_right_side(limit: object, good: float, bad: float) -> None:
    """A figure at its limit is fine, and one beyond it is not."""
    assert isinstance(limit, type(at_most(0)))
    assert Figure("x", good, "u", limit).kept
    assert not Figure("x", bad, "u", limit).kept


def test_each_figure_is_one_object(
    measures: dict[str, list[Figure]], capsys: pytest.CaptureFixture[str]
) -> None:
    """With --json each line has name, value, unit and limit, null if missing."""
    measures |= {"a": [FAST], "b": [FREE]}
    assert bench("--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        {"name": "a.fast", "value": 7000.4, "unit": "moves/s", "limit": 6000, "kept": True},
        {"name": "b.free", "value": 12, "unit": "ms", "limit": None, "kept": True},
    ]


def test_a_missed_limit_fails(
    measures: dict[str, list[Figure]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A missed limit is marked and makes the exit code 1, and the others are still measured."""
    measures |= {"a": [SLOW, FAST]}
    assert bench() == 1
    slow, fast = capsys.readouterr().out.splitlines()
    assert slow.split() == ["a.slow", "61.5", "ms", "at", "most", "60", "MISSED"]
    assert fast.split() == ["a.fast", "7,000", "moves/s", "at", "least", "6,000"]


def test_what_was_not_measured_is_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A figure that cannot be measured is marked, has no value, and makes the exit code 1."""
    gap = Unmeasured("a.ratio", "there is nothing to compare with")
    monkeypatch.setattr(command, "figures", lambda name: iter([gap]))
    assert bench("engine") == 1
    assert capsys.readouterr().out == (
        "a.ratio              NOT MEASURED: there is nothing to compare with\n"
    )
    assert bench("engine", "--json") == 1
    assert json.loads(capsys.readouterr().out) == {
        "name": "a.ratio",
        "value": None,
        "reason": "there is nothing to compare with",
        "kept": False,
    }


def test_one_measure_can_be_asked_for(
    measures: dict[str, list[Figure]], capsys: pytest.CaptureFixture[str]
) -> None:
    """With a name only that measure runs."""
    measures |= {"a": [SLOW], "b": [FREE]}
    assert bench("b") == 0
    assert capsys.readouterr().out.split() == ["b.free", "12", "ms"]


def test_what_cannot_be_measured_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that does not start is an error with exit code 2, not a missed limit."""

    def figures(name: str) -> Iterator[Figure]:
        yield FAST
        raise BenchError(f"{name} did not start")

    monkeypatch.setattr(command, "figures", figures)
    assert bench("server") == 2
    shown = capsys.readouterr()
    assert "a.fast" in shown.out
    assert shown.err == "blackqueen bench: server did not start\n"


def test_every_measure_has_its_module() -> None:
    """Each name in the help has a module that yields figures."""
    for name in command.MEASURES:
        assert isinstance(command.figures(name), Iterator)


def test_a_percentile_is_one_of_the_values() -> None:
    """The 99th percentile of a hundred values has one value above it."""
    values = [float(n) for n in range(100, 0, -1)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.99) == 99
    assert percentile([3.0], 0.99) == 3
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)
