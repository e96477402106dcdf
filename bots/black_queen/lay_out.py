"""A seat's knowledge of a deal laid out for the kernels, and worlds dealt into it."""

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bots.black_queen.knowledge import Knowledge
from bots.black_queen.open_deal import (
    BEST,
    BEST_SEAT,
    COST,
    FLIP,
    HAND,
    KEPT,
    LACKS,
    LEFT,
    NONE,
    PLAYED,
    POINTS,
    SUIT,
    TURN,
    Deal,
    Numbers,
    Words,
    bit_of,
    cost_of,
    empty_deal,
)
from bots.search.compiled import kernel
from engine.cards import TOKENS, Card, parse_card
from engine.choices import Action
from engine.games.black_queen import EMPTY

IN_HAND, UNDER, BARE = range(3)

Source: TypeAlias = tuple[Card, int]
"""A card and where it would be played from: a column's number, or 0 for the hand."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A deal as far as it is known, and what is needed to deal the unknown cards.

    `places` has a row for each unseen card: IN_HAND of a seat, UNDER a face-up copy, or BARE
    before a seat. Hands come first, in the order of the seats. `first[card]` is the first number
    of the unseen copies of `card`. `own` has a copy for each card that may be played; moves that
    come to the same, as of equal cards in hand, share one.
    """

    deal: Deal
    first: Numbers
    places: Numbers
    own: dict[Source, int]


def lay_out(known: Knowledge) -> Layout:
    """The deal as `known` shows it: other hands are empty, but have their sizes."""
    deal = empty_deal(known.seats)
    copies = _Copies()
    own: dict[Source, int] = {}
    places = [
        (IN_HAND, seat)
        for seat, size in enumerate(known.hands)
        for _ in range(size)
        if seat != known.seat
    ]
    for card in known.hand:
        copy = copies.next(card)
        own.setdefault((card, 0), copy)
        _add(deal.held[known.seat], copy)
    for seat, row in enumerate(known.columns):
        alike: dict[tuple[Card, bool], int] = {}
        for number, column in enumerate(row, start=1):
            if column.top != EMPTY:
                copy = copies.next(column.top)
                _add(deal.held[seat], copy)
                _add(deal.up[seat], copy)
                if seat == known.seat:
                    same = alike.setdefault((column.top, column.covers), copy)
                    own[column.top, number] = same
            if column.covers:
                places.append((BARE, seat) if column.top == EMPTY else (UNDER, copy))
    _lay_trick(deal, known, copies)
    for held in deal.held:
        deal.unplayed[:] |= held
    first = copies.first()
    for card in known.unseen:
        _add(deal.unplayed, copies.next(card))
    deal.seats[:, COST] = known.cost
    deal.seats[:, KEPT] = known.kept
    deal.seats[:, HAND] = known.hands
    deal.seats[:, LACKS] = [sum(1 << suit for suit in lacks) for lacks in known.lacks]
    row = known.columns[known.seat]
    deal.now[LEFT] = len(known.hand) + sum(each.covers + (each.top != EMPTY) for each in row)
    return Layout(deal, first, np.array(places, dtype=np.int64).reshape(-1, 2), own)


def source_of(action: Action) -> Source:
    """The card and the place of ``play QS`` or ``play QS@5``."""
    token, _, column = action.removeprefix("play ").partition("@")
    return parse_card(token), int(column or 0)


@kernel
def lay_world(deal: Deal, world: Numbers, first: Numbers, places: Numbers) -> None:
    """Put the unseen cards, which `world` lists in the order of `places`, in their places."""
    following = first.copy()
    for at in range(len(world)):
        copy = following[world[at]]
        following[world[at]] += 1
        kind, where = places[at, 0], places[at, 1]
        if kind == IN_HAND:
            deal.held[where, copy // SUIT] |= bit_of(copy)
        elif kind == UNDER:
            deal.under[where] = copy
        else:
            deal.seats[where, FLIP] = copy


class _Copies:
    """Numbers for equal cards, handed out in order."""

    def __init__(self) -> None:
        self._used: Counter[Card] = Counter()

    def next(self, card: Card) -> int:
        copy = 4 * card + self._used[card]
        self._used[card] += 1
        return copy

    def first(self) -> Numbers:
        """The next copy of every card."""
        return np.array([4 * card + self._used[card] for card in range(len(TOKENS))])


def _add(words: Words, copy: int) -> None:
    words[copy // SUIT] |= bit_of(copy)


def _lay_trick(deal: Deal, known: Knowledge, copies: _Copies) -> None:
    """Lay the cards that are in the trick already."""
    now = deal.now
    now[TURN], now[PLAYED] = known.seat, len(known.trick)
    for step, card in enumerate(known.trick):
        copy, best = copies.next(card), int(now[BEST])
        if best == NONE or (copy // SUIT == best // SUIT and card >= best // 4):
            now[BEST] = copy
            now[BEST_SEAT] = (known.leader + step) % known.seats
        now[POINTS] += cost_of(copy)
