"""The rules of Spades in the kernels against the engine."""

from random import Random

import numpy as np
import pytest

from bots.spades.bits import count as size_of
from bots.spades.bits import members, set_of
from bots.spades.knowledge import read_position
from bots.spades.open_deal import (
    BIDS,
    PLAYED,
    SIZE,
    TRICKS,
    VOIDS,
    Deal,
    bags,
    lead,
    legal_cards,
    new_deal,
    over,
    play,
    points,
    score,
    sight_of,
)
from bots.spades.search import lay_out
from engine.cards import parse_card
from engine.games.spades import GAME
from tests.counts import count
from tests.games.spades.bots.positions import any_options, open_deal, position, random_walk


def without_voids(deal: Deal) -> list[int]:
    """A kernel deal without its voids."""
    return [int(deal[place]) for place in range(SIZE) if place != VOIDS]


def test_a_deal_is_played_as_the_engine_plays_it() -> None:
    """Kernel and engine have equal legal cards, states and scores in all positions of random deals.

    A deal has 52 positions of play.
    """
    for seed in range(count(20)):
        rng = Random(seed)
        deal: Deal | None = None
        for state, _ in random_walk(rng, **any_options(rng)):
            if state.bidding:
                continue
            now = open_deal(state)
            if deal is not None:
                (card,) = members(int(now[PLAYED] & ~deal[PLAYED]))
                play(deal, card)
                if not state.over:
                    assert without_voids(deal) == without_voids(now)
            deal = now if deal is None else deal
            if not state.over:
                cards = [parse_card(a[5:]) for a in GAME.choices(state, state.turn).actions]
                assert legal_cards(deal) == set_of(cards)
                assert not over(deal)
        assert deal is not None
        assert over(deal)
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert tuple(score(deal, seat % 2) for seat in range(4)) == outcome.scores


def test_a_player_sees_the_same_from_the_deal_and_from_the_view() -> None:
    """The playout's rules player knows exactly what the bot at a table knows."""
    for seed in range(count(15)):
        rng = Random(seed)
        for state, facts in random_walk(rng, **any_options(rng)):
            if state.bidding or state.over:
                continue
            known = read_position(position(state, facts))
            deal = open_deal(state)
            deal[VOIDS] = lay_out(known)[VOIDS]
            assert tuple(sight_of(deal)) == tuple(known.sight())
            if size_of(known.hand) > 1:
                alone = lay_out(known)
                assert tuple(sight_of(alone)) == tuple(known.sight())


@pytest.mark.parametrize(
    ("bids", "tricks", "scored", "new_bags"),
    [
        ((4, 3, 2, 3), (4, 3, 3, 3), (61, 60), (1, 0)),
        ((0, 3, 4, 3), (0, 6, 4, 3), (140, 63), (0, 3)),
        ((0, 5, 5, 5), (1, 4, 5, 3), (-49, -100), (1, 0)),
    ],
)
def test_bags_are_counted_apart(
    bids: tuple[int, ...],
    tricks: tuple[int, ...],
    scored: tuple[int, int],
    new_bags: tuple[int, ...],
) -> None:
    """The lead prices each bag, and the score counts each once, the tenth with its penalty."""
    deal = new_deal(100, 4, 0)
    deal[BIDS : BIDS + 4], deal[TRICKS : TRICKS + 4] = bids, tricks
    assert (score(deal, 0), score(deal, 1)) == scored
    assert (bags(deal, 0), bags(deal, 1)) == new_bags
    plain = points(deal, 0) - points(deal, 1)
    assert lead(deal, 2, -6.0) == plain - 6 * (new_bags[0] - new_bags[1])
    assert lead(deal, 3, 1.0) == -plain + new_bags[1] - new_bags[0]


def test_a_void_is_noted_for_seat_and_suit() -> None:
    """A void is recorded for its seat and suit only."""
    deal = new_deal(100, 0, 0)
    deal[BIDS : BIDS + 4] = 1
    for seat, card in enumerate(("2D", "4D", "2C", "6S")):
        deal[seat] = np.int64(1) << parse_card(card)
    for card in ("2D", "4D", "2C", "6S"):
        play(deal, parse_card(card))
    assert deal[VOIDS] == 1 << (4 * 2 + 1) | 1 << (4 * 3 + 1)
