"""Information-set tree search, as a kernel: one tree for all worlds.

Each simulation takes a world, walks down the tree by the moves possible in it, adds one node, and
plays on, by judgement or at random. Players by plain rules follow these in the tree as well.
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from bots.search.compiled import kernel
from bots.search.draws import Draws
from bots.whist.open_deal import (
    MOST_CARDS,
    MOST_SEATS,
    Deal,
    Floats,
    Ints,
    copy_deal,
    over,
)
from bots.whist.playout import any_of
from bots.whist.simulation import (
    Flags,
    Rules,
    bidder,
    finish,
    make_move,
    moves_of,
    plain_choice,
    whose,
)

MOST_MOVES = MOST_CARDS + MOST_SEATS
"""In a deal, bids and cards."""


class Tree(NamedTuple):
    """Arrays with a place for each node; node 0 is the root and `size[0]` the number of nodes.

    `move` leads to the node; `child` is its first child and `sibling` its parent's next child, 0
    if there is none. It was tried `visits` times and could have been `chances` times. `total` is
    the sum of what it brought the player who made the move, `squares` the sum of the squares.
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
def plant(tree: Tree, moves: Ints, nodes: Ints) -> None:
    """Give the root a child for each of `moves`; fills `nodes` with the children."""
    for at in range(moves.size):
        nodes[at] = _add(tree, 0, moves[at])


@kernel
def simulate(
    deal: Deal, hands: Ints, plain: Flags, rules: Rules, draws: Draws, work: Deal, tree: Tree
) -> None:
    """Grow `tree` by one simulation from `deal` for each world.

    A world is a row of `hands`, a set of cards for each seat, and of `plain`, which says who plays
    by plain rules in it.
    """
    path, actors = np.zeros((2, MOST_MOVES), np.int64)
    values = np.zeros(deal.seats)
    for row in range(hands.shape[0]):
        copy_deal(deal, work)
        work.hands[:] = hands[row]
        _walk(work, rules, plain[row], draws, tree, path, actors, 0, values)


@kernel
def compete(
    deal: Deal,
    hands: Ints,
    plain: Flags,
    nodes: Ints,
    rules: Rules,
    draws: Draws,
    work: Deal,
    tree: Tree,
    worth: Floats,
) -> None:
    """Grow `tree` below each of `nodes`, children of the root, in each world.

    `worth[node, world]` becomes the result for the player to move.
    """
    path, actors = np.zeros((2, MOST_MOVES), np.int64)
    values = np.zeros(deal.seats)
    for row in range(hands.shape[0]):
        for at in range(nodes.size):
            copy_deal(deal, work)
            work.hands[:] = hands[row]
            path[0] = nodes[at]
            actors[0] = make_move(work, rules.order, tree.move[nodes[at]])
            _walk(work, rules, plain[row], draws, tree, path, actors, 1, values)
            worth[at, row] = values[rules.me]


@kernel
def _walk(
    work: Deal,
    rules: Rules,
    plain: Flags,
    draws: Draws,
    tree: Tree,
    path: Ints,
    actors: Ints,
    depth: int,
    values: Floats,
) -> None:
    """Continue down the tree after `depth` moves, to a new node and to the deal's end.

    All nodes on the way are updated with the result, which is left in `values`.
    """
    node = path[depth - 1] if depth else 0
    grown = False
    while not grown and not over(work):
        place = bidder(work, rules.order)
        if plain[whose(work, rules, place)]:
            moves = 1 << plain_choice(work, rules, place)
        else:
            moves = moves_of(work, rules, place)
        next_node = _pick(tree, node, moves, rules.exploration)
        if next_node == 0:
            next_node = _grow(tree, node, moves, draws)
            grown = True
        actors[depth] = make_move(work, rules.order, tree.move[next_node])
        path[depth] = next_node
        node = next_node
        depth += 1
    finish(work, rules, plain, draws, values)
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
    """A new child of `node` for an untried move."""
    child = tree.child[node]
    while child:
        if moves >> tree.move[child] & 1:
            tree.chances[child] += 1
        moves &= ~(1 << tree.move[child])
        child = tree.sibling[child]
    return _add(tree, node, any_of(moves, draws))


@kernel
def _add(tree: Tree, node: int, move: int) -> int:
    new = tree.size[0]
    tree.size[0] += 1
    tree.move[new] = move
    tree.chances[new] = 1
    tree.sibling[new] = tree.child[node]
    tree.child[node] = new
    return int(new)
