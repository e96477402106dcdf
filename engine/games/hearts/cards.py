"""The cards of Hearts: which ones have rules, what they count, and how moves name them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from engine.cards import (
    HEARTS,
    SUITS,
    TOKENS,
    Card,
    card_text,
    deck,
    parse_card,
    parse_cards,
    suit_of,
)
from engine.choices import Action
from engine.errors import BadAction
from engine.games.hearts.state import PASSED

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

_TOKEN = "[2-9TJQKA][CDSH]"
_MOVE = re.compile(rf"play ({_TOKEN})|pass ({_TOKEN}(?: {_TOKEN}){{{PASSED - 1}}})")


def points(cards: Iterable[Card]) -> int:
    """What taken cards count: 1 a heart, 13 the queen of spades.

    >>> points((BLACK_QUEEN, 51, 0)), ALL_POINTS
    (14, 26)
    """
    return sum(map(_POINTS.__getitem__, cards))


def pass_text(cards: tuple[Card, ...]) -> Action:
    """Passing `cards`, which are sorted as hands are.

    >>> pass_text(parse_cards("2C 3D 4H"))
    'pass 2C 3D 4H'
    """
    return " ".join(("pass", *map(card_text, cards)))


@lru_cache(maxsize=1024)
def parse_action(action: Action) -> tuple[Card, ...]:
    """The card that is played, or the cards that are passed; `BadAction` for any other text."""
    match = _MOVE.fullmatch(action)
    if match is None:
        raise BadAction(f"{action!r} is no move; moves look like 'play QS' or 'pass 2C 3D 4H'")
    played, passed = match.groups()
    return (parse_card(played),) if played else parse_cards(passed)
