"""Hearts: the speed of the careful player, and random play compared with OpenSpiel's, in turns.

OpenSpiel (the package `open-spiel`) is needed only for this comparison.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from bench.figures import Figure, Unmeasured, at_least, at_most
from bots.hearts.careful import WEIGHTS
from bots.hearts.lay_out import ints, set_of
from bots.hearts.open_deal import HAND, STANDARD, new_deal
from bots.hearts.playout import AVOID, values_of_cards
from bots.hearts.random_play import random_deals
from bots.search.draws import draws_from
from bots.search.worlds import plan_worlds
from engine.cards import deck
from engine.choices import random_action
from engine.game import Setup, complete_options
from engine.games.hearts import Hearts
from engine.shuffle import Shuffler
from engine.unseen import Place

ROUNDS = 5
DEALS = 200_000
CAREFUL_DEALS = 5000
ROLLOUTS = 1000
SIMULATIONS = 20
GAMES = 200

MOVE_LIMIT = 0.05
"""Milliseconds per move of the careful player, in the kernel."""
KERNEL_RATIO = 8
ENGINE_RATIO = 0.05
HOLD = 3
"""The deal of a match in which nobody passes."""

Rate = Callable[[], float]


def measure() -> Iterator[Figure | Unmeasured]:
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
        for _ in range(GAMES):
            step = game.start(Setup(4, options, Shuffler(rng.randbytes(32), HOLD)))
            while asked := game.to_act(step.state):
                action = random_action(game.choices(step.state, asked[0]), rng)
                step = game.apply(step.state, asked[0], action)

    return lambda: GAMES / _seconds(play)


def game_rate(spiel: Any) -> Rate:
    """Deals per second by OpenSpiel when Python chooses every move."""
    game, rng = spiel.load_game("hearts(pass_cards=False)"), Random(1)

    def play() -> None:
        for _ in range(GAMES):
            state = _dealt(game, rng)
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))

    return lambda: GAMES / _seconds(play)


def _dealt(game: Any, rng: Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start
