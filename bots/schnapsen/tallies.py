"""The results of a plan in the worlds tried, with the uncertainty of its value.

Source: Schnapsen document, "Bayesian Estimates".
"""

import numpy as np

from bots.schnapsen.bits import Floats
from bots.search.posterior import SCORES, Chance, Score


class Tally:
    """A plan's results in worlds, one after the other: won or not, and sometimes the score.

    `everything` is how many worlds there are, if they are tried one by one and not drawn: after
    so many nothing is left to be unsure of.
    """

    def __init__(self, everything: int | None) -> None:
        self.wins: Floats = np.empty(0)
        self.scores: Floats = np.empty(0)
        self._everything = everything

    def add(self, values: Floats, *, by_score: bool) -> None:
        """Add results of further worlds: game points if by score, else 1 (win) and 0 (loss)."""
        if by_score:
            self.scores = np.concatenate((self.scores, values))
        else:
            self.wins = np.concatenate((self.wins, values))

    def mean(self, *, by_score: bool) -> float:
        """The mean of the added results."""
        return float((self.scores if by_score else self.wins).mean())

    @property
    def exact(self) -> bool:
        """Whether all worlds were tried, so that the chance to win is exact."""
        return self.wins.size == self._everything

    @property
    def certain(self) -> bool:
        """Whether all worlds were won."""
        return self.exact and bool(self.wins.all())

    def equals(self, other: "Tally") -> bool:
        """Whether no world that both were tried in tells them apart.

        Plans tried in different worlds are equal if both are lost in all of them, or if both are
        certain to win: a plan tried in a sample is never certain.
        """
        if self._everything != other._everything:
            lost = not self.wins.any() and not other.wins.any()
            return lost or (self.certain and other.certain)
        both = min(self.wins.size, other.wins.size)
        return np.array_equal(self.wins[:both], other.wins[:both])

    def losing(self) -> tuple[float, float]:
        """The chance of losing and its standard deviation."""
        lost = self.wins.size - int(self.wins.sum())
        if self.exact:
            return lost / self.wins.size, 0.0
        chance = Chance(lost, self.wins.size)
        return chance.mean, chance.deviation

    def score(self) -> tuple[float, float]:
        """The expected score and its standard deviation."""
        if self.scores.size == self._everything:
            return float(self.scores.mean()), 0.0
        score = Score([int(np.count_nonzero(self.scores == each)) for each in SCORES])
        return score.mean, score.deviation

    def value(self, *, by_score: bool) -> float:
        """The value to maximise: the expected score, or the chance not to lose."""
        return self.score()[0] if by_score else 1.0 - self.losing()[0]

    def why(self, *, by_score: bool) -> dict[str, float]:
        """The numbers behind the value, and the number of worlds."""
        worlds = (self.scores if by_score else self.wins).size
        if by_score:
            score, deviation = self.score()
            return {"score": score, "deviation": deviation, "worlds": float(worlds)}
        losing, deviation = self.losing()
        numbers = {"losing": losing, "deviation": deviation, "worlds": float(worlds)}
        if self.scores.size:
            numbers["score"], numbers["score_deviation"] = self.score()
        return numbers
