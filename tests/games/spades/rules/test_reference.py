"""Spades: the engine against the reference, move by move."""

from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.choices import Action
from engine.games.spades import State
from tests.conformance.reference import play_along
from tests.counts import count
from tests.games.spades.hands import GAME, table_of, tiny_deals
from tests.games.spades.reference import Table
from tests.games.spades.subject import setups


def agree(state: State, table: Table) -> None:
    """Both know the same of the deal: who is asked, what they may do, what everybody sees."""
    moves = table.moves()
    assert set(GAME.choices(state, table.turn).actions) == moves
    assert GAME.to_act(state) == ((table.turn,) if moves else ())
    for viewer in (SPECTATOR, *range(4)):
        view = GAME.view(state, viewer)
        seen = {
            name: (sorted(zone.cards) if name.startswith("hand") else list(zone.cards), zone.backs)
            for name, zone in view.zones.items()
        }
        assert seen == table.sees(viewer)
        values = view.values
        assert {seat: values[f"bid/{seat}"] for seat in range(4) if f"bid/{seat}" in values} == (
            table.bids
        )
        assert [seat for seat in range(4) if f"blind/{seat}" in values] == sorted(table.blind)
        assert [values[f"tricks/{seat}"] for seat in range(4)] == list(map(len, table.won))
        assert values["broken"] == table.spade_seen


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


def low(moves: tuple[Action, ...], rng: Random) -> Action:
    """A random move, and of bids mostly a low one, so that contracts and nils are made."""
    return rng.choice(moves[:5] if moves[0].startswith("bid") else moves)


@settings(max_examples=count(25))
@given(setup=setups(), seed=st.integers(0, 2**32), totals=st.tuples(*[st.integers(-300, 400)] * 2))
def test_whole_deals_go_as_the_reference_says(
    setup: Setup, seed: int, totals: tuple[int, int]
) -> None:
    """Deals with every option and any totals before them agree from the first move to the last."""
    rng = Random(seed)
    begun = Setup(4, setup.options, setup.shuffler, totals * 2)
    agree_to_the_end(GAME.start(begun).state, lambda moves: low(moves, rng))
