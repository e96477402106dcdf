"""What a table keeps of the deal in play so that its only player can take moves back."""

import tracemalloc
from collections.abc import Iterator
from random import Random

from bench.figures import Figure, at_most
from engine import GAMES, AnyGame, Setup, Shuffler, complete_options
from engine.choices import random_action
from engine.recycle import games
from server.games.descriptions import Source, described_id, make_game
from server.table.undo import MOST_STATES, Moment, Moments, after

BUILT_IN = "hearts"
DESCRIBED = ("Cribbage2", "Golf4", "Hearts4", "Rummy2")
TABLE_LIMIT = 1024.0
"""KiB that a table may keep of a deal."""


def measure() -> Iterator[Figure]:
    """Memory for each move, and for a deal of any length."""
    yield from _figures(BUILT_IN, GAMES.game(BUILT_IN))
    for name in DESCRIBED:
        text = games.description(name)
        yield from _figures(name, make_game(Source(described_id(f"{name}.rcy", text), text)))


def _figures(name: str, game: AnyGame) -> Iterator[Figure]:
    kib, moves = kept(game)
    yield Figure(f"undo.{name.lower()}.move", kib / moves, "KiB/move")
    yield Figure(f"undo.{name.lower()}.table", kib, f"KiB, {moves} moves", at_most(TABLE_LIMIT))


def kept(game: AnyGame) -> tuple[float, int]:
    """The KiB of the moments that a table keeps at most in a random deal, and their number."""
    _play(game, Random(1))
    tracemalloc.start()
    try:
        moments = _play(game, Random(2))
        with_moments, _ = tracemalloc.get_traced_memory()
        number = len(moments)
        del moments
        without, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (with_moments - without) / 1024, number


def _play(game: AnyGame, rng: Random) -> Moments:
    """The moments of the longest deal so far when it is long enough, or the match is over."""
    seats = game.info.usual_seats
    setup = Setup(seats, complete_options(game, seats, {}), Shuffler(rng.randbytes(32)))
    step = game.start(setup)
    most = moments = after((), Moment(0, game.to_act(step.state), step.state, step.facts))
    turn = 0
    while (asked := game.to_act(step.state)) and len(most) < MOST_STATES:
        turn += 1
        action = random_action(game.choices(step.state, asked[0]), rng)
        step = game.apply(step.state, asked[0], action)
        moment = Moment(turn, game.to_act(step.state), step.state, step.facts, asked[0])
        moments = after(moments, moment)
        most = max(most, moments, key=len)
    return most
