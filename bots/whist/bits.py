"""Sets of cards as ints: bit `card` is set for a card in the set.

These functions are plain Python. The policy runs them as they are, and kernels run what
`bots.search.compiled.kernel_of` makes of them, so that the two always agree.
"""

from collections.abc import Iterator

ALL = (1 << 52) - 1
SUIT = (1 << 13) - 1
"""The ranks of one suit, once it is shifted down."""


def count(cards: int) -> int:
    """The number of cards, by summing bits in pairs, fours and bytes."""
    cards = cards - ((cards >> 1) & 0x5555555555555555)
    cards = (cards & 0x3333333333333333) + ((cards >> 2) & 0x3333333333333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((cards * 0x0101010101010101) >> 56) & 0xFF


def lowest(cards: int) -> int:
    """The first card of a set that is not empty."""
    return count((cards & -cards) - 1)


def of_suit(cards: int, suit: int) -> int:
    """The cards of one suit, at their bits."""
    return cards & (SUIT << 13 * suit)


def ranks(cards: int, suit: int) -> int:
    """The ranks held in one suit: bit 0 is the two."""
    return (cards >> 13 * suit) & SUIT


def above(cards: int, card: int) -> int:
    """The number of cards of its suit that are higher than `card`."""
    return count(ranks(cards, card // 13) >> (card % 13 + 1))


def highest_rank(held: int) -> int:
    """The highest of some ranks; −1 if there are none."""
    held |= held >> 1
    held |= held >> 2
    held |= held >> 4
    held |= held >> 8
    return count(held) - 1


def legal_cards(hand: int, led: int) -> int:
    """The cards of `hand` that may be played when suit `led` was led (−1: on the lead)."""
    if led < 0:
        return hand
    following = of_suit(hand, led)
    return following if following else hand


def beats(card: int, best: int, trump: int) -> bool:
    """Whether `card`, played after `best`, takes the trick from it."""
    if card // 13 == best // 13:
        return card > best
    return card // 13 == trump


def members(cards: int) -> Iterator[int]:
    """The cards of a set, in order."""
    while cards:
        yield lowest(cards)
        cards &= cards - 1
