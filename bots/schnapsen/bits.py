"""Hands of Schnapsen as sets of twenty bits, for the kernels.

A suit takes five bits, jack, queen, king, ten and ace from low to high; trumps are the lowest
suit. So a card beats another of its suit if its bit is higher, and every deal looks alike
whatever its trumps are.
"""

from collections.abc import Callable, Iterable
from typing import Any, cast

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from bots.search.compiled import kernel
from engine.cards import Card, Suit, suit_of
from engine.games.schnapsen import PACK, value_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SUIT = 5
"""Cards of a suit."""
CARDS = 20
TRUMPS = 0b11111
JACK_OF_TRUMPS = 0b00001
QUEENS = 0b00010_00010_00010_00010
NOT_JACKS = 0b11110_11110_11110_11110
NOT_ACES = 0b01111_01111_01111_01111
_LOW_THREE = 0b00111_00111_00111_00111
_JACKS = 0b00001_00001_00001_00001

_HALF = CARDS // 2
_LOW_HALF = (1 << _HALF) - 1
_ALL = (1 << CARDS) - 1

VALUE = np.array([value_of(card) for card in PACK], np.int64)
"""The card points of a card."""
PER_POINT, PER_POINT_MISSING = 0.1, 0.015
"""Factors that bring points to about the size of the other features (`lead_features`)."""
FOLLOWS = np.array([TRUMPS << (at - at % SUIT) for at in range(CARDS)], np.int64)
"""The suit of a card."""
HIGHER = np.array([FOLLOWS[at] & (_ALL ^ (2 << at) - 1) for at in range(CARDS)], np.int64)
"""The higher cards of its suit."""
BEATS = np.array([HIGHER[at] | (TRUMPS if at >= SUIT else 0) for at in range(CARDS)], np.int64)
"""All cards that take the trick from a card that is led."""
_SUMS = np.array(
    [sum(VALUE[at] for at in range(_HALF) if half >> at & 1) for half in range(1 << _HALF)],
    np.int64,
)


def place_of(card: Card, trump: Suit) -> int:
    """The bit of `card` if `trump` are trumps."""
    return (suit_of(card) - trump) % 4 * SUIT + PACK.index(card) % SUIT


def card_at(place: int, trump: Suit) -> Card:
    """The card of a bit."""
    return PACK[(place // SUIT + trump) % 4 * SUIT + place % SUIT]


def mask_of(cards: Iterable[Card], trump: Suit) -> int:
    """The bit set of cards."""
    return sum(1 << place_of(card, trump) for card in cards)


@intrinsic
def _lowest(context: Any, mask: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.int64), build


@intrinsic
def _size(context: Any, mask: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


# Each becomes one instruction; kernels alone can call them.
lowest = cast(Callable[[int], int], _lowest)
"""The number of the lowest bit set; there must be one."""
size = cast(Callable[[int], int], _size)
"""How many bits are set."""


@kernel
def points(mask: int) -> int:
    """The card points of a set of cards."""
    total: int = _SUMS[mask & _LOW_HALF] + _SUMS[mask >> _HALF]
    return total


@kernel
def marriages(hand: int) -> int:
    """The kings and queens of a hand that could be announced."""
    queens = hand & (hand >> 1) & QUEENS
    return queens | (queens << 1)


@kernel
def partner(card: int) -> int:
    """The bit of the other half of the marriage of `card`; 0 if it is no king or queen."""
    return (card & QUEENS) << 1 | (card >> 1) & QUEENS


@kernel
def tops(cards: int, out: int) -> int:
    """The number of plain `cards` for which no higher card is `out`."""
    count = 0
    rest = cards & ~TRUMPS
    while rest:
        card = rest & -rest
        rest ^= card
        count += out & HIGHER[lowest(card)] == 0
    return count


@kernel
def announced(couples: int) -> int:
    """The points of all marriages among `couples`: 20 each, 40 in trumps."""
    return 10 * size(couples) + (20 if couples & TRUMPS else 0)


@kernel
def bonus(card: int) -> int:
    """The points of the marriage of the bit `card`: 40 in trumps, else 20."""
    return 40 if card & TRUMPS else 20


@kernel
def lowest_of_equals(cards: int, others: int) -> int:
    """`cards` without those that are equivalent to a lower one of them.

    Two cards of a suit are equivalent if none of `others`, all cards that they may still meet, is
    between.
    """
    free = ~(cards | others)
    above = (cards << 1) & NOT_JACKS
    above |= ((above & free) << 1) & NOT_JACKS
    above |= ((above & free) << 1) & NOT_JACKS
    above |= ((above & free) << 1) & NOT_JACKS
    return cards & ~above


@kernel
def highest_of_equals(cards: int, others: int) -> int:
    """`cards` without those that are equivalent to a higher one of them."""
    free = ~(cards | others)
    below = (cards >> 1) & NOT_ACES
    below |= ((below & free) >> 1) & NOT_ACES
    below |= ((below & free) >> 1) & NOT_ACES
    below |= ((below & free) >> 1) & NOT_ACES
    return cards & ~below


@kernel
def winners(hand: int, other: int) -> int:
    """The cards of `hand` that take the trick when led, if `other` follows by the rules."""
    # All cards of `other`, and below them.
    under = other | ((other >> 1) & NOT_ACES)
    under |= (under >> 2) & _LOW_THREE
    under |= (under >> 1) & NOT_ACES
    over = hand & ~under
    if other & TRUMPS:
        # A suit that `other` lacks is ruffed; the jack's bit says which it has.
        over &= (under & _JACKS) * TRUMPS
    return over
