"""Information-set tree search, for comparison: one tree for all worlds, random playouts.

It shares the rules with strength 2 and nothing else: no careful player, no plans, no races. A
node stands for the moves since the position, of all players; a child is valued by how often it was
possible, since a card may be in a hand in one world and not in another.
"""

from math import log, sqrt
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.bot import Budget, Candidate, Decision, Position
from bots.hearts.bits import ALL, any_of, highest, lowest
from bots.hearts.exchange import exchange
from bots.hearts.knowledge import Knowledge, read
from bots.hearts.lay_out import ints, lay_out
from bots.hearts.open_deal import HAND, PLAYED, SIZE, TURN, Deal, lay, lead_over_others, legal_cards
from bots.hearts.playout import put_world
from bots.hearts.random_play import Lists, new_lists, play_at_random, take_up
from bots.search.compiled import kernel
from bots.search.draws import Draws, draws_from, word
from bots.search.worlds import Ints, Plan, deal_world, plan_worlds
from bots.spec import Amount
from engine.games.hearts.cards import pass_text
from engine.games.hearts.state import PASSED
from engine.games.trick_games import play_text

MOST_DEEP = 52 + PASSED


class Tree(NamedTuple):
    """A tree, by node and card: the child, how often it was possible; by node: visits, reward."""

    child: NDArray[np.int32]
    possible: NDArray[np.int32]
    visits: NDArray[np.int32]
    reward: NDArray[np.float64]
    size: Ints


def new_tree(nodes: int) -> Tree:
    """An empty tree with room for `nodes` nodes, and its root."""
    return Tree(
        np.zeros((nodes, 52), np.int32),
        np.zeros((nodes, 52), np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes),
        np.ones(1, np.int64),
    )


@kernel
def grow(
    tree: Tree,
    deal: Deal,
    seat: int,
    shift: int,
    worlds: Plan,
    sizes: Ints,
    exploration: float,
    simulations: int,
    lists: Lists,
    draws: Draws,
) -> None:
    """Run simulations from `deal`; with a `shift`, `seat` first picks what it passes.

    Every simulation makes one node, and `tree` must have room for it.
    """
    world = np.empty(worlds.held.size, np.int64)
    now = np.empty(SIZE, np.int64)
    path, movers = np.empty(MOST_DEEP, np.int64), np.empty(MOST_DEEP, np.int64)
    passed = np.zeros(4, np.int64)
    for _ in range(simulations):
        deal_world(worlds, draws, world)
        now[:] = deal
        put_world(now, seat, sizes, world)
        passed[seat] = 0
        node = depth = 0
        picks = PASSED if shift else 0
        fresh = False
        while not fresh and now[PLAYED] != ALL and not (shift and picks == 0):
            mover = seat if picks else now[TURN]
            may = _may_pass(now[HAND + seat], passed[seat], picks) if picks else legal_cards(now)
            card, fresh = _descend(tree, node, may, exploration, draws)
            if picks:
                passed[seat] |= 1 << card
                picks -= 1
            else:
                lay(now, card)
            node = tree.child[node, card]
            path[depth], movers[depth] = node, mover
            depth += 1
        if shift:
            _pass_at_random(now, passed, seat, picks, draws)
            exchange(now, passed, shift)
        take_up(now, lists)
        play_at_random(now, lists, word(draws))
        tree.visits[0] += 1
        for at in range(depth):
            tree.visits[path[at]] += 1
            tree.reward[path[at]] += lead_over_others(now, movers[at]) / 26.0


@kernel
def _may_pass(hand: int, passed: int, picks: int) -> int:
    """The cards that may be picked next: picks ascend, and enough cards must be left."""
    left = hand
    if passed:
        left &= ~((2 << highest(passed)) - 1)
    for _ in range(picks - 1):
        left &= ~(1 << highest(left))
    return left


@kernel
def _pass_at_random(deal: Deal, passed: Ints, seat: int, picks: int, draws: Draws) -> None:
    """Let the others pass any cards, and `seat` any in place of its missing picks."""
    for each in range(4):
        missing = picks if each == seat else PASSED
        if each != seat:
            passed[each] = 0
        for _ in range(missing):
            passed[each] |= 1 << any_of(deal[HAND + each] & ~passed[each], draws)


@kernel
def _descend(tree: Tree, node: int, may: int, exploration: float, draws: Draws) -> tuple[int, bool]:
    """The card to go on with, and whether its node is new."""
    untried = 0
    best, best_worth = 0, -1e9
    left = may
    while left:
        card = lowest(left)
        left &= left - 1
        tree.possible[node, card] += 1
        child = tree.child[node, card]
        if child == 0:
            untried |= 1 << card
            continue
        visits = tree.visits[child]
        worth = tree.reward[child] / visits
        worth += exploration * sqrt(log(tree.possible[node, card]) / visits)
        if worth > best_worth:
            best, best_worth = card, worth
    if untried == 0:
        return best, False
    best = any_of(untried, draws)
    tree.child[node, best] = tree.size[0]
    tree.size[0] += 1
    return best, True


class TreeSearcher:
    """Plays the most visited move; a budget of samples replaces `simulations`."""

    in_place = False
    needs_facts = True

    def __init__(self, *, simulations: int = 1000, exploration: Amount = 0.4) -> None:
        self._simulations = simulations
        self._exploration = exploration

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The most visited card with its mean lead in points, or the most visited pass."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        known = read(position)
        tree = self._grown(known, budget.samples or self._simulations, rng)
        if known.leader is None:
            return Decision(pass_text(_picks(tree, known)))
        candidates = tuple(
            Candidate(play_text(card), mean, {"visits": float(visits)})
            for card, visits, mean in _tried(tree, 0)
        )
        best = max(candidates, key=lambda candidate: candidate.why["visits"])
        return Decision(best.action, candidates, by="visits", measure="lead")

    def _grown(self, known: Knowledge, simulations: int, rng: Random) -> Tree:
        tree = new_tree(simulations + 1)
        grow(
            tree,
            lay_out(known),
            known.seat,
            known.shift if known.leader is None else 0,
            plan_worlds(known.unseen, known.places),
            ints(place.size for place in known.places),
            self._exploration,
            simulations,
            new_lists(),
            draws_from(rng),
        )
        return tree


def _tried(tree: Tree, node: int) -> list[tuple[int, int, float]]:
    """The cards tried at a node, how often, and their mean reward in points."""
    children = ((card, int(tree.child[node, card])) for card in range(52))
    return [
        (card, int(tree.visits[child]), 26 * float(tree.reward[child]) / int(tree.visits[child]))
        for card, child in children
        if child
    ]


def _picks(tree: Tree, known: Knowledge) -> tuple[int, ...]:
    """The most visited way down; if it ends early, completed by the highest cards left."""
    node, picked = 0, list[int]()
    while len(picked) < PASSED and (tried := _tried(tree, node)):
        card, _, _ = max(tried, key=lambda each: each[1])
        picked.append(card)
        node = int(tree.child[node, card])
    rest = [card for card in reversed(known.hand) if card not in picked]
    return tuple(sorted((*picked, *rest[: PASSED - len(picked)])))
