"""What is told of a cluster under load, from stretches that are made up."""

import os

import pytest

from bench import killed_nodes, measure_cluster
from bench.cluster import BROKER, CLIENTS, DATABASE, GATEWAY, TABLES, Measured
from bench.figures import Figure, Unmeasured
from bench.killed_nodes import Pause
from bench.measure_cluster import MANY, PACE, USUAL, Stretch
from bench.processes import family_cpu_seconds

USED = Measured(
    {GATEWAY: 5e-4, TABLES: 4e-4, BROKER: 1e-4, DATABASE: 2e-4, CLIENTS: 1e-4}, 3.0, 1.0
)


@pytest.fixture(scope="module")
def told() -> dict[str, Figure]:
    """The figures of a calm and of a busy stretch."""
    stretches = [
        Stretch(USUAL, PACE, USED, 1000.0, 4.0, 9.0),
        Stretch(MANY, 0.0, USED, 1000.0, 80.0, 200.0),
    ]
    figures = (measure_cluster.told_of("cluster.1", each, 2.0) for each in stretches)
    return {figure.name: figure for each in figures for figure in each}


def test_each_part_is_told_of(told: dict[str, Figure]) -> None:
    """What a move costs it."""
    assert told["cluster.1.200.paced.messages"].value == 3
    assert told["cluster.1.200.paced.tables.moves"].value == pytest.approx(2500)
    assert told["cluster.1.600.busy.database"].value == pytest.approx(200)


def test_what_is_promised_has_a_limit(told: dict[str, Figure]) -> None:
    """What the bus adds to a move, and messages at many tables."""
    limits = {name: figure.limit for name, figure in told.items() if figure.limit}
    assert limits.keys() == {"cluster.1.200.paced.p50", "cluster.1.600.busy.messages"}
    assert told["cluster.1.200.paced.p50"].kept
    assert not told["cluster.1.600.busy.messages"].kept


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
