"""The search tree that all worlds share."""

from random import Random

import numpy as np
import pytest

from bots.whist.bits import members
from bots.whist.choosing import move_of, moves_to_try
from bots.whist.knowledge import read_position
from bots.whist.open_deal import Deal, Ints, copy_deal, new_deal
from bots.whist.opponent_model import OpponentModel
from bots.whist.policy import POLICY_WEIGHTS
from bots.whist.simulation import POINTS, Rules, barred_bid, bidder, make_move, moves_of, whose
from bots.whist.tree import Tree, compete, new_tree, plant, simulate
from bots.whist.walkers import Flags, Walkers
from bots.whist.worlds import NO_BELIEFS, Worlds
from engine.games.whist import State
from tests.counts import count
from tests.games.whist.bots.positions import position, random_walk


def rules_of(worlds: Worlds, *, judged: float = 0.0, spoil: float = 0.0) -> Rules:
    known = worlds.known
    paranoia = np.zeros(known.seats)
    return Rules(
        order=worlds.order,
        dealt=known.dealt,
        hook=known.hook,
        turned=known.turned,
        me=known.seat,
        exploration=0.7,
        judged=judged,
        spoil=spoil,
        paranoia=paranoia,
        policy_weights=POLICY_WEIGHTS,
    )


def draw(worlds: Worlds, rustic: float, number: int) -> tuple[Ints, Flags]:
    """Worlds, each with the seats that play by plain rules, if nothing is known of their style."""
    return Walkers(worlds, OpponentModel(rustic), bids=False, plays=False).draw(number)


def positions(seed: int) -> list[tuple[State, Worlds]]:
    """What is known at each position of a random deal."""
    rng = Random(seed)
    return [
        (state, Worlds(read_position(position(state, facts)), NO_BELIEFS, rng))
        for state, facts in random_walk(rng)
        if not state.over
    ]


def test_moves_are_the_ones_the_engine_offers() -> None:
    """The tree's moves are those of the engine: bids without the barred one, and legal cards."""
    for seed in range(count(20)):
        for state, worlds in positions(seed):
            offered = position(state, ()).choices.actions
            rules = rules_of(worlds)
            moves = moves_of(worlds.deal, rules, bidder(worlds.deal, rules.order))
            assert list(members(moves)) == sorted(map(move_of, offered))


def test_only_the_last_bid_is_barred() -> None:
    """Only the dealer's bid is barred from making the sum of the tricks."""
    for state, worlds in positions(4):
        if state.bidding:
            place = sum(bid >= 0 for bid in state.bids)
            barred = barred_bid(worlds.deal, rules_of(worlds), place)
            assert (barred == -1) or place == worlds.known.seats - 1


@pytest.mark.parametrize(("judged", "rustic"), [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)])
def test_a_simulation_adds_a_node_and_is_counted_on_its_way(judged: float, rustic: float) -> None:
    """The visits of the root's moves sum to the simulations, with values in range."""
    for seed in (1, 2):
        for _state, worlds in positions(seed):
            tree = new_tree(200)
            rules = rules_of(worlds, judged=judged, spoil=1.0)
            hands, plain = draw(worlds, rustic, 100)
            simulate(worlds.deal, hands, plain, rules, worlds.draws, worlds.work, tree)
            child, tried = int(tree.child[0]), 0
            while child:
                tried += int(tree.visits[child])
                assert abs(tree.total[child]) <= tree.visits[child] * 20 / POINTS
                child = int(tree.sibling[child])
            assert tried == 100
            assert tree.size[0] <= 101


def test_competing_moves_meet_in_every_world() -> None:
    """Each competing move is tried once a world, and its node sums the results."""
    for state, worlds in positions(3):
        moves = np.array(moves_to_try(position(state, ()).choices.actions, worlds), dtype=np.int64)
        tree, nodes = new_tree(20 * moves.size + 1), np.zeros(moves.size, dtype=np.int64)
        plant(tree, moves, nodes)
        assert [int(tree.move[node]) for node in nodes] == moves.tolist()
        worth = np.empty((moves.size, 10))
        rules = rules_of(worlds, judged=1.0, spoil=1.0)
        hands, plain = draw(worlds, 0.5, 10)
        compete(worlds.deal, hands, plain, nodes, rules, worlds.draws, worlds.work, tree, worth)
        assert [int(tree.visits[node]) for node in nodes] == [10] * moves.size
        assert worth.sum(axis=1) == pytest.approx(tree.total[nodes])
        assert abs(worth).max() <= 20 / POINTS
        assert tree.size[0] <= 11 * moves.size + 1


def children(tree: Tree, node: int) -> list[int]:
    child, found = int(tree.child[node]), []
    while child:
        found.append(child)
        child = int(tree.sibling[child])
    return found


def test_players_by_plain_rules_keep_to_them_in_the_tree() -> None:
    """Rule players have one move in the tree, so that it branches only at the searcher's turns."""
    forks = 0
    for _state, worlds in positions(6):
        rules, tree = rules_of(worlds, judged=1.0), new_tree(300)
        hands = np.repeat(worlds.hands(1), 200, axis=0)
        plain = np.ones(hands.shape, dtype=np.bool_)
        plain[:, rules.me] = False
        simulate(worlds.deal, hands, plain, rules, worlds.draws, worlds.work, tree)
        start = copy_of(worlds.deal)
        start.hands[:] = hands[0]
        line: list[tuple[int, Deal]] = [(0, start)]
        while line:
            node, deal = line.pop()
            below = children(tree, node)
            if len(below) > 1:
                forks += 1
                assert whose(deal, rules, bidder(deal, rules.order)) == rules.me
            for child in below:
                after = copy_of(deal)
                make_move(after, rules.order, tree.move[child])
                line.append((child, after))
    assert forks > 10


def copy_of(deal: Deal) -> Deal:
    copied = new_deal(deal.seats, deal.trump, deal.nil_score, 0, 0)
    copy_deal(deal, copied)
    return copied
