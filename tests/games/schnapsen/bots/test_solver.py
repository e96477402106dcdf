"""The solver against the engine: a value follows from those of the next positions."""

from collections.abc import Callable
from random import Random
from typing import Any

from bots.schnapsen import open_talon, strict
from bots.schnapsen.solver import Solver
from engine.games.schnapsen import State
from tests.counts import count
from tests.games.schnapsen.bots.positions import (
    GAME,
    decided,
    played_at_random,
    random_setup,
    small_ending,
)
from tests.games.schnapsen.hands import deal

_solvers: dict[object, Solver] = {}


def solved(state: State, size: int = 16) -> int:
    """The solver's value for the seat to move, with one table for all positions."""
    options = state.setup.options
    key = (options["min_talon"], options["freeze"], size)
    if key not in _solvers:
        _solvers[key] = Solver(options, size)
    return _solvers[key].value(state, GAME.choices(state, state.turn).actions)


def best_by_engine(state: State, value: Callable[[State], int]) -> int:
    """The best value of the engine's moves; unfinished states are worth their `value`."""
    me = state.turn
    found = []
    for action in GAME.choices(state, me).actions:
        after = GAME.apply(state, me, action).state
        if after.result:
            score = after.result.score
            found.append(score if after.result.winner == me else -score)
        else:
            found.append(value(after) if after.turn == me else -value(after))
    return max(found)


def minimax(state: State) -> int:
    """The value by exhaustive search with the engine alone."""
    return best_by_engine(state, minimax)


def test_values_follow_from_the_engines_moves() -> None:
    """At positions of random play a value is the best of the values after each legal move.

    The engine makes the moves and ends the deals, so by induction every value is right.
    """
    rng = Random(count(1))
    for _ in range(count(100)):
        state, _ = played_at_random(rng)
        assert solved(state) == best_by_engine(state, solved), state


def test_small_endings_are_worth_what_plain_minimax_says() -> None:
    """The solver's value is that of exhaustive search, despite bounds, table and equal cards."""
    rng = Random(count(2))
    for _ in range(count(60)):
        state = small_ending(rng)
        if not decided(state):
            assert solved(state) == minimax(state), state


def test_the_table_only_makes_it_faster() -> None:
    """With a table of a single position the solver's values do not change."""
    rng = Random(count(3))
    for _ in range(count(15)):
        state, _ = played_at_random(rng)
        assert solved(state, size=0) == solved(state), state


def test_a_table_serves_every_deal() -> None:
    """A table filled by other deals gives the values of a fresh solver."""
    rng = Random(count(4))
    for _ in range(count(10)):
        state, _ = played_at_random(rng)
        fresh = Solver(state.setup.options)
        assert fresh.value(state, GAME.choices(state, state.turn).actions) == solved(state)


def test_a_marriage_that_brings_66_wins_at_once() -> None:
    """With 28 points, announcing 40 ends it; what is led is never answered.

    Without a trick the 40 do not count, and the other takes the rest.
    """
    assert solved(deal("KS QS", "AS TS", trump="S", taken=("AH TH KH QH", "AC TC")).state) == 2
    assert solved(deal("KS QS", "AS TS", trump="S", taken=("", "AC TC AH TH")).state) == -3


def test_kernels_that_call_themselves_have_one_type() -> None:
    """Numba cannot load the code of a recursive kernel that was made for two: it would crash.

    What is loaded has no types to look at, so the types are those the code was kept for.
    """
    solved(GAME.start(random_setup(Random(5))).state)
    kernels: tuple[Any, ...] = (strict.plays_out, open_talon.plays_on)
    for kernel in kernels:
        kept = kernel._cache._cache_file._load_index()
        assert len({types for types, *_ in kept}) == 1
