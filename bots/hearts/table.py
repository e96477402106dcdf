"""A deal of Hearts as one array of ints, and its rules as kernels.

The engine's rules again, for speed; a test holds the two against each other.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.hearts.bits import ALL_HEARTS, POINT_CARDS, SUIT, count, points_of
from bots.search.compiled import kernel

Table: TypeAlias = NDArray[np.int64]
"""Places of the array, by the names below."""

HAND = 0
"""Four places: the cards in hand, a set by seat."""
PLAYED = 4
"""The set of cards played so far, those of the trick included."""
LED = 5
"""The suit led, or NONE."""
BEST = 6
"""The card that takes the trick as it stands."""
TAKER = 7
"""Who played it."""
STAKE = 8
"""The points in the trick."""
LAID = 9
"""How many cards are in the trick."""
TURN = 10
"""Who plays next."""
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


def new_table(rules: int, leader: int) -> Table:
    """A table before the first trick, with empty hands."""
    table = np.zeros(SIZE, np.int64)
    table[LED] = NONE
    table[TURN] = leader
    table[RULES] = rules
    return table


@kernel
def void_bit(seat: int, suit: int) -> int:
    return 1 << 4 * seat + suit


@kernel
def legal_cards(table: Table) -> int:
    """The set of cards that whose turn it is may play."""
    return legal_from(table, table[HAND + table[TURN]])


@kernel
def legal_from(table: Table, hand: int) -> int:
    """The cards of `hand` that could be played now."""
    played, standard = table[PLAYED], table[RULES] & STANDARD
    if table[LED] == NONE:
        if standard and played == 0:
            return hand & TWO_OF_CLUBS
        plain = hand & ~ALL_HEARTS
        return hand if played & ALL_HEARTS or plain == 0 else plain
    of_suit = hand & SUIT << 13 * table[LED]
    cards = of_suit if of_suit else hand
    if standard and count(played) < 4 and cards & ~POINT_CARDS:
        return cards & ~POINT_CARDS
    return cards


@kernel
def lay(table: Table, card: int) -> None:
    """Whose turn it is plays `card`; a full trick is taken."""
    seat, suit, cards = table[TURN], card // 13, 1 << card
    table[HAND + seat] &= ~cards
    table[PLAYED] |= cards
    table[STAKE] += points_of(cards)
    if table[LED] == NONE:
        table[LED], table[BEST], table[TAKER] = suit, card, seat
    elif suit != table[LED]:
        table[VOIDS] |= void_bit(seat, table[LED])
    elif card > table[BEST]:
        table[BEST], table[TAKER] = card, seat
    table[LAID] += 1
    if table[LAID] < 4:
        table[TURN] = (seat + 1) & 3
        return
    table[TAKEN + table[TAKER]] += table[STAKE]
    table[TURN] = table[TAKER]
    table[LED], table[STAKE], table[LAID] = NONE, 0, 0


@kernel
def shooter(table: Table) -> int:
    """Who has taken all 26 points, or NONE."""
    for seat in range(4):
        if table[TAKEN + seat] == 26:
            return seat
    return NONE


@kernel
def score(table: Table, seat: int) -> int:
    """What `seat` scores when all cards are played."""
    moon = shooter(table)
    if moon == NONE:
        points: int = table[TAKEN + seat]
        return points
    if table[RULES] & SHOOTER:
        return -26 if seat == moon else 0
    return 0 if seat == moon else 26


@kernel
def lead_over_others(table: Table, seat: int) -> float:
    """By how many points `seat` is better than the mean of the others; all cards are played."""
    others = 0
    for step in range(1, 4):
        others += score(table, (seat + step) & 3)
    return others / 3.0 - score(table, seat)
