"""Each part of the bench, on a small scale."""

from importlib.util import find_spec

import pytest

from bench import measure_described, measure_games
from bench.figures import Figure, Unmeasured
from bench.measure_server import Lags, lags_of
from server.ops.metrics import Metrics
from tests.counts import NIGHT


def test_a_description_is_measured_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Described games are measured with bots and at tables, beside native ones."""
    for name in ("ROUNDS", "GAMES_A_ROUND", "SEARCHED_GAMES", "MOST_MOVES"):
        monkeypatch.setattr(measure_described, name, 1)
    figures = {figure.name: figure for figure in measure_described.measure()}
    world, seated = figures["described.world"].value, figures["described.seated"].value
    assert figures["described.seated.ratio"].value == pytest.approx(seated / world)
    assert figures["described.native"].value > 0
    assert figures["described.search"].value > 0
    assert {name for name, each in figures.items() if each.limit} == {
        "described.world",
        "described.seated.ratio",
        "described.move",
        "described.rummy",
        "described.rows",
        "described.hostile",
        "described.search",
    }


@pytest.fixture
def short_hearts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in {
        "ROUNDS": 1,
        "DEALS": 50,
        "CAREFUL_DEALS": 20,
        "ROLLOUTS": 5,
        "ROUND_GAMES": 1,
    }.items():
        monkeypatch.setattr(measure_games, name, small)


@pytest.mark.skipif(not NIGHT, reason="compiles kernels; `bots.hearts` is measured by hand")
@pytest.mark.usefixtures("short_hearts")
def test_without_openspiel_the_ratios_are_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenSpiel our own rates are measured, and the ratios are reported as missing."""
    monkeypatch.setattr(measure_games, "find_spec", lambda name: None)
    figures = list(measure_games.hearts())
    assert [figure.kept for figure in figures] == [True, True, True, False, False]
    assert all("open-spiel" in gap.as_row() for gap in figures if isinstance(gap, Unmeasured))


@pytest.mark.usefixtures("short_hearts")
@pytest.mark.skipif(find_spec("pyspiel") is None, reason="open-spiel is not installed")
def test_both_are_measured_in_one_run() -> None:
    """One run measures both rates and their ratio, for the kernel and for the engine."""
    figures = [each for each in measure_games.hearts() if isinstance(each, Figure)]
    names = [f"hearts.{part}{of}" for part in ("kernel", "engine") for of in ("", ".openspiel")]
    rates = {figure.name: figure.value for figure in figures}
    assert set(names) < set(rates)
    assert all(rates[name] > 0 for name in names)
    ratio = rates["hearts.engine"] / rates["hearts.engine.openspiel"]
    assert rates["hearts.engine.ratio"] == pytest.approx(ratio)


def lags_told(metrics: Metrics) -> Lags:
    return lags_of(metrics.render()[1].decode())


def test_a_stretch_is_what_came_between_two_looks() -> None:
    """A stretch counts only moves and lags between its two samples, with the server's bounds."""
    metrics = Metrics()
    metrics.lagged(0.9)
    metrics.bot_moves.inc(5)
    before = lags_told(metrics)
    for _ in range(99):
        metrics.lagged(0.0004)
    metrics.lagged(0.04)
    metrics.bot_moves.inc(3)
    metrics.moves.inc(4)
    lags = lags_told(metrics) - before
    assert lags.moves == 3
    assert lags.bound(0.99) == pytest.approx(0.001)
    assert lags.bound(1.0) == pytest.approx(0.05)
