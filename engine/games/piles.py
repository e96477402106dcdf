"""What games of hands and tricks share: the names of piles, how they are seen, playing a card."""

from functools import cache

from engine.cards import Card, card_text, card_texts
from engine.choices import Action
from engine.facts import Seat, ZoneId
from engine.views import Zone


def hand(seat: Seat) -> ZoneId:
    return f"hand/{seat}"


def taken(seat: Seat) -> ZoneId:
    return f"taken/{seat}"


def zone(cards: tuple[Card, ...], seen: bool) -> Zone:
    """A pile of which a viewer sees every card, or none."""
    return Zone(card_texts(cards)) if seen else Zone(backs=len(cards))


@cache
def play_text(card: Card) -> Action:
    return f"play {card_text(card)}"
