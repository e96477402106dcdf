"""Black Queen: the engine against the reference, card by card."""

from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.choices import Action
from engine.games.black_queen import State
from tests.conformance.reference import play_along
from tests.counts import count
from tests.games.black_queen.hands import GAME, table_of
from tests.games.black_queen.reference import Table
from tests.games.black_queen.subject import setups
from tests.games.black_queen.tiny import tiny_deals


def agree(state: State, table: Table) -> None:
    """Both agree about the deal: the seats asked, their choices, what everybody sees."""
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


def agree_to_the_end(state: State, pick: Callable[[tuple[Action, ...]], Action]) -> None:
    """At every step, and on the scores."""
    table = table_of(state)
    outcome = GAME.outcome(play_along(GAME, state, table, agree, pick))
    assert outcome is not None
    assert list(outcome.scores) == table.scores()


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """From any few cards, whatever is played, both agree at every step and on the scores."""
    agree_to_the_end(state, lambda moves: data.draw(st.sampled_from(moves)))


@settings(max_examples=count(15))
@given(setup=setups(), seed=st.integers(0, 2**32))
def test_whole_deals_go_as_the_reference_says(setup: Setup, seed: int) -> None:
    """Deals of every size and option, played at random, agree from the first card to the last."""
    agree_to_the_end(GAME.start(setup).state, Random(seed).choice)
