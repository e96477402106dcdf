"""One possible deal, played on in place: what a playout needs of a game, and its result.

Any game can be driven by its frozen states. Described games have a faster way.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from bots.generic.described import DescribedDeterminizer, DescribedWorld
from engine.catalogue import AnyGame
from engine.choices import Action, Choices, random_action
from engine.errors import EngineError
from engine.facts import Fact, Seat
from engine.game import Game, Outcome
from engine.match import Match
from engine.recycle import Description
from engine.views import View

S = TypeVar("S")

# Games end by their rules; a description may forget to say when.
_LONGEST = 20_000


class Endless(EngineError):
    """A random playout that does not come to an end."""

    code = "endless"


class World(Protocol):
    """A deal in play that its owner may change."""

    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now; none at the end."""
        ...

    def choices(self, seat: Seat) -> Choices:
        """The choices of `seat`."""
        ...

    def play(self, seat: Seat, action: Action) -> None:
        """Make a move, or raise `IllegalAction`."""
        ...

    def finish(self, rng: Random) -> Outcome:
        """The outcome after random play to the end; `Endless` if there is none."""
        ...


Determinizer: TypeAlias = Callable[[Random], World]
"""Each call deals the hidden cards afresh: a determinization of what the seat knows."""


class FrozenWorld(Generic[S]):
    """A world of any game, driven by its frozen states."""

    def __init__(self, game: Game[S], state: S) -> None:
        self._game = game
        self._state = state

    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now; none at the end."""
        return self._game.to_act(self._state)

    def choices(self, seat: Seat) -> Choices:
        """The choices of `seat`."""
        return self._game.choices(self._state, seat)

    def play(self, seat: Seat, action: Action) -> None:
        """Make a move, or raise `IllegalAction`."""
        self._state = self._game.apply(self._state, seat, action).state

    def finish(self, rng: Random) -> Outcome:
        """The outcome after random play to the end; `Endless` after 20,000 moves."""
        for _ in range(_LONGEST):
            if (outcome := self._game.outcome(self._state)) is not None:
                return outcome
            seat = self.to_act()[0]
            self.play(seat, random_action(self.choices(seat), rng))
        raise Endless(f"{self._game.info.title}: no end after {_LONGEST} random moves")


def world_of(game: Game[Any], state: Any) -> World:
    """A world to play on from `state`, which is not changed."""
    if isinstance(game, Description):
        return DescribedWorld(game.world(state))
    return FrozenWorld(game, state)


def determinizer_of(game: Game[Any], view: View, facts: Sequence[Fact]) -> Determinizer:
    """Determinizations that agree with a seat's `view` and the `facts` told to it."""
    if isinstance(game, Description):
        return DescribedDeterminizer(game, view, facts)
    return lambda rng: FrozenWorld(game, game.sample(view, facts, rng))


def single_deal_game(game: AnyGame) -> Game[Any]:
    """The game of one deal: the game of a match's deals, else `game` itself.

    Generic players look as far as the end of the deal. A match is further deals, dealt afresh, and
    what lies beyond the present one would only add noise.
    """
    deal: Game[Any] = game.game if isinstance(game, Match) else game
    return deal


def estimate(rank: float, seats: int) -> float:
    """A rank as a number from 0, the last, to 1, the first.

    >>> estimate(1, 4), estimate(2.5, 4), estimate(4, 4)
    (1.0, 0.5, 0.0)
    """
    return (seats - rank) / (seats - 1) if seats > 1 else 1.0


def estimates(outcomes: Sequence[Outcome]) -> tuple[float, ...]:
    """The estimate for each seat from its mean rank over at least one playout."""
    seats = len(outcomes[0].ranks)
    sums = [sum(outcome.ranks[seat] for outcome in outcomes) for seat in range(seats)]
    return tuple(estimate(total / len(outcomes), seats) for total in sums)
