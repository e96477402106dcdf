"""The pack of Black Queen, and what its cards count."""

from collections.abc import Iterable, Sequence
from functools import cache

from engine.cards import HEARTS, TOKENS, Card, deck, parse_card, suit_of, without

BLACK_QUEEN: Card = parse_card("QS")

_PENALTIES = tuple(
    -12 if card == BLACK_QUEEN else -1 if suit_of(card) == HEARTS else 0
    for card in range(len(TOKENS))
)


@cache
def pack(seats: int) -> tuple[Card, ...]:
    """One deck for every two players, less the low cards that do not divide by `seats`.

    First every copy of 2♦ goes, then one 2♣, one 2♠, and the next copies of these two.

    >>> [len(pack(seats)) for seats in range(2, 9)]
    [52, 51, 104, 100, 156, 154, 208]
    """
    copies = seats // 2
    cards = deck(copies)
    two_d, two_c, two_s = map(parse_card, ("2D", "2C", "2S"))
    removals = [two_d] * copies + [two_c, two_s] * copies
    for card in removals[: len(cards) % seats]:
        cards = without(cards, card)
    return cards


def penalty(card: Card) -> int:
    """What a taken card counts: −1 a heart, −12 a queen of spades."""
    return _PENALTIES[card]


def points(cards: Iterable[Card]) -> int:
    """What `cards` count together, 0 or less; see `penalty`."""
    return sum(map(_PENALTIES.__getitem__, cards))


def score(taken: Sequence[Card], all_points: int) -> int:
    """A player's score for a deal in which `all_points` (negative) were to be had.

    >>> score((), -25), score((0, 1), -25), score((BLACK_QUEEN,), -25), score((BLACK_QUEEN,), -12)
    (10, 5, -12, 12)
    """
    if not taken:
        return 10
    own = points(taken)
    if own == 0:
        return 5
    return -own if own == all_points else own
