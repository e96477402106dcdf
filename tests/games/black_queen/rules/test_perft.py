"""Black Queen: counts of all the ways to play tiny deals."""

import pytest
from hypothesis import given, settings

from engine.games.black_queen import State
from tests.conformance.perft import perft, ways
from tests.counts import count
from tests.games.black_queen.hands import GAME, deal, table_of
from tests.games.black_queen.tiny import tiny_deals


@pytest.mark.parametrize(
    ("players", "leader", "counts"),
    [
        # Nothing but following.
        (["2C 5C 3D 9D", "3C 4C 2D AD"], 0, [1, 4, 8, 24, 40, 80, 96, 96]),
        # Equal cards, so that equal moves count once.
        (["QS QS 2H", "KS 2H 2H", "AS AS 3C"], 2, [1, 2, 3, 5, 6, 7, 7]),
        # Cards come to light on the way.
        (
            ["2C 5H | QS/2H 9C/QS", "3C KH | AS/4C 4C/AH"],
            1,
            [1, 4, 6, 22, 29, 91, 136, 349, 528, 980, 1298],
        ),
    ],
)
def test_tiny_deals_can_be_played_in_so_many_ways(
    players: list[str], leader: int, counts: list[int]
) -> None:
    """The counts by depth, 0 first, are what a brute force over the reference finds."""
    state = deal(*players, leader=leader).state
    assert [ways(table_of(state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(25))
@given(state=tiny_deals())
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """Engine and brute force count the same sequences of five cards."""
    assert perft(GAME, state, 5) == ways(table_of(state), 5)
