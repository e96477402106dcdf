"""Worlds of Spades: they agree with what was seen, and bids make some likelier."""

from random import Random

import numpy as np
import pytest

from bots.search.draws import draws_from
from bots.search.worlds import plan_worlds
from bots.spades.bidding import BID_WEIGHTS, expected_tricks, nil_risk
from bots.spades.bits import count, members, of_suit
from bots.spades.knowledge import Knowledge, read_position
from bots.spades.open_deal import HAND, Deal
from bots.spades.playouts import likelihood, likely_world
from bots.spades.search import lay_out
from engine.games.spades import Spades
from tests.counts import count as times
from tests.games.spades.bots.positions import any_options, position, random_walk


def worlds(known: Knowledge, number: int, pool: int, seed: int = 1) -> list[Deal]:
    """Sampled worlds of what a seat knows."""
    plan = plan_worlds(list(members(known.unseen)), known.places())
    sizes = np.array([place.size for place in known.places()])
    played, draws = np.array(known.played), draws_from(Random(seed))
    room = np.empty(plan.held.size, np.int64), np.empty(plan.held.size, np.int64)
    deals = []
    for _ in range(number):
        deal = lay_out(known)
        likely_world(deal, plan, sizes, played, pool, 1.2, BID_WEIGHTS, draws, *room)
        deals.append(deal)
    return deals


@pytest.mark.parametrize("pool", [1, 4])
def test_worlds_agree_with_what_was_seen(pool: int) -> None:
    """Worlds have each card once, hands of the right size, the own hand, and known voids."""
    for seed in range(times(4)):
        rng = Random(seed)
        for state, facts in random_walk(rng, **any_options(rng)):
            if state.over or not state.looked[state.turn]:
                continue
            known = read_position(position(state, facts))
            (deal,) = worlds(known, 1, pool)
            hands = [int(deal[HAND + seat]) for seat in range(4)]
            assert hands[known.seat] == known.hand
            assert [count(cards) for cards in hands] == [len(hand) for hand in state.hands]
            assert hands[0] | hands[1] | hands[2] | hands[3] == known.hand | known.unseen
            for seat, suits in enumerate(known.voids):
                assert not any(of_suit(hands[seat], suit) for suit in suits)


def test_bids_make_worlds_likelier() -> None:
    """In worlds a high bidder holds more high cards, and a nil bidder few."""
    rng = Random(8)
    walk = random_walk(rng, nil="100", blind="never")
    state, facts = next(walk)
    for bid in ("bid 7", "bid 0", "bid 1"):
        step = Spades().apply(state, state.turn, bid)
        state, facts = step.state, facts + step.facts
    known = read_position(position(state, facts))
    high, nil, low = ((known.seat + step) % 4 for step in (1, 2, 3))
    deals = worlds(known, 200, pool=8)
    tricks = {
        seat: np.mean([expected_tricks(int(deal[HAND + seat]), BID_WEIGHTS) for deal in deals])
        for seat in (high, nil, low)
    }
    risks = {
        seat: np.mean([nil_risk(int(deal[HAND + seat]), BID_WEIGHTS) for deal in deals])
        for seat in (high, nil)
    }
    assert tricks[high] > tricks[low] + 0.5
    assert risks[nil] < risks[high]


def test_a_bid_is_likeliest_from_the_hand_it_says() -> None:
    """The likeliest bid of a random hand is the one nearest to its expected tricks."""
    for seed in range(times(50)):
        hand = sum(1 << card for card in Random(seed).sample(range(52), 13))
        worth = expected_tricks(hand, BID_WEIGHTS) + BID_WEIGHTS.offset
        chances = [likelihood(hand, bid, 1.2, BID_WEIGHTS) for bid in range(1, 14)]
        nearest = min(range(1, 14), key=lambda bid: abs(bid - worth))
        assert chances.index(max(chances)) + 1 == nearest
