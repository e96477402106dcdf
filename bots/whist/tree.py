"""Information-set tree search, as a kernel: one tree for all worlds.

Each simulation takes a world, walks down the tree by the moves possible in it, adds one node, and
plays on, by judgement or at random.
"""

from math import log, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel
from bots.search.draws import Draws, below, unit
from bots.whist.beliefs import NO_BID, choose_bid, expected_tricks, nearest_bid, worth_of
from bots.whist.classes import final_scores
from bots.whist.kernel import (
    Deal,
    Floats,
    Ints,
    copy_deal,
    count,
    legal,
    lowest,
    over,
    play,
    turn,
)
from bots.whist.playout import plain_move, rule_move
from bots.whist.policy import Taste

Flags: TypeAlias = NDArray[np.bool_]

BID = 52
"""Moves are cards, or this and the number bid."""
POINTS = 20.0
"""Leads are divided by this in the tree, so that they lie about −1 to 1."""


class Rules(NamedTuple):
    """What is the same for all simulations of a decision.

    `order` is the seats as they bid. Beyond the tree an opponent is a player by plain rules with
    chance `rustic`, and else, like `me`, one by judgement or at random. A player values its own
    score, less `spoil` times the mean of the others', less `paranoia[player]` times `me`'s.
    """

    order: Ints
    dealt: int
    hook: bool
    turned: int
    me: int
    exploration: float
    judged: float
    rustic: float
    spoil: float
    paranoia: Floats
    taste: Taste


class Tree(NamedTuple):
    """Nodes by number, 0 the root: the move that leads there and who made it, the first child and
    the next sibling (0: none), how often it was tried and how often it could have been, what it
    brought who made it in all, and the squares of that. `size[0]` is the number of nodes.
    """

    move: Ints
    child: Ints
    sibling: Ints
    visits: Ints
    chances: Ints
    total: Floats
    squares: Floats
    size: Ints


def new_tree(nodes: int) -> Tree:
    """A tree of a root, with room for so many nodes."""
    move, child, sibling, visits, chances = np.zeros((5, nodes), dtype=np.int64)
    size = np.ones(1, dtype=np.int64)
    total, squares = np.zeros((2, nodes))
    return Tree(move, child, sibling, visits, chances, total, squares, size)


@kernel
def bidder(deal: Deal, order: Ints) -> int:
    """The place in `order` of who bids next; as many as there are players if all have."""
    place = 0
    while place < order.size and deal.bids[order[place]] != NO_BID:
        place += 1
    return place


@kernel
def barred_bid(deal: Deal, rules: Rules, place: int) -> int:
    """What the bidder at this place may not bid; −1 if it may bid anything."""
    if not rules.hook or place < deal.seats - 1:
        return -1
    left = rules.dealt
    for before in range(place):
        left -= deal.bids[rules.order[before]]
    return left if left >= 0 else -1


@kernel
def moves_of(deal: Deal, rules: Rules) -> int:
    """What may be done next, as a set of moves."""
    place = bidder(deal, rules.order)
    if place == deal.seats:
        return legal(deal)
    moves = ((1 << (rules.dealt + 1)) - 1) << BID
    barred = barred_bid(deal, rules, place)
    return moves & ~(1 << (BID + barred)) if barred >= 0 else moves


@kernel
def make_move(deal: Deal, order: Ints, move: int) -> int:
    """Bid or play; whose move it was."""
    place = bidder(deal, order)
    if place < order.size:
        deal.bids[order[place]] = move - BID
        return int(order[place])
    seat = turn(deal)
    play(deal, move)
    return seat


@kernel
def simulate(deal: Deal, hands: Ints, rules: Rules, draws: Draws, work: Deal, tree: Tree) -> None:
    """Grow `tree` by a simulation from `deal` for each row of `hands`, a world."""
    path = np.zeros(64, np.int64)
    actors = np.zeros(64, np.int64)
    values = np.zeros(deal.seats)
    plain = np.zeros(deal.seats, np.bool_)
    for row in range(hands.shape[0]):
        copy_deal(deal, work)
        work.hands[:] = hands[row]
        if rules.rustic > 0.0:
            for seat in range(deal.seats):
                plain[seat] = seat != rules.me and unit(draws) < rules.rustic
        node = depth = 0
        grown = False
        while not grown and not over(work):
            moves = moves_of(work, rules)
            next_node = _pick(tree, node, moves, rules.exploration)
            if next_node == 0:
                next_node = _grow(tree, node, moves, draws)
                grown = True
            actors[depth] = make_move(work, rules.order, tree.move[next_node])
            path[depth] = next_node
            node = next_node
            depth += 1
        _bid_on(work, rules, plain, draws)
        _play_on(work, rules, plain, draws)
        _worth(work, rules, values)
        for step in range(depth):
            tree.visits[path[step]] += 1
            tree.total[path[step]] += values[actors[step]]
            tree.squares[path[step]] += values[actors[step]] ** 2


@kernel
def _pick(tree: Tree, node: int, moves: int, exploration: float) -> int:
    """The child with the best upper bound, if all moves possible here have been tried; else 0."""
    untried = moves
    child = tree.child[node]
    while child:
        untried &= ~(1 << tree.move[child])
        child = tree.sibling[child]
    if untried:
        return 0
    best = 0
    highest = -1e9
    child = tree.child[node]
    while child:
        if moves >> tree.move[child] & 1:
            tree.chances[child] += 1
            visits = tree.visits[child]
            bound = tree.total[child] / visits
            bound += exploration * sqrt(log(tree.chances[child]) / visits)
            if bound > highest:
                best, highest = child, bound
        child = tree.sibling[child]
    return best


@kernel
def _grow(tree: Tree, node: int, moves: int, draws: Draws) -> int:
    """A new child of `node` for one of the moves not tried yet."""
    child = tree.child[node]
    while child:
        if moves >> tree.move[child] & 1:
            tree.chances[child] += 1
        moves &= ~(1 << tree.move[child])
        child = tree.sibling[child]
    for _ in range(below(draws, count(moves))):
        moves &= moves - 1
    new = tree.size[0]
    tree.size[0] += 1
    tree.move[new] = lowest(moves)
    tree.chances[new] = 1
    tree.sibling[new] = tree.child[node]
    tree.child[node] = new
    return int(new)


@kernel
def _bid_on(deal: Deal, rules: Rules, plain: Flags, draws: Draws) -> None:
    """Let who has not bid do so: by plain rules, by judgement, or near an equal share."""
    dealt = rules.dealt
    their_sum = 0
    for place in range(deal.seats):
        seat = rules.order[place]
        if deal.bids[seat] == NO_BID:
            barred = barred_bid(deal, rules, place)
            if plain[seat]:
                bid = nearest_bid(worth_of(deal.hands[seat], deal.trump), dealt, barred)
            elif rules.judged > 0.0:
                expected = expected_tricks(deal, seat, deal.hands[seat], rules.turned, rules.taste)
                bid = choose_bid(expected, dealt, deal.seats, place, their_sum, barred, rules.taste)
            else:
                bid = min(dealt, max(0, dealt // deal.seats + below(draws, 3) - 1))
                if bid == barred:
                    bid = bid + 1 if bid < dealt else bid - 1
            deal.bids[seat] = bid
        their_sum += deal.bids[seat]


@kernel
def _play_on(deal: Deal, rules: Rules, plain: Flags, draws: Draws) -> None:
    """Play to the end: by plain rules, or else each card by judgement with chance `judged`, or
    else at random.

    Not quite at random: of two cards drawn the one that goes better with what the player needs.
    """
    while not over(deal):
        seat = turn(deal)
        if plain[seat]:
            play(deal, plain_move(deal))
        elif rules.judged > 0.0 and unit(draws) < rules.judged:
            play(deal, rule_move(deal, rules.taste))
        else:
            cards = legal(deal)
            one, other = _any(cards, draws), _any(cards, draws)
            if (_height(deal, one) < _height(deal, other)) == (deal.taken[seat] < deal.bids[seat]):
                one = other
            play(deal, one)


@kernel
def _any(cards: int, draws: Draws) -> int:
    for _ in range(below(draws, count(cards))):
        cards &= cards - 1
    return lowest(cards)


@kernel
def _height(deal: Deal, card: int) -> int:
    """Rank, trumps above all else."""
    return card % 13 + (13 if card // 13 == deal.trump else 0)


@kernel
def _worth(deal: Deal, rules: Rules, values: Floats) -> None:
    """What the end of a deal is worth to each, in units of POINTS."""
    final_scores(deal, values)
    total = values.sum()
    mine = values[rules.me]
    for seat in range(deal.seats):
        own = values[seat]
        worth = own - rules.spoil * (total - own) / (deal.seats - 1)
        if seat != rules.me:
            worth -= rules.paranoia[seat] * mine
        values[seat] = worth / POINTS
