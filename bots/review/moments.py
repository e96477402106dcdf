"""The decisions of a seat, each with what the seat knew when it was made."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bots.bot import Position, position_of
from bots.generic.worlds import single_deal_game
from bots.review.open_cards import open_view
from engine.catalogue import AnyGame
from engine.choices import Action, Choices
from engine.facts import Fact, Seat
from engine.game import Options
from engine.recycle import Description
from engine.views import View

TRICK_ENDS = frozenset({"trick_taken", "trick_won"})
"""The facts with which the native games end a trick."""


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A decision: what the seat knew, and the move it made.

    `deal` and `move` count from 1, the move among those of the seat in the deal. `trick` counts
    from 1 too, and is 0 for a move that plays no card to a trick, and in games that do not say when
    one is taken. `opened` is the view with all hands open, if the review may look at them.
    """

    position: Position
    action: Action
    deal: int
    move: int
    trick: int = 0
    opened: View | None = None


class SeatMemory:
    """What a seat knows while a match goes on; it forgets a deal when the next one begins.

    If all may be seen, `open_seats` is the number of seats whose hands its moments open.
    """

    def __init__(self, game: AnyGame, options: Options, seat: Seat, open_seats: int = 0) -> None:
        self._game = game
        self._options = options
        self._seat = seat
        self._open_seats = open_seats
        self._counts_tricks = not isinstance(single_deal_game(game), Description)
        self._facts: list[Fact] = []
        self._moves = 0

    def see(self, facts: Iterable[Fact]) -> None:
        """Add the facts that the seat was shown, in order."""
        for fact in facts:
            if fact.verb == "deal_started":
                self._facts = []
                self._moves = 0
            self._facts.append(fact)

    def moment(self, state: Any, action: Action) -> DecisionPoint | None:
        """The decision to play `action` in `state`; None if nothing else could be played.

        `state` is the one before the move, whose facts the seat has not seen yet.
        """
        self._moves += 1
        position = position_of(self._game, state, self._seat, self._options, tuple(self._facts))
        if is_forced(position.choices):
            return None
        deal = position.view.number("deal", 1)
        opened = None
        if self._open_seats:
            opened = open_view(self._game, state, self._seat, self._open_seats)
        return DecisionPoint(position, action, deal, self._moves, self._trick(action), opened)

    def _trick(self, action: Action) -> int:
        """The number of the trick to which a move adds a card; 0 for a bid, a pass, a claim."""
        verb = action.partition(" ")[0]
        form = next((each for each in self._game.info.moves if each.verb == verb), None)
        if not self._counts_tricks or form is None or form.source != "hand":
            return 0
        if form.target not in ("", "trick"):
            return 0
        return 1 + sum(fact.verb in TRICK_ENDS for fact in self._facts)


def is_forced(choices: Choices) -> bool:
    """Whether there is only one action, and so nothing to decide."""
    if not choices.picks:
        return len(choices.actions) <= 1
    if choices.actions or len(choices.picks) > 1:
        return False
    (pick,) = choices.picks
    return pick.least == pick.most and pick.most in (0, len(pick.cards))
