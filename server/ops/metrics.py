"""Metrics of a running server, for Prometheus.

Events of every move are counted by the event loop only and without a lock (`Tallies`): the counters
of the library take a lock each time, which matters at thousands of moves a second.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

Counts = Callable[[], Mapping[str, int]]

MILLISECONDS = tuple(0.0005 * 2**n for n in range(14))
"""Bounds from half a millisecond to four seconds."""
LAGS = (
    0.001,
    0.002,
    0.003,
    0.005,
    0.007,
    0.01,
    0.015,
    0.02,
    0.03,
    0.05,
    0.07,
    0.1,
    0.15,
    0.2,
    0.3,
    0.5,
    1.0,
)
"""Twenty milliseconds and a hundred among them: what is to hold for 99 % and for all."""
WRITES = tuple(float(2**n) for n in range(13))


class Metrics:
    """Everything this server counts, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._latest = 0.0
        ProcessCollector(registry=self._registry)
        self.connections = self._gauge("connections", "WebSocket connections that are open")
        self.accepted = self._counter("connections_accepted", "WebSocket connections so far")
        self.refused = self._counter("connections_refused", "Connections over a limit so far")
        self._cut = self._tallies(
            "connections_cut", "Connections that were cut off, by what they had used up", "reason"
        )
        self._commands = self._tallies(
            "commands",
            "Commands by type and by result: ok or the code of the error",
            "type",
            "result",
        )
        self.events = self._tallies(
            "events", "Log entries published, each to all of its table"
        ).of()
        moves = self._tallies("moves", "Moves made, by kind of player", "by")
        self.moves = moves.of("person")
        self.bot_moves = moves.of("bot")
        self.bot_seconds = self._histogram("bot_seconds", "Seconds a bot thought", MILLISECONDS)
        self.late_bots = self._counter("late_bots", "Bots for which a plainer bot played")
        self.commit_writes = self._histogram("commit_writes", "Writes in one commit", WRITES)
        self.commit_seconds = self._histogram("commit_seconds", "Seconds of a commit", MILLISECONDS)
        self.failed_writes = self._counter("failed_writes", "Writes that could not be stored")
        self.loop_lag = self._histogram("loop_lag_seconds", "Seconds the event loop was late", LAGS)
        self._worst_lag = self._gauge("loop_lag_worst_seconds", "The latest it was since the start")
        clients = Counter(
            "blackqueen_slow_clients",
            "Slow clients, by what became of them",
            ["outcome"],
            registry=self._registry,
        )
        self.caught_up = clients.labels("snapshot")
        self.dropped = clients.labels("dropped")

    def command(self, type: str, result: str) -> None:
        """Count a command and its result. Both are words of the protocol, never a client's own."""
        self._commands.of(type, result).inc()

    def cut(self, reason: str) -> None:
        """Count a connection that was cut off, by one of `server.transport.websocket.Reason`."""
        self._cut.of(reason).inc()

    def lagged(self, seconds: float) -> None:
        """Note how late the event loop was; this is what `watch_loop` wants to be given."""
        self.loop_lag.observe(seconds)
        self._latest = max(self._latest, seconds)
        self._worst_lag.set(self._latest)

    def committed(self, writes: int, failed: int, seconds: float) -> None:
        """Note one batch of writes; this is what `Store.open` wants to be given as `observe`."""
        self.commit_writes.observe(writes)
        self.commit_seconds.observe(seconds)
        self.failed_writes.inc(failed)

    def watch_tables(self, counts: Counts) -> None:
        """Ask `counts` for the number of tables in each phase whenever the figures are fetched."""
        self._registry.register(_Tables(counts))

    def watch_bots(self, ready: Callable[[], float]) -> None:
        """Ask `ready` for the number of compiled bots that are ready when figures are fetched."""
        gauge = self._gauge("bots_ready", "Bots with compiled code that are ready to play")
        gauge.set_function(ready)

    def render(self) -> tuple[str, bytes]:
        """Content type and body for `/metrics`."""
        return CONTENT_TYPE_LATEST, generate_latest(self._registry)

    def _counter(self, name: str, words: str) -> Counter:
        return Counter(f"blackqueen_{name}", words, registry=self._registry)

    def _tallies(self, name: str, words: str, *labels: str) -> "Tallies":
        tallies = Tallies(f"blackqueen_{name}", words, labels)
        self._registry.register(tallies)
        return tallies

    def _gauge(self, name: str, words: str) -> Gauge:
        return Gauge(f"blackqueen_{name}", words, registry=self._registry)

    def _histogram(self, name: str, words: str, bounds: tuple[float, ...]) -> Histogram:
        return Histogram(f"blackqueen_{name}", words, buckets=bounds, registry=self._registry)


@dataclass(slots=True)
class Tally:
    """A count that only the event loop adds to."""

    count: int = 0

    def inc(self, more: int = 1) -> None:
        """Count `more` of it."""
        self.count += more


class Tallies(Collector):
    """Tallies of one name, by the values of their labels."""

    def __init__(self, name: str, words: str, labels: tuple[str, ...]) -> None:
        self._about = (name, words, None, labels)
        self._by_labels: defaultdict[tuple[str, ...], Tally] = defaultdict(Tally)

    def of(self, *labels: str) -> Tally:
        """The tally with these values of the labels, in the order of the labels."""
        return self._by_labels[labels]

    def collect(self) -> Iterator[Metric]:
        """The figures, as Prometheus wants them."""
        family = CounterMetricFamily(*self._about)
        for labels, tally in sorted(self._by_labels.items()):
            family.add_metric(labels, tally.count)
        yield family


class _Tables(Collector):
    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily("blackqueen_tables", "Tables in memory", labels=["phase"])
        for phase, count in sorted(self._counts().items()):
            family.add_metric([phase], count)
        yield family

    def describe(self) -> Iterator[Metric]:
        # Without this the registry would call `collect` before the tables are there to be counted.
        yield GaugeMetricFamily("blackqueen_tables", "Tables in memory", labels=["phase"])


async def watch_loop(
    observe: Callable[[float], None],
    interval: float = 0.02,
    clock: Callable[[], float] | None = None,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Tell `observe`, again and again until cancelled, how late the event loop woke this task.

    What holds the loop up while this sleeps is seen as far as it outlasts the sleep, so that is
    short: fifty times a second cost a thousandth of a processor.
    """
    now = asyncio.get_running_loop().time if clock is None else clock
    while True:
        due = now() + interval
        await sleep(interval)
        observe(max(0.0, now() - due))
