"""Past decisions, judged in the bots' processes."""

import asyncio
from dataclasses import replace
from random import Random

import structlog

from bots import Budget, Decision, position_of
from bots.review import DecisionPoint, Judgement
from engine import GAMES, Setup, Shuffler, complete_options
from server.bots.pool import BotPool
from server.bots.process import Failed
from server.bots.thinking import ReviewQuestion, judge_confined
from server.games.descriptions import GameSource
from tests.server.bots.asking import Asking
from tests.server.bots.fake_process import FakeProcess


def question() -> ReviewQuestion:
    """The first lead of a match of Schnapsen, judged by the rules player."""
    game, rng = GAMES.game("schnapsen"), Random(1)
    options = complete_options(game, 2, {})
    state = game.start(Setup(2, options, Shuffler(rng.randbytes(32)))).state
    position = position_of(game, state, game.to_act(state)[0], options)
    moment = DecisionPoint(position, position.choices.actions[0], 1, 1)
    return ReviewQuestion(1, moment, 0, "high", Budget(samples=4), plainly=True)


async def asked(
    tasks: asyncio.TaskGroup, pool: BotPool, of: ReviewQuestion
) -> "asyncio.Task[Judgement | None]":
    """A question that a process is working on."""
    task = tasks.create_task(pool.judge(of))
    await asyncio.sleep(0)
    return task


async def test_a_process_judges(slow: Asking) -> None:
    """A process judges a decision while the loop goes on."""
    async with asyncio.TaskGroup() as tasks:
        task = await asked(tasks, slow.pool, question())
        slow.fakes[0].work()
        judged = await task
        assert judged is not None
        assert judged.action == question().moment.action


async def test_a_bot_that_fails_judges_nothing(slow: Asking) -> None:
    """A bot that fails judges nothing, and the log has the error without cards."""
    async with asyncio.TaskGroup() as tasks:
        task = await asked(tasks, slow.pool, question())
        with structlog.testing.capture_logs() as logs:
            slow.fakes[0].answer(Failed("LookupError"))
            assert await task is None
        assert logs == [{"event": "review_failed", "log_level": "info", "reason": "LookupError"}]


async def test_moves_go_before_the_next_decision(slow: Asking) -> None:
    """Moves go before the next decision, so a table waits for at most one that has begun."""
    async with asyncio.TaskGroup() as tasks:
        begun = [await asked(tasks, slow.pool, question()) for _ in range(2)]
        await slow.ask()
        slow.fakes[0].answer(Failed("LookupError"))
        assert await begun[0] is None
        await slow.answer(Decision("play 2C"))
        assert slow.moves == ["play 2C"]
        slow.fakes[0].work()
        assert await begun[1] is not None


async def test_a_decision_that_nobody_waits_for_is_dropped(slow: Asking) -> None:
    """A decision for which nobody waits is not begun, as when the server stops."""
    async with asyncio.TaskGroup() as tasks:
        first, second = [await asked(tasks, slow.pool, question()) for _ in range(2)]
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        slow.fakes[0].work()
        assert await first is not None
        assert len(slow.fakes[0].jobs) == 1


async def test_described_games_are_judged_apart(fakes: list[FakeProcess]) -> None:
    """Decisions of described games are judged in their own lane."""
    async with asyncio.TaskGroup() as tasks:
        pool = BotPool(1)
        described = replace(question(), source=GameSource("schnapsen", "(game)"))
        task = await asked(tasks, pool, described)
        assert [fake.jobs[-1][0] for fake in fakes] == [judge_confined]
        fakes[0].answer(Failed("ProcessLost"))
        assert await task is None
        pool.close()
