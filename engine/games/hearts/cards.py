"""What the cards of Hearts count, and which of them the rules speak of."""

from collections.abc import Iterable

from engine.cards import HEARTS, SUITS, TOKENS, Card, deck, parse_card, suit_of

BLACK_QUEEN: Card = parse_card("QS")
TWO_OF_CLUBS: Card = parse_card("2C")

OF_SUIT: tuple[frozenset[Card], ...] = tuple(
    frozenset(card for card in deck() if suit_of(card) == suit) for suit in range(len(SUITS))
)
HEART_CARDS: frozenset[Card] = OF_SUIT[HEARTS]
PENALTY_CARDS: frozenset[Card] = HEART_CARDS | {BLACK_QUEEN}

_POINTS = tuple(
    13 if card == BLACK_QUEEN else 1 if card in HEART_CARDS else 0 for card in range(len(TOKENS))
)
ALL_POINTS = sum(_POINTS)


def points(cards: Iterable[Card]) -> int:
    """What taken cards count: 1 a heart, 13 the queen of spades.

    >>> points((BLACK_QUEEN, 51, 0)), ALL_POINTS
    (14, 26)
    """
    return sum(map(_POINTS.__getitem__, cards))
