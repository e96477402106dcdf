"""Whist's figures."""

import pytest

from bench import measure_whist
from bots import strengths


def test_moves_and_kernels_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time for each strength that thinks, held to its limit, and three rates."""
    for name, small in {"ROUNDS": 1, "DEALS": 5, "SEARCHES": 2}.items():
        monkeypatch.setattr(measure_whist, name, small)
    monkeypatch.setattr(measure_whist, "milliseconds_a_move", lambda game, strength: strength * 20)
    figures = list(measure_whist.measure())
    moves = [each for each in figures if each.name.startswith("whist.move.")]
    assert [each.kept for each in moves] == [True, True, False][: len(strengths("whist")) - 1]
    assert [each.name for each in figures if each not in moves] == [
        "whist.random",
        "whist.judged",
        "whist.maxn",
    ]
    assert all(each.value > 0 for each in figures)
