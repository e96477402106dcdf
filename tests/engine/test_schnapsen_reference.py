"""Schnapsen: the engine against the reference, move by move."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.games.schnapsen import State
from tests.conformance.schnapsen import setups
from tests.conformance.schnapsen_reference import Table
from tests.counts import count
from tests.engine.schnapsen_hands import GAME, table_of
from tests.engine.schnapsen_tiny import tiny_deals


def agree(state: State, table: Table) -> None:
    """Both know the same of the deal: who is asked, what he may do, what everybody sees."""
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


def agree_on_scores(state: State, table: Table) -> None:
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert list(outcome.scores) == table.scores


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """From any few cards, whatever is done, both agree at every step and on the scores."""
    table = table_of(state)
    agree(state, table)
    while asked := GAME.to_act(state):
        move = data.draw(st.sampled_from(GAME.choices(state, asked[0]).actions))
        state = GAME.apply(state, asked[0], move).state
        table.play(move)
        agree(state, table)
    agree_on_scores(state, table)


@settings(max_examples=count(60))
@given(setup=setups(), seed=st.integers(0, 2**32), bold=st.floats(0, 1))
def test_whole_deals_go_as_the_reference_says(setup: Setup, seed: int, bold: float) -> None:
    """Deals under every option agree to the end, be they closed and claimed early or never."""
    rng = Random(seed)
    state = GAME.start(setup).state
    table = table_of(state)
    while asked := GAME.to_act(state):
        agree(state, table)
        moves = GAME.choices(state, asked[0]).actions
        quiet = [move for move in moves if move not in ("close", "claim")]
        move = rng.choice(moves if rng.random() < bold else quiet)
        state = GAME.apply(state, asked[0], move).state
        table.play(move)
    agree_on_scores(state, table)
