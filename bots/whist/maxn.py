"""Max^n over an open deal: everybody plays what is best for himself, to a limited depth."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel
from bots.whist import bits
from bots.whist.classes import Weights, final_scores, hopes_of
from bots.whist.kernel import (
    BEST,
    END,
    LEADER,
    START,
    Deal,
    Floats,
    copy_deal,
    legal,
    lowest,
    over,
    play,
    take_back,
    turn,
)
from bots.whist.playout import play_by_rules
from bots.whist.policy import Taste
from bots.whist.twin import compiled

Table: TypeAlias = NDArray[np.float64]

BY_CLASSES, BY_PLAYOUT = range(2)
ranks = compiled(bits.ranks)


class Search(NamedTuple):
    """How to search: what is the same for all nodes.

    `values[level]` is the tuple of a node at that level. `leaf` says what a leaf is worth: hopes
    by card classes, or what a playout by rules scores, played in `work`. A player weighs his own
    value, less `spoil` times the mean of the others', less `paranoia[player]` times `me`'s.
    """

    leaf: int
    weights: Weights
    taste: Taste
    spoil: float
    paranoia: Floats
    me: int
    values: Table
    work: Deal


@kernel
def weighed(values: Floats, seat: int, search: Search) -> float:
    """What a tuple is worth to `seat`."""
    others = 0.0
    for other in range(values.size):
        others += values[other]
    own = float(values[seat])
    worth = own - search.spoil * (others - own) / (values.size - 1)
    if seat != search.me:
        worth -= search.paranoia[seat] * values[search.me]
    return worth


@kernel
def distinct(deal: Deal) -> int:
    """The legal cards, of those that are as good as each other only the highest.

    Two cards of a hand are, if no card between them is held by anybody else or lies in the trick.
    """
    cards = legal(deal)
    live = 0
    for seat in range(deal.seats):
        live |= deal.hands[seat]
    for place in range(deal.at[START], deal.at[END]):
        live |= 1 << deal.line[place]
    different = 0
    rest = cards
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        higher = ranks(live, card // 13) >> (card % 13 + 1)
        if higher == 0 or not cards >> (card + 1 + lowest(higher)) & 1:
            different |= 1 << card
    return different


@kernel
def maxn(deal: Deal, depth: int, level: int, search: Search) -> int:
    """Fill `search.values[level]`; the number of nodes looked at.

    `depth` counts the moves at which there is a choice, so forced moves and the last trick are
    free. By card classes only a trick's end can be judged, so the search goes on to there.
    """
    values = search.values[level]
    if over(deal):
        final_scores(deal, values)
        return 1
    if depth <= 0:
        if search.leaf == BY_PLAYOUT:
            copy_deal(deal, search.work)
            play_by_rules(search.work, search.taste)
            final_scores(search.work, values)
            return 1
        # One card each is the last trick: play it out rather than judge it.
        if deal.at[START] == deal.at[END] and deal.hands[deal.at[LEADER]] & (
            deal.hands[deal.at[LEADER]] - 1
        ):
            hopes_of(deal, search.weights, values)
            return 1
    cards = distinct(deal)
    below = depth - 1 if cards & (cards - 1) else depth
    leader, start, best, seat = deal.at[LEADER], deal.at[START], deal.at[BEST], turn(deal)
    nodes = 1
    highest = -1e9
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        play(deal, card)
        nodes += maxn(deal, below, level + 1, search)
        take_back(deal, leader, start, best)
        worth = weighed(search.values[level + 1], seat, search)
        if worth > highest:
            highest = worth
            values[:] = search.values[level + 1]
    return nodes
