"""What several nodes and events cost beside one server, from made-up rounds."""

import pytest

from bench import measure_overhead
from bench.figures import Unmeasured
from bench.measure_server import Played


def test_each_round_is_compared_with_its_own() -> None:
    """Rounds are compared in pairs, so that a machine slowing down does not matter."""
    rounds = [(1.0, 1.5), (10.0, 15.0), (4.0, 4.0)]
    played = [(Played(1000, one, 9), Played(800, other, 9)) for one, other in rounds]
    assert measure_overhead.ratio(played, lambda each: each.p50) == 1.5
    assert measure_overhead.ratio(played, lambda each: each.moves_per_cpu_second) == 0.8


def test_without_postgresql_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PostgreSQL the measure says what is missing, and counts as a missed limit."""
    monkeypatch.setattr(measure_overhead, "postgresql", lambda: None)
    (gap,) = measure_overhead.measure_nodes()
    assert isinstance(gap, Unmeasured)
    assert "PostgreSQL" in gap.reason
    assert not gap.kept
