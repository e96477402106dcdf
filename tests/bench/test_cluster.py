"""What is told of a cluster under load, from stretches that are made up."""

import os
from dataclasses import replace

import pytest

from bench import killed_nodes, measure_cluster
from bench.figures import Figure, Unmeasured
from bench.growth import CLIENTS, PARTS, Cost, PlayedCluster, Size
from bench.killed_nodes import Pause
from bench.measure_cluster import MANY, PACE, USUAL, Stretch
from bench.processes import family_cpu_seconds

COSTS = {part: Cost(1e-4, 3e-4) for part in PARTS if part != CLIENTS} | {CLIENTS: Cost(1e-4)}


def stretches(nodes: int = 1) -> list[Stretch]:
    """Stretches of a cluster that behaves as the model says."""
    made = []
    for tables, interval in ((50, PACE), (USUAL, PACE), (USUAL, 0.0), (MANY, 0.0)):
        used, _, p50 = PlayedCluster(Size(tables, interval, 2, nodes), COSTS).play(2.0)
        made.append(Stretch(tables, interval, used, 1000.0, 1000 * p50, 2000 * p50))
    return made


@pytest.fixture(scope="module")
def told() -> dict[str, Figure]:
    """The figures of clusters with one node and with two."""
    one, two = stretches(), stretches(2)
    figures = [
        *(figure for each in one for figure in measure_cluster.told_of("cluster.1", each, 2.0)),
        *measure_cluster.predicted("cluster.1", 1, one, 2.0),
        *measure_cluster.compared(2, one, two),
    ]
    return {figure.name: figure for figure in figures}


def test_each_part_is_told_of(told: dict[str, Figure]) -> None:
    """What a move costs it; the model is right about a cluster that follows it."""
    assert told["cluster.1.50.paced.messages"].value == pytest.approx(3)
    assert told["cluster.1.200.paced.database"].value == pytest.approx(400, rel=0.05)
    assert told["cluster.1.200.paced.model.messages"].value == pytest.approx(1, rel=0.1)
    assert 0.5 < told["cluster.1.cell.tables"].value <= 1.01
    assert told["cluster.1.cell.messages"].value < 3
    for part in ("gateway", "tables", "database"):
        assert told[f"cluster.1.200.paced.model.{part}"].value == pytest.approx(1, rel=0.1)
    assert told["cluster.ratio.200.paced.database"].value == pytest.approx(1, rel=0.1)


def test_what_is_promised_has_a_limit(told: dict[str, Figure]) -> None:
    """What the bus adds to a move, messages at many tables, what a node keeps beside another."""
    assert {name for name, figure in told.items() if figure.limit and ".model." not in name} == {
        "cluster.1.200.paced.p50",
        "cluster.1.600.busy.messages",
        "cluster.ratio.600.busy.broker",
        "cluster.ratio.600.busy.database",
        "cluster.ratio.600.busy.tables.moves",
    }


def missed(one: list[Stretch]) -> set[str]:
    """What of these stretches the model is told to be wrong about."""
    figures = measure_cluster.predicted("c", 1, one, 2.0)
    return {figure.name for figure in figures if not figure.kept}


def test_a_model_that_is_wrong_misses_its_limits() -> None:
    """Where a part costs more between the two stretches it learns from, or less; not in these."""
    one = stretches()
    assert missed(one) == set()
    for factor in (2.3, 0.4):
        other = list(one)
        used = one[1].used
        dearer = {**used.seconds, "tables": factor * used.seconds["tables"]}
        other[1] = replace(one[1], used=replace(used, seconds=dearer))
        assert missed(other) == {"c.200.paced.model.tables.off"}
    slow = [one[0], one[1], replace(one[2], p50=4 * one[2].p50), one[3]]
    assert missed(slow) == {"c.200.busy.model.p50.off"}


def test_pauses_are_told_as_a_distribution() -> None:
    """Of all tables of the dead node, the median with its limit, and of the first of them."""
    pauses = [Pause(2.0 + at / 10, 3.0 + at / 10) for at in range(20)]
    told = {figure.name: figure for figure in killed_nodes.told_of("failover", pauses)}
    assert {name: figure.value for name, figure in told.items() if ".first." not in name} == {
        "failover.min": 3.0,
        "failover.p50": 3.9,
        "failover.p90": 4.7,
        "failover.max": 4.9,
    }
    assert told["failover.first.p50"].value == 2.9
    assert [name for name, figure in told.items() if figure.limit] == ["failover.p50"]


def test_without_a_broker_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said what is missing, and counts as a missed limit."""
    monkeypatch.setattr(measure_cluster, "mosquitto", lambda: None)
    (gap,) = measure_cluster.measure()
    assert isinstance(gap, Unmeasured)
    assert "Mosquitto" in gap.reason


def test_children_count() -> None:
    """A process's time is its own, and that of those that it has started."""
    own = os.times()
    assert family_cpu_seconds(os.getpid()) >= own.user + own.system - 0.1
    child = family_cpu_seconds(os.getpid())
    assert family_cpu_seconds(os.getppid()) >= child
