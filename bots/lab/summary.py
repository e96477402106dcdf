"""The summary of a simulation: the published statistics, and the figures of each part."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from bots.lab.bootstrap import Estimate, bootstrap, means
from bots.lab.measures import Floats
from bots.lab.plan import Part, Plan
from bots.lab.runs import Run
from bots.lab.sample import Sample, samples
from bots.lab.statistics import Statistic, statistics
from bots.spec import Spec, parse_spec
from engine.game import GameInfo


@dataclass(frozen=True, slots=True)
class Standing:
    """The figures of a seat, or of a bot over all its seats: `wins` with ties split, and full.

    `deviation` is the standard deviation of its scores.
    """

    label: str
    score: Estimate
    deviation: float
    wins: Estimate
    full_wins: Estimate


@dataclass(frozen=True, slots=True)
class PartSummary:
    """The figures of one part: how many choices its games have and how many options these give.

    `ties` is the share of games that several win, `forced` that of choices with one option.
    """

    sample: Sample
    length: Estimate
    branching: Estimate
    most_options: int
    forced: float
    ties: float
    seats: tuple[Standing, ...]
    bots: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of `runs` games of the plan, of which `stopped` had no end, by reason."""

    plan: Plan
    info: GameInfo
    runs: int
    stopped: Mapping[str, int]
    statistics: tuple[Statistic, ...]
    parts: tuple[PartSummary, ...]


def summarise(
    plan: Plan, info: GameInfo, runs: Iterable[Run], stopped: Mapping[str, int]
) -> Summary:
    """The summary of the games; `stopped` counts stopped games by reason.

    Intervals are repeatable: they are drawn from the seed of the plan.
    """
    found = samples(plan, runs)
    rng = np.random.default_rng(plan.seed)
    return Summary(
        plan,
        info,
        sum(part.games + part.stopped for part in found),
        stopped,
        statistics(found, plan.seats, info.id, rng),
        tuple(_part(part, rng) for part in found if part.games),
    )


def lineup(part: Part) -> str:
    """The players of a part, in words.

    >>> lineup(Part((Spec("s"), Spec("r"), Spec("r")), 5, turning=True))
    'one searching player, in each seat in turn, among 2 random ones'
    >>> lineup(Part((Spec("2"), Spec("r")), 5)), lineup(Part((Spec("r"), Spec("r")), 5))
    ('2 and random', '2 random players')
    """
    names = list(map(called, part.bots))
    if len(set(names)) == 1:
        return f"{len(names)} {names[0]} players"
    if part.turning:
        others = len(names) - 1
        beside = f"among {others} {names[1]} ones" if others > 1 else f"beside a {names[1]} one"
        return f"one {names[0]} player, in each seat in turn, {beside}"
    return f"{', '.join(names[:-1])} and {names[-1]}"


_CALLED = {"r": "random", "s": "searching", "search": "searching"}


def called(bot: Spec) -> str:
    """The name of a bot, for people."""
    settings = ", ".join(f"{name} {value}" for name, value in bot.settings)
    return _CALLED.get(bot.name, bot.name) + (f" ({settings})" if settings else "")


def _part(sample: Sample, rng: np.random.Generator) -> PartSummary:
    counts = sample.options.sum(axis=1).astype(np.float64)
    lengths = sample.lengths.astype(np.float64)
    return PartSummary(
        sample,
        means(lengths[:, np.newaxis], rng)[0],
        bootstrap(
            np.column_stack((counts, lengths)), lambda sums: sums[..., 0] / sums[..., 1], rng
        ),
        int(sample.options.max(initial=0)),
        float((sample.options == 1).sum() / max(lengths.sum(), 1)),
        float((sample.wins.full.sum(axis=1) > 1).mean()),
        tuple(_by_seat(sample, rng)),
        tuple(_by_bot(sample, rng)) if len(sample.names) > 1 else (),
    )


def _by_seat(sample: Sample, rng: np.random.Generator) -> Iterator[Standing]:
    wins = sample.wins
    found = means(np.hstack((sample.scores, wins.split, wins.full)), rng)
    deviations = sample.scores.std(axis=0)
    seats = len(deviations)
    for seat, deviation in enumerate(deviations):
        score, split, full = found[seat::seats]
        yield Standing(f"seat {seat + 1}", score, float(deviation), split, full)


def _by_bot(sample: Sample, rng: np.random.Generator) -> Iterator[Standing]:
    """The figures of each name over all its seats: sums by game, for resampling."""
    for number, name in enumerate(sample.names):
        here = (sample.bots == number).astype(np.float64)

        def mean(values: Floats, here: Floats = here) -> Estimate:
            tallies = np.column_stack(((values * here).sum(axis=1), here.sum(axis=1)))
            return bootstrap(tallies, lambda sums: sums[..., 0] / sums[..., 1], rng)

        deviation = float(sample.scores[here > 0].std())
        yield Standing(
            called(parse_spec(name)),
            mean(sample.scores),
            deviation,
            mean(sample.wins.split),
            mean(sample.wins.full),
        )
