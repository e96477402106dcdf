"""The measurement of the store, with a few commits."""

import pytest

from bench import measure_store
from bench.figures import Figure, Unmeasured


def test_the_store_is_measured_beside_a_bare_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is measured beside a bare loop, with both limits."""
    monkeypatch.setattr(measure_store, "TURNS", 1)
    monkeypatch.setattr(measure_store, "COMMITS", 2)
    monkeypatch.setattr(measure_store, "postgresql", lambda: None)
    *figures, missing = measure_store.measure()
    assert isinstance(missing, Unmeasured)
    found = {figure.name: figure for figure in figures if isinstance(figure, Figure)}
    assert found.keys() == {
        f"store.sqlite.{name}" for name in ("p50", "p99", "bare", "latency", "rows", "time")
    }
    assert all(figure.value > 0 for figure in found.values())
    limited = {name for name, figure in found.items() if figure.limit is not None}
    assert limited == {"store.sqlite.latency", "store.sqlite.time"}
