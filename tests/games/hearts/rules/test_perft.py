"""Hearts: counts of all the ways to pass and to play tiny deals."""

import copy

import pytest
from hypothesis import given, settings

from engine.games.hearts import State
from tests.conformance.perft import perft
from tests.counts import count
from tests.games.hearts.hands import GAME, deal, table_of, tiny_deals
from tests.games.hearts.reference import Table


def ways(table: Table, depth: int) -> int:
    """Sequences of moves by brute force: each move is made on a copy of the reference."""
    asked = table.asked() if depth else []
    total = 0
    for player in asked:
        for move in table.moves(player):
            after = copy.deepcopy(table)
            after.play(player, move)
            total += ways(after, depth - 1)
    return total if asked else 1


@pytest.mark.parametrize(
    ("players", "shift", "rules", "counts"),
    [
        # Nobody has a club but the leader, and penalty cards stay in hand where others are there.
        (
            ["2C 5H", "3D QS", "4H 6H", "7D 8D"],
            0,
            "standard",
            [1, 1, 1, 2, 4, 4, 4, 4, 4],
        ),
        # By the other rules everything may be thrown away, and seat 0 leads no heart.
        (
            ["2C 5H", "3D QS", "4H 6H", "7D 8D"],
            0,
            "recycle",
            [1, 1, 2, 4, 8, 8, 8, 8, 8],
        ),
        # Three cards each leave no choice of what to pass, but one of the order: 4!.
        (
            ["2C 3C 4C", "2D 3D 4D", "2S 3S QS", "2H 3H 4H"],
            1,
            "standard",
            [1, 4, 12, 24, 24, 24, 72, 144],
        ),
        # Four ways of passing each, in any order.
        (
            ["2C 3C 4C AC", "2D 3D 4D AD", "2S 3S QS AS", "2H 3H 4H AH"],
            2,
            "standard",
            [1, 16, 192, 1536],
        ),
    ],
)
def test_tiny_deals_can_be_played_in_so_many_ways(
    players: list[str], shift: int, rules: str, counts: list[int]
) -> None:
    """The counts by depth, 0 first, are what a brute force over the reference finds."""
    state = deal(*players, shift=shift, rules=rules).state
    assert [ways(table_of(state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(25))
@given(state=tiny_deals().filter(lambda state: not state.shift))
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """Engine and brute force count the same sequences of six cards."""
    assert perft(GAME, state, 6) == ways(table_of(state), 6)
