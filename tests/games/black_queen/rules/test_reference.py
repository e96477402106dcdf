"""Black Queen: the engine against the reference, move by move and by perft of tiny deals."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.games.black_queen import State
from tests.conformance.reference import agree_to_the_end, perft, ways
from tests.counts import count
from tests.games.black_queen.hands import GAME, deal, table_of, tiny_deals
from tests.games.black_queen.reference import Table
from tests.games.black_queen.subject import setups


def agree(state: State, table: Table) -> None:
    """Check that the engine and the reference agree on seats to move, choices and views."""
    asked = GAME.to_act(state)
    moves = set(GAME.choices(state, table.turn).actions)
    assert moves == table.moves()
    assert asked == ((table.turn,) if moves else ())
    for viewer in (SPECTATOR, *range(state.setup.seats)):
        view = GAME.view(state, viewer)
        seen = {
            name: (sorted(zone.cards) if name.startswith("hand") else list(zone.cards), zone.backs)
            for name, zone in view.zones.items()
        }
        assert seen == table.sees(viewer)


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """The engine and the reference agree at every step of random tiny deals, and on the scores."""
    agree_to_the_end(
        GAME, state, table_of(state), agree, lambda moves: data.draw(st.sampled_from(moves))
    )


@settings(max_examples=count(15))
@given(setup=setups(), seed=st.integers(0, 2**32))
def test_whole_deals_go_as_the_reference_says(setup: Setup, seed: int) -> None:
    """The engine and the reference agree on random whole deals of every size and option."""
    state = GAME.start(setup).state
    agree_to_the_end(GAME, state, table_of(state), agree, Random(seed).choice)


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
    """The number of ways to play, by depth from 0, is that of brute force over the reference."""
    state = deal(*players, leader=leader).state
    assert [ways(table_of(state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(25))
@given(state=tiny_deals())
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """The engine and brute force over the reference count equal numbers of five-card sequences."""
    assert perft(GAME, state, 5) == ways(table_of(state), 5)
