"""Sets of cards as ints: bit `card` is set for a card in the set.

These functions are plain Python. The rules player runs them as they are, and kernels run what
`kernel_of` makes of them, so that the two always agree.
"""

from collections.abc import Iterable, Iterator

from engine.cards import SPADES

ALL = (1 << 52) - 1
SUIT = (1 << 13) - 1
"""The ranks of one suit, once it is shifted down."""
ALL_SPADES = SUIT << 13 * SPADES


def count(cards: int) -> int:
    """The number of cards in a set, by summing bits in pairs, fours and bytes."""
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


def above(cards: int, card: int) -> int:
    """The number of cards of its suit that are higher than `card`."""
    return count(cards >> (card + 1) & (SUIT >> (card % 13 + 1)))


def below(cards: int, card: int) -> int:
    """The number of cards of its suit that are lower than `card`."""
    return count(cards >> 13 * (card // 13) & ((1 << card % 13) - 1))


def beats(card: int, best: int) -> bool:
    """Whether `card`, played after `best`, takes the trick from it; −1 is beaten by any card."""
    if best < 0 or card // 13 == best // 13:
        return card > best
    return card // 13 == SPADES


def legal_cards(hand: int, led: int, spades_free: bool) -> int:
    """The legal cards of `hand`; `led` is a suit, or −1 for the leader of a trick.

    `spades_free`: spades may be led.
    """
    if led >= 0:
        following = of_suit(hand, led)
        return following if following else hand
    if spades_free:
        return hand
    plain = hand & ~ALL_SPADES
    return plain if plain else hand


def members(cards: int) -> Iterator[int]:
    """The cards of a set, in order."""
    while cards:
        yield lowest(cards)
        cards &= cards - 1


def set_of(cards: Iterable[int]) -> int:
    """The set of some cards."""
    return sum(1 << card for card in cards)
