"""The rules alone: moves of random play per second, in one thread, without a server."""

from collections.abc import Iterator
from random import Random
from time import process_time

from bench.figures import Figure
from bots.random_bot import random_action
from engine import GAMES, Setup, Shuffler, complete_options, seed_from_int

SECONDS = 2.0


def measure() -> Iterator[Figure]:
    """Moves per second of each game."""
    for info in GAMES:
        yield Figure(f"engine.{info.id}", moves_per_second(info.id), "moves/s")


def moves_per_second(game_id: str) -> float:
    """Whole matches at the usual table: who acts, what they may do, the move and its facts."""
    game = GAMES.game(game_id)
    seats = game.info.usual_seats
    options = complete_options(game, seats, {})
    rng = Random(1)
    moves = seed = 0
    start = process_time()
    while process_time() - start < SECONDS:
        step = game.start(Setup(seats, options, Shuffler(seed_from_int(seed))))
        seed += 1
        while asked := game.to_act(step.state):
            action = random_action(game.choices(step.state, asked[0]), rng)
            step = game.apply(step.state, asked[0], action)
            moves += 1
    return moves / (process_time() - start)
