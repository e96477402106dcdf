"""Statistics of an arena's results: means over deals with their 95 % intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from bots.arena.contest import Contest
from bots.arena.play import ArenaResult, Thinking

_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95 % interval; one value alone has none."""

    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a contest after `deals` deals. `lead.mean` > 0: the second bot is better."""

    contest: Contest
    deals: int
    lead: Interval
    wins: Interval
    thinking: tuple[Thinking, Thinking]

    def ms_per_move(self) -> dict[str, float]:
        """The processor time of each bot, in milliseconds a move."""
        spent: dict[str, Thinking] = {}
        for spec, thinking in zip(map(str, self.contest.bots), self.thinking, strict=True):
            spent[spec] = spent.get(spec, Thinking()) + thinking
        return {spec: each.milliseconds_a_move for spec, each in spent.items()}


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent values, and the normal 95 % interval around it.

    >>> found = interval([1.0, 3.0])
    >>> round(found.low, 2), found.mean, round(found.high, 2)
    (0.04, 2.0, 3.96)
    """
    mean = fmean(values)
    if len(values) < 2:
        return Interval(mean)
    reach = _NORMAL_95 * stdev(values) / sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach)


def summarise(contest: Contest, results: Sequence[ArenaResult]) -> Summary:
    """The summary of at least one result, whatever the order of the results."""
    ordered = sorted(results, key=lambda result: result.deal)
    return Summary(
        contest=contest,
        deals=len(ordered),
        lead=interval([result.lead for result in ordered]),
        wins=_within_one(interval([result.win_share for result in ordered])),
        thinking=(
            sum((result.thinking[0] for result in ordered), Thinking()),
            sum((result.thinking[1] for result in ordered), Thinking()),
        ),
    )


def _within_one(share: Interval) -> Interval:
    if share.low is None or share.high is None:
        return share
    return Interval(share.mean, max(0.0, share.low), min(1.0, share.high))
