"""Figures of a node that shares its database: its lease, and how many tables it has."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector


class NodeFigures(NamedTuple):
    """What is told of a node."""

    sure: bool
    seconds: float
    epoch: int
    tables: int
    takes: bool


class NodeCollector(Collector):
    """Asks `figures` whenever the figures are fetched."""

    def __init__(self, figures: Callable[[], NodeFigures]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """The figures, as Prometheus wants them."""
        sure, seconds, epoch, tables, takes = self._figures()
        told = (
            ("lease_sure", "1 while this node may go on with its tables, else 0", int(sure)),
            ("lease_seconds", "Seconds for which this node is sure of its tables", seconds),
            ("epoch", "Higher each time that this node begins or loses its tables", epoch),
            ("tables", "Open tables that this node owns, in memory or not", tables),
            (
                "drained",
                "1 while this node gives its tables away and takes none, else 0",
                not takes,
            ),
        )
        for name, words, value in told:
            yield GaugeMetricFamily(f"blackqueen_node_{name}", words, value)
