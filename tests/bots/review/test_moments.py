"""The decisions of a seat, found while a match is played."""

from random import Random

import pytest

from engine import GAMES, Setup, Shuffler, complete_options, seed_from_int
from tests.conformance.playing import play
from tests.conformance.reviewing import moments

TRICKS = {"black_queen": 26, "hearts": 13, "schnapsen": 10, "spades": 13, "whist": 10}
"""The most tricks of a deal of four, of two at Schnapsen."""


@pytest.mark.parametrize("game", sorted(TRICKS))
def test_cards_are_counted_by_tricks(game: str) -> None:
    """A card is played to the tricks of its deal in order; bids, passes and claims to none."""
    match = GAMES.game(game)
    seats = 2 if game == "schnapsen" else 4
    options = complete_options(match, seats, {})
    setup = Setup(seats, options, Shuffler(seed_from_int(3)))
    found = list(moments(match, play(match, setup, Random(3)), 0))
    cards = [each for each in found if each.action.startswith(("play ", "marry "))]
    assert all(each.trick == 0 for each in found if each not in cards)
    in_first = [each.trick for each in cards if each.deal == 1]
    assert in_first == sorted(set(in_first))
    assert in_first[0] >= 1
    assert 1 < in_first[-1] <= TRICKS[game]
