"""Confidence intervals by bootstrap: the games are resampled with replacement a thousand times.

A statistic is given as the amounts that each game adds to some sums, and a function of these sums,
so that resampling costs one product of matrices for any statistic.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bots.lab.measures import Floats

TIMES = 1000
_AT_ONCE = 4_000_000
"""Numbers in one matrix of draws; more would only take memory."""

Formula: TypeAlias = Callable[[Floats], Floats]
"""Computes a statistic from sums, which lie in the last axis."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic and its 95 % interval, None if it cannot be computed; one game has none."""

    value: float | None
    low: float | None = None
    high: float | None = None


def bootstrap(tallies: Floats, formula: Formula, rng: np.random.Generator) -> Estimate:
    """The percentile interval of `formula` over resampled games; `tallies[game, sum]`."""
    games = len(tallies)
    value = float(formula(tallies.sum(axis=0))) if games else float("nan")
    if np.isnan(value):
        return Estimate(None)
    if games < 2:
        return Estimate(value)
    return _interval(value, np.concatenate([formula(sums) for sums in _drawn(tallies, rng)]))


def means(values: Floats, rng: np.random.Generator) -> list[Estimate]:
    """The mean of each column of `values[game, column]` with its interval."""
    games = len(values)
    found = [float(mean) for mean in values.mean(axis=0)]
    if games < 2:
        return [Estimate(mean) for mean in found]
    drawn = np.concatenate(_drawn(values, rng)) / games
    return [_interval(mean, column) for mean, column in zip(found, drawn.T, strict=True)]


def _interval(value: float, drawn: Floats) -> Estimate:
    usable = drawn[~np.isnan(drawn)]
    low, high = np.percentile(usable, (2.5, 97.5))
    return Estimate(value, float(low), float(high))


def _drawn(tallies: Floats, rng: np.random.Generator) -> list[Floats]:
    games = len(tallies)
    each = max(1, _AT_ONCE // games)
    sums: list[Floats] = []
    for start in range(0, TIMES, each):
        times = min(each, TIMES - start)
        counts = rng.multinomial(games, np.full(games, 1 / games), size=times)
        sums.append(counts.astype(np.float64) @ tallies)
    return sums
