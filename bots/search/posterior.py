"""Posteriors of a chance and of a score after samples: mean and standard deviation.

Both start without knowledge: a chance from Beta(1, 1), the chances of several scores from
Dirichlet(1, …, 1). Hits and scores counted in samples are added to these.

Source: Schnapsen document, "Bayesian Estimates".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

SCORES = (-3, -2, -1, 0, 1, 2, 3)
"""The game points that a deal of Schnapsen can bring."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of something that happened `hits` times in `samples`: Beta(1 + S, 1 + N − S).

    >>> lost = Chance(hits=625, samples=2500)
    >>> round(lost.mean, 4), round(lost.deviation, 4)
    (0.2502, 0.0087)
    """

    hits: int
    samples: int

    @property
    def mean(self) -> float:
        """The posterior mean, (1 + S) / (N + 2)."""
        return (1 + self.hits) / (self.samples + 2)

    @property
    def deviation(self) -> float:
        """The standard deviation, never above 1 / (2 √(N + 3))."""
        return sqrt(self.mean * (1 - self.mean) / (self.samples + 3))


@dataclass(frozen=True, slots=True)
class Score:
    """The expected score where each of `scores` was seen so many times: Dirichlet(1 + counts).

    >>> round(Score((0, 0, 0, 0, 0, 0, 0)).mean, 4), round(Score((0,) * 6 + (93,)).mean, 4)
    (0.0, 2.79)
    """

    counts: Sequence[int]
    scores: Sequence[int] = SCORES

    @property
    def mean(self) -> float:
        """The posterior mean of the expected score."""
        weights = self._weights()
        return sum(w * score for w, score in zip(weights, self.scores, strict=True)) / sum(weights)

    @property
    def deviation(self) -> float:
        """The standard deviation of the expected score, not that of a single deal."""
        weights = self._weights()
        total, mean = sum(weights), self.mean
        # Σ Sᵢ Sⱼ (δᵢⱼ pᵢ − pᵢ pⱼ) / (total + 1) is the variance of one score over total + 1.
        squares = sum(
            w * (score - mean) ** 2 for w, score in zip(weights, self.scores, strict=True)
        )
        return sqrt(squares / total / (total + 1))

    def _weights(self) -> list[int]:
        return [1 + count for count in self.counts]
