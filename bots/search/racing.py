"""Candidates racing on common worlds: they are compared in pairs, and hopeless ones dropped.

All candidates share the luck of a world, so the difference of two candidates is known far better
than the value of either.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bots.bot import BEST

Floats = NDArray[np.float64]

CERTAIN = 3.0
"""How many standard errors behind the leader a candidate is dropped. It is looked at often, so
this is more than a single look would need."""
TWINS = 64
"""After so many worlds without any difference two candidates are taken for the same."""
CONSTANT_TWINS = 384
"""As `TWINS` where all those worlds gave one and the same value, as where every world is won.

Two that shared good and bad luck are the same; two that have only met good luck may still differ.
A candidate that wins 98.5 % of all worlds wins so many in a row in 0.3 % of all races.
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """The statistics of a candidate: its `worth` decides the race.

    `error` is the standard error of `mean`; `spread` the standard deviation over the worlds. `best`
    is the share of the worlds in which no candidate was better, in a thorough race.
    """

    worth: float
    mean: float
    error: float
    spread: float
    worlds: int
    best: float | None = None

    def why(self) -> dict[str, float]:
        """The numbers for `Candidate.why`."""
        numbers = {
            "mean": self.mean,
            "deviation": self.error,
            "spread": self.spread,
            "worlds": float(self.worlds),
        }
        return numbers if self.best is None else {**numbers, BEST: self.best}


class Race:
    """A race of candidates, which finds the best; of equals the first wins.

    The values of those in `exact` are exact, whatever the worlds: none of them counts as equal to
    another candidate, and it wins against equals.

        race = Race(len(actions))
        while not race.settled and (worlds := batches.take()):
            race.add(values(race.running, worlds))

    With `risk` λ the best is the one with the greatest mean − λ × standard deviation. In a
    `thorough` race nobody is dropped; candidates with one number in `alike`, such as two plans for
    one move, are best where any of them is.
    """

    def __init__(
        self,
        candidates: int,
        *,
        risk: float = 0.0,
        least: int = 16,
        certain: float = CERTAIN,
        exact: Collection[int] = (),
        thorough: bool = False,
        alike: Sequence[int] = (),
    ) -> None:
        self.running = np.arange(candidates)
        self._thorough = thorough
        self._alike = np.array(alike or self.running)
        self._exact = np.isin(self.running, list(exact))
        self._risk = risk
        self._least = least
        self._certain = certain
        self._values: Floats = np.empty((candidates, 0))
        self._dropped: dict[int, Standing] = {}

    @property
    def settled(self) -> bool:
        """Whether no rival is left in the race."""
        return self.running.size == 1

    @property
    def best(self) -> int:
        """The candidate that leads now."""
        return int(self.running[self._leader()])

    def add(self, values: Floats) -> None:
        """Add the values of `running`, a row for each, in further worlds, a column for each."""
        self._values = np.concatenate((self._values, values), axis=1)
        if not self._thorough and self._values.shape[1] >= self._least:
            self._drop(self._beaten())

    def standings(self) -> tuple[Standing, ...]:
        """The standings of all candidates, those dropped as they were then."""
        known = dict(self._dropped)
        for row, candidate in enumerate(self.running):
            known[int(candidate)] = self._standing(row)
        return tuple(known[candidate] for candidate in sorted(known))

    def _leader(self) -> int:
        worth = self._worth()
        known = np.flatnonzero((worth == worth.max()) & self._exact[self.running])
        return int(known[0]) if known.size else int(np.argmax(worth))

    def _worth(self) -> Floats:
        if not self._values.shape[1]:
            return np.zeros(self.running.size)
        means: Floats = self._values.mean(axis=1)
        return means - self._risk * self._values.std(axis=1) if self._risk else means

    def _beaten(self) -> NDArray[np.bool_]:
        shares = self._shares()
        leader = self._leader()
        behind = shares[leader] - shares
        worlds = behind.shape[1]
        errors = behind.std(axis=1) / sqrt(worlds)
        worth = self._worth()
        beaten: NDArray[np.bool_] = worth[leader] - worth > self._certain * errors
        beaten |= self._twins_of(leader)
        beaten[leader] = False
        return beaten

    def _twins_of(self, leader: int) -> NDArray[np.bool_]:
        """The candidates that no one of many worlds has told apart from the leader."""
        led = self._values[leader]
        needed = TWINS if (led != led[0]).any() else CONSTANT_TWINS
        if led.size < needed or self._exact[self.running[leader]]:
            return np.zeros(self.running.size, dtype=np.bool_)
        alike: NDArray[np.bool_] = (self._values == led).all(axis=1)
        return alike & ~self._exact[self.running]

    def _shares(self) -> Floats:
        """Each world's part in a candidate's worth; to first order if `risk` is not 0."""
        if not self._risk:
            return self._values
        off = self._values - self._values.mean(axis=1, keepdims=True)
        spread = self._values.std(axis=1, keepdims=True)
        # A candidate without spread has nothing to be afraid of.
        fear = np.divide(off * off, 2 * spread, out=np.zeros_like(off), where=spread > 0)
        shares: Floats = self._values - self._risk * fear
        return shares

    def _drop(self, beaten: NDArray[np.bool_]) -> None:
        for row in np.flatnonzero(beaten):
            self._dropped[int(self.running[row])] = self._standing(int(row))
        self.running = self.running[~beaten]
        self._values = self._values[~beaten]

    def _standing(self, row: int) -> Standing:
        values = self._values[row]
        worlds = values.size
        mean, spread = (float(values.mean()), float(values.std())) if worlds else (0.0, 0.0)
        error = spread / sqrt(worlds - 1) if worlds > 1 else 0.0
        return Standing(
            mean - self._risk * spread, mean, error, spread, worlds, self._share_of_best(row)
        )

    def _share_of_best(self, row: int) -> float | None:
        if not self._thorough or not self._values.size:
            return None
        own = self._values[self._alike == self._alike[row]].max(axis=0)
        return float((own == self._values.max(axis=0)).mean())
