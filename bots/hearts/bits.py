"""Sets of cards as bits of one int: bit `card` of 52, or bit `rank` of 13 within a suit.

52 bits leave the sign alone, so kernels and plain Python may use the same signed ints.
"""

import numpy as np

from bots.search.compiled import kernel
from bots.search.draws import Draws, below
from engine.cards import HEARTS, SPADES, parse_card

SUIT = (1 << 13) - 1
"""Every rank of a suit."""
ALL = (1 << 52) - 1
ALL_HEARTS = SUIT << 13 * HEARTS
ALL_SPADES = SUIT << 13 * SPADES
QUEEN = parse_card("QS")
THE_QUEEN = 1 << QUEEN
POINT_CARDS = ALL_HEARTS | THE_QUEEN

_PAIRS = np.uint64(0x5555555555555555)
_NIBBLES = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)


@kernel
def count(cards: int) -> int:
    """The number of cards."""
    x = np.uint64(cards)
    x = x - ((x >> np.uint64(1)) & _PAIRS)
    x = (x & _NIBBLES) + ((x >> np.uint64(2)) & _NIBBLES)
    x = (x + (x >> np.uint64(4))) & _BYTES
    # Numba's ints are signed only where the number they are made of is.
    return int(np.int64((x * _SUM) >> np.uint64(56)))


@kernel
def lowest(cards: int) -> int:
    """The lowest of at least one card."""
    return count((cards & -cards) - 1)


@kernel
def highest(cards: int) -> int:
    """The highest of at least one card."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    cards |= cards >> 8
    cards |= cards >> 16
    cards |= cards >> 32
    return count(cards) - 1


@kernel
def any_of(cards: int, draws: Draws) -> int:
    """A random one of at least one card, each equally likely."""
    for _ in range(below(draws, count(cards))):
        cards &= cards - 1
    return lowest(cards)


@kernel
def points_of(cards: int) -> int:
    """The points of the cards: 1 a heart, 13 the queen of spades."""
    return count(cards & ALL_HEARTS) + 13 * (cards >> QUEEN & 1)
