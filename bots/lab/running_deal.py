"""A deal that the lab plays: a native game by its states, a described one by a world."""

from dataclasses import dataclass
from random import Random
from typing import Any

from bots.generic.described import DescribedWorld
from bots.generic.worlds import World, estimates, single_deal_game, world_of
from engine.catalogue import AnyGame
from engine.choices import Action, Choices
from engine.facts import AddressedFact, Seat
from engine.game import Setup
from engine.match import Match, MatchState
from engine.recycle import Description
from engine.recycle.state import State, freeze
from engine.recycle.views.action_texts import action_texts
from engine.views import View

PLAYOUTS = 10
"""Playouts an onlooker's estimate is made of, as many as the searching player's of a move."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game; without scores it was stopped by a mistake or limit, with the reason."""

    scores: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    stopped: str = ""


class RunningDeal:
    """A deal in play, which bots see as the first deal of a match at a table.

    `facts` are those of the last step.
    """

    def __init__(self, game: AnyGame, setup: Setup) -> None:
        step = game.start(setup)
        self._match = game if isinstance(game, Match) else None
        self._setup = setup
        self._state = step.state.deal if self._match else step.state
        self.rules = single_deal_game(game)
        self.facts: tuple[AddressedFact, ...] = step.facts

    def ending(self) -> Ending | None:
        """The ending of the deal; None while it goes on."""
        outcome = self.rules.outcome(self._state)
        if outcome is None:
            return None
        if isinstance(self._state, State) and self._state.stop is not None:
            return Ending(stopped=str(self._state.stop))
        return Ending(outcome.scores, outcome.ranks)

    def turn(self) -> Seat:
        """The seat to move, or the first of several."""
        return self.rules.to_act(self._state)[0]

    def choices(self, seat: Seat) -> Choices:
        """The choices of `seat`."""
        return self.rules.choices(self._state, seat)

    def play(self, seat: Seat, action: Action) -> None:
        """Make a move, whose facts are then in `facts`."""
        step = self.rules.apply(self._state, seat, action)
        self._state, self.facts = step.state, step.facts

    def view(self, seat: Seat) -> View:
        """The view of `seat`, with the values of a match if the game is one."""
        if self._match is None:
            return self.rules.view(self._state, seat)
        setup = self._setup
        match: MatchState[Any] = MatchState(
            setup,
            self._state,
            setup.shuffler.deal,
            totals=(0,) * setup.seats,
            played=(),
            over=False,
            sheet={},
        )
        return self._match.view(match, seat)

    def look_on(self, rng: Random) -> tuple[float, ...]:
        """Each seat's estimate by an onlooker who sees all cards and plays on at random."""
        return estimates([self._world().finish(rng) for _ in range(PLAYOUTS)])

    def _world(self) -> World:
        return world_of(self.rules, self._state)


class RunningDescribedDeal(RunningDeal):
    """A described deal without states, for players who need no facts."""

    def __init__(self, game: Description, setup: Setup) -> None:
        super().__init__(game, setup)
        self._game = game
        self._quick = game.world(self._state)
        self._texts = action_texts(self._quick)
        self.facts = ()

    def ending(self) -> Ending | None:
        """The ending of the deal; None while it goes on."""
        if not self._quick.over:
            return None
        if self._quick.stop is not None:
            return Ending(stopped=str(self._quick.stop))
        outcome = self._quick.outcome()
        return Ending(outcome.scores, outcome.ranks)

    def turn(self) -> Seat:
        """The seat to move."""
        return self._quick.seat

    def choices(self, seat: Seat) -> Choices:
        """The choices of `seat`."""
        return Choices(self._texts)

    def play(self, seat: Seat, action: Action) -> None:
        """Make a move, without facts."""
        self._quick.play(self._texts.index(action))
        self._texts = action_texts(self._quick)

    def view(self, seat: Seat) -> View:
        """The view of `seat`."""
        return self._game.view(freeze(self._quick, self._setup), seat)

    def _world(self) -> World:
        return DescribedWorld(self._quick.clone())
