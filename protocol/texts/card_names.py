"""Cards in words, for people who listen: "ace of spades" for A♠."""

import re
from functools import cache

from engine.cards import SUITS, SYMBOLS, LegendCard
from protocol.texts.catalogue import catalogue
from protocol.texts.language import language, spoken

_LETTERS = dict(zip(SYMBOLS, SUITS, strict=True))


def card_name(card: LegendCard) -> str:
    """The card's name in words; a card of another deck keeps its label.

    >>> card_name(LegendCard("TH", "10♥", "♥", 47, "red"))
    'ten of hearts'
    """
    rank = spoken().ranks.get(card.label.removesuffix(card.group))
    suit = suit_name(card.group)
    return card.label if rank is None or suit is None else _name(rank, suit)


def suit_name(symbol: str) -> str | None:
    """The name of a suit by its `symbol`: ``spades`` for ♠; None for another text."""
    return spoken().suits.get(_LETTERS.get(symbol, ""))


def with_labels(typed: str) -> str:
    """`typed` with the names of cards replaced by their labels.

    >>> with_labels("play the Ace of Spades"), with_labels("q of hearts"), with_labels("10 hearts")
    ('play the A♠', 'Q♥', '10♥')
    """
    pattern, labels = _names(language())
    return pattern.sub(lambda name: labels[name[0].casefold()], typed)


@cache
def _names(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """All names of cards in a language, with the labels of the cards."""
    texts = catalogue(language)
    labels = {
        form.format(rank=said, suit=texts.suits[letter]).casefold(): shown + symbol
        for shown, rank in texts.ranks.items()
        for said in (rank, shown)
        for symbol, letter in _LETTERS.items()
        # A player who types "a spades" may mean any of them.
        for form in (texts.card, *(["{rank} {suit}"] if said != "A" else []))
    }
    return re.compile(rf"\b({'|'.join(map(re.escape, labels))})\b", re.IGNORECASE), labels


def _name(rank: str, suit: str) -> str:
    return spoken().card.format(rank=rank, suit=suit)
