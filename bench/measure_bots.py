"""How long a bot thinks about a move, by strength."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

from bench.figures import Figure
from bots import make_bot, strengths
from bots.arena import Thinking, play_once
from engine import GAMES, Setup, Shuffler, complete_options, seed_from_int

SECONDS = 2.0


def measure() -> Iterator[Figure]:
    for info in GAMES:
        for strength in strengths(info.id):
            name = f"bots.{info.id}.{strength}"
            yield Figure(name, milliseconds_a_move(info.id, strength), "ms/move")


def milliseconds_a_move(game_id: str, strength: int) -> float:
    """The mean over whole deals at the usual table, every seat played by such a bot."""
    game = GAMES.game(game_id)
    seats = game.info.usual_seats
    options = complete_options(game, seats, {})
    rng = Random(1)
    thinking = Thinking()
    seed = 0
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        setup = Setup(seats, options, Shuffler(seed_from_int(seed)))
        bots = [make_bot(game_id, strength) for _ in range(seats)]
        played = play_once(game, setup, bots, [rng] * seats)
        thinking = sum(played.thinking, thinking)
        seed += 1
    return thinking.milliseconds_a_move
