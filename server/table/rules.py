"""A game's rules as a table calls them: what they raise where they should not is `RulesFailed`.

A refusal is an answer: of a move by `apply`, of options and seats by `start`. Whatever else comes
out of a game is a fault in it, be it a `KeyError`, no memory, or a refusal where nobody asked.
Where that is caught, it costs the table its match, and no other table anything.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from engine import AnyGame, Choices, Fact, GameInfo, Option, Outcome, Setup, Step, View
from engine.choices import Action
from engine.errors import BadOption, BadSetup
from engine.facts import Seat, Viewer


class RulesFailed(Exception):
    """The rules raised `error` where they have nothing to refuse."""

    def __init__(self, method: str, error: Exception) -> None:
        # The words of `error` may quote a card.
        super().__init__(f"{method} raised {type(error).__name__}")
        self.method = method
        self.error = error


class Apply(Protocol):
    """`Game.apply`."""

    def __call__(self, state: Any, seat: Seat, action: Action) -> Step[Any]: ...


class Rules:
    """A game whose methods raise `RulesFailed`, or a refusal where there is one to be had."""

    __slots__ = ("_game", "apply")

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        # Every move passes here, so the game is called itself: `advance` tells its faults apart.
        self.apply: Apply = game.apply

    @staticmethod
    def of(game: AnyGame) -> "Rules":
        return game if isinstance(game, Rules) else Rules(game)

    @property
    def info(self) -> GameInfo:
        return self._game.info

    def options(self, seats: int) -> tuple[Option, ...]:
        try:
            return self._game.options(seats)
        except Exception as error:
            raise RulesFailed("options", error) from error

    def start(self, setup: Setup) -> Step[Any]:
        try:
            return self._game.start(setup)
        except (BadOption, BadSetup):
            raise
        except Exception as error:
            raise RulesFailed("start", error) from error

    def to_act(self, state: Any) -> tuple[Seat, ...]:
        try:
            return self._game.to_act(state)
        except Exception as error:
            raise RulesFailed("to_act", error) from error

    def choices(self, state: Any, seat: Seat) -> Choices:
        try:
            return self._game.choices(state, seat)
        except Exception as error:
            raise RulesFailed("choices", error) from error

    def view(self, state: Any, viewer: Viewer) -> View:
        try:
            return self._game.view(state, viewer)
        except Exception as error:
            raise RulesFailed("view", error) from error

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> Any:
        try:
            return self._game.sample(view, facts, rng)
        except Exception as error:
            raise RulesFailed("sample", error) from error

    def outcome(self, state: Any) -> Outcome | None:
        try:
            return self._game.outcome(state)
        except Exception as error:
            raise RulesFailed("outcome", error) from error
