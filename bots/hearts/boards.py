"""From what a seat knows, in Python's values, to the arrays that kernels work on."""

from collections.abc import Iterable

import numpy as np

from bots.hearts.bits import QUEEN, points_of
from bots.hearts.knowledge import Knowledge
from bots.hearts.table import (
    HAND,
    PLAYED,
    SHOOTER,
    STANDARD,
    TAKEN,
    VOIDS,
    Table,
    lay,
    new_table,
    void_bit,
)
from bots.search.worlds import Ints
from engine.cards import HEARTS, Card, suit_of


def table_of(known: Knowledge) -> Table:
    """The table as the seat sees it: only its own hand is filled in."""
    rules = (STANDARD if known.opening else 0) | (SHOOTER if known.shooter else 0)
    table = new_table(rules, known.leader or 0)
    for seat, pile in enumerate(known.taken):
        taken = set_of(pile)
        table[PLAYED] |= taken
        table[TAKEN + seat] = points_of(taken)
    for card in known.trick:
        lay(table, card)
    for seat, suit in known.voids:
        table[VOIDS] |= void_bit(seat, suit)
    table[HAND + known.seat] = set_of(known.hand)
    return table


def set_of(cards: Iterable[Card]) -> int:
    """The cards as bits."""
    return sum(1 << card for card in cards)


def ints(numbers: Iterable[int]) -> Ints:
    return np.array(list(numbers), dtype=np.int64)


def alike(cards: Iterable[Card], known: Knowledge) -> dict[Card, Card]:
    """For each of `cards` the lowest one that is worth the same: no card between them is out.

    Cards in the trick are between others, too: they decide who takes it.
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
