"""A deal of Hearts as one array of ints, and its rules as kernels.

The engine's rules again, for speed; a test holds the two against each other.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.hearts.bits import ALL_HEARTS, POINT_CARDS, SUIT, count, points_of
from bots.search.compiled import kernel

Deal: TypeAlias = NDArray[np.int64]
"""Places of the array, by the names below."""

HAND = 0
"""Four places: the cards in hand, a set by seat."""
PLAYED = 4
"""The set of cards played so far, those of the trick included."""
LED = 5
"""The suit led, or NONE."""
BEST = 6
"""The card that takes the trick so far."""
TAKER = 7
"""The seat that played it."""
STAKE = 8
"""The points in the trick."""
LAID = 9
"""How many cards are in the trick."""
TURN = 10
"""The seat that plays next."""
TAKEN = 11
"""Four places: points taken, by seat."""
VOIDS = 15
"""A bit for each seat and suit (`void_bit`): who has shown to have no more of a suit."""
RULES = 16
"""STANDARD for the usual restrictions, SHOOTER if the shooter's score is lowered."""
SIZE = 17

NONE = -1
STANDARD = 1
SHOOTER = 2
TWO_OF_CLUBS = 1
"""The set that holds only the two of clubs."""


def new_deal(rules: int, leader: int) -> Deal:
    """A deal before the first trick, with empty hands."""
    deal = np.zeros(SIZE, np.int64)
    deal[LED] = NONE
    deal[TURN] = leader
    deal[RULES] = rules
    return deal


@kernel
def void_bit(seat: int, suit: int) -> int:
    """The bit of `Deal[VOIDS]` that says `seat` has no more of `suit`."""
    return 1 << 4 * seat + suit


@kernel
def legal_cards(deal: Deal) -> int:
    """The set of cards that the player to move may play."""
    return legal_from(deal, deal[HAND + deal[TURN]])


@kernel
def legal_from(deal: Deal, hand: int) -> int:
    """The cards of `hand` that may be played now."""
    played, standard = deal[PLAYED], deal[RULES] & STANDARD
    if deal[LED] == NONE:
        if standard and played == 0:
            return hand & TWO_OF_CLUBS
        plain = hand & ~ALL_HEARTS
        return hand if played & ALL_HEARTS or plain == 0 else plain
    of_suit = hand & SUIT << 13 * deal[LED]
    cards = of_suit if of_suit else hand
    if standard and count(played) < 4 and cards & ~POINT_CARDS:
        return cards & ~POINT_CARDS
    return cards


@kernel
def lay(deal: Deal, card: int) -> None:
    """Let the player to move play `card`; a full trick is taken."""
    seat, suit, cards = deal[TURN], card // 13, 1 << card
    deal[HAND + seat] &= ~cards
    deal[PLAYED] |= cards
    deal[STAKE] += points_of(cards)
    if deal[LED] == NONE:
        deal[LED], deal[BEST], deal[TAKER] = suit, card, seat
    elif suit != deal[LED]:
        deal[VOIDS] |= void_bit(seat, deal[LED])
    elif card > deal[BEST]:
        deal[BEST], deal[TAKER] = card, seat
    deal[LAID] += 1
    if deal[LAID] < 4:
        deal[TURN] = (seat + 1) & 3
        return
    deal[TAKEN + deal[TAKER]] += deal[STAKE]
    deal[TURN] = deal[TAKER]
    deal[LED], deal[STAKE], deal[LAID] = NONE, 0, 0


@kernel
def shooter(deal: Deal) -> int:
    """The seat that has taken all 26 points, or NONE."""
    for seat in range(4):
        if deal[TAKEN + seat] == 26:
            return seat
    return NONE


@kernel
def score(deal: Deal, seat: int) -> int:
    """The score of `seat` when all cards are played."""
    moon = shooter(deal)
    if moon == NONE:
        points: int = deal[TAKEN + seat]
        return points
    if deal[RULES] & SHOOTER:
        return -26 if seat == moon else 0
    return 0 if seat == moon else 26


@kernel
def lead_over_others(deal: Deal, seat: int) -> float:
    """By how many points `seat` is ahead of the mean of the others; all cards are played."""
    others = 0
    for step in range(1, 4):
        others += score(deal, (seat + step) & 3)
    return others / 3.0 - score(deal, seat)
