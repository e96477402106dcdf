"""The games of one part in memory: arrays with a row a game."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from bots.generic.worlds import estimate
from bots.lab.measures import Counts, Floats, behind
from bots.lab.plan import Part, Plan
from bots.lab.runs import Lead, Run


@dataclass(frozen=True, slots=True)
class SharedWins:
    """A figure by two ways of counting shared wins: split, or as a full win for each."""

    split: Floats
    full: Floats


@dataclass(frozen=True, slots=True)
class Opinions:
    """The estimates of searching players, summed by game.

    `differences` are of best and worst over their `moves`. At each move there is an estimate for
    the final winner: `made` is the number of these, `below` the number below the threshold, and
    `depth` the sum of the roots.
    """

    differences: Floats
    moves: Floats
    made: SharedWins
    below: SharedWins
    depth: SharedWins

    @property
    def any(self) -> bool:
        """Whether any searching player has judged a move."""
        return bool(self.moves.sum())


@dataclass(frozen=True, slots=True)
class Sample:
    """The games of one part that ended; `stopped` is how many did not.

    `options[game, move]` is 0 where a game was over; `bots[game, seat]` numbers the names.
    `histories` are the leads of games in which somebody gave estimates, with the winners.
    """

    part: Part
    names: tuple[str, ...]
    bots: Counts
    scores: Floats
    wins: SharedWins
    options: Counts
    lengths: Counts
    opinions: Opinions
    histories: tuple["LeadHistory", ...]
    stopped: int

    @property
    def games(self) -> int:
        """The number of games that came to an end."""
        return len(self.scores)

    @property
    def estimated(self) -> int:
        """The number of games with estimates of how every seat stood."""
        return sum(all(map(len, history.leads)) for history in self.histories)


@dataclass(frozen=True, slots=True)
class LeadHistory:
    """How the players of one game stood during it.

    For each seat: its estimates, and at what share of the game they were made, from 0 to 1; the
    last one, at 1, is the value of its final rank. Empty for a seat without estimates.

    A searching player's estimates are its own; an onlooker's are of everybody at once.
    """

    number: int
    winners: tuple[int, ...]
    places: tuple[Floats, ...]
    leads: tuple[Floats, ...]


def samples(plan: Plan, runs: Iterable[Run]) -> list[Sample]:
    """The games of each part; the last parts may be missing."""
    games = iter(runs)
    return [_sample(plan, part, list(islice(games, part.games))) for part in plan.parts]


def _sample(plan: Plan, part: Part, every: Sequence[Run]) -> Sample:
    runs = [run for run in every if run.scores]
    names = tuple(dict.fromkeys(str(bot) for bot in part.bots))
    first = np.array([[rank == 1 for rank in run.ranks] for run in runs], float)
    full = first.reshape(len(runs), plan.seats)
    lengths = np.array([len(run.choices) for run in runs], np.int64)
    options = np.zeros((len(runs), int(lengths.max(initial=0))), np.int64)
    for row, run in zip(options, runs, strict=True):
        row[: len(run.choices)] = [choice.options for choice in run.choices]
    shared = SharedWins(full / np.maximum(full.sum(axis=1, keepdims=True), 1), full)
    return Sample(
        part,
        names,
        _table([[names.index(bot) for bot in run.bots] for run in runs], plan.seats),
        _table([run.scores for run in runs], plan.seats).astype(float),
        shared,
        options,
        lengths,
        _opinions(runs, shared, plan.seats),
        tuple(_history(run, plan.seats) for run in runs if run.leads),
        len(every) - len(runs),
    )


def _table(rows: Sequence[Sequence[int]], seats: int) -> Counts:
    return np.array(rows, np.int64).reshape(len(rows), seats)


def _opinions(runs: Sequence[Run], wins: SharedWins, seats: int) -> Opinions:
    """The opinions, summed by game: an onlooker values no moves, so it does not count here."""
    sums = np.zeros((len(runs), 8))
    for game, run in enumerate(runs):
        for lead in _searched(run):
            assert lead.best is not None
            assert lead.worst is not None
            short, root = behind(np.array(lead.leads), seats)
            split, full = wins.split[game], wins.full[game]
            sums[game] += (
                lead.best - lead.worst, 1, split.sum(), full.sum(), split @ short, full @ short,
                split @ root, full @ root,
            )  # fmt: skip
    columns = list(sums.T)
    return Opinions(
        columns[0], columns[1], *(SharedWins(*columns[at : at + 2]) for at in (2, 4, 6))
    )


def _searched(run: Run) -> Iterator[Lead]:
    return (lead for lead in run.leads if lead.best is not None)


def _history(run: Run, seats: int) -> LeadHistory:
    length = len(run.choices)
    own: list[list[tuple[float, float]]] = [[] for _ in range(seats)]
    for lead in run.leads:
        for seat in range(seats) if lead.best is None else (lead.seat,):
            own[seat].append((lead.move / length, lead.leads[seat]))
    for seat, points in enumerate(own):
        if points:
            points.append((1.0, estimate(run.ranks[seat], seats)))
    return LeadHistory(
        run.number,
        tuple(seat for seat, rank in enumerate(run.ranks) if rank == 1),
        tuple(np.array([place for place, _ in points]) for points in own),
        tuple(np.array([lead for _, lead in points]) for points in own),
    )
