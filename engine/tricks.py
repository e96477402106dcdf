"""Who takes a trick, with what differs between games as data."""

from collections.abc import Callable, Sequence
from enum import Enum

from engine.cards import Card, Rank, Suit, rank_of, suit_of


class Ties(Enum):
    """Which of equal highest cards takes, where several decks are in play."""

    FIRST = "first"
    LAST = "last"


def trick_winner(
    cards: Sequence[Card],
    *,
    trump: Suit | None = None,
    ties: Ties = Ties.LAST,
    rank: Callable[[Card], Rank] = rank_of,
) -> int:
    """The place in the trick, 0 for the leader, of the card that takes it.

    The highest trump takes, or else the highest card of the suit led.
    """
    best = 0
    for place in range(1, len(cards)):
        card, highest = cards[place], cards[best]
        suit, best_suit = suit_of(card), suit_of(highest)
        if suit != best_suit:
            if suit == trump:
                best = place
        else:
            gain = rank(card) - rank(highest)
            if gain > 0 or (gain == 0 and ties is Ties.LAST):
                best = place
    return best


def following(cards: Sequence[Card], led: Suit) -> tuple[Card, ...]:
    """The cards that follow suit, or all of them if none does."""
    same = tuple(card for card in cards if suit_of(card) == led)
    return same or tuple(cards)
