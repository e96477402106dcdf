"""The rules alone, the bots, and Hearts beside OpenSpiel, in one thread without a server.

OpenSpiel (the package `open-spiel`) is needed only for the comparison.
"""

from collections.abc import Callable, Iterator
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
from engine import GAMES, Setup, Shuffler, complete_options, seed_from_int
from engine.cards import deck
from engine.choices import random_action
from engine.games.hearts import Hearts
from engine.unseen import Place

SECONDS = 2.0


def engine() -> Iterator[Figure]:
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
ROUND_GAMES = 200

MOVE_LIMIT = 0.05
"""Milliseconds per move of the careful player, in the kernel."""
KERNEL_RATIO = 8
ENGINE_RATIO = 0.05
HOLD = 3
"""The deal of a match in which nobody passes."""

Rate = Callable[[], float]


def hearts() -> Iterator[Figure | Unmeasured]:
    """Our figures, theirs, and the ratios: medians of rounds, each of which measures both."""
    pace = median(_rounds(careful_pace()))
    yield Figure("hearts.careful", pace, "ms/move", at_most(MOVE_LIMIT))
    if find_spec("pyspiel") is None:
        yield Figure("hearts.kernel", median(_rounds(kernel_rate())), "deals/s")
        yield Figure("hearts.engine", median(_rounds(engine_rate())), "games/s")
        for name in ("hearts.kernel.ratio", "hearts.engine.ratio"):
            yield Unmeasured(name, "open-spiel is not installed: nothing to compare with")
        return
    spiel = import_module("pyspiel")
    yield from _against("kernel", "deals/s", kernel_rate(), rollout_rate(spiel), KERNEL_RATIO)
    yield from _against("engine", "games/s", engine_rate(), game_rate(spiel), ENGINE_RATIO)


def _against(
    name: str, unit: str, ours: Rate, theirs: Rate, least: float
) -> Iterator[Figure | Unmeasured]:
    # In turns, so that a busy moment of the machine affects both.
    pairs = [(ours(), theirs()) for _ in range(ROUNDS)]
    yield Figure(f"hearts.{name}", median(our for our, _ in pairs), unit)
    yield Figure(f"hearts.{name}.openspiel", median(their for _, their in pairs), unit)
    ratio = median(our / their for our, their in pairs)
    yield Figure(f"hearts.{name}.ratio", ratio, "x OpenSpiel", at_least(least))


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


def engine_rate() -> Rate:
    """Deals a second by the engine, with all its facts: who acts, what they may do, the move."""
    game, rng = Hearts(), Random(1)
    options = complete_options(game, 4, {})

    def play() -> None:
        for _ in range(ROUND_GAMES):
            step = game.start(Setup(4, options, Shuffler(rng.randbytes(32), HOLD)))
            while asked := game.to_act(step.state):
                action = random_action(game.choices(step.state, asked[0]), rng)
                step = game.apply(step.state, asked[0], action)

    return lambda: ROUND_GAMES / _seconds(play)


def game_rate(spiel: Any) -> Rate:
    """Deals per second by OpenSpiel when Python chooses every move."""
    game, rng = spiel.load_game("hearts(pass_cards=False)"), Random(1)

    def play() -> None:
        for _ in range(ROUND_GAMES):
            state = _dealt(game, rng)
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))

    return lambda: ROUND_GAMES / _seconds(play)


def _dealt(game: Any, rng: Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start
