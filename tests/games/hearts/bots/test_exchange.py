"""Passing in the kernels: cards go where the engine sends them, and the heuristics are sound."""

from random import Random

import pytest

from bots.hearts.exchange import exchange
from bots.hearts.lay_out import ints, set_of
from bots.hearts.open_deal import HAND, TURN
from bots.hearts.passing import PASS_WEIGHTS, careful_pass, likely_passes
from bots.search.draws import draws_from
from engine.cards import HEARTS, deck, parse_cards, rank_of, suit_of
from engine.games.hearts.cards import pass_text
from tests.counts import count
from tests.games.hearts.bots.positions import GAME, cards_in, open_deal_of, started


@pytest.mark.parametrize("number", range(3))
def test_cards_go_where_the_engine_sends_them(number: int) -> None:
    """For every direction and any passes the kernel has the engine's hands and leader."""
    rng = Random(number)
    for _ in range(count(20)):
        state, _ = started(rng, number)
        deal = open_deal_of(state)
        passed = [tuple(sorted(rng.sample(hand, 3))) for hand in state.hands]
        exchange(deal, ints(map(set_of, passed)), state.shift)
        for seat, cards in enumerate(passed):
            state = GAME.apply(state, seat, pass_text(cards)).state
        assert tuple(cards_in(int(deal[HAND + seat])) for seat in range(4)) == state.hands
        assert deal[TURN] == state.turn


@pytest.mark.parametrize(
    ("hand", "passed"),
    [
        ("2C 3C 4C 5C 2D 3D 4D 5D QS AS 2H 3H KH", "QS AS"),
        ("2C 3C 4C 5C 2D 3D 4D AD KD QD 2H 3H 4H", "QD KD AD"),
        ("AC KC QC 2S 3S 4S 5S 6S QS 2H 3H 4H 5H", "QC KC AC"),
    ],
    ids=[
        "spades from the queen up without cover",
        "what voids nothing but is high",
        "not a guarded queen",
    ],
)
def test_what_is_dangerous_goes(hand: str, passed: str) -> None:
    """High unguarded spades and high cards are passed; ♠Q with five other spades may stay."""
    chosen = careful_pass(set_of(parse_cards(hand)), PASS_WEIGHTS, draws_from(Random(1)))
    assert set(parse_cards(passed)) <= set(cards_in(chosen))


def test_the_passes_to_search_are_few_and_different() -> None:
    """The searched passes are limited, different, and include the three lowest for a moon."""
    rng = Random(2)
    for most in (2, 16):
        hand = tuple(sorted(rng.sample(deck(), 13)))
        passes = likely_passes(hand, most)
        assert len(passes) == len(set(passes)) <= most
        assert all(set(cards) <= set(hand) and len(set(cards)) == 3 for cards in passes)
        lowest = sorted(rank_of(card) for card in hand if suit_of(card) != HEARTS)[:3]
        assert any(sorted(map(rank_of, cards)) == lowest for cards in passes)
