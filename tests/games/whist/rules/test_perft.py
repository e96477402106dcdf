"""Whist: counts of all the ways to bid and to play tiny deals."""

import pytest
from hypothesis import given, settings

from engine.games.whist import State
from tests.conformance.perft import perft, ways
from tests.counts import count
from tests.games.whist.hands import GAME, deal, table_of, tiny_deals


@pytest.mark.parametrize(
    ("players", "turned", "hook", "counts"),
    [
        # One card: the dealer has one bid after 0 0, 0 1 and 1 0, and two after 1 1.
        (["2C", "3C", "4C"], "9S", True, [1, 2, 4, 5, 5, 5, 5]),
        (["2C", "3C", "4C"], "9S", False, [1, 2, 4, 8, 8, 8, 8]),
        # Nothing but throwing away: 2 * 2 * 2 ways to play after each of the bids.
        (
            ["2C 3C", "2D 3D", "2H 3H"],
            "9S",
            True,
            [1, 3, 9, 21, 42, 84, 168, 168, 168, 168],
        ),
        # After the ace both follow; the second may trump the two or not, the third follows.
        (["AC 2D", "KC 3S", "5D 9C"], "9S", True, [1, 3, 9, 21, 42, 63, 63, 63, 63, 63]),
        # The same with a fourth, who has one or two cards to choose from.
        (
            ["AC 2D", "KC 3S", "5D 9C", "TS 9D"],
            "2S",
            False,
            [1, 3, 9, 27, 81, 162, 243, 243, 324, 324, 324, 324, 324],
        ),
    ],
)
def test_tiny_deals_can_be_played_in_so_many_ways(
    players: list[str], turned: str, hook: bool, counts: list[int]
) -> None:
    """The counts by depth, 0 first, are what a brute force over the reference finds."""
    state = deal(*players, turned=turned, hook=hook).state
    assert [ways(table_of(state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(25))
@given(state=tiny_deals())
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """Engine and brute force count the same sequences of seven moves."""
    assert perft(GAME, state, 7) == ways(table_of(state), 7)
