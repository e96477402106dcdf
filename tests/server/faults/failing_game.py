"""A game whose rules raise at a chosen call of a method, and a bot that plays it."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from bots import Budget, Decision, Position
from bots.random_bot import random_action
from engine import AnyGame, Choices, Fact, GameInfo, Option, Outcome, Setup, Step, View
from engine.choices import Action
from engine.errors import IllegalAction
from engine.facts import OPEN, Seat, Viewer

METHODS = ("start", "to_act", "choices", "apply", "view", "sample", "outcome")
ERRORS: tuple[type[Exception], ...] = (KeyError, MemoryError, RecursionError, IllegalAction)
"""What rules may raise at a move that they have offered; the last is how they refuse others."""


class FailingGame:
    """A `game` with a method that raises at call `at` after it was armed."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.calls: Counter[str] = Counter()
        self.raised = False
        self._method, self._at = "", 0

    def arm(self, method: str = "", at: int = 0) -> None:
        """Count calls from one, and raise at this one; never without a method."""
        self.calls.clear()
        self.raised = False
        self._method, self._at = method, at

    @property
    def info(self) -> GameInfo:
        return self.game.info

    def options(self, seats: int) -> tuple[Option, ...]:
        return self.game.options(seats)

    def start(self, setup: Setup) -> Step[Any]:
        self._called("start")
        return self.game.start(setup)

    def to_act(self, state: Any) -> tuple[Seat, ...]:
        self._called("to_act")
        return self.game.to_act(state)

    def choices(self, state: Any, seat: Seat) -> Choices:
        self._called("choices")
        return self.game.choices(state, seat)

    def apply(self, state: Any, seat: Seat, action: Action) -> Step[Any]:
        self._called("apply")
        return self.game.apply(state, seat, action)

    def view(self, state: Any, viewer: Viewer) -> View:
        if viewer != OPEN:
            self._called("view")
        return self.game.view(state, viewer)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> Any:
        self._called("sample")
        return self.game.sample(view, facts, rng)

    def outcome(self, state: Any) -> Outcome | None:
        self._called("outcome")
        return self.game.outcome(state)

    def _called(self, method: str) -> None:
        self.calls[method] += 1
        if method == self._method and self.calls[method] == self._at:
            self.raised = True
            raise ERRORS[self._at % len(ERRORS)](f"call {self._at} of {method}")


class SamplingBot:
    """Samples the cards once, then plays at random."""

    name = "sampling"
    needs_facts = True
    in_place = True

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        self._game.sample(position.view, position.facts, rng)
        return Decision(random_action(position.choices, rng))
