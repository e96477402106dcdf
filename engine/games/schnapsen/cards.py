"""The twenty cards of Schnapsen, what they count, and the order in which they are shown."""

from collections.abc import Iterable
from dataclasses import replace

from engine.cards import FRENCH, RANKS, SUITS, TOKENS, Card, LegendCard, Suit, parse_card, rank_of

_VALUES = {"J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
_BY_CARD = tuple(_VALUES.get(token[0], 0) for token in TOKENS)
JACK, QUEEN, KING = map(RANKS.index, "JQK")

PACK: tuple[Card, ...] = tuple(parse_card(rank + suit) for suit in SUITS for rank in _VALUES)
"""Suit by suit, low to high: J Q K 10 A."""

LEGEND: tuple[LegendCard, ...] = tuple(
    replace(FRENCH[card], order=order) for order, card in enumerate(PACK)
)


def value_of(card: Card) -> int:
    """The card points of a taken card; within a suit the card with more points is higher.

    >>> [value_of(parse_card(token)) for token in ("JS", "QS", "KS", "TS", "AS")]
    [2, 3, 4, 10, 11]
    """
    return _BY_CARD[card]


def values(cards: Iterable[Card]) -> int:
    """What `cards` count together; see `value_of`."""
    return sum(map(_BY_CARD.__getitem__, cards))


def in_order(cards: Iterable[Card]) -> list[Card]:
    """The cards in the order of the legend."""
    return sorted(cards, key=PACK.index)


def jack_of(suit: Suit) -> Card:
    """The jack of `suit`, which may be exchanged for the upturned trump if that is its suit."""
    return suit * 13 + JACK


def partner_of(card: Card) -> Card | None:
    """The other card of the marriage; None if `card` is neither king nor queen."""
    return {QUEEN: card - QUEEN + KING, KING: card - KING + QUEEN}.get(rank_of(card))
