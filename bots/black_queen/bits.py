"""Cards of one suit as the bits of a word: four for each rank, the lowest rank first.

A rank's four bits are its copies in up to four packs.
"""

import numpy as np

from bots.search.compiled import kernel

ONE = np.uint64(1)
FOUR = np.uint64(4)
RANK = np.uint64(15)
"""The bits of the lowest rank."""

_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)


@kernel
def count(cards: np.uint64) -> int:
    """How many cards there are in one suit."""
    cards = cards - ((cards >> ONE) & _PAIRS)
    cards = (cards & _FOURS) + ((cards >> np.uint64(2)) & _FOURS)
    cards = (cards + (cards >> FOUR)) & _BYTES
    return int(np.int64((cards * _SUM) >> np.uint64(56)))


@kernel
def lowest(cards: np.uint64) -> int:
    """The place of the lowest card of a suit; there must be one."""
    return count((cards & (~cards + ONE)) - ONE)
