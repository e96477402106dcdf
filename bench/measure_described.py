"""Hearts as a description, beside the native game with the same rules, in turns.

The described game is measured as searching bots drive it (a `World`) and as tables do (frozen
states, texts and facts); the native one as tables do.
"""

from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import process_time

from bench.figures import Figure, at_most
from bots.lab.games import Source
from bots.lab.plan import RANDOM_PLAYER, SEARCHING_PLAYER, plan_of
from bots.lab.play import play
from bots.random_bot import random_action
from engine import GAMES, AnyGame, Setup, Shuffler, complete_options, seed_from_int
from engine.recycle import Description, games, load

NAME = "Hearts4"
ROUNDS = 3
GAMES_A_ROUND = 100
SEARCHED_GAMES = 5

GAME_LIMIT = 2.0
"""Milliseconds per random game, played as bots do it."""
SEARCH_LIMIT = 0.8
"""Seconds per game in which one seat tries every move in ten playouts."""

Play = Callable[[int], None]


def measure() -> Iterator[Figure]:
    """Milliseconds a game by each way of playing it, and their ratios."""
    text = games.description(NAME)
    described, native = load(text, NAME), GAMES.game("hearts")
    ways: dict[str, Play] = {
        "world": lambda seed: play_world(described, seed),
        "table": lambda seed: play_table(described, seed, {}),
        "native": lambda seed: play_table(native, seed, {"rules": "recycle"}),
    }
    rounds = [{name: milliseconds(way) for name, way in ways.items()} for _ in range(ROUNDS)]
    world, table, own = (median(each[name] for each in rounds) for name in ways)
    yield Figure("described.world", world, "ms/game", at_most(GAME_LIMIT))
    yield Figure("described.table", table, "ms/game")
    yield Figure("described.native", own, "ms/game")
    yield Figure(
        "described.world.ratio", median(e["world"] / e["native"] for e in rounds), "× native"
    )
    yield Figure(
        "described.table.ratio", median(e["table"] / e["native"] for e in rounds), "× native"
    )
    searched = seconds_searched(Source(NAME, text))
    yield Figure("described.search", searched, "s/game", at_most(SEARCH_LIMIT))


def milliseconds(way: Play) -> float:
    """The mean processor time of a game; each round plays the same games."""
    started = process_time()
    for seed in range(GAMES_A_ROUND):
        way(seed)
    return 1000 * (process_time() - started) / GAMES_A_ROUND


def play_world(game: Description, seed: int) -> None:
    """One game at random, without texts, facts and views."""
    rng = Random(seed)
    world = game.world(game.start(setup_of(game, seed, {})).state)
    while world.count:
        world.play(int(rng.random() * world.count))
    world.outcome()


def play_table(game: AnyGame, seed: int, options: dict[str, object]) -> None:
    """One game at random, as a table plays it."""
    rng = Random(seed)
    step = game.start(setup_of(game, seed, options))
    while asked := game.to_act(step.state):
        action = random_action(game.choices(step.state, asked[0]), rng)
        step = game.apply(step.state, asked[0], action)
    game.outcome(step.state)


def setup_of(game: AnyGame, seed: int, options: dict[str, object]) -> Setup:
    """A setup for the usual number of players."""
    seats = game.info.usual_seats
    return Setup(seats, complete_options(game, seats, options), Shuffler(seed_from_int(seed)))


def seconds_searched(source: Source) -> float:
    """The mean processor time of a game with one searching player among random ones."""
    bots = (SEARCHING_PLAYER, *[RANDOM_PLAYER] * 3)
    plan = plan_of(source, bots=bots, games=SEARCHED_GAMES, watched=0)
    play(plan, 0)
    started = process_time()
    for number in range(SEARCHED_GAMES):
        play(plan, number)
    return (process_time() - started) / SEARCHED_GAMES
