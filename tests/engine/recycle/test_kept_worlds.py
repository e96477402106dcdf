"""A cached world plays exactly as one rebuilt from the stored state."""

import gc
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.choices import random_action
from engine.errors import EngineError
from engine.facts import OPEN, SPECTATOR
from engine.parts import in_parts
from engine.recycle import Description, load
from engine.recycle.games import description, names
from engine.recycle.kept_worlds import KeptWorlds
from engine.recycle.state import State
from tests.counts import count
from tests.engine.recycle.running.playing import described
from tests.engine.recycle.small_games import started
from tests.engine.recycle.test_description import HIDDEN, RICH

MOST = 3
"""So few worlds are kept here that many a state has to be thawed after all."""


class Pair(NamedTuple):
    """One game that caches worlds beside one that rebuilds a world for every call."""

    keeping: Description
    thawing: Description


@cache
def pair(name: str) -> Pair:
    """One of our games as a pair; without a name, a game that uses every kind of fact."""
    keeping, thawing = (
        load(description(name), name) if name else described(*RICH, setup=HIDDEN) for _ in range(2)
    )
    keeping._worlds = KeptWorlds(MOST)
    thawing._worlds = KeptWorlds(0)
    return Pair(keeping, thawing)


class Table(RuleBasedStateMachine):
    """A table at which moves are made, refused, undone, and lost before they are stored."""

    @initialize(name=st.sampled_from(["", *names()]), seed=st.integers(0, 100))
    def deal(self, name: str, seed: int) -> None:
        self.games = pair(name)
        self.rng = Random(seed)
        one, two = (started(game, seed) for game in self.games)
        assert one == two
        self.states: list[tuple[State, State]] = [(one.state, two.state)]

    @rule(times=st.integers(1, 8))
    def move(self, times: int) -> None:
        for _ in range(times):
            if self.states[-1][0].asked:
                self.states.append(self.played())

    @rule()
    def lose(self) -> None:
        """Lose a move that is not stored yet: the state before it still stands."""
        if self.states[-1][0].asked:
            self.played()

    @rule(at=st.integers(0, 100))
    def take_back(self, at: int) -> None:
        del self.states[1 + at % len(self.states) :]

    @rule(back=st.integers(1, 9))
    def look_back(self, back: int) -> None:
        """Look at an earlier state of the table, then go on from the present one."""
        self.look(*self.states[-min(back, len(self.states))])

    @rule(
        seat=st.integers(0, 4), action=st.sampled_from(["play QS", "pass", "Play  QS", "play ? 9"])
    )
    def refuse(self, seat: int, action: str) -> None:
        """Try a random move: both games refuse it in equal words, or both accept it."""
        told: list[object] = []
        for game, state in zip(self.games, self.states[-1], strict=True):
            try:
                told.append(("made", game.apply(state, seat, action)))
            except EngineError as error:
                told.append((str(error), getattr(error, "phrase", None)))
        assert told[0] == told[1]

    @invariant()
    def is_the_same(self) -> None:
        if hasattr(self, "states"):
            self.look(*self.states[-1])

    def played(self) -> tuple[State, State]:
        now = self.states[-1]
        seat = self.rng.choice(now[0].asked)
        action = random_action(self.games.thawing.choices(now[1], seat), self.rng)
        one, two = (
            game.apply(state, seat, action) for game, state in zip(self.games, now, strict=True)
        )
        assert one == two
        return one.state, two.state

    def look(self, one: State, two: State) -> None:
        """Compare everything that both games say of a state, some of it out of order."""
        keeping, thawing = self.games
        assert one == two
        for seat in self.rng.sample(range(-1, 5), 6):
            choices = keeping.choices(one, seat)
            assert choices == thawing.choices(two, seat)
            assert in_parts(keeping, one, seat, choices) == in_parts(thawing, two, seat, choices)
        for viewer in (OPEN, SPECTATOR, *range(keeping.program.players)):
            view, other = keeping.view(one, viewer), thawing.view(two, viewer)
            # In the same order, too: that is how they are encoded.
            assert repr(view) == repr(other)
        assert keeping.outcome(one) == thawing.outcome(two)
        assert len(keeping._worlds) <= MOST


Table.TestCase.settings = settings(max_examples=count(12), stateful_step_count=20, deadline=None)
TestTable = Table.TestCase


def test_the_next_move_goes_on_in_the_world_of_the_last() -> None:
    """A move continues in the cached world of the last move, and so do its facts."""
    game = load(description("Hearts4"), "Hearts4")
    state, rng = started(game).state, Random(1)
    kept = game._worlds.get(state)
    assert kept is not None
    for _ in range(5):
        seat = state.asked[0]
        choices = in_parts(game, state, seat, game.choices(state, seat))
        game.view(state, seat)
        state = game.apply(state, seat, random_action(choices, rng)).state
        now = game._worlds.get(state)
        assert now is not None
        assert now.world is kept.world
        assert not now.world.state.log


def test_a_state_may_be_gone_on_from_twice() -> None:
    """Two moves from one state give two right states, although the world went with the first."""
    game = load(description("Hearts4"), "Hearts4")
    state = started(game).state
    one, two = game.choices(state, state.asked[0]).actions[:2]
    first = game.apply(state, state.asked[0], one)
    second = game.apply(state, state.asked[0], two)
    assert first == game.apply(state, state.asked[0], one)
    assert second == game.apply(state, state.asked[0], two)
    assert game.view(first.state, OPEN) != game.view(second.state, OPEN)


@pytest.mark.parametrize("tables", [2, 300])
def test_worlds_are_kept_for_the_last_states_that_still_exist(tables: int) -> None:
    """Worlds are cached only for the latest states that still exist."""
    game = load(description("Agram2"), "Agram2")
    states = [started(game, seed).state for seed in range(tables)]
    assert len(game._worlds) == min(tables, 256)
    assert (game._worlds.get(states[0]) is None) is (tables > 256)
    del states
    gc.collect()
    assert not len(game._worlds)
