"""Worlds agree with what a seat knows, and favour what the others' moves suggest."""

from collections import Counter
from math import log
from random import Random

import numpy as np
import pytest

from bots.search.draws import draws_from
from bots.whist.bits import count
from bots.whist.knowledge import cards_set, read_position
from bots.whist.likelihoods import add_play_likelihoods, bid_chance, resample, same_card
from bots.whist.open_deal import new_deal, play
from bots.whist.policy import POLICY_WEIGHTS
from bots.whist.worlds import Beliefs, Worlds
from engine.cards import parse_card, parse_cards
from tests.counts import count as times
from tests.games.whist.bots.positions import agrees, laid, laid_out, position, random_walk


@pytest.mark.parametrize("believing", [False, True])
def test_worlds_agree_with_what_is_known(believing: bool) -> None:
    """Worlds' hands have the right size, unseen cards once each, and no suit known to lack."""
    rng = Random(17)
    beliefs = Beliefs(bids=believing, plays=believing, pool=2)
    for _ in range(times(12)):
        for state, facts in random_walk(rng):
            if state.over:
                continue
            known = read_position(position(state, facts))
            for hands in Worlds(known, beliefs, rng).hands(3).tolist():
                assert known.hand == cards_set(state.hands[state.turn])
                assert agrees(hands, known)


def test_knowledge_follows_the_play() -> None:
    """Knowledge has each seat's played cards, the seen cards, and the places of the others."""
    rng = Random(23)
    for _ in range(times(20)):
        for state, facts in random_walk(rng):
            if state.over:
                continue
            known = read_position(position(state, facts))
            everything = [card for pile in state.taken for card in pile] + list(state.trick)
            assert sorted(known.line) == sorted(everything)
            assert known.seen == cards_set(everything) | 1 << state.turned
            hidden = [hand for seat, hand in enumerate(state.hands) if seat != state.turn]
            assert known.unseen == sum(map(cards_set, hidden)) | cards_set(state.stock)
            assert [place.size for place in known.places()] == [*known.hidden, len(state.stock)]
            assert all(
                played & cards_set(hand) == 0
                for played, hand in zip(known.played, state.hands, strict=True)
            )
            assert sum(map(count, known.played)) == len(known.line)


def test_a_bid_far_from_the_hand_is_unlikely_but_possible() -> None:
    """The chances of all bids sum to 1, fall with the distance, and are never 0."""
    chances = [bid_chance(2.3, bid, 8, 0.8, 0.05) for bid in range(9)]
    assert sum(chances) == pytest.approx(1.0)
    assert max(range(9), key=lambda bid: chances[bid]) == 2
    assert chances[2] > chances[3] > chances[4] > chances[8] > 0.005


def test_rows_are_picked_as_often_as_they_are_likely() -> None:
    """In the long run a row three times as likely is picked three times as often."""
    draws = draws_from(Random(4))
    picked = np.empty(4, dtype=np.int64)
    counted: Counter[int] = Counter()
    for _ in range(times(500)):
        resample(np.log(np.array([1.0, 3.0, 1e-9, 4.0])), draws, picked)
        counted.update(picked.tolist())
    total = sum(counted.values())
    shares = [counted[row] / total for row in range(4)]
    assert shares == pytest.approx([0.125, 0.375, 0.0, 0.5], abs=0.01)


def test_the_effective_share_of_rows() -> None:
    """The effective share is 1 for equal weights, and 1/4 for a single one of four."""
    draws, picked = draws_from(Random(4)), np.empty(4, dtype=np.int64)
    assert resample(np.zeros(4), draws, picked) == pytest.approx(1.0)
    assert resample(np.array([0.0, -50, -50, -50]), draws, picked) == pytest.approx(0.25)


def test_cards_are_the_same_if_all_between_them_are_seen_or_held() -> None:
    """Two cards are equivalent unless an unseen card, or one of the trick, lies between them."""
    deal = laid_out("5C 8C", "2D 3D", "4D 5D", bids=(0, 0, 0))
    five, eight = parse_cards("5C 8C")
    assert not same_card(deal, five, eight)
    deal.at[4] = cards_set(parse_cards("6C 7C"))
    assert same_card(deal, five, eight)
    deal.hands[2] |= 1 << parse_card("7C")
    deal.at[:4] = (2, 0, 0, 2)
    play(deal, parse_card("7C"))
    assert not same_card(deal, five, eight)


def test_a_play_that_would_be_a_mistake_makes_a_world_less_likely() -> None:
    """A world is less likely if a seat's play would be a mistake in it."""
    seen = laid_out("2C 5D", "", "", trump="S", bids=(0, 1, 0))
    seen.line[:2] = parse_cards("3C 4C")
    seen.at[:] = (0, 0, 2, 1, cards_set(parse_cards("3C 4C")))
    played = np.array([cards_set(parse_cards("3C")), cards_set(parse_cards("4C")), 0])
    hands = np.array(
        [
            [cards_set(parse_cards(text)) for text in world]
            for world in (("2C 5D", "AC", "6C 7C"), ("2C 5D", "2D", "6C 7C"))
        ]
    )
    logs = np.zeros(2)
    work = new_deal(3, 2, 10, 0, 0)
    add_play_likelihoods(seen, hands, played, 0, 0, 0.6, work, POLICY_WEIGHTS, logs)
    assert logs.tolist() == [pytest.approx(log(0.4)), 0.0]


def test_own_cards_are_the_same_only_if_nobody_can_hold_one_between() -> None:
    """Own cards are equivalent unless another player may hold a card between them."""
    hands = ("2C 5C 7C", "6C 8C KS", "TC 8D 2H")
    for moves, different in (("1 1 0 KS 2H", "2C 5C 7C"), ("1 1 0 6C TC 2C 8D", "7C")):
        state, facts = laid(*hands, turned="3S", dealer=0, moves=moves)
        known = read_position(position(state, facts))
        worlds = Worlds(known, Beliefs(False, False), Random(1))
        assert worlds.cards() == sorted(parse_cards(different))
