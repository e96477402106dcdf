"""Metrics of a running server, for Prometheus.

Events of every move are counted by the event loop only and without a lock (`Tallies`): the counters
of the library take a lock each time, which matters at thousands of moves a second.
"""

import asyncio
import platform
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from server.ops.settings import ROLES

Counts = Callable[[], Mapping[str, int]]
BotCounts = Callable[[], Mapping[tuple[str, int], int]]
"""Numbers of bots by game and strength."""

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
COMMANDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""From a move that shares its commit to a hint of the strongest bot."""
DESCRIBED = "described"
"""The label of all games from files: there may be any number of those."""


class Metrics:
    """Everything this process counts, in a registry of its own.

    What none of its `roles` counts is not shown.
    """

    def __init__(self, roles: Collection[str] = ROLES) -> None:
        shown, unseen = CollectorRegistry(), CollectorRegistry()
        self._shown = shown
        self._latest = 0.0
        ProcessCollector(registry=shown)
        self._registry = shown if "gateway" in roles else unseen
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
        self._command_seconds = Durations(
            "blackqueen_command_seconds",
            "Seconds from a command's arrival to its answer, by its type",
            "type",
            COMMANDS,
        )
        self._registry.register(self._command_seconds)
        clients = Counter(
            "blackqueen_slow_clients",
            "Slow clients, by what became of them",
            ["outcome"],
            registry=self._registry,
        )
        self.caught_up = clients.labels("snapshot")
        self.dropped = clients.labels("dropped")
        self._registry = shown if "tables" in roles else unseen
        self.events = self._tallies(
            "events", "Log entries published, each to all of its table"
        ).of()
        moves = self._tallies("moves", "Moves made, by kind of player", "by")
        self.moves = moves.of("person")
        self.bot_moves = moves.of("bot")
        self._registry = shown if {"tables", "bots"} & set(roles) else unseen
        self.bot_seconds = self._histogram("bot_seconds", "Seconds a bot thought", MILLISECONDS)
        by_bot = ("game", "strength")
        self._choices = self._tallies("bot_choices", "Choices of bots, hints among them", *by_bot)
        self._thought = self._tallies("bot_choice_seconds", "Seconds bots thought", *by_bot)
        self.late_bots = self._counter("late_bots", "Bots for which a plainer bot played")
        self._registry = shown if "tables" in roles else unseen
        self.commit_writes = self._histogram("commit_writes", "Writes in one commit", WRITES)
        self.commit_seconds = self._histogram("commit_seconds", "Seconds of a commit", MILLISECONDS)
        self.failed_writes = self._counter("failed_writes", "Writes that could not be stored")
        self._registry = shown
        self.loop_lag = self._histogram("loop_lag_seconds", "Seconds the event loop was late", LAGS)
        self._worst_lag = self._gauge("loop_lag_worst_seconds", "The latest it was since the start")
        build = Gauge(
            "blackqueen_build_info",
            "1, with the versions of the program and of Python",
            ["version", "python"],
            registry=self._registry,
        )
        build.labels(version("blackqueen"), platform.python_version()).set(1)
        role = Gauge("blackqueen_role", "1 for each role of this process", ["role"], registry=shown)
        for each in roles:
            role.labels(each).set(1)

    def command(self, type: str, result: str, seconds: float) -> None:
        """Count a command, its result and how long the client waited.

        Type and result are words of the protocol, never a client's own.
        """
        self._commands.of(type, result).inc()
        self._command_seconds.observe(type, seconds)

    def bot_chose(self, game: str, strength: int, seconds: float, lateness: str = "") -> None:
        """Count a choice; with `lateness` this bot took the place of one that was late or failed.

        This is what `BotPool` wants to be given as `observe`.
        """
        self.bot_seconds.observe(seconds)
        label = (_game_label(game), str(strength))
        self._choices.of(*label).inc()
        self._thought.of(*label).inc(seconds)
        if lateness:
            self.late_bots.inc()

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

    def watch_seated_bots(self, counts: BotCounts) -> None:
        """Ask `counts` for the bots at tables whenever the figures are fetched."""
        self._registry.register(_Bots(counts))

    def watch_public_events(self, counts: Counts) -> None:
        """Ask `counts` for what became of public events whenever the figures are fetched.

        They are ``published``, ``dropped``, ``reconnects`` and ``connected``, which is 0 or 1.
        """
        self._registry.register(_PublicEvents(counts))

    def watch_bot_worker(self, counts: Counts) -> None:
        """Ask `counts` for what became of the questions of a bot worker, by words for it."""
        self._registry.register(_Questions(counts))

    def watch_spans(self, counts: Counts) -> None:
        """Ask `counts` for what became of the spans of this process, by words for it."""
        self._registry.register(_Spans(counts))

    def watch_bots(self, ready: Callable[[], float]) -> None:
        """Ask `ready` for the number of compiled bots that are ready when figures are fetched."""
        gauge = self._gauge("bots_ready", "Bots with compiled code that are ready to play")
        gauge.set_function(ready)

    def register(self, collector: Collector) -> None:
        """Tell what `collector` tells, too, whenever the figures are fetched."""
        self._registry.register(collector)

    def render(self) -> tuple[str, bytes]:
        """Content type and body for `/metrics`."""
        return CONTENT_TYPE_LATEST, generate_latest(self._shown)

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

    count: float = 0

    def inc(self, more: float = 1) -> None:
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


class Durations(Collector):
    """A histogram of seconds by the value of one label, counted by the event loop only."""

    def __init__(self, name: str, words: str, label: str, bounds: tuple[float, ...]) -> None:
        self._about = (name, words)
        self._label = label
        self._bounds = bounds
        self._counts: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(bounds) + 1))
        self._sums: defaultdict[str, float] = defaultdict(float)

    def observe(self, label: str, seconds: float) -> None:
        """Count one that took so many seconds."""
        self._counts[label][bisect_left(self._bounds, seconds)] += 1
        self._sums[label] += seconds

    def collect(self) -> Iterator[Metric]:
        """The figures, as Prometheus wants them: each bucket counts those below it too."""
        family = HistogramMetricFamily(*self._about, labels=[self._label])
        names = [*map(str, self._bounds), "+Inf"]
        for label, counts in sorted(self._counts.items()):
            buckets = list(zip(names, accumulate(counts), strict=True))
            family.add_metric([label], buckets, self._sums[label])
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


class _PublicEvents(Collector):
    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        words = {
            "published": "Messages of public events that were handed to the broker",
            "dropped": "Messages of public events that were thrown away",
            "reconnects": "Connections to the broker of public events after the first",
        }
        counts = self._counts()
        for name, said in words.items():
            yield CounterMetricFamily(f"blackqueen_public_events_{name}", said, counts[name])
        name, said = "blackqueen_public_events_connected", "1 if their broker is connected, else 0"
        yield GaugeMetricFamily(name, said, counts["connected"])


class _Questions(Collector):
    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        words = "Questions that tables have sent to this bot worker, by what became of them"
        family = CounterMetricFamily("blackqueen_bot_worker_questions", words, labels=["outcome"])
        for outcome, count in sorted(self._counts().items()):
            family.add_metric([outcome], count)
        yield family


class _Spans(Collector):
    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        words = "Spans of commands, by what became of them"
        family = CounterMetricFamily("blackqueen_spans", words, labels=["outcome"])
        for outcome, count in sorted(self._counts().items()):
            family.add_metric([outcome], count)
        yield family


class _Bots(Collector):
    def __init__(self, counts: BotCounts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        totals: defaultdict[tuple[str, str], int] = defaultdict(int)
        for (game, strength), count in self._counts().items():
            totals[_game_label(game), str(strength)] += count
        (family,) = self.describe()
        assert isinstance(family, GaugeMetricFamily)
        for label, count in sorted(totals.items()):
            family.add_metric(label, count)
        yield family

    def describe(self) -> Iterator[Metric]:
        words = "Bots that have a seat at a table in memory"
        yield GaugeMetricFamily("blackqueen_bots", words, labels=["game", "strength"])


def _game_label(game: str) -> str:
    """What a metric calls a game: its id, if it is one of the program's own."""
    return DESCRIBED if "@" in game else game


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
