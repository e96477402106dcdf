"""Information-set tree search with random playouts, as a measure for the other strengths.

It shares rules and worlds with strength 3 and nothing else: no careful player, no race. There is
one tree for all worlds. A node stands for the moves since the position, of all players. A move is
valued by how often it was possible, since a card lies in different places in different worlds. Each
player is assumed to maximize their lead over the others' mean.
"""

from math import log, sqrt
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.black_queen.knowledge import known_to
from bots.black_queen.lay_out import Layout, lay_out, lay_world, source_of
from bots.black_queen.open_deal import (
    FOUR,
    LEFT,
    NONE,
    ONE,
    RANK,
    SUIT,
    TURN,
    Deal,
    Numbers,
    copy_deal,
    count,
    empty_deal,
    lowest,
    must_follow,
    play,
    score,
)
from bots.black_queen.worlds import plan_of
from bots.bot import Budget, Candidate, Decision, Position
from bots.search.budget import Batches
from bots.search.compiled import kernel
from bots.search.draws import Draws, below, draws_from
from bots.search.worlds import Plan, deal_world
from bots.spec import Amount

Counts: TypeAlias = NDArray[np.int32]

KINDS = 104
"""A move in the tree: a card from the hand, or 52 further on one from the table."""
SCALE = 25.0
"""About how many points are at stake, so that rewards are of the size the formula expects."""
DEEPEST = 512


class Tree(NamedTuple):
    """A tree, by node and move: the child, how often it was possible; by node: visits, reward."""

    child: Counts
    possible: Counts
    visits: Counts
    reward: NDArray[np.float64]
    size: Numbers


def new_tree(nodes: int) -> Tree:
    """An empty tree with room for `nodes` nodes, and its root."""
    return Tree(
        np.zeros((nodes, KINDS), dtype=np.int32),
        np.zeros((nodes, KINDS), dtype=np.int32),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes),
        np.ones(1, dtype=np.int64),
    )


class TreeSearcher:
    """Plays the most visited move after a number of simulations, 1000 by default."""

    in_place = False
    needs_facts = True

    def __init__(self, *, simulations: int = 1000, exploration: Amount = 0.7) -> None:
        self._usual = Budget(samples=simulations)
        self._exploration = exploration

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The most visited move; its value is its mean lead over the others in points."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        known = known_to(position.seat, position.view, position.facts)
        layout, plan, draws = lay_out(known), plan_of(known, beliefs=False), draws_from(rng)
        deals = empty_deal(known.seats)
        tree = new_tree(1)
        batches = Batches(budget, self._usual, most=1024)
        while simulations := batches.take():
            tree = _with_room(tree, simulations)
            grow(
                tree,
                layout.deal,
                layout.first,
                layout.places,
                plan,
                self._exploration,
                simulations,
                deals,
                draws,
            )
        candidates = tuple(_candidate(action, layout, tree) for action in actions)
        best = max(candidates, key=lambda each: each.why["visits"])
        return Decision(best.action, candidates, by="visits", measure="lead")


def _candidate(action: str, layout: Layout, tree: Tree) -> Candidate:
    copy = layout.own[source_of(action)]
    face_up = int(layout.deal.up[layout.deal.now[TURN], copy // SUIT]) >> copy % SUIT & 1
    child = tree.child[0, copy // 4 + 52 * face_up]
    visits = int(tree.visits[child]) if child else 0
    value = SCALE * float(tree.reward[child]) / visits if visits else -np.inf
    return Candidate(action, value, {"visits": float(visits)})


def _with_room(tree: Tree, more: int) -> Tree:
    """`tree`, with room for the given number of further nodes."""
    nodes = int(tree.size[0])
    wider = new_tree(nodes + more)
    wider.child[:nodes] = tree.child[:nodes]
    wider.possible[:nodes] = tree.possible[:nodes]
    wider.visits[:nodes] = tree.visits[:nodes]
    wider.reward[:nodes] = tree.reward[:nodes]
    wider.size[:] = tree.size
    return wider


@kernel
def grow(
    tree: Tree,
    known: Deal,
    first: Numbers,
    places: Numbers,
    plan: Plan,
    exploration: float,
    simulations: int,
    deal: Deal,
    draws: Draws,
) -> None:
    """Run simulations from `known`, each in a world of its own; each adds at most one node."""
    world = np.empty(len(places), np.int64)
    path, movers = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    seats = len(known.seats)
    for _ in range(simulations):
        deal_world(plan, draws, world)
        copy_deal(known, deal)
        lay_world(deal, world, first, places)
        node, depth, fresh = 0, 0, False
        while not fresh and deal.now[LEFT] > 0:
            card, kind, fresh = _descend(tree, node, deal, exploration, draws)
            movers[depth] = deal.now[TURN]
            play(deal, card)
            node = path[depth] = tree.child[node, kind]
            depth += 1
        while deal.now[LEFT] > 0:
            play(deal, random_move(deal, draws))
        total = 0.0
        for seat in range(seats):
            total += score(deal, seat)
        tree.visits[0] += 1
        for at in range(depth):
            own = score(deal, movers[at])
            tree.visits[path[at]] += 1
            tree.reward[path[at]] += (own - (total - own) / (seats - 1)) / SCALE


@kernel
def random_move(deal: Deal, draws: Draws) -> int:
    """A random legal card, each equally likely."""
    seat, suit_to_play = deal.now[TURN], must_follow(deal.held, deal.now)
    cards = 0
    for suit in range(4):
        if suit_to_play in (NONE, suit):
            cards += count(deal.held[seat, suit])
    at = below(draws, cards)
    for suit in range(4):
        if suit_to_play in (NONE, suit):
            left = deal.held[seat, suit]
            here = count(left)
            if at < here:
                for _ in range(at):
                    left &= left - ONE
                return suit * SUIT + lowest(left)
            at -= here
    return NONE


@kernel
def _descend(
    tree: Tree, node: int, deal: Deal, exploration: float, draws: Draws
) -> tuple[int, int, bool]:
    """The card to go on with, its move in the tree, and whether its node is a new one.

    Untried moves come first, in random order; then the one whose upper bound is highest.
    """
    seat, suit_to_play = deal.now[TURN], must_follow(deal.held, deal.now)
    untried = 0
    best, best_kind, best_worth = NONE, NONE, -np.inf
    for suit in range(4):
        if suit_to_play != NONE and suit_to_play != suit:
            continue
        for where in range(2):
            up = deal.up[seat, suit]
            cards = up if where else deal.held[seat, suit] & ~up
            while cards != 0:
                place = lowest(cards)
                cards &= ~(RANK << (FOUR * np.uint64(place // 4)))
                card = suit * SUIT + place
                kind = card // 4 + 52 * where
                tree.possible[node, kind] += 1
                child = tree.child[node, kind]
                if child == 0:
                    untried += 1
                    if below(draws, untried) == 0:
                        best, best_kind = card, kind
                elif untried == 0:
                    visits = tree.visits[child]
                    worth = tree.reward[child] / visits + exploration * sqrt(
                        log(tree.possible[node, kind]) / visits
                    )
                    if worth > best_worth:
                        best, best_kind, best_worth = card, kind, worth
    if untried:
        tree.child[node, best_kind] = tree.size[0]
        tree.size[0] += 1
    return best, best_kind, untried > 0
