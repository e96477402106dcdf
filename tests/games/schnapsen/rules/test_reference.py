"""Schnapsen: the engine against the reference, move by move and by perft of tiny deals."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.choices import Action
from engine.games.schnapsen import State
from tests.conformance.reference import perft, play_along, ways
from tests.counts import count
from tests.games.schnapsen.hands import GAME, Hands, deal, table_of, tiny_deals
from tests.games.schnapsen.reference import Table
from tests.games.schnapsen.subject import setups


def agree(state: State, table: Table) -> None:
    """Check that the engine and the reference agree on seats to move, choices and views."""
    asked = GAME.to_act(state)
    assert bool(asked) == (table.scores is None)
    if asked:
        assert asked == (table.turn,)
        offered = GAME.choices(state, table.turn).actions
        assert set(offered) == table.moves()
        assert len(set(offered)) == len(offered)
    assert [state.points(seat) for seat in range(2)] == [table.points(seat) for seat in range(2)]
    for viewer in (SPECTATOR, 0, 1):
        view = GAME.view(state, viewer)
        own = f"hand/{viewer}"
        seen = {
            name: (sorted(zone.cards) if name == own else list(zone.cards), zone.backs)
            for name, zone in view.zones.items()
        }
        assert seen == table.sees(viewer)


def agree_to_the_end(state: State, pick: Callable[[tuple[Action, ...]], Action]) -> None:
    """Check that the engine and the reference agree at every step, and on the scores."""
    table = table_of(state)
    outcome = GAME.outcome(play_along(GAME, state, table, agree, pick))
    assert outcome is not None
    assert list(outcome.scores) == table.scores


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """Engine and reference agree on tiny deals at every step, and on the scores."""
    agree_to_the_end(state, lambda moves: data.draw(st.sampled_from(moves)))


@settings(max_examples=count(60))
@given(setup=setups(), seed=st.integers(0, 2**32), bold=st.floats(0, 1))
def test_whole_deals_go_as_the_reference_says(setup: Setup, seed: int, bold: float) -> None:
    """Engine and reference agree on random deals under every option, closed and claimed or not."""
    rng = Random(seed)

    def pick(moves: tuple[Action, ...]) -> Action:
        quiet = [move for move in moves if move not in ("close", "claim")]
        return rng.choice(moves if rng.random() < bold else quiet)

    agree_to_the_end(GAME.start(setup).state, pick)


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
    """The number of ways to play, by depth from 0, is that of brute force over the reference."""
    assert [ways(table_of(hands.state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, hands.state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(20))
@given(state=tiny_deals())
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """The engine and brute force over the reference count equal numbers of four-move sequences."""
    assert perft(GAME, state, 4) == ways(table_of(state), 4)
