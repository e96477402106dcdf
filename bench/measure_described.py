"""Hearts as a description, beside the native game with the same rules, in turns.

The described game is measured as searching bots drive it (a `World`), as rules (frozen states,
texts and facts), and as tables where people sit do, whose clients want every choice in words and
parts; the native one as rules. Rummy, whose melds are indexed piles, and a game with many such
piles are measured as bots drive them.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
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
from protocol.features import FEATURES
from server.games.descriptions import WORK, GameSource, described_id, make_game
from server.table.choices_told import choices_told

NAME = "Hearts4"
ROUNDS = 3
GAMES_A_ROUND = 100
SEARCHED_GAMES = 5
HOSTILE_MOVES = 4

GAME_LIMIT = 2.0
"""Milliseconds per random game, played as bots do it."""
RUMMY = "Rummy2"
RUMMY_LIMIT = 5.0
"""The same for Rummy, which looks at every meld for every card."""
MOVE_LIMIT = 2.0
"""Milliseconds of processor time for a move of the dearest of our games, where people sit."""
SEATED_LIMIT = 25.0
"""A move of Hearts where people sit, beside one in its world."""
MOST_MOVES = 100
ROWS_LIMIT = 1.5
"""A step of a game with so many indexed piles, beside one of the same game with a single pile."""
SEARCH_LIMIT = 0.8
"""Seconds per game in which one seat tries every move in ten playouts."""

_MANY = """(game
 (setup (create players 2)
  (repeat 4 (create deck (game vloc STOCK) (deck (RANK (A, B, C, D, E, F, G, H)) (SUIT (S, T))))))
 (do
  ((set (game sto ONE) 1)
   (all (range 1 .. 13) 'N (move (top (game vloc STOCK)) (top (game vloc PILE 'N))))))
 (stage player
  (end (== (size (game vloc STOCK)) 0))
  (choice
   ((any (range 1 .. 13) 'N
         ((>= (size (game vloc PILE INDEX)) 0)
          (move (top (game vloc STOCK)) (top (game vloc PILE INDEX))))))))
 (scoring max (+ (game sto ONE) (size (indexed game vloc PILE)))))
"""

_HOSTILE = """(game
 (setup (create players 2) (create deck (game vloc X) (deck (A (VALUES)) (B (VALUES)))))
 (stage player (end (== (game sto N) (- 0 1))) (choice ((turn pass) OPTIONS)))
 (scoring max (game sto N)))
"""
_OPTIONS = {
    "written": " ".join(["(inc (game sto N))"] * 1200),
    "alike": "(any (range 1 .. 1150) 'A (inc (game sto N) (- 'A 'A)))",
    "drawn": "(any (range 1 .. 1100) 'A (inc (game sto N) (random 'A)))",
    "cards": "(any (top 1150 (game vloc X)) 'C (move 'C (top (game vloc Y))))",
}
"""About as many options as a server's table allows, in ways that cost much."""
HOSTILE_LIMIT = 0.15
"""Seconds of processor time for one move at a table of such a game: the event loop waits for it."""

Play = Callable[[int], object]


def measure() -> Iterator[Figure]:
    """Milliseconds a game by each way of playing it, and their ratios."""
    text = games.description(NAME)
    described, native = load(text, NAME), GAMES.game("hearts")
    ways: dict[str, Play] = {
        "world": lambda seed: play_world(described, seed),
        "table": lambda seed: play_table(described, seed, {}),
        "seated": lambda seed: play_seated(described, seed),
        "native": lambda seed: play_table(native, seed, {"rules": "recycle"}),
    }
    for name, game in with_indexed_piles().items():
        ways[name] = partial(play_world, game)
    rounds = [{name: milliseconds(way) for name, way in ways.items()} for _ in range(ROUNDS)]
    world, table, seated, own = (
        median(each[name] for each in rounds) for name in ("world", "table", "seated", "native")
    )
    yield Figure("described.world", world, "ms/game", at_most(GAME_LIMIT))
    yield Figure("described.table", table, "ms/game")
    yield Figure("described.seated", seated, "ms/game")
    yield Figure("described.native", own, "ms/game")
    beside_world = median(e["seated"] / e["world"] for e in rounds)
    yield Figure("described.seated.ratio", beside_world, "× world", at_most(SEATED_LIMIT))
    yield Figure("described.move", dearest_move(), "ms/move", at_most(MOVE_LIMIT))
    rummy = median(each["rummy"] for each in rounds)
    yield Figure("described.rummy", rummy, "ms/game", at_most(RUMMY_LIMIT))
    rows = median(each["many"] / each["one"] for each in rounds)
    yield Figure("described.rows", rows, "× a single pile", at_most(ROWS_LIMIT))
    searched = seconds_searched(Source(NAME, text))
    yield Figure("described.hostile", hostile_seconds(), "s/move", at_most(HOSTILE_LIMIT))
    yield Figure("described.search", searched, "s/game", at_most(SEARCH_LIMIT))


def with_indexed_piles() -> dict[str, Description]:
    """Rummy, and a game that looks at 13 indexed piles at each step, or as often at one pile."""
    return {
        "rummy": load(games.description(RUMMY), RUMMY),
        "many": load(_MANY.replace("INDEX", "'N"), "Many2"),
        "one": load(_MANY.replace("INDEX", "(game sto ONE)"), "One2"),
    }


def hostile_seconds() -> float:
    """The processor time of the dearest of some moves at tables of hostile descriptions."""
    worst = 0.0
    values = ", ".join("V" * number for number in range(1, 41))
    for options in _OPTIONS.values():
        text = _HOSTILE.replace("VALUES", values).replace("OPTIONS", options)
        game = load(text, "Hostile2")
        game.program = replace(game.program, work=WORK)
        state = game.start(setup_of(game, 0, {})).state
        for _ in range(HOSTILE_MOVES):
            (seat,) = game.to_act(state)
            started = process_time()
            choices = game.choices(state, seat)
            game.in_parts(state, seat, choices)
            state = game.apply(state, seat, choices.actions[-1]).state
            worst = max(worst, process_time() - started)
    return worst


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


def play_seated(game: AnyGame, seed: int, most: int = 20_000) -> int:
    """Play at random where a person with a client of today sits at every seat; the moves made."""
    rng, moves, features = Random(seed), 0, frozenset(FEATURES)
    step = game.start(setup_of(game, seed, {}))
    while (asked := game.to_act(step.state)) and moves < most:
        choices = [choices_told(game, step.state, seat, features) for seat in asked]
        action = random_action(choices[0], rng)
        step = game.apply(step.state, asked[0], action)
        moves += 1
    return moves


def dearest_move() -> float:
    """The mean processor time of a move of the game whose moves cost most, in milliseconds."""
    means = []
    for name in games.names():
        text = games.description(name)
        game = make_game(GameSource(described_id(f"{name}.rcy", text), text))
        play_seated(game, 0, MOST_MOVES)
        started = process_time()
        moves = play_seated(game, 1, MOST_MOVES)
        means.append(1000 * (process_time() - started) / moves)
    return max(means)


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
