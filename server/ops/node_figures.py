"""Metrics of a node that shares its database: its lease, and the number of its tables."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from server.store import LeaseState
from server.store.membership import Membership


def node_figures(node: Membership) -> Iterator[Metric]:
    """Yield the metrics in Prometheus's form."""
    told = (
        (
            "lease_sure",
            "1 while this node may go on with its tables, else 0",
            node.state is LeaseState.HELD,
        ),
        (
            "lease_seconds",
            "Seconds for which this node is sure of its tables",
            node.lease.seconds_left,
        ),
        ("epoch", "Higher each time that this node begins or loses its tables", node.lease.epoch),
        ("tables", "Open tables that this node owns, in memory or not", len(node.lease.owned)),
        (
            "drained",
            "1 while this node gives its tables away and takes none, else 0",
            not node.takes_tables,
        ),
    )
    for name, words, value in told:
        yield GaugeMetricFamily(f"blackqueen_node_{name}", words, value)
