"""How long a bot thinks about a move, by game and strength, with its budget at a table."""

from collections.abc import Iterator
from itertools import count
from random import Random
from time import perf_counter

from bench.figures import Figure, at_most
from bots import make_bot, strengths
from bots.arena import Thinking, arrange, play_once, warm
from bots.roster import MOVE_LIMITS
from engine import GAMES, Setup, Shuffler, seed_from_int

SECONDS = 2.0


def measure() -> Iterator[Figure]:
    """Milliseconds a move, for each strength of each game."""
    for info in GAMES:
        for strength in strengths(info.id):
            spent = milliseconds_a_move(info.id, strength)
            limit = at_most(MOVE_LIMITS[info.id]) if info.id in MOVE_LIMITS else None
            yield Figure(f"bots.{info.id}.{strength}", spent, "ms/move", limit)


def milliseconds_a_move(game: str, strength: int) -> float:
    """The mean over whole deals at the usual table, every seat played by such a bot.

    If the deals of a match differ, they are played in turn. Work that is done once, such as
    loading and compiling, does not count.
    """
    contest = arrange(game, (strength, strength), seed=1)
    bot, rng = make_bot(game, strength), Random(1)
    warm(game, bot)
    thinking = Thinking()
    end = perf_counter() + SECONDS
    for deal in count():
        shuffler = Shuffler(seed_from_int(deal), contest.numbers[deal % len(contest.numbers)])
        setup = Setup(contest.seats, contest.options, shuffler)
        played = play_once(GAMES.game(game), setup, [bot] * contest.seats, [rng] * contest.seats)
        thinking = sum(played.thinking, thinking)
        if perf_counter() >= end:
            break
    return thinking.milliseconds_a_move
