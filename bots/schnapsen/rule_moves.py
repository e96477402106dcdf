"""What somebody plays who cannot see: the moves of playouts with an open talon.

They are those of strength 1, `bots.schnapsen.rules_player`, but for what decides the deal at once:
a card that brings 66 is played, and a trick that would bring it to the other is taken. A move is
found from the own hand, the points and the card led. What else there is to know is left out.
"""

from bots.schnapsen.bits import (
    BEATS,
    FOLLOWS,
    QUEENS,
    TRUMPS,
    VALUE,
    lowest,
    marriages,
    size,
)
from bots.schnapsen.memory import scrambled
from bots.search.compiled import kernel

_WORTH_A_TRUMP = 10
"""A lead that counts so much is taken with a trump."""
_SPARED = 16
"""More than any card counts: what is given only when nothing else is left."""

_MIX = -7046029254386353131
_STEP = 1442695040888963407


@kernel
def next_luck(luck: int) -> int:
    """The number after `luck` in a stream of numbers that look drawn."""
    return scrambled(luck * _MIX + _STEP)


@kernel
def share_of(luck: int, n: int) -> int:
    """A number from 0 to n − 1 made of `luck`."""
    return ((luck >> 8) & 0xFFFFFF) * n >> 24


@kernel
def any_of(cards: int, luck: int) -> int:
    """One of `cards`, each as likely as the others."""
    skipped = share_of(luck, size(cards))
    for _ in range(skipped):
        cards &= cards - 1
    return cards & -cards


@kernel
def lead_by_rule(hand: int) -> int:
    """The card to lead: the queen of a marriage, of trumps if there is one, else the cheapest."""
    queens = marriages(hand) & QUEENS
    if queens & TRUMPS:
        return queens & TRUMPS
    if queens:
        return queens & -queens
    return _cheapest(hand, hand)


@kernel
def answer_by_rule(hand: int, lead: int, need: int, bar: int) -> int:
    """The card to answer with by who needs `need` points, and the leader `bar`.

    It takes in suit with as much as can be, ruffs what is worth it, else gives the least.
    """
    worth = VALUE[lead]
    takers: int = hand & BEATS[lead]
    best = _highest(takers)
    if takers and need <= worth + VALUE[lowest(best)]:
        return best
    in_suit = takers & FOLLOWS[lead] & ~TRUMPS
    if in_suit:
        return _highest(in_suit)
    if takers and worth >= _WORTH_A_TRUMP and not FOLLOWS[lead] & TRUMPS:
        return takers & -takers
    given = _cheapest(hand, hand)
    if takers and not given & takers and bar <= worth + VALUE[lowest(given)]:
        return _cheapest(takers, hand)
    return given


@kernel
def _highest(cards: int) -> int:
    """The one that counts most, nothing if there is none."""
    best = most = 0
    while cards:
        card = cards & -cards
        cards ^= card
        if VALUE[lowest(card)] > most:
            best, most = card, VALUE[lowest(card)]
    return best


@kernel
def _cheapest(cards: int, hand: int) -> int:
    """The card of a hand to be missed least: no trump, no half of a marriage, few points."""
    couples = marriages(hand)
    best, least = 0, 4 * _SPARED
    while cards:
        card = cards & -cards
        cards ^= card
        cost = VALUE[lowest(card)]
        if card & couples:
            cost += _SPARED
        if card & TRUMPS:
            cost += 2 * _SPARED
        if cost < least:
            best, least = card, cost
    return best
