"""One deal as it may lie, played on in place: what a playout needs of a game and no more.

Any game can be driven by its frozen states. One that has a quicker way, as games made from a
description do, says so by having `worlds_of` (`Driven`).
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from engine.choices import Action, Choices, random_action
from engine.errors import EngineError
from engine.facts import Fact, Seat
from engine.game import Game, Outcome
from engine.views import View

S = TypeVar("S")
Taken = TypeVar("Taken", contravariant=True)

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


@runtime_checkable
class Driven(Protocol[Taken]):
    """A game with worlds of its own that are quicker than its states."""

    def world(self, state: Taken) -> World:
        """A world to play on from `state`, which stays as it is."""
        ...

    def guesses(self, view: View, facts: Sequence[Fact]) -> Guesses:
        """What `Game.sample` gives, as worlds; what is known is read once."""
        ...


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


def world_of(game: Game[S], state: S) -> World:
    """A world to play on from `state`."""
    return game.world(state) if isinstance(game, Driven) else FrozenWorld(game, state)


def guesses_at(game: Game[S], view: View, facts: Sequence[Fact]) -> Guesses:
    """Worlds that agree with all that a seat knows."""
    if isinstance(game, Driven):
        return game.guesses(view, facts)
    return lambda rng: FrozenWorld(game, game.sample(view, facts, rng))
