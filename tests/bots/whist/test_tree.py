"""The tree that all worlds share."""

from random import Random

import numpy as np
import pytest

from bots.whist.bits import members
from bots.whist.choosing import move_of, moves_to_try
from bots.whist.knowledge import read_position
from bots.whist.policy import TASTE
from bots.whist.simulation import POINTS, Rules, barred_bid, moves_of
from bots.whist.tree import compete, new_tree, plant, simulate
from bots.whist.worlds import Beliefs, Worlds
from engine.games.whist import State
from tests.bots.whist.positions import position, random_walk
from tests.counts import count


def rules_of(
    worlds: Worlds, *, judged: float = 0.0, rustic: float = 0.0, spoil: float = 0.0
) -> Rules:
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
        rustic=rustic,
        spoil=spoil,
        paranoia=paranoia,
        taste=TASTE,
    )


def positions(seed: int) -> list[tuple[State, Worlds]]:
    """What is known at each position of a random deal."""
    rng = Random(seed)
    return [
        (state, Worlds(read_position(position(state, facts)), Beliefs(False, False), rng))
        for state, facts in random_walk(rng)
        if not state.over
    ]


def test_moves_are_the_ones_the_engine_offers() -> None:
    """Bids with the barred one left out, and cards that follow."""
    for seed in range(count(20)):
        for state, worlds in positions(seed):
            offered = position(state, ()).choices.actions
            moves = moves_of(worlds.deal, rules_of(worlds))
            assert list(members(moves)) == sorted(map(move_of, offered))


def test_only_the_last_bid_is_barred() -> None:
    """The dealer may not make the sum come out; others may bid anything."""
    for state, worlds in positions(4):
        if state.bidding:
            place = sum(bid >= 0 for bid in state.bids)
            barred = barred_bid(worlds.deal, rules_of(worlds), place)
            assert (barred == -1) or place == worlds.known.seats - 1


@pytest.mark.parametrize(("judged", "rustic"), [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)])
def test_a_simulation_adds_a_node_and_is_counted_on_its_way(judged: float, rustic: float) -> None:
    """The root's moves are tried as often as there were simulations, with values in range."""
    for seed in (1, 2):
        for _state, worlds in positions(seed):
            tree = new_tree(200)
            rules = rules_of(worlds, judged=judged, rustic=rustic, spoil=1.0)
            simulate(worlds.deal, worlds.hands(100), rules, worlds.draws, worlds.work, tree)
            child, tried = int(tree.child[0]), 0
            while child:
                tried += int(tree.visits[child])
                assert abs(tree.total[child]) <= tree.visits[child] * 20 / POINTS
                child = int(tree.sibling[child])
            assert tried == 100
            assert tree.size[0] <= 101


def test_competing_moves_meet_in_every_world() -> None:
    """Each move planted is tried once a world, and its node sums up what that brought."""
    for state, worlds in positions(3):
        moves = np.array(moves_to_try(position(state, ()).choices.actions, worlds), dtype=np.int64)
        tree, nodes = new_tree(20 * moves.size + 1), np.zeros(moves.size, dtype=np.int64)
        plant(tree, moves, nodes)
        assert [int(tree.move[node]) for node in nodes] == moves.tolist()
        worth = np.empty((moves.size, 10))
        rules = rules_of(worlds, judged=1.0, rustic=0.5, spoil=1.0)
        hands = worlds.hands(10)
        compete(worlds.deal, hands, nodes, rules, worlds.draws, worlds.work, tree, worth)
        assert [int(tree.visits[node]) for node in nodes] == [10] * moves.size
        assert worth.sum(axis=1) == pytest.approx(tree.total[nodes])
        assert abs(worth).max() <= 20 / POINTS
        assert tree.size[0] <= 11 * moves.size + 1
