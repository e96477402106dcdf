"""Max^n over an open deal: everybody plays what is best for themselves, to a limited depth.

Source: Whist document, slide 14 ("Search Methodology").
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel, kernel_of
from bots.whist import bits
from bots.whist.classes import WEIGHTS, Weights, final_scores, hopes_of
from bots.whist.open_deal import (
    BEST,
    END,
    LEADER,
    MOST_CARDS,
    START,
    Deal,
    Floats,
    copy_deal,
    legal,
    lowest,
    new_deal,
    over,
    play,
    take_back,
    turn,
)
from bots.whist.playout import play_by_policy
from bots.whist.policy import POLICY_WEIGHTS, PolicyWeights

BY_CLASSES, BY_PLAYOUT = range(2)
CARDS, BELOW, TRICK_LEADER, TRICK_START, TRICK_BEST = range(5)
"""Columns of `Search.nodes`: the cards not tried yet, the depth below this node, and what
is needed to take a move back."""
ranks = kernel_of(bits.ranks)


class Search(NamedTuple):
    """The parameters of a search, which are the same for all nodes.

    A node on the way from the root has a row of `nodes`, of `values` (its tuple of scores by seat)
    and of `worth` (their value to the player to move). `leaf` says how a leaf is valued: by card
    classes, or by a playout by policy in `work`. A player maximises their own value, less `spoil`
    times the mean of the others', less `paranoia[player]` times that of seat `me`.
    """

    leaf: int
    weights: Weights
    policy_weights: PolicyWeights
    spoil: float
    paranoia: Floats
    me: int
    nodes: NDArray[np.int64]
    values: Floats
    worth: Floats
    work: Deal


def new_search(
    deal: Deal,
    leaf: int,
    *,
    me: int,
    policy_weights: PolicyWeights = POLICY_WEIGHTS,
    weights: Weights = WEIGHTS,
    spoil: float = 0.0,
    paranoia: Sequence[float] = (),
) -> Search:
    """A search of deals like `deal`; nobody is hostile unless `paranoia` says so, by seat."""
    levels = MOST_CARDS + 2
    return Search(
        leaf=leaf,
        weights=weights,
        policy_weights=policy_weights,
        spoil=spoil,
        paranoia=np.array(paranoia or (0.0,) * deal.seats),
        me=me,
        nodes=np.zeros((levels, 5), dtype=np.int64),
        values=np.zeros((levels, deal.seats)),
        worth=np.zeros(levels),
        work=new_deal(deal.seats, deal.trump, deal.nil_score, 0, 0),
    )


@kernel
def value_for(values: Floats, seat: int, search: Search) -> float:
    """The value of a tuple of scores for `seat`."""
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
    """The legal cards, without those that are equivalent to a higher one.

    Two cards of a hand are equivalent if no card between them is held by another player or lies in
    the trick.
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
def maxn(deal: Deal, depth: int, search: Search) -> int:
    """Fill `search.values[0]` for the open `deal`; returns the number of nodes visited.

    `depth` counts the moves at which there is a choice, so that forced moves and the last trick are
    free. Card classes can judge only a trick's end, so the search continues to there.
    """
    level = 0
    nodes = 1
    _enter(deal, depth, 0, search)
    while True:
        node = search.nodes[level]
        if node[CARDS]:
            card = lowest(node[CARDS])
            node[CARDS] &= node[CARDS] - 1
            play(deal, card)
            level += 1
            nodes += 1
            _enter(deal, node[BELOW], level, search)
        elif level == 0:
            return nodes
        else:
            level -= 1
            node = search.nodes[level]
            take_back(deal, node[TRICK_LEADER], node[TRICK_START], node[TRICK_BEST])
            worth = value_for(search.values[level + 1], turn(deal), search)
            if worth > search.worth[level]:
                search.worth[level] = worth
                search.values[level] = search.values[level + 1]


@kernel
def _enter(deal: Deal, depth: int, level: int, search: Search) -> None:
    """Open a node: fill a leaf's values, or list the cards to try of any other."""
    node = search.nodes[level]
    node[CARDS] = 0
    values = search.values[level]
    if over(deal):
        final_scores(deal, values)
        return
    if depth <= 0 and search.leaf == BY_PLAYOUT:
        copy_deal(deal, search.work)
        play_by_policy(search.work, search.policy_weights)
        final_scores(search.work, values)
        return
    if depth <= 0 and deal.at[START] == deal.at[END]:
        hand = deal.hands[deal.at[LEADER]]
        # One card each is the last trick: it is played out rather than judged.
        if hand & (hand - 1):
            hopes_of(deal, search.weights, values)
            return
    cards = distinct(deal)
    node[CARDS] = cards
    node[BELOW] = depth - 1 if cards & (cards - 1) else depth
    node[TRICK_LEADER] = deal.at[LEADER]
    node[TRICK_START] = deal.at[START]
    node[TRICK_BEST] = deal.at[BEST]
    search.worth[level] = -1e9
