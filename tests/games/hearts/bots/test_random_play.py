"""Random play in bit lists against the engine, the first trick's rules included."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from bots.hearts.open_deal import STANDARD, TAKEN
from bots.hearts.random_play import new_lists, opening_card, play_at_random, random_deals, take_up
from bots.search.draws import draws_from
from engine.cards import CLUBS, card_text
from engine.games.hearts import State
from engine.games.hearts.cards import points
from tests.counts import count
from tests.games.hearts.bots.positions import GAME, laid_out, open_deal_of

ENDINGS = (
    laid_out(("2C AH", "KC QS", "3H 4H", "2D AC")),
    laid_out(("QS 5D", "AS 2H", "KS 3D", "4D 5H"), trick="", leader=2),
    laid_out(("5D 6H", "QS 2H 9C", "KS 3D 8C", "4D 5H 7D"), trick="TD", leader=0),
    laid_out(("5C 6H 2S", "QS 2H 9C", "KS 3D 8C", "4D 5H 7D"), rules="recycle", leader=3),
)


def expected_points(state: State) -> tuple[Fraction, ...]:
    """Each seat's exact expected points if all play random legal cards."""
    if state.over:
        return tuple(Fraction(points(pile)) for pile in state.taken)
    actions = GAME.choices(state, state.turn).actions
    after = [expected_points(GAME.apply(state, state.turn, action).state) for action in actions]
    return tuple(sum(column, Fraction()) / len(after) for column in zip(*after, strict=True))


@pytest.mark.parametrize("state", ENDINGS)
def test_endings_are_worth_what_trying_everything_says(state: State) -> None:
    """The mean of many random endings is the exact one, within five standard errors."""
    tries = count(4000)
    seed, lists, start = np.uint64(7), new_lists(), open_deal_of(state)
    taken = np.zeros((tries, 4))
    for row in taken:
        deal = start.copy()
        take_up(deal, lists)
        seed = np.uint64(play_at_random(deal, lists, seed))
        row[:] = deal[TAKEN : TAKEN + 4]
    exact = np.array([float(mean) for mean in expected_points(state)])
    errors = taken.std(axis=0) / tries**0.5
    assert np.all(np.abs(taken.mean(axis=0) - exact) <= 5 * errors + 1e-9)


def test_every_deal_counts_26() -> None:
    """The points of whole deals add up, and no seat is favoured if chance decides who leads."""
    deals = count(4000)
    taken = np.zeros(4, np.int64)
    random_deals(deals, STANDARD, draws_from(Random(3)), taken)
    assert taken.sum() == 26 * deals
    # A seat's points deviate by less than 8 a deal.
    assert np.all(np.abs(taken / deals - 6.5) < 5 * 8 / deals**0.5)


OPENINGS = (
    ("2H 3H QS", {"2H", "3H", "QS"}),
    ("2H 3D QS 5S", {"3D", "5S"}),
    ("QS 5S 6S", {"5S", "6S"}),
)


@pytest.mark.parametrize(("hand", "may"), OPENINGS)
def test_no_point_is_played_to_the_first_trick_unless_it_must(hand: str, may: set[str]) -> None:
    """The second player's legal cards come up equally often in the first trick, and no others."""
    tries = count(3000)
    state = laid_out(("", hand, "", ""), trick="2C")
    lists, rng = new_lists(), Random(2)
    take_up(open_deal_of(state), lists)
    first: Counter[str] = Counter()
    for _ in range(tries):
        suit, at = opening_card(lists, 1, CLUBS, np.uint64(rng.getrandbits(32)))
        first[card_text(int(lists.cards[1, suit, at]))] += 1
    assert set(first) == may
    share = tries / len(may)
    assert all(abs(times - share) <= 5 * share**0.5 for times in first.values())
