"""Walkers visit each world in proportion to its likelihood."""

from itertools import permutations
from math import exp
from random import Random

import numpy as np
import pytest

from bots.whist.bits import lowest, members
from bots.whist.knowledge import read_position
from bots.whist.opponent_model import OpponentModel, hand_likelihood, observations_of
from bots.whist.walkers import Walkers
from bots.whist.worlds import NO_BELIEFS, Worlds
from tests.counts import count
from tests.games.whist.bots.positions import agrees, laid, position, random_walk

MODEL = OpponentModel(rustic=0.5)


def worlds_after(hands: str, moves: str) -> Worlds:
    """What seat 0 of three knows at its turn."""
    state, facts = laid(*hands.split(", "), turned="3S", dealer=0, moves=moves)
    assert state.turn == 0
    return Worlds(read_position(position(state, facts)), NO_BELIEFS, Random(5))


@pytest.mark.parametrize(("bids", "plays"), [(True, True), (False, True), (False, False)])
def test_walkers_stay_in_worlds_that_may_be(bids: bool, plays: bool) -> None:
    """Walkers' hands have the right size, unseen cards once each, and no suit known to lack."""
    rng = Random(19)
    for _ in range(count(12)):
        for state, facts in random_walk(rng):
            if state.over:
                continue
            worlds = Worlds(read_position(position(state, facts)), NO_BELIEFS, rng)
            hands, plain = Walkers(worlds, MODEL, bids=bids, plays=plays).draw(70)
            for row in hands.tolist():
                assert agrees(row, worlds.known)
            assert not plain[:, state.turn].any()


@pytest.mark.parametrize(
    ("hands", "moves"),
    [
        ("AC, 5C, TC", "1 0"),
        ("2C AC, 5C KS, 9H TC", "1 0 0 5C TC"),
        ("2C AC, 5C KS, 9H TH", "0 1 0 5C 9H"),
    ],
)
def test_worlds_come_as_often_as_they_are_likely(hands: str, moves: str) -> None:
    """Walkers' frequencies match those of all worlds, by cards held and by styles of play."""
    worlds = worlds_after(hands, moves)
    known = worlds.known
    observed = observations_of(known, worlds.deal, worlds.work, bids=True, plays=True)
    plain = np.zeros(3)
    cards = list(members(known.unseen))
    # A world is a card for seat 1 and one for seat 2; its row says who plays by plain rules.
    exact = np.zeros((52, 52, 3))
    for one, two in permutations(cards, 2):
        chance = 1.0
        for seat, card in ((1, one), (2, two)):
            chance *= exp(hand_likelihood(worlds.deal, observed, MODEL, seat, 1 << card, plain))
            chance *= card // 13 not in known.voids[seat]
        exact[one, two] = chance * np.array([1.0, plain[1], plain[2]])
    exact /= exact[:, :, 0].sum()
    # A walker's worlds resemble each other: with a quarter of these, one share in twenty seeds is
    # off by more than is allowed.
    number = count(160_000)
    rows, by_rules = Walkers(worlds, MODEL, bids=True, plays=True).draw(number)
    found = np.zeros_like(exact)
    for row, flags in zip(rows.tolist(), by_rules.tolist(), strict=True):
        found[lowest(row[1]), lowest(row[2])] += (1, flags[1], flags[2])
    found /= number
    assert found[:, :, 1:].sum(axis=(0, 1)) == pytest.approx(
        exact[:, :, 1:].sum(axis=(0, 1)), abs=0.02
    )
    for axis in (0, 1):
        assert found[:, :, 0].sum(axis=axis) == pytest.approx(
            exact[:, :, 0].sum(axis=axis), abs=0.005
        )
    assert abs(exact[:, :, 0].sum(axis=0) - 1 / len(cards)).max() > 0.01


def test_who_has_seen_nothing_takes_every_world_for_as_likely() -> None:
    """Before any other bid all worlds are equally likely, with the prior share of rule players."""
    state, facts = laid("2C AC", "5C KS", "9H TC", turned="3S", dealer=2)
    worlds = Worlds(read_position(position(state, facts)), NO_BELIEFS, Random(5))
    hands, plain = Walkers(worlds, OpponentModel(rustic=0.3), bids=True, plays=True).draw(
        count(5000)
    )
    assert plain.mean(axis=0).tolist() == [0.0, *[pytest.approx(0.3, abs=0.03)] * 2]
    held = [(hands[:, 1] >> card & 1).mean() for card in members(worlds.known.unseen)]
    assert min(held) > 0.02
    assert max(held) < 0.065
