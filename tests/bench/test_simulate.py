"""What a second worker costs, measured by running the program."""

import pytest

from bench import measure_simulate
from bench.processes import BenchError


def test_both_kinds_of_games_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a figure with a limit for a native and for a described game."""
    monkeypatch.setattr(measure_simulate, "ROUNDS", 1)
    monkeypatch.setattr(measure_simulate, "GAMES", 2)
    figures = list(measure_simulate.measure())
    assert [figure.name for figure in figures] == ["simulate.native", "simulate.described"]
    assert all(figure.limit is not None and figure.value > 0 for figure in figures)


def test_a_simulation_that_fails_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the program fails, the measurement says what it said."""
    monkeypatch.setattr(measure_simulate, "GAMES", 0)
    with pytest.raises(BenchError, match="--games"):
        next(measure_simulate.measure())
