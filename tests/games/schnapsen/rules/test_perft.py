"""Schnapsen: counts of all the ways to play tiny deals."""

import pytest
from hypothesis import given, settings

from engine.games.schnapsen import State
from tests.conformance.perft import perft, ways
from tests.counts import count
from tests.games.schnapsen.hands import GAME, Hands, deal, table_of
from tests.games.schnapsen.tiny import tiny_deals


@pytest.mark.parametrize(
    ("hands", "counts"),
    [
        # Nothing to draw: following, beating, trumping.
        (deal("KS QS AH", "TS AS TH", trump="H"), [1, 5, 9, 20, 24, 24]),
        # Drawing, exchanging, closing and a marriage.
        (deal("JD QS KS", "AS AH QD", talon="KD TS JC | TD"), [1, 7, 26, 101, 333, 908, 1751]),
        # The same where players claim.
        (
            deal("QS KS", "AS AH", talon="KD | TD", taken=("AC TC", ""), claim="manual"),
            [1, 6, 14, 26, 36, 46, 56, 66, 74, 74],
        ),
    ],
)
def test_tiny_deals_can_be_played_in_so_many_ways(hands: Hands, counts: list[int]) -> None:
    """The counts by depth, 0 first, are what a brute force over the reference finds."""
    assert [ways(table_of(hands.state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, hands.state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(20))
@given(state=tiny_deals())
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """Engine and brute force count the same sequences of four moves."""
    assert perft(GAME, state, 4) == ways(table_of(state), 4)
