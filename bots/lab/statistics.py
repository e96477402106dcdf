"""The six published statistics of a sample of games, each with its interval.

Ties are counted in two ways if that makes a difference: a shared first place split among those who
share it, and counted as a full win for each, as the published figures do.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias

import numpy as np

from bots.lab import measures
from bots.lab.bootstrap import Estimate, Formula, bootstrap
from bots.lab.measures import Floats
from bots.lab.plan import Part, is_random
from bots.lab.sample import Sample, SharedWins

NAMES = ("fairness", "order", "convergence", "spread", "drama", "security")

Count: TypeAlias = Callable[[SharedWins], Floats]
SPLIT: Count = attrgetter("split")
FULL: Count = attrgetter("full")


@dataclass(frozen=True, slots=True)
class Statistic:
    """One published number.

    `full` is None if ties make no difference. `part` are the players whose games were measured,
    None if no part allows it.
    """

    name: str
    split: Estimate
    full: Estimate | None = None
    part: Part | None = None
    games: int = 0


@dataclass(frozen=True, slots=True)
class _Measure:
    """A statistic of `sample`: `tallies` has each game's amounts, `formula` takes their sums."""

    name: str
    sample: Sample | None
    tallies: Callable[[Sample, Count], Floats]
    formula: Formula
    ties: bool = True

    def take(self, rng: np.random.Generator) -> Statistic:
        if self.sample is None:
            return Statistic(self.name, Estimate(None))
        split = bootstrap(self.tallies(self.sample, SPLIT), self.formula, rng)
        full = bootstrap(self.tallies(self.sample, FULL), self.formula, rng) if self.ties else None
        return Statistic(self.name, split, full, self.sample.part, self.sample.games)


def statistics(
    parts: Sequence[Sample], players: int, game: str, rng: np.random.Generator
) -> tuple[Statistic, ...]:
    """All six statistics, each from a part that allows it; bots are known by the id `game`."""
    return tuple(measure.take(rng) for measure in _measures(parts, players, game))


def _measures(parts: Sequence[Sample], players: int, game: str) -> Iterator[_Measure]:
    def minds(sample: Sample) -> int:
        return sum(not is_random(game, bot) for bot in sample.part.bots)

    played = [part for part in parts if part.games]
    random = next((part for part in played if minds(part) == 0), None)
    single = next((part for part in played if minds(part) == 1), None)
    # The more of them search, the more winners have told what they thought.
    thinking = max((part for part in played if part.opinions.any), key=minds, default=None)

    def alone(sample: Sample, count: Count) -> Floats:
        (mind,) = {str(bot) for bot in sample.part.bots if not is_random(game, bot)}
        return _with_ones(count(sample.wins)[sample.bots == sample.names.index(mind)])

    yield _Measure(
        "fairness",
        random,
        lambda sample, count: _with_ones(count(sample.wins)[:, 0]),
        lambda sums: measures.fairness(sums[..., 0] / sums[..., 1], players),
    )
    yield _Measure(
        "order",
        single,
        alone,
        lambda sums: measures.order(sums[..., 0] / sums[..., 1], players),
    )
    yield _Measure(
        "convergence",
        random,
        _slopes,
        lambda sums: measures.convergence(sums[..., 0], sums[..., 1]),
        ties=False,
    )
    yield _Measure(
        "spread",
        thinking,
        lambda sample, _: np.column_stack((sample.opinions.differences, sample.opinions.moves)),
        lambda sums: measures.spread(sums[..., 0], sums[..., 1]),
        ties=False,
    )
    yield _Measure(
        "drama",
        thinking,
        lambda sample, count: np.column_stack(
            (count(sample.opinions.depth), count(sample.opinions.below))
        ),
        lambda sums: measures.drama(sums[..., 0], sums[..., 1]),
    )
    yield _Measure(
        "security",
        thinking,
        lambda sample, count: np.column_stack(
            (count(sample.opinions.below), count(sample.opinions.made))
        ),
        lambda sums: measures.security(sums[..., 0], sums[..., 1]),
    )


def _with_ones(shares: Floats) -> Floats:
    return np.column_stack((shares, np.ones(len(shares))))


def _slopes(sample: Sample, _: Count) -> Floats:
    """The convergence of each game, then whether it has one; 0 and 0 if it has none."""
    found = measures.game_convergence(sample.options, sample.lengths)
    return np.column_stack((np.nan_to_num(found), ~np.isnan(found)))
