"""Hearts: the engine against the reference, move by move."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Choices, Setup
from engine.choices import random_action
from engine.games.hearts import State
from tests.conformance.perft import every_action
from tests.counts import count
from tests.games.hearts.hands import GAME, table_of, tiny_deals
from tests.games.hearts.reference import Table
from tests.games.hearts.subject import setups


def agree(state: State, table: Table) -> None:
    """Both agree about the deal: the seats asked, their choices, what everybody sees."""
    assert GAME.to_act(state) == tuple(table.asked())
    for seat in range(4):
        choices = GAME.choices(state, seat)
        assert bool(choices) == (seat in table.asked())
        assert set(every_action(choices)) == table.moves(seat)
    for viewer in (SPECTATOR, *range(4)):
        view = GAME.view(state, viewer)
        seen = {
            name: (
                sorted(zone.cards) if name[0] in "hp" else list(zone.cards),
                zone.backs,
            )
            for name, zone in view.zones.items()
        }
        assert seen == table.sees(viewer)
        assert view.values["broken"] == table.broken
        assert [view.values[f"points/{seat}"] for seat in range(4)] == table.points()


def drawn(choices: Choices, data: st.DataObject) -> str:
    return data.draw(st.sampled_from(list(every_action(choices))))


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """From any few cards, whatever is passed and played, in whatever order, both agree."""
    table = table_of(state)
    agree(state, table)
    while asked := GAME.to_act(state):
        seat = data.draw(st.sampled_from(asked))
        move = drawn(GAME.choices(state, seat), data)
        state = GAME.apply(state, seat, move).state
        table.play(seat, move)
        agree(state, table)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert list(outcome.scores) == table.scores()


@settings(max_examples=count(25))
@given(setup=setups(), seed=st.integers(0, 2**32), number=st.integers(0, 7))
def test_whole_deals_go_as_the_reference_says(setup: Setup, seed: int, number: int) -> None:
    """Deals of any number and option, played at random, agree from the first move to the last."""
    rng = Random(seed)
    state = GAME.start(Setup(4, setup.options, setup.shuffler.of_deal(number))).state
    table = table_of(state)
    while asked := GAME.to_act(state):
        seat = rng.choice(asked)
        agree(state, table)
        move = random_action(GAME.choices(state, seat), rng)
        state = GAME.apply(state, seat, move).state
        table.play(seat, move)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert list(outcome.scores) == table.scores()
