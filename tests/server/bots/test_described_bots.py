"""Bots at described games: the process knows the game, and a description cannot block it."""

import asyncio
import signal
import sys
from dataclasses import replace
from random import Random

import pytest

from bots import Position
from engine import Setup, Shuffler
from engine.choices import random_action
from engine.facts import seen_by
from server.bots import thinking
from server.bots.pool import BotPool
from server.bots.thinking import BotQuestion
from server.games.descriptions import GameSource, described_id, make_game
from tests.server.small_descriptions import HIGH

SOURCE = GameSource(described_id("High2.rcy", HIGH), HIGH)


def request(strength: int) -> BotQuestion:
    """The request for the first player's move at a table of the small game."""
    game = make_game(SOURCE)
    step = game.start(Setup(2, {}, Shuffler(bytes(32))))
    (seat,) = game.to_act(step.state)
    facts = seen_by(step.facts, seat)
    position = Position(
        SOURCE.game, seat, game.view(step.state, seat), game.choices(step.state, seat), facts=facts
    )
    return BotQuestion(strength, position, b"seed", source=SOURCE)


@pytest.mark.parametrize("strength", [1, 2])
def test_a_searching_bot_plays_a_described_game(strength: int) -> None:
    """A searching bot values every move of a described game within its budget."""
    asked = request(strength)
    decision = thinking.think(asked)
    assert decision.action in asked.position.choices.actions
    assert {each.action for each in decision.candidates} == set(asked.position.choices.actions)


def test_a_process_makes_a_game_once() -> None:
    """A process builds a game once and reuses it with its bot."""
    thinking._described_game.cache_clear()
    thinking._described_bot.cache_clear()
    for strength in (1, 2, 1):
        thinking.think(request(strength))
    assert thinking._described_game.cache_info().misses == 1
    assert thinking._described_bot.cache_info().misses == 2
    assert thinking._described_game.cache_info().maxsize is not None


@pytest.mark.timeout(60)
async def test_a_described_game_is_thought_about_in_a_process_of_its_own() -> None:
    """A request for a described game has its whole definition, and the answer is legal."""
    pool = BotPool(1)
    asked = request(1)
    try:
        assert pool.needs_facts(SOURCE.game, 1)
        assert not pool.needs_facts(SOURCE.game, 0)
        decision = (await pool.choose(asked)).decision
        assert decision.action in asked.position.choices.actions
        assert pool._confined.pids
        assert not pool._processes.pids
    finally:
        pool.close()


async def test_the_random_bot_answers_in_place() -> None:
    """Strength 0 answers without reading the description."""
    pool = BotPool(1)
    asked = replace(request(0), source=GameSource(SOURCE.game, "not read"))
    choice = await pool.choose(asked)
    assert choice.decision.action == random_action(asked.position.choices, Random(b"seed"))
    assert not pool._confined.pids


@pytest.mark.timeout(60)
async def test_a_bot_that_thinks_for_ever_ends_its_process() -> None:
    """A bot that thinks for ever ends its process, by a limit of processor time."""
    code = (
        "from server.bots import thinking\n"
        "thinking.PROCESSOR_SECONDS = 0.1\n"
        "def think(request):\n"
        "    while True:\n"
        "        sum(range(1_000_000))\n"
        "thinking.think = think\n"
        "thinking.think_confined(None)\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await process.wait() == -signal.SIGPROF


def test_a_thought_that_ends_is_not_held_against_the_process() -> None:
    """The limit of processor time starts anew with each request."""
    thinking.think_confined(request(1))
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
