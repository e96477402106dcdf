"""The figures of a process with a role of its own: who is on the bus, and what it is itself."""

from server.ops.cluster_figures import BusFigures
from server.ops.metrics import Metrics
from server.ops.node_figures import NodeCollector, NodeFigures


def lines(metrics: Metrics) -> list[str]:
    """The lines of `/metrics` that are no comments."""
    page = metrics.render()[1].decode()
    return [line for line in page.splitlines() if not line.startswith("#")]


def test_peers_are_counted_by_role() -> None:
    """A role of which nobody is there counts as 0, so that an alert can tell."""
    metrics = Metrics(["gateway"])
    alive = ["tables.t1", "gateway.g1", "gateway.g2"]
    metrics.register(BusFigures(lambda: True, lambda: alive))
    told = lines(metrics)
    assert "blackqueen_bus_connected 1.0" in told
    assert [line for line in told if line.startswith("blackqueen_bus_peers")] == [
        'blackqueen_bus_peers{role="gateway"} 2.0',
        'blackqueen_bus_peers{role="tables"} 1.0',
    ]


def test_a_process_tells_its_roles() -> None:
    """Alerts can so be for one role."""
    told = lines(Metrics(["gateway", "tables"]))
    assert [line for line in told if line.startswith("blackqueen_role")] == [
        'blackqueen_role{role="gateway"} 1.0',
        'blackqueen_role{role="tables"} 1.0',
    ]


def test_a_node_tells_of_its_lease_and_whether_it_is_drained() -> None:
    """As it is whenever the figures are fetched."""
    metrics, figures = Metrics(["tables"]), NodeFigures(True, 2.25, 4, 3, takes=True)
    metrics.register(NodeCollector(lambda: figures))
    assert [line for line in lines(metrics) if line.startswith("blackqueen_node")] == [
        "blackqueen_node_lease_sure 1.0",
        "blackqueen_node_lease_seconds 2.25",
        "blackqueen_node_epoch 4.0",
        "blackqueen_node_tables 3.0",
        "blackqueen_node_drained 0.0",
    ]
    figures = figures._replace(takes=False)
    assert "blackqueen_node_drained 1.0" in lines(metrics)
