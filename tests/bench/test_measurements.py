"""Each part of the bench, on a small scale."""

from importlib.util import find_spec

import pytest

from bench import measure_games
from bench.figures import Figure, Unmeasured
from bench.measure_server import Lags, lags_of
from server.ops.metrics import Metrics
from tests.counts import NIGHT


def test_a_description_is_measured_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Described games are measured with bots and at tables."""
    for name in ("ROUNDS", "GAMES_A_ROUND", "MOST_MOVES"):
        monkeypatch.setattr(measure_games, name, 1)
    figures = {figure.name: figure for figure in measure_games.described()}
    world, seated = figures["described.world"].value, figures["described.seated"].value
    assert figures["described.seated.ratio"].value == pytest.approx(seated / world)
    assert {name for name, each in figures.items() if each.limit} == {
        "described.world",
        "described.seated.ratio",
        "described.move",
        "described.rummy",
        "described.hostile",
    }


@pytest.fixture
def short_hearts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in {
        "ROUNDS": 1,
        "DEALS": 50,
        "CAREFUL_DEALS": 20,
        "ROLLOUTS": 5,
    }.items():
        monkeypatch.setattr(measure_games, name, small)


@pytest.mark.skipif(not NIGHT, reason="compiles kernels; `bots.hearts` is measured by hand")
@pytest.mark.usefixtures("short_hearts")
def test_without_openspiel_the_ratio_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenSpiel our own rates are measured, and the ratio is reported as missing."""
    monkeypatch.setattr(measure_games, "find_spec", lambda name: None)
    figures = list(measure_games.hearts())
    assert [figure.kept for figure in figures] == [True, True, False]
    assert all("open-spiel" in gap.as_row() for gap in figures if isinstance(gap, Unmeasured))


@pytest.mark.usefixtures("short_hearts")
@pytest.mark.skipif(find_spec("pyspiel") is None, reason="open-spiel is not installed")
def test_both_are_measured_in_one_run() -> None:
    """One run measures both rates of random deals and their ratio."""
    figures = {each.name: each for each in measure_games.hearts() if isinstance(each, Figure)}
    ours, theirs = (figures[f"hearts.kernel{of}"].value for of in ("", ".openspiel"))
    assert min(ours, theirs) > 0
    assert figures["hearts.kernel.ratio"].value == pytest.approx(ours / theirs)


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
