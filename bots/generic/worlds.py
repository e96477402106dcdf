"""One deal as it may lie, played on in place: what a playout needs of a game and no more.

Any game can be driven by its frozen states. Games made from a description have a quicker way.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from bots.generic.described import DescribedGuesses, DescribedWorld
from engine.choices import Action, Choices, random_action
from engine.errors import EngineError
from engine.facts import Fact, Seat
from engine.game import Game, Outcome
from engine.recycle import Description
from engine.views import View

S = TypeVar("S")

# Games end by their rules; a description may forget to say when.
_LONGEST = 20_000


class Endless(EngineError):
    """A random playout does not come to an end."""

    code = "endless"


class World(Protocol):
    """A deal in play that belongs to who plays it on."""

    def asked(self) -> tuple[Seat, ...]: ...

    def choices(self, seat: Seat) -> Choices: ...

    def play(self, seat: Seat, action: Action) -> None:
        """Make a move, or raise `IllegalAction`."""
        ...

    def finish(self, rng: Random) -> Outcome:
        """The outcome when everybody goes on at random; `Endless` if there is none."""
        ...


Guesses: TypeAlias = Callable[[Random], World]
"""Each call deals afresh what the seat cannot see."""


class FrozenWorld(Generic[S]):
    """Any game, driven by its frozen states."""

    def __init__(self, game: Game[S], state: S) -> None:
        self._game = game
        self._state = state

    def asked(self) -> tuple[Seat, ...]:
        return self._game.to_act(self._state)

    def choices(self, seat: Seat) -> Choices:
        return self._game.choices(self._state, seat)

    def play(self, seat: Seat, action: Action) -> None:
        self._state = self._game.apply(self._state, seat, action).state

    def finish(self, rng: Random) -> Outcome:
        for _ in range(_LONGEST):
            if (outcome := self._game.outcome(self._state)) is not None:
                return outcome
            seat = self.asked()[0]
            self.play(seat, random_action(self.choices(seat), rng))
        raise Endless(f"{self._game.info.title}: no end after {_LONGEST} random moves")


def world_of(game: Game[Any], state: Any) -> World:
    """A world to play on from `state`, which stays as it is."""
    if isinstance(game, Description):
        return DescribedWorld(game.world(state))
    return FrozenWorld(game, state)


def guesses_at(game: Game[Any], view: View, facts: Sequence[Fact]) -> Guesses:
    """Worlds that agree with all that a seat knows."""
    if isinstance(game, Description):
        return DescribedGuesses(game, view, facts)
    return lambda rng: FrozenWorld(game, game.sample(view, facts, rng))
