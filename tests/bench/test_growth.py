"""The growth model: lines through two measurements, a cluster that is played, and what it needs."""

import pytest

from bench.growth import PARTS, Cost, Measured, PlayedCluster, Size, fitted, in_steps, needs

COSTS = {
    "gateway": Cost(150e-6, 100e-6),
    "tables": Cost(150e-6, 100e-6),
    "broker": Cost(0.0, 30e-6),
    "database": Cost(20e-6, 200e-6),
    "clients": Cost(50e-6),
}


def played(tables: int, interval: float = 0.0, nodes: int = 1, cores: int = 2) -> Measured:
    """What a cluster of these costs comes to."""
    return PlayedCluster(Size(tables, interval, nodes=nodes, cores=cores), COSTS).play(3.0)[0]


def test_a_calm_cluster_sends_each_move_by_itself() -> None:
    """One message to the tables and one to each gateway; a commit for each move."""
    calm = played(3, 1.0)
    assert calm.messages == pytest.approx(3)
    assert calm.commits == pytest.approx(1)
    assert calm.seconds["database"] == pytest.approx(COSTS["database"].of(1))


def test_more_tables_gather_more_in_a_message() -> None:
    """The busier, the fewer messages and commits a move, and the less it costs."""
    few, many = played(20), played(400)
    assert many.messages < few.messages < 3
    assert many.commits < few.commits < 1
    for part in ("gateway", "tables", "broker", "database"):
        assert many.seconds[part] < few.seconds[part]


def test_a_second_node_takes_half_of_the_tables() -> None:
    """Where the tables are what is full, and cores are free, twice the moves are made."""
    dear = {**COSTS, "tables": Cost(2e-3, 0.0)}
    one, two = (
        PlayedCluster(Size(100, nodes=nodes, cores=8), dear).play(3.0)[1] for nodes in (1, 2)
    )
    assert one == pytest.approx(500, rel=0.05)
    assert two == pytest.approx(2 * one, rel=0.1)


def test_the_lines_are_those_of_the_measurements() -> None:
    """Through both points, and never below zero."""
    calm = Measured(dict.fromkeys(PARTS, 3e-3), messages=2.0, commits=1.0)
    busy = Measured(dict.fromkeys(PARTS, 1e-3), messages=1.0, commits=0.5)
    costs = fitted(calm, busy)
    assert costs["tables"] == Cost(0.0, 1e-3)
    assert costs["database"] == Cost(0.0, 2e-3)
    flatter = Measured(dict.fromkeys(PARTS, 2e-3), messages=1.0, commits=1.0)
    for part, cost in fitted(calm, flatter).items():
        if part != "database":
            assert cost.of(2.0) == pytest.approx(3e-3)
            assert cost.of(1.0) == pytest.approx(2e-3)
    assert fitted(calm, flatter)["database"] == Cost(2e-3)


def test_messages_are_counted_as_they_are_played() -> None:
    """A calm cluster of two gateways plays three for a move, whatever it really sends."""
    calm = Measured({}, messages=4.5, commits=1.0)
    assert in_steps(calm, calm, 2).messages == pytest.approx(3)
    assert in_steps(Measured({}, 0.9, 0.1), calm, 2).messages == pytest.approx(0.6)


def test_what_is_needed_most_comes_first() -> None:
    """Ten thousand moves a second, each part at most three fifths busy."""
    first, *others = needs(COSTS, 10_000, messages=0.5, commits=0.01)
    assert first.part == "gateway"
    assert first.cores == pytest.approx(10_000 * 200e-6)
    assert first.processes == 4
    assert [need.part for need in others] == ["tables", "database", "broker"]


def test_a_run_that_is_too_short_says_so() -> None:
    """No move was made, so nothing can be said of one."""
    with pytest.raises(ValueError, match="no move"):
        PlayedCluster(Size(1, cores=1), COSTS).play(1e-6)
