"""A deal of Schnapsen in play, as tuples and ints, and how it begins."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import Card, Piles, Suit, suit_of
from engine.facts import Seat
from engine.game import Setup
from engine.games.schnapsen.cards import PACK, in_order, values
from engine.games.trick_games import dealer_of

SEATS = 2

EMPTY = -1
"""In place of a card that is not there."""

ENOUGH = 66
"""The card points that win a deal."""


@dataclass(frozen=True, slots=True)
class Closing:
    """The seat that closed, and the opponent's card points and tricks at that moment."""

    seat: Seat
    points: int
    tricks: int


@dataclass(frozen=True, slots=True)
class Result:
    """The winner of a deal, and the game points."""

    winner: Seat
    score: int


class State(NamedTuple):
    """`talon` lies face down, the card to be drawn next first; `turned` is drawn after the last.

    `turned` is the trump that lies face up, EMPTY once it is drawn. `trick` is empty or holds the
    card led; `announced` is the card of a marriage that has to be led next. `shown` are the
    cards of a hand that everybody knows, in the order they became known; they stand in the hand
    in that order too. `marriages` are the points announced, counted or not.

    A named tuple, because `_replace` is more than twice as fast as `dataclasses.replace`.
    """

    setup: Setup
    hands: Piles
    talon: tuple[Card, ...]
    turned: Card
    trump: Suit
    dealer: Seat
    leader: Seat
    trick: tuple[Card, ...]
    taken: Piles
    shown: Piles = ((), ())
    marriages: tuple[int, int] = (0, 0)
    announced: Card = EMPTY
    closing: Closing | None = None
    result: Result | None = None

    @property
    def turn(self) -> Seat:
        """The seat to move, as long as the deal is not over."""
        return 1 - self.leader if self.trick else self.leader

    @property
    def stock(self) -> int:
        """The number of cards that can still be drawn, the upturned trump included."""
        return len(self.talon) + (self.turned != EMPTY)

    @property
    def strict(self) -> bool:
        """Whether a lead has to be followed and beaten: the talon is closed or exhausted."""
        return self.closing is not None or self.turned == EMPTY

    @property
    def manual(self) -> bool:
        """Whether players count for themselves and must claim."""
        return self.setup.options["claim"] == "manual"

    def tricks(self, seat: Seat) -> int:
        """The number of tricks that `seat` has taken."""
        return len(self.taken[seat]) // 2

    def points(self, seat: Seat) -> int:
        """The card points of `seat`; marriages count from its first trick on."""
        taken = self.taken[seat]
        return values(taken) + self.marriages[seat] if taken else 0


def dealt(setup: Setup) -> State:
    """A deal before its first card: three to each, the trump turned up, two more to each.

    The player who did not deal gets cards first, and leads.
    """
    pack = setup.shuffler.shuffled("deal", PACK)
    dealer = dealer_of(setup.shuffler, SEATS)
    forehand = tuple(in_order(pack[:3] + pack[7:9]))
    second = tuple(in_order(pack[3:6] + pack[9:11]))
    return State(
        setup=setup,
        hands=(second, forehand) if dealer == 0 else (forehand, second),
        talon=pack[11:],
        turned=pack[6],
        trump=suit_of(pack[6]),
        dealer=dealer,
        leader=1 - dealer,
        trick=(),
        taken=((), ()),
    )
