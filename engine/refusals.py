"""Phrases that name the rule that forbids a move, for rules that several games share."""

import re
from collections.abc import Iterable, Sequence

from engine.cards import Card, card_text, card_texts, suit_text
from engine.phrases import Phrase

_MOST_TOLD = 8
_BEGINNING = re.compile(r"(?:\{(?!card )[^}]*\}|[^{,]|,(?! ))+(?:\{card [^}]*\})?|\{card [^}]*\}")
"""Of an action in words: all until its first card, or its first comma."""


def not_held(card: Card) -> Phrase:
    """The refusal of `card`, which the player does not hold where they would take it."""
    return Phrase("not_in_hand", {"card": card_text(card)})


def must_follow(led: Card, either: Iterable[str]) -> Phrase:
    """The refusal because the suit of `led` must be followed with one of `either`, tokens."""
    return Phrase("follow_suit", {"suit": suit_text(led), "either": " ".join(either)})


def must_follow_by(led: Card, cards: Iterable[Card]) -> Phrase:
    """The refusal because the suit of `led` must be followed with one of `cards`."""
    return must_follow(led, card_texts(tuple(cards)))


def not_offered(texts: Sequence[str], about: str) -> Phrase:
    """The refusal of what is not among the `texts`, of which the first few are named.

    Each card is named once, however much can be done with it: a phone has little room.
    `about` says what is chosen, or is empty. Both are in the words of the game (`engine.labels`).
    """
    short = list(dict.fromkeys(map(_beginning, texts)))
    some = (*short[:_MOST_TOLD], *(["…"] if len(short) > _MOST_TOLD else []))
    options = {"options": "|".join(some)}
    if not about:
        return Phrase("not_offered", options)
    return Phrase("not_offered_at", {"about": about, **options})


def _beginning(text: str) -> str:
    found = _BEGINNING.match(text)
    return found[0] if found else text


BIDS_FIRST = Phrase("bids_first")
"""A card was to be played before all bids are made."""
BIDS_MADE = Phrase("bids_made")
"""A bid was to be made after all bids."""


def bid_too_high(tricks: int) -> Phrase:
    """The refusal of a bid above the number of `tricks`."""
    return Phrase("bid_too_high", {"most": tricks})
