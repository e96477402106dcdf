"""Whist: the engine against the reference, move by move."""

from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.choices import Action
from engine.games.whist import State
from tests.conformance.reference import play_along
from tests.counts import count
from tests.games.whist.hands import GAME, table_of, tiny_deals
from tests.games.whist.reference import Table
from tests.games.whist.subject import setups


def agree(state: State, table: Table) -> None:
    """Both agree about the deal: the seats asked, their choices, what everybody sees."""
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


def agree_to_the_end(state: State, pick: Callable[[tuple[Action, ...]], Action]) -> None:
    """At every step, and on the scores."""
    table = table_of(state)
    outcome = GAME.outcome(play_along(GAME, state, table, agree, pick))
    assert outcome is not None
    assert list(outcome.scores) == table.scores()


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """From any few cards, whatever is bid and played, both agree at every step and on the score."""
    agree_to_the_end(state, lambda moves: data.draw(st.sampled_from(moves)))


@settings(max_examples=count(15))
@given(setup=setups(), seed=st.integers(0, 2**32))
def test_whole_deals_go_as_the_reference_says(setup: Setup, seed: int) -> None:
    """Deals of every size and option, played at random, agree from the first bid to the last."""
    agree_to_the_end(GAME.start(setup).state, Random(seed).choice)
