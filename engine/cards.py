"""French-suited cards as small ints, and the legend that describes any deck to a client.

A card is ``suit * 13 + rank`` with suits in the order C D S H and ranks 2 to A. Two decks hold
equal cards, so a pile is a tuple and never a set.

>>> card_text(0), card_text(51), parse_card("QS")
('2C', 'AH', 36)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from engine.errors import BadAction

Card: TypeAlias = int
Suit: TypeAlias = int
Rank: TypeAlias = int
Piles: TypeAlias = tuple[tuple[Card, ...], ...]
"""One tuple of cards for each seat."""
Token: TypeAlias = str
"""A card's text on the wire, in the log and in views: ``QS``."""

SUITS = "CDSH"
RANKS = "23456789TJQKA"
SYMBOLS = "♣♦♠♥"
CLUBS, DIAMONDS, SPADES, HEARTS = range(4)

TOKENS: tuple[Token, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS = {token: card for card, token in enumerate(TOKENS)}


def suit_of(card: Card) -> Suit:
    """The suit of `card`: 0 clubs, 1 diamonds, 2 spades, 3 hearts."""
    return card // 13


def suit_text(card: Card) -> str:
    """The letter of the suit of `card`: ``S`` for 36."""
    return SUITS[suit_of(card)]


def rank_of(card: Card) -> Rank:
    """0 for a two, 12 for an ace."""
    return card % 13


def card_text(card: Card) -> Token:
    """The token of `card`: ``QS`` for 36; `IndexError` beyond 51."""
    return TOKENS[card]


def card_texts(cards: Iterable[Card]) -> tuple[Token, ...]:
    """The tokens of `cards`, in their order."""
    return tuple(map(TOKENS.__getitem__, cards))


def parse_card(text: Token) -> Card:
    """The card a token names; `BadAction` for anything else."""
    try:
        return _CARDS[text]
    except KeyError:
        raise BadAction(f"{text!r} is no card; cards look like QS, TH, 2C") from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of several tokens with spaces between: ``"AS KH 2C"``."""
    return tuple(parse_card(token) for token in text.split())


def deck(copies: int = 1) -> tuple[Card, ...]:
    """`copies` whole packs, sorted, equal cards beside each other."""
    return tuple(card for card in range(52) for _ in range(copies))


def without(pile: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """`pile` without its first copy of `card`, in order; `ValueError` if the card is not in it."""
    at = pile.index(card)
    return pile[:at] + pile[at + 1 :]


def with_pile(piles: Piles, seat: int, pile: tuple[Card, ...]) -> Piles:
    """`piles` with `pile` in place of the one of `seat`."""
    return (*piles[:seat], pile, *piles[seat + 1 :])


@dataclass(frozen=True, slots=True)
class LegendCard:
    """How one kind of card is named, sorted and drawn; all that a client knows about it."""

    token: Token
    label: str
    group: str
    order: int
    colour: str
    back: str = "standard"


def _french() -> tuple[LegendCard, ...]:
    colours = ("green", "blue", "black", "red")
    return tuple(
        LegendCard(
            token=token,
            label=("10" if token[0] == "T" else token[0]) + SYMBOLS[suit_of(card)],
            group=SYMBOLS[suit_of(card)],
            order=card,
            colour=colours[suit_of(card)],
        )
        for card, token in enumerate(TOKENS)
    )


FRENCH: tuple[LegendCard, ...] = _french()
"""The legend of the 52-card pack, in the order hands are shown: ♣ ♦ ♠ ♥, low to high."""
