"""A bot with scripted opinions, and moments for it to judge."""

from collections.abc import Mapping, Sequence
from random import Random

from bots import Budget, Candidate, Decision, Measure, Position
from bots.review import DecisionPoint
from engine.choices import Action, Choices
from engine.views import EMPTY_VIEW

Opinion = Mapping[Action, tuple[float, float]]
"""What each move is worth, and the error of that."""


class Scripted:
    """Gives its opinions one after the other, limited to the moves that may be chosen.

    It records the moves it was offered, and its random draws.
    """

    in_place = True
    needs_facts = True

    def __init__(self, *opinions: Opinion, measure: Measure = "lead") -> None:
        self._opinions = list(opinions)
        self._measure = measure
        self.offered: list[tuple[Action, ...]] = []
        self.drawn: list[float] = []

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        self.offered.append(position.choices.actions)
        self.drawn.append(rng.random())
        opinion = self._opinions.pop(0)
        candidates = tuple(
            Candidate(action, worth, {"mean": worth, "deviation": error})
            for action, (worth, error) in opinion.items()
        )
        best = max(candidates, key=lambda each: each.value)
        return Decision(best.action, candidates, measure=self._measure)


def moment(
    action: Action, offered: Sequence[Action] = ("a", "b", "c"), deal: int = 1
) -> DecisionPoint:
    """The decision for `action` among the offered moves."""
    position = Position("tiny", 0, EMPTY_VIEW, Choices(tuple(offered)))
    return DecisionPoint(position, action, deal, move=1)
