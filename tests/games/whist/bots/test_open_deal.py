"""The kernel plays Whist as the engine does."""

from itertools import pairwise
from random import Random

import numpy as np

from bots.whist.knowledge import cards_set
from bots.whist.open_deal import (
    BEST,
    END,
    LEADER,
    START,
    best_card,
    copy_deal,
    legal,
    new_deal,
    over,
    play,
    score,
    take_back,
    turn,
)
from engine.cards import parse_card, parse_cards
from engine.games.whist import State
from tests.counts import count
from tests.games.whist.bots.positions import GAME, open_deal, random_walk


def test_the_kernel_plays_as_the_engine_does() -> None:
    """On random positions turn, legal cards, hands, tricks and scores are the engine's."""
    rng = Random(41)
    compared = 0
    while compared < count(2000):
        states = [state for state, _ in random_walk(rng) if not state.bidding]
        deal = open_deal(states[0])
        for state, after in pairwise(states):
            compared += 1
            actions = GAME.choices(state, state.turn).actions
            texts = " ".join(action.removeprefix("play ") for action in actions)
            assert turn(deal) == state.turn
            assert legal(deal) == cards_set(parse_cards(texts))
            assert play(deal, played(state, after)) == (not after.trick)
            fresh = open_deal(after)
            assert deal.hands.tolist() == fresh.hands.tolist()
            assert deal.taken.tolist() == fresh.taken.tolist()
            assert deal.at.tolist() == fresh.at.tolist()
            assert over(deal) == after.over
        outcome = GAME.outcome(states[-1])
        assert outcome is not None
        made = zip(deal.bids, deal.taken, strict=True)
        assert outcome.scores == tuple(score(bid, tricks, 10) for bid, tricks in made)


def played(before: State, after: State) -> int:
    """The card that left the hand of the player to move."""
    (card,) = {*before.hands[before.turn]} - {*after.hands[before.turn]}
    return card


def test_a_move_taken_back_leaves_no_trace() -> None:
    """Undoing any legal move restores the deal, between tricks too."""
    rng = Random(5)
    for _ in range(count(20)):
        for state, _facts in random_walk(rng):
            if state.bidding or state.over:
                continue
            deal = open_deal(state)
            kept = new_deal(deal.seats, deal.trump, deal.nil_score, 0, 0)
            copy_deal(deal, kept)
            for card in [card for card in range(52) if legal(deal) >> card & 1]:
                play(deal, card)
                take_back(deal, kept.at[LEADER], kept.at[START], kept.at[BEST])
                assert deal.at.tolist() == kept.at.tolist()
                assert deal.hands.tolist() == kept.hands.tolist()
                assert deal.taken.tolist() == kept.taken.tolist()


def test_the_best_card_of_a_trick_is_known_while_it_lies() -> None:
    """In the trick a trump beats the suit led, a higher trump beats it, a discard beats nothing."""
    deal = new_deal(4, 2, 10, 1, 0)
    order = ("KC", "2S", "AH", "5S")
    for place, token in enumerate(order):
        deal.hands[(1 + place) % 4] = 1 << parse_card(token) | 1 << parse_card("2D") + place
    assert best_card(deal) == -1
    best = []
    for token in order[:3]:
        play(deal, parse_card(token))
        best.append(best_card(deal))
    assert best == list(parse_cards("KC 2S 2S"))
    assert play(deal, parse_card("5S"))
    assert deal.at[LEADER] == 0
    assert deal.at[START] == deal.at[END] == 4
    assert np.array_equal(deal.taken, [1, 0, 0, 0])


def test_a_nil_bid_made_scores_what_the_table_says() -> None:
    """A bid of none made scores the option's bonus; other exact bids score ten."""
    assert [score(0, 0, 5), score(2, 2, 5), score(0, 1, 5), score(3, 2, 5)] == [5, 12, 1, 2]
