"""Reading from a server's own counts how late its event loop was."""

import pytest

from bench.measure_lag import Lags, lags_of
from server.ops.metrics import Metrics


def told(metrics: Metrics) -> Lags:
    return lags_of(metrics.render()[1].decode())


def test_a_stretch_is_what_came_between_two_looks() -> None:
    """Moves and lags before the stretch do not count; bounds are those the server keeps."""
    metrics = Metrics()
    metrics.lagged(0.9)
    metrics.bot_moves.inc(5)
    before = told(metrics)
    for _ in range(99):
        metrics.lagged(0.0004)
    metrics.lagged(0.04)
    metrics.bot_moves.inc(3)
    metrics.moves.inc(4)
    lags = told(metrics) - before
    assert lags.moves == 3
    assert lags.bound(0.99) == pytest.approx(0.001)
    assert lags.bound(1.0) == pytest.approx(0.05)
