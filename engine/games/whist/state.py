"""A deal of Whist in play, as tuples and ints."""

from typing import NamedTuple

from engine.cards import Card, Piles, Suit, suit_of
from engine.facts import Seat
from engine.game import Setup

NO_BID = -1
"""In place of a bid that has not been made."""


class State(NamedTuple):
    """`cards` is how many each was dealt, `bids` has a number or NO_BID for each seat.

    `stock` are the cards left over, below the one `turned` up. `trick` is in the order of play,
    its first card from `leader`. `setup.options` are complete.

    A named tuple, because `_replace` copies every field and is as fast as naming them.
    """

    setup: Setup
    cards: int
    dealer: Seat
    turned: Card
    stock: tuple[Card, ...]
    hands: Piles
    bids: tuple[int, ...]
    leader: Seat
    trick: tuple[Card, ...]
    taken: Piles

    @property
    def trump(self) -> Suit:
        """The suit of the card turned up."""
        return suit_of(self.turned)

    @property
    def bidding(self) -> bool:
        """Whether bids are still to be made; the dealer's is the last."""
        return self.bids[self.dealer] == NO_BID

    @property
    def turn(self) -> Seat:
        """Who bids or plays next, as long as the deal is not over."""
        seats = self.setup.seats
        if self.bidding:
            made = sum(bid != NO_BID for bid in self.bids)
            return (self.dealer + 1 + made) % seats
        return (self.leader + len(self.trick)) % seats

    @property
    def over(self) -> bool:
        """Whether every card has been played and taken."""
        # Between tricks all have equally many cards, so the leader's tell of everybody's.
        return not (self.trick or self.hands[self.leader])

    def tricks(self, seat: Seat) -> int:
        """How many tricks `seat` has taken."""
        return len(self.taken[seat]) // self.setup.seats
