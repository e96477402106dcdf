"""Collectors of metrics: values that are counted, or read whenever they are requested.

Events of every move are counted by the event loop only and without a lock (`Tallies`): the counters
of the library take a lock each time, which matters at thousands of moves a second.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

DESCRIBED = "described"
"""The label of all games from files: there may be any number of those."""


@dataclass(slots=True)
class Tally:
    """A counter that only the event loop increments."""

    count: float = 0

    def inc(self, more: float = 1) -> None:
        """Add `more` to the count."""
        self.count += more


class Tallies(Collector):
    """The counters of one name, by the values of their labels."""

    def __init__(self, name: str, words: str, labels: tuple[str, ...]) -> None:
        self._about = (name, words, None, labels)
        self._by_labels: defaultdict[tuple[str, ...], Tally] = defaultdict(Tally)

    def of(self, *labels: str) -> Tally:
        """Return the counter with these values of the labels, in the order of the labels."""
        return self._by_labels[labels]

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics in Prometheus's form."""
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
        """Count one observation of this many seconds."""
        self._counts[label][bisect_left(self._bounds, seconds)] += 1
        self._sums[label] += seconds

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics in Prometheus's form: each bucket includes those below it."""
        family = HistogramMetricFamily(*self._about, labels=[self._label])
        names = [*map(str, self._bounds), "+Inf"]
        for label, counts in sorted(self._counts.items()):
            buckets = list(zip(names, accumulate(counts), strict=True))
            family.add_metric([label], buckets, self._sums[label])
        yield family


class FiguresOnRequest(Collector):
    """Metrics that `ask` returns whenever they are requested."""

    def __init__(self, ask: Callable[[], Iterable[Metric]]) -> None:
        self._ask = ask

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics in Prometheus's form."""
        return self._ask()

    def describe(self) -> Iterable[Metric]:
        """Return nothing, as the registry would otherwise `collect` too early."""
        return ()


def by_phase(counts: Mapping[str, int]) -> Iterator[Metric]:
    """Count the tables in memory, by phase."""
    family = GaugeMetricFamily("blackqueen_tables", "Tables in memory", labels=["phase"])
    for phase, count in sorted(counts.items()):
        family.add_metric([phase], count)
    yield family


def public_events(counts: Mapping[str, int]) -> Iterator[Metric]:
    """Count public events, and say whether their broker is connected."""
    words = {
        "published": "Messages of public events that were handed to the broker",
        "dropped": "Messages of public events that were thrown away",
        "reconnects": "Connections to the broker of public events after the first",
    }
    for name, said in words.items():
        yield CounterMetricFamily(f"blackqueen_public_events_{name}", said, counts[name])
    name, said = "blackqueen_public_events_connected", "1 if their broker is connected, else 0"
    yield GaugeMetricFamily(name, said, counts["connected"])


def by_strength(counts: Mapping[tuple[str, int], int]) -> Iterator[Metric]:
    """Count the bots at tables, by game and strength; all described games count as one."""
    totals: defaultdict[tuple[str, str], int] = defaultdict(int)
    for (game, strength), count in counts.items():
        totals[game_label(game), str(strength)] += count
    words = "Bots that have a seat at a table in memory"
    family = GaugeMetricFamily("blackqueen_bots", words, labels=["game", "strength"])
    for label, count in sorted(totals.items()):
        family.add_metric(label, count)
    yield family


def game_label(game: str) -> str:
    """Return the label of a game in metrics: its id, if it is a native game."""
    return DESCRIBED if "@" in game else game
