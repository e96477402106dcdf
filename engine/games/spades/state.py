"""A deal of Spades in play, as tuples and ints."""

from typing import NamedTuple

from engine.cards import Card, Piles
from engine.facts import Seat
from engine.game import Setup

SEATS = 4
TRICKS = 13
"""Tricks in a deal, and cards in a hand."""
TEAMS: tuple[tuple[Seat, ...], ...] = ((0, 2), (1, 3))
"""The seats of each team; partners sit opposite each other."""
NO_BID = -1
"""In place of a bid that has not been made."""
NIL = 0
"""The bid of no tricks."""


class State(NamedTuple):
    """Hands are sorted; `trick` is in the order of play. Tuples have a place for each seat.

    `bags` is the number of overtricks that each *team* brings into the deal, 0 to 9. `looked`
    says who has seen their cards: a seat that may bid blind nil sees them when it has decided
    about that. `bids` holds a number or `NO_BID`, `blind` says whose nil was bid blind. `broken`:
    a spade has been played. `setup.options` are complete.

    A named tuple, because `_replace` is more than twice as fast as `dataclasses.replace`.
    """

    setup: Setup
    dealer: Seat
    bags: tuple[int, ...]
    hands: Piles
    looked: tuple[bool, ...]
    bids: tuple[int, ...]
    blind: tuple[bool, ...]
    leader: Seat
    trick: tuple[Card, ...]
    taken: Piles
    broken: bool

    @property
    def bidding(self) -> bool:
        """Whether bids are still to be made; the dealer's is the last."""
        return self.bids[self.dealer] == NO_BID

    @property
    def turn(self) -> Seat:
        """The seat that decides, bids or plays next, as long as the deal is not over."""
        if self.bidding:
            made = sum(bid != NO_BID for bid in self.bids)
            return (self.dealer + 1 + made) % SEATS
        return (self.leader + len(self.trick)) % SEATS

    @property
    def over(self) -> bool:
        """Whether the last trick has been taken."""
        # Between tricks all have equally many cards, so the leader's tell of everybody's.
        return not (self.trick or self.hands[self.leader])

    def tricks(self, seat: Seat) -> int:
        """The number of tricks that `seat` has taken."""
        return len(self.taken[seat]) // SEATS


def partner_of(seat: Seat) -> Seat:
    """The seat opposite.

    >>> partner_of(0), partner_of(3)
    (2, 1)
    """
    return (seat + 2) % SEATS


def team_of(seat: Seat) -> int:
    """The number of the team that `seat` plays for, an index of `TEAMS`."""
    return seat % 2
