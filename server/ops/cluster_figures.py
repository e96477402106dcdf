"""What a process with a role of its own tells of the bus, for `/metrics`."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from server.crossing.names import role_of
from server.ops.settings import ROLES


class BusFigures(Collector):
    """`connected` says whether the broker is there, `alive` which peers are, by their names."""

    def __init__(self, connected: Callable[[], bool], alive: Callable[[], Collection[str]]) -> None:
        self._connected = connected
        self._alive = alive

    def collect(self) -> Iterator[Metric]:
        """The figures, as Prometheus wants them."""
        words = "1 if the broker of the bus is connected, else 0"
        yield GaugeMetricFamily("blackqueen_bus_connected", words, self._connected())
        words = "Other processes on the bus that are there, by role"
        family = GaugeMetricFamily("blackqueen_bus_peers", words, labels=["role"])
        counts = Counter(map(role_of, self._alive()))
        for role in ROLES:
            family.add_metric([role], counts[role])
        yield family
