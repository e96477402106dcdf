"""Hearts: the engine against the reference, move by move and by perft of tiny deals."""

import copy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Choices, Setup
from engine.choices import random_action
from engine.games.hearts import State
from tests.conformance.reference import every_action, perft
from tests.counts import count
from tests.games.hearts.hands import GAME, deal, table_of, tiny_deals
from tests.games.hearts.reference import Table
from tests.games.hearts.subject import setups


def agree(state: State, table: Table) -> None:
    """Check that the engine and the reference agree on seats to move, choices and views."""
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
    """Engine and reference agree on tiny deals, whatever is passed and played in any order."""
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
    """Engine and reference agree on random whole deals of any number and option."""
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


def ways(table: Table, depth: int) -> int:
    """The number of move sequences, by brute force on copies of the reference."""
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
    """The number of ways to play, by depth from 0, is that of brute force over the reference."""
    state = deal(*players, shift=shift, rules=rules).state
    assert [ways(table_of(state), depth) for depth in range(len(counts))] == counts
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(25))
@given(state=tiny_deals().filter(lambda state: not state.shift))
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """The engine and brute force over the reference count equal numbers of six-move sequences."""
    assert perft(GAME, state, 6) == ways(table_of(state), 6)
