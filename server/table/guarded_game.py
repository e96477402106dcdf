"""A game's rules as tables call them: their unexpected exceptions become `RulesFailed`.

`apply` may refuse a move, `start` may refuse options and seats. Any other exception is a fault of
the game: a `KeyError`, a lack of memory, a refusal where none is allowed. It ends the match of its
table, and no other table is affected.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from engine import AnyGame, Choices, Fact, GameInfo, Option, Outcome, Setup, Step, View
from engine.choices import Action
from engine.errors import BadOption, BadSetup
from engine.facts import Seat, Viewer
from engine.parts import in_parts
from engine.phrases import Phrase
from engine.questions import prompt_of


class RulesFailed(Exception):
    """The rules raised `error` where they may refuse nothing."""

    def __init__(self, method: str, error: Exception) -> None:
        # The words of `error` may quote a card.
        super().__init__(f"{method} raised {type(error).__name__}")
        self.method = method
        self.error = error


class Apply(Protocol):
    """`Game.apply`."""

    def __call__(self, state: Any, seat: Seat, action: Action) -> Step[Any]:
        """Return the state after `action`."""
        ...


class GuardedGame:
    """A game whose methods raise `RulesFailed`, or a refusal where that is allowed."""

    __slots__ = ("_game", "apply")

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        # Every move passes here, so the game is called itself: `advance` tells its faults apart.
        self.apply: Apply = game.apply

    @staticmethod
    def of(game: AnyGame) -> "GuardedGame":
        """Wrap `game`, unless it is wrapped already."""
        return game if isinstance(game, GuardedGame) else GuardedGame(game)

    @property
    def info(self) -> GameInfo:
        """`Game.info`."""
        return self._game.info

    def options(self, seats: int) -> tuple[Option, ...]:
        """`Game.options`."""
        try:
            return self._game.options(seats)
        except Exception as error:
            raise RulesFailed("options", error) from error

    def start(self, setup: Setup) -> Step[Any]:
        """`Game.start`; it may refuse options and seats."""
        try:
            return self._game.start(setup)
        except (BadOption, BadSetup):
            raise
        except Exception as error:
            raise RulesFailed("start", error) from error

    def to_act(self, state: Any) -> tuple[Seat, ...]:
        """`Game.to_act`."""
        try:
            return self._game.to_act(state)
        except Exception as error:
            raise RulesFailed("to_act", error) from error

    def choices(self, state: Any, seat: Seat) -> Choices:
        """`Game.choices`."""
        try:
            return self._game.choices(state, seat)
        except Exception as error:
            raise RulesFailed("choices", error) from error

    def in_parts(self, state: Any, seat: Seat, choices: Choices) -> Choices:
        """`engine.parts.in_parts`."""
        try:
            return in_parts(self._game, state, seat, choices)
        except Exception as error:
            raise RulesFailed("choices", error) from error

    def prompt(self, state: Any, seat: Seat) -> Phrase | None:
        """`engine.questions.prompt_of`."""
        try:
            return prompt_of(self._game, state, seat)
        except Exception as error:
            raise RulesFailed("prompt", error) from error

    def view(self, state: Any, viewer: Viewer) -> View:
        """`Game.view`."""
        try:
            return self._game.view(state, viewer)
        except Exception as error:
            raise RulesFailed("view", error) from error

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> Any:
        """`Game.sample`."""
        try:
            return self._game.sample(view, facts, rng)
        except Exception as error:
            raise RulesFailed("sample", error) from error

    def outcome(self, state: Any) -> Outcome | None:
        """`Game.outcome`."""
        try:
            return self._game.outcome(state)
        except Exception as error:
            raise RulesFailed("outcome", error) from error
