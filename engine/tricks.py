"""Who takes a trick, with the games' differences as data, and which voids tricks show."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum

from engine.cards import Card, Rank, Suit, parse_card, rank_of, suit_of
from engine.facts import Fact


class Ties(Enum):
    """Which of equal highest cards takes the trick, if several decks are in play."""

    FIRST = "first"
    LAST = "last"


def trick_winner(
    cards: Sequence[Card],
    *,
    trump: Suit | None = None,
    ties: Ties = Ties.LAST,
    rank: Callable[[Card], Rank] = rank_of,
) -> int:
    """The index in the trick, 0 for the leader, of the card that takes it.

    The highest trump takes, or else the highest card of the suit led.
    """
    suits = [suit_of(card) for card in cards]
    ruling = trump if trump in suits else suits[0]
    places = [place for place, suit in enumerate(suits) if suit == ruling]
    if ties is Ties.LAST:
        places.reverse()
    # Of equal ones `max` keeps the first it meets.
    return max(places, key=lambda place: rank(cards[place]))


def following(cards: Sequence[Card], led: Suit) -> tuple[Card, ...]:
    """The cards that follow suit, or all of them if none does."""
    same = tuple(card for card in cards if suit_of(card) == led)
    return same or tuple(cards)


def shown_voids(facts: Iterable[Fact], seats: int) -> list[set[Suit]]:
    """For each seat the suits it has not followed in the tricks of a deal, told from its start.

    Hands that never grow lack these suits for good.
    """
    lacking: list[set[Suit]] = [set() for _ in range(seats)]
    led, played = -1, 0
    for fact in facts:
        if fact.verb == "card_played":
            seat, card = fact.args["seat"], fact.args["card"]
            assert isinstance(seat, int)
            assert isinstance(card, str)
            suit = suit_of(parse_card(card))
            if played % seats == 0:
                led = suit
            elif suit != led:
                lacking[seat].add(led)
            played += 1
    return lacking
