"""The figures of nodes compared with one process, from made-up rounds."""

import pytest

from bench import measure_cluster
from bench.figures import Unmeasured


def test_each_round_is_compared_with_its_own() -> None:
    """Rounds are compared in pairs, so that a machine slowing down does not matter."""
    assert measure_cluster.ratio([1.0, 10.0, 4.0], [1.5, 15.0, 4.0]) == 1.5


def test_without_postgresql_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PostgreSQL the measure says what is missing, and counts as a missed limit."""
    monkeypatch.setattr(measure_cluster, "programs", lambda: None)
    (gap,) = measure_cluster.measure()
    assert isinstance(gap, Unmeasured)
    assert "PostgreSQL" in gap.reason
    assert not gap.kept
