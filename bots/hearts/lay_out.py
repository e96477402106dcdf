"""A seat's knowledge laid out in the arrays that kernels work on."""

from collections.abc import Iterable

import numpy as np

from bots.hearts.bits import QUEEN, points_of
from bots.hearts.knowledge import Knowledge
from bots.hearts.open_deal import (
    HAND,
    PLAYED,
    SHOOTER,
    STANDARD,
    TAKEN,
    VOIDS,
    Deal,
    lay,
    new_deal,
    void_bit,
)
from bots.search.worlds import Ints
from engine.cards import HEARTS, Card, suit_of


def lay_out(known: Knowledge) -> Deal:
    """The deal as the seat sees it: only its own hand is filled in."""
    rules = (STANDARD if known.opening else 0) | (SHOOTER if known.shooter else 0)
    deal = new_deal(rules, known.leader or 0)
    for seat, pile in enumerate(known.taken):
        taken = set_of(pile)
        deal[PLAYED] |= taken
        deal[TAKEN + seat] = points_of(taken)
    for card in known.trick:
        lay(deal, card)
    for seat, suit in known.voids:
        deal[VOIDS] |= void_bit(seat, suit)
    deal[HAND + known.seat] = set_of(known.hand)
    return deal


def set_of(cards: Iterable[Card]) -> int:
    """The bit set of the cards."""
    return sum(1 << card for card in cards)


def ints(numbers: Iterable[int]) -> Ints:
    """`numbers` as an array for kernels."""
    return np.array(list(numbers), dtype=np.int64)


def alike(cards: Iterable[Card], known: Knowledge) -> dict[Card, Card]:
    """For each of `cards` the lowest equivalent one, with no card between the two out.

    Cards in the trick lie between others too, since they decide who takes it.
    """
    between = {*known.unseen, *known.trick}
    same: dict[Card, Card] = {}
    last: Card | None = None
    for card in sorted(cards):
        joined = (
            last is not None
            and suit_of(last) == suit_of(card)
            and (suit_of(card) == HEARTS or QUEEN not in (last, card))
            and not any(last < other < card for other in between)
        )
        same[card] = same[last] if joined and last is not None else card
        last = card
    return same
