"""Schnapsen's figures."""

import pytest

from bench import measure_schnapsen
from bots.schnapsen.knowledge import read_position


def test_solving_and_decisions_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time for a deal, and two for a decision at each trick that has a limit."""
    small = {"SOLVES": 2, "DECISIONS": 1, "WORLDS": 2, "DECISION_LIMITS": {1: 8.0, 4: 0.0}}
    for name, value in small.items():
        monkeypatch.setattr(measure_schnapsen, name, value)
    figures = list(measure_schnapsen.measure())
    assert [each.name for each in figures] == [
        "schnapsen.solve",
        "schnapsen.wins.1",
        "schnapsen.scores.1",
        "schnapsen.wins.4",
        "schnapsen.scores.4",
    ]
    assert all(each.value > 0 for each in figures)
    assert [each.name for each in figures if not each.kept] == ["schnapsen.wins.4"]


@pytest.mark.parametrize(
    ("trick", "worlds"), [(1, 726_485_760), (2, 3_991_680), (3, 30_240), (4, 336)]
)
def test_decisions_are_priced_where_least_is_known(trick: int, worlds: int) -> None:
    """Nothing was announced or exchanged on the way: the source's number of assignments is left."""
    position = measure_schnapsen.at_lead(trick, seed=1)
    assert read_position(position).assignments() == worlds
    assert not position.view.cards("trick")
