"""Whist: the engine against the reference, move by move and by perft of tiny deals."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.games.whist import State
from tests.conformance.reference import agree_to_the_end, perft, ways
from tests.counts import count
from tests.games.whist.hands import GAME, deal, table_of, tiny_deals
from tests.games.whist.reference import Table
from tests.games.whist.subject import setups


def agree(state: State, table: Table) -> None:
    """Check that the engine and the reference agree on seats to move, choices and views."""
    moves = table.moves()
    assert set(GAME.choices(state, table.turn).actions) == moves
    assert GAME.to_act(state) == ((table.turn,) if moves else ())
    for viewer in (SPECTATOR, *range(state.setup.seats)):
        view = GAME.view(state, viewer)
        seen = {
            name: (sorted(zone.cards) if name.startswith("hand") else list(zone.cards), zone.backs)
            for name, zone in view.zones.items()
        }
        assert seen == table.sees(viewer)
        assert {view.values.get(f"bid/{seat}") for seat in table.bids} == {*table.bids.values()}
        assert [view.values[f"tricks/{seat}"] for seat in range(state.setup.seats)] == [
            len(won) for won in table.won
        ]


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """Engine and reference agree on tiny deals at every step, and on the scores."""
    agree_to_the_end(
        GAME, state, table_of(state), agree, lambda moves: data.draw(st.sampled_from(moves))
    )


@settings(max_examples=count(15))
@given(setup=setups(), seed=st.integers(0, 2**32))
def test_whole_deals_go_as_the_reference_says(setup: Setup, seed: int) -> None:
    """Engine and reference agree on random deals of every size and option."""
    state = GAME.start(setup).state
    agree_to_the_end(GAME, state, table_of(state), agree, Random(seed).choice)


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
    """The number of ways to play, by depth from 0, is that of brute force over the reference."""
    state = deal(*players, turned=turned, hook=hook).state
    assert [ways(table_of(state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(25))
@given(state=tiny_deals())
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """The engine and brute force over the reference count equal numbers of seven-move sequences."""
    assert perft(GAME, state, 7) == ways(table_of(state), 7)
