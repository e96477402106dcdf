"""Metrics of a running server, for Prometheus."""

import asyncio
import platform
from collections.abc import Awaitable, Callable, Iterable
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from server.ops.collectors import Durations, FiguresOnRequest, Tallies, game_label

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


class Metrics:
    """All metrics of this process, in a registry of its own."""

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
        self._command_seconds = Durations(
            "blackqueen_command_seconds",
            "Seconds from when a command could be read to its answer, by its type",
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
        self.events = self._tallies(
            "events", "Log entries published, each to all of its table"
        ).of()
        moves = self._tallies("moves", "Moves made, by kind of player", "by")
        self.moves = moves.of("person")
        self.bot_moves = moves.of("bot")
        self.bot_seconds = self._histogram("bot_seconds", "Seconds a bot thought", MILLISECONDS)
        by_bot = ("game", "strength")
        self._choices = self._tallies("bot_choices", "Choices of bots, hints among them", *by_bot)
        self._thought = self._tallies("bot_choice_seconds", "Seconds bots thought", *by_bot)
        self.late_bots = self._counter("late_bots", "Bots for which a plainer bot played")
        self.commit_writes = self._histogram("commit_writes", "Writes in one commit", WRITES)
        self.commit_seconds = self._histogram("commit_seconds", "Seconds of a commit", MILLISECONDS)
        self.failed_writes = self._counter("failed_writes", "Writes that could not be stored")
        self.loop_lag = self._histogram("loop_lag_seconds", "Seconds the event loop was late", LAGS)
        self._worst_lag = self._gauge("loop_lag_worst_seconds", "The latest it was since the start")
        build = Gauge(
            "blackqueen_build_info",
            "1, with the versions of the program and of Python",
            ["version", "python"],
            registry=self._registry,
        )
        build.labels(version("blackqueen"), platform.python_version()).set(1)

    def command(self, type: str, result: str, seconds: float) -> None:
        """Count a command with its result and the client's waiting time.

        Type and result are words of the protocol, never a client's own.
        """
        self._commands.of(type, result).inc()
        self._command_seconds.observe(type, seconds)

    def bot_chose(self, game: str, strength: int, seconds: float, lateness: str = "") -> None:
        """Count a bot's choice; `lateness` says that it substituted for another bot.

        This is the `observe` argument of `BotPool`.
        """
        self.bot_seconds.observe(seconds)
        label = (game_label(game), str(strength))
        self._choices.of(*label).inc()
        self._thought.of(*label).inc(seconds)
        if lateness:
            self.late_bots.inc()

    def cut(self, reason: str) -> None:
        """Count a connection that was cut off, by a `server.net.websocket.Reason`."""
        self._cut.of(reason).inc()

    def lagged(self, seconds: float) -> None:
        """Record the event loop's lag; this is the `observe` argument of `watch_loop`."""
        self.loop_lag.observe(seconds)
        self._latest = max(self._latest, seconds)
        self._worst_lag.set(self._latest)

    def committed(self, writes: int, failed: int, seconds: float) -> None:
        """Record one batch of writes; this is the `observe` argument of `Store.open`."""
        self.commit_writes.observe(writes)
        self.commit_seconds.observe(seconds)
        self.failed_writes.inc(failed)

    def watch(self, ask: Callable[[], Iterable[Metric]]) -> None:
        """Export the metrics that `ask` returns whenever they are requested."""
        self._registry.register(FiguresOnRequest(ask))

    def watch_bots(self, ready: Callable[[], float]) -> None:
        """Export the number of compiled bots that are ready, which `ready` returns."""
        gauge = self._gauge("bots_ready", "Bots with compiled code that are ready to play")
        gauge.set_function(ready)

    def register(self, collector: Collector) -> None:
        """Export the metrics of `collector`, too."""
        self._registry.register(collector)

    def render(self) -> tuple[str, bytes]:
        """Return content type and body for `/metrics`."""
        return CONTENT_TYPE_LATEST, generate_latest(self._registry)

    def _counter(self, name: str, words: str) -> Counter:
        return Counter(f"blackqueen_{name}", words, registry=self._registry)

    def _tallies(self, name: str, words: str, *labels: str) -> Tallies:
        tallies = Tallies(f"blackqueen_{name}", words, labels)
        self._registry.register(tallies)
        return tallies

    def _gauge(self, name: str, words: str) -> Gauge:
        return Gauge(f"blackqueen_{name}", words, registry=self._registry)

    def _histogram(self, name: str, words: str, bounds: tuple[float, ...]) -> Histogram:
        return Histogram(f"blackqueen_{name}", words, buckets=bounds, registry=self._registry)


async def watch_loop(
    observe: Callable[[float], None],
    interval: float = 0.02,
    clock: Callable[[], float] | None = None,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Measure the event loop's lag again and again, and call `observe` with it, until cancelled.

    A block of the loop while this sleeps is measured as far as it outlasts the sleep, so that is
    short: fifty times a second cost a thousandth of a processor.
    """
    now = asyncio.get_running_loop().time if clock is None else clock
    while True:
        due = now() + interval
        await sleep(interval)
        observe(max(0.0, now() - due))
