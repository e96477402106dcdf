"""What each part of the bench measures, on a small scale."""

from importlib.util import find_spec

import pytest

from bench import (
    measure_described,
    measure_hearts,
    measure_lists,
    measure_schnapsen,
    measure_snapshots,
    measure_undo,
    measure_whist,
)
from bench.figures import Figure, Unmeasured
from bench.measure_hints import RECOVERY_SECONDS, recovery
from bench.measure_lag import Lags, lags_of
from bots import strengths
from bots.schnapsen.knowledge import read_position
from engine import GAMES, Match
from engine.recycle import games, load
from server.ops.metrics import Metrics


def test_a_description_is_measured_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games driven by bots and at tables, beside native ones; indexed piles; a search."""
    for name in ("ROUNDS", "GAMES_A_ROUND", "SEARCHED_GAMES", "MOST_MOVES"):
        monkeypatch.setattr(measure_described, name, 1)
    figures = {figure.name: figure for figure in measure_described.measure()}
    world, table = figures["described.world"].value, figures["described.table"].value
    native = figures["described.native"].value
    assert figures["described.world.ratio"].value == pytest.approx(world / native)
    assert figures["described.table.ratio"].value == pytest.approx(table / native)
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
        "GAMES": 1,
    }.items():
        monkeypatch.setattr(measure_hearts, name, small)


@pytest.mark.usefixtures("short_hearts")
def test_without_openspiel_the_ratios_are_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own rates are there; what needs OpenSpiel is said to be missing, and fails."""
    monkeypatch.setattr(measure_hearts, "find_spec", lambda name: None)
    figures = list(measure_hearts.measure())
    assert [figure.kept for figure in figures] == [True, True, True, False, False]
    assert all("open-spiel" in gap.as_row() for gap in figures if isinstance(gap, Unmeasured))


@pytest.mark.usefixtures("short_hearts")
@pytest.mark.skipif(find_spec("pyspiel") is None, reason="open-spiel is not installed")
def test_both_are_measured_in_one_run() -> None:
    """Ours, theirs and the ratio, once for the kernel and once for the engine."""
    figures = [each for each in measure_hearts.measure() if isinstance(each, Figure)]
    names = [f"hearts.{part}{of}" for part in ("kernel", "engine") for of in ("", ".openspiel")]
    rates = {figure.name: figure.value for figure in figures}
    assert set(names) < set(rates)
    assert all(rates[name] > 0 for name in names)
    ratio = rates["hearts.engine"] / rates["hearts.engine.openspiel"]
    assert rates["hearts.engine.ratio"] == pytest.approx(ratio)


def test_lists_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long an answer is, what it costs, and what it costs beside the whole list."""
    monkeypatch.setattr(measure_lists, "ROUNDS", 3)
    figures = {each.name: each for each in measure_lists.measure()}
    assert list(figures) == [
        "lists.msgpack",
        "lists.msgpack.page",
        "lists.msgpack.share",
        "lists.json",
        "lists.json.page",
        "lists.json.share",
        "lists.search",
    ]
    assert all(each.value > 0 for each in figures.values())
    assert figures["lists.msgpack"].kept
    assert figures["lists.json"].kept


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


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ([1, 1, 1, 1, 1], 0),
        ([9, 1, 1, 1, 1, 1], 0),
        ([9, 9, 9, 1, 1, 1, 1], 9),
        ([9, 9, 9, 9, 9], RECOVERY_SECONDS),
        ([1, 1], RECOVERY_SECONDS),
    ],
    ids=["at once", "a slow one", "two slow ones before", "never", "too few rounds"],
)
def test_recovery_is_when_most_rounds_are_as_before(seconds: list[int], expected: float) -> None:
    """By five rounds in a row, counted from the beginning of the first of them."""
    ended = 100.0
    rounds = [(ended - 5, 9.0)]
    at = ended
    for each in seconds:
        at += each
        rounds.append((at, float(each)))
    assert recovery(rounds, ended, calm=1.0) == pytest.approx(expected)


def lags_told(metrics: Metrics) -> Lags:
    return lags_of(metrics.render()[1].decode())


def test_a_stretch_is_what_came_between_two_looks() -> None:
    """Moves and lags before the stretch do not count; bounds are those the server keeps."""
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


def test_what_can_be_taken_back_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a native and at described games, for as many moves as are kept."""
    monkeypatch.setattr(measure_undo, "MOST_STATES", 5)
    monkeypatch.setattr(measure_undo, "DESCRIBED", ("Agram2",))
    figures = {figure.name: figure for figure in measure_undo.measure()}
    assert set(figures) == {
        f"undo.{game}.{what}" for game in ("hearts", "agram2") for what in ("move", "table")
    }
    assert all(figure.value > 0 and figure.kept for figure in figures.values())


def test_short_snapshots_are_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a native and a described game, in a few moves; only the latter has internal values."""
    ours = [GAMES.game("schnapsen"), Match(load(games.description("Agram2"), "Agram2"))]
    monkeypatch.setattr(measure_snapshots, "_games", lambda: ours)
    monkeypatch.setattr(measure_snapshots, "MOST_MOVES", 6)
    monkeypatch.setattr(measure_snapshots, "FACTS", 2)
    figures = {each.name: each for each in measure_snapshots.measure()}
    for game in ("schnapsen", "agram2"):
        assert figures[f"snapshots.{game}.short"].value < figures[f"snapshots.{game}"].value
    assert 0 < figures["snapshots.agram2.internal"].value < 1
    assert "snapshots.schnapsen.internal" not in figures
