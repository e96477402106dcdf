"""A deal of Whist in play, as tuples and ints; its size and its score."""

from typing import NamedTuple

from engine.cards import Card, Piles, Suit, suit_of
from engine.facts import Seat
from engine.game import Setup

NO_BID = -1
"""In place of a bid that has not been made."""
_MOST = 10
"""Cards of a player in the largest deal."""
_EXACT = 10
"""What a bid made exactly adds to the tricks, nil apart."""


class State(NamedTuple):
    """`cards` is how many each was dealt, `bids` has a number or NO_BID for each seat.

    `stock` are the cards left over, below the one `turned` up. `trick` is in the order of play,
    its first card from `leader`. `setup.options` are complete.

    A named tuple, because `_replace` is more than twice as fast as `dataclasses.replace`.
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
        """The seat that bids or plays next, as long as the deal is not over."""
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
        """The number of tricks that `seat` has taken."""
        return len(self.taken[seat]) // self.setup.seats


def largest_hand(seats: int) -> int:
    """The most cards a player can get: ten, or fewer where one must be left to turn up.

    >>> [largest_hand(seats) for seats in range(3, 8)]
    [10, 10, 10, 8, 7]
    """
    return min(_MOST, 51 // seats)


def ladder(largest: int) -> tuple[int, ...]:
    """The cards a player gets in each deal of a match.

    >>> ladder(3)
    (3, 2, 1, 1, 2, 3)
    """
    up = tuple(range(1, largest + 1))
    return (*reversed(up), *up)


def score(bid: int, tricks: int, nil_score: int) -> int:
    """One point a trick, and ten more (`nil_score` for a bid of none) if the bid is met exactly.

    >>> score(3, 3, 10), score(3, 4, 10), score(0, 0, 5)
    (13, 4, 5)
    """
    if tricks != bid:
        return tricks
    return tricks + (_EXACT if bid else nil_score)
