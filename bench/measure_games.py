"""The rules alone, the bots, Hearts beside OpenSpiel, described games: without a server.

OpenSpiel (the package `open-spiel`) is needed only for the comparison. Described games are played
as searching bots drive them (a `World`), and as tables where people sit do, whose clients want
every choice in words and parts.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from bench.figures import Figure, Unmeasured, at_least, at_most
from bots import make_bot, strengths
from bots.arena import Thinking, arrange, play_once, warm
from bots.hearts.careful import WEIGHTS
from bots.hearts.lay_out import ints, set_of
from bots.hearts.open_deal import HAND, STANDARD, new_deal
from bots.hearts.playout import AVOID, values_of_cards
from bots.hearts.random_play import random_deals
from bots.roster import MOVE_LIMITS
from bots.search.draws import draws_from
from bots.search.worlds import plan_worlds
from engine import GAMES, AnyGame, Setup, Shuffler, complete_options, seed_from_int
from engine.cards import deck
from engine.choices import random_action
from engine.recycle import Description, games, load
from engine.unseen import Place
from protocol.features import FEATURES
from server.games.descriptions import WORK, GameSource, described_id, make_game
from server.table.choices_told import choices_told

SECONDS = 2.0


def engine() -> Iterator[Figure]:
    """Moves per second of each game."""
    for info in GAMES:
        yield Figure(f"engine.{info.id}", moves_per_second(info.id), "moves/s")


def moves_per_second(game_id: str) -> float:
    """Whole matches at the usual table: who acts, what they may do, the move and its facts."""
    game = GAMES.game(game_id)
    rng = Random(1)
    moves = seed = 0
    start = process_time()
    while process_time() - start < SECONDS:
        step = game.start(setup_of(game, seed))
        seed += 1
        while asked := game.to_act(step.state):
            action = random_action(game.choices(step.state, asked[0]), rng)
            step = game.apply(step.state, asked[0], action)
            moves += 1
    return moves / (process_time() - start)


def bots() -> Iterator[Figure]:
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


ROUNDS = 5
DEALS = 200_000
CAREFUL_DEALS = 5000
ROLLOUTS = 1000
SIMULATIONS = 20

MOVE_LIMIT = 0.05
"""Milliseconds per move of the careful player, in the kernel."""
KERNEL_RATIO = 8

Rate = Callable[[], float]


def hearts() -> Iterator[Figure | Unmeasured]:
    """Our figures, theirs, and the ratio: medians of rounds, each of which measures both."""
    pace = median(_rounds(careful_pace()))
    yield Figure("hearts.careful", pace, "ms/move", at_most(MOVE_LIMIT))
    ours = kernel_rate()
    if find_spec("pyspiel") is None:
        yield Figure("hearts.kernel", median(_rounds(ours)), "deals/s")
        why = "open-spiel is not installed: nothing to compare with"
        yield Unmeasured("hearts.kernel.ratio", why)
        return
    theirs = rollout_rate(import_module("pyspiel"))
    # In turns, so that a busy moment of the machine affects both.
    pairs = [(ours(), theirs()) for _ in range(ROUNDS)]
    yield Figure("hearts.kernel", median(our for our, _ in pairs), "deals/s")
    yield Figure("hearts.kernel.openspiel", median(their for _, their in pairs), "deals/s")
    ratio = median(our / their for our, their in pairs)
    yield Figure("hearts.kernel.ratio", ratio, "x OpenSpiel", at_least(KERNEL_RATIO))


def _rounds(rate: Rate) -> list[float]:
    return [rate() for _ in range(ROUNDS)]


def kernel_rate() -> Rate:
    """Deals per second in our kernel: shuffled, dealt and played at random."""
    draws, points = draws_from(Random(1)), np.zeros(4, np.int64)
    play = partial(random_deals, rules=STANDARD, draws=draws, points=points)
    # Compiled before the clock starts.
    play(1)
    return lambda: DEALS / _seconds(lambda: play(DEALS))


def careful_pace() -> Rate:
    """Milliseconds per move when four careful players play whole deals, including the dealing."""
    hand = deck()[::4]
    unseen = [card for card in deck() if card not in hand]
    deal = new_deal(STANDARD, 0)
    deal[HAND] = set_of(hand)
    worlds = plan_worlds(unseen, [Place(13)] * 3)
    sizes, first, plans = ints([13] * 3), ints([hand[0]]), ints([AVOID])
    draws = draws_from(Random(1))

    def play(deals: int) -> None:
        values = np.empty((1, deals))
        values_of_cards(deal, worlds, sizes, first, plans, WEIGHTS, draws, values)

    play(1)
    return lambda: 1000 * _seconds(lambda: play(CAREFUL_DEALS)) / (CAREFUL_DEALS * len(deck()))


def rollout_rate(spiel: Any) -> Rate:
    """Random rollouts per second in OpenSpiel's C++, from the second card of a deal on."""
    game = spiel.load_game("hearts(pass_cards=False)")
    evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = spiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, 1, False)
    state = _dealt(game, Random(1))
    # The two of clubs is forced, and a search with one move to choose from ends at once.
    state.apply_action(state.legal_actions()[0])
    return lambda: SIMULATIONS * ROLLOUTS / _seconds(lambda: bot.mcts_search(state))


def _dealt(game: Any, rng: Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


NAME = "Hearts4"
GAMES_A_ROUND = 100
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


def described() -> Iterator[Figure]:
    """Milliseconds a game by each way of playing it, and their ratio."""
    hearts, rummy = (load(games.description(name), name) for name in (NAME, RUMMY))
    rounds = [
        (
            milliseconds(lambda seed: play_world(hearts, seed)),
            milliseconds(lambda seed: play_seated(hearts, seed)),
            milliseconds(lambda seed: play_world(rummy, seed)),
        )
        for _ in range(ROUNDS)
    ]
    world, seated, melds = (median(each) for each in zip(*rounds, strict=True))
    yield Figure("described.world", world, "ms/game", at_most(GAME_LIMIT))
    yield Figure("described.seated", seated, "ms/game")
    ratio = median(seated / world for world, seated, _ in rounds)
    yield Figure("described.seated.ratio", ratio, "× world", at_most(SEATED_LIMIT))
    yield Figure("described.move", dearest_move(), "ms/move", at_most(MOVE_LIMIT))
    yield Figure("described.rummy", melds, "ms/game", at_most(RUMMY_LIMIT))
    yield Figure("described.hostile", hostile_seconds(), "s/move", at_most(HOSTILE_LIMIT))


def hostile_seconds() -> float:
    """The processor time of the dearest of some moves at tables of hostile descriptions."""
    worst = 0.0
    values = ", ".join("V" * number for number in range(1, 41))
    for options in _OPTIONS.values():
        text = _HOSTILE.replace("VALUES", values).replace("OPTIONS", options)
        game = load(text, "Hostile2")
        game.program = replace(game.program, work=WORK)
        state = game.start(setup_of(game, 0)).state
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
    world = game.world(game.start(setup_of(game, seed)).state)
    while world.count:
        world.play(int(rng.random() * world.count))
    world.outcome()


def play_seated(game: AnyGame, seed: int, most: int = 20_000) -> int:
    """Play at random where a person with a client of today sits at every seat; the moves made."""
    rng, moves, features = Random(seed), 0, frozenset(FEATURES)
    step = game.start(setup_of(game, seed))
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


def setup_of(game: AnyGame, seed: int) -> Setup:
    """A setup for the usual number of players."""
    seats = game.info.usual_seats
    return Setup(seats, complete_options(game, seats, {}), Shuffler(seed_from_int(seed)))
