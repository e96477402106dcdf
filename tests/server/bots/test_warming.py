"""Bots that are not ready: when they are compiled, and what plays meanwhile."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
import structlog

from bots import Budget, Position
from bots.search import compiled
from bots.search.left_out import NotFetched
from engine import Choices, View
from server.bots.pool import BotPool, Substitute
from server.bots.process import LOST
from server.bots.thinking import BotQuestion
from tests.server.bots.asking import begun, turns
from tests.server.bots.fake_process import FakeProcess
from tests.server.bots.kernels import BROKEN, COMPILED, NAMES, OTHER, PLAIN, Kept, pretend_kernels

FIRST, LAST = "play 2C", "play 3C"
POSITION = Position("black_queen", 0, View(), Choices((FIRST, "play QS", LAST)))
QUESTION = BotQuestion(COMPILED, POSITION, b"seed")
REPEATABLE = replace(QUESTION, budget=Budget(samples=8))


class Answers(list[tuple[str, int]]):
    """The answered moves, each with the strength that made it."""

    async def ask(self, pool: BotPool, question: BotQuestion) -> "asyncio.Task[None]":
        """Ask a pool; returns the task that waits for its answer."""

        async def play() -> None:
            decision, strength = await pool.choose(question)
            self.append((decision.action, strength))

        return await begun(play())


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture(autouse=True)
def plain_bots() -> None:
    """Keep the kernels, which these tests are about."""


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    return pretend_kernels(monkeypatch)


@pytest.fixture
def pool(fakes: list[FakeProcess]) -> Iterator[BotPool]:
    """A pool with two fake workers."""
    pool = BotPool(2)
    yield pool
    pool.close()


async def work(process: FakeProcess) -> None:
    """Let a process do its job, and the loop handle the result."""
    process.work()
    await turns()


async def prepare(pool: BotPool, strength: int) -> "asyncio.Task[None]":
    """Prepare a bot; returns a task that ends when it is ready or has failed."""
    pool.prepare("black_queen", strength)
    return await begun(pool.ended("black_queen", strength))


async def make_ready(pool: BotPool, fakes: list[FakeProcess]) -> list[FakeProcess]:
    """Compile and load the bot; returns the processes of the workers."""
    await prepare(pool, COMPILED)
    own = fakes[-1]
    await work(own)
    workers = fakes[-2:]
    for process in workers:
        assert process is not own
        await work(process)
    return workers


async def test_a_bot_is_compiled_in_a_process_of_its_own(
    pool: BotPool, fakes: list[FakeProcess]
) -> None:
    """A bot is compiled in a separate process, and then loaded by the workers."""
    ended = await prepare(pool, COMPILED)
    (own,) = fakes
    assert own.job == NAMES[COMPILED]
    await work(own)
    assert [process.job for process in fakes[1:]] == [NAMES[COMPILED]] * 2
    await work(fakes[1])
    assert pool.is_cold("black_queen", COMPILED)
    await work(fakes[2])
    assert not pool.is_cold("black_queen", COMPILED)
    assert ended.done()


async def test_a_bot_that_was_compiled_before_is_loaded_at_once(
    pool: BotPool, fakes: list[FakeProcess], kept: Kept
) -> None:
    """A bot that was compiled before is loaded without compiling."""
    kept.bots.add(NAMES[COMPILED])
    await prepare(pool, COMPILED)
    assert len(fakes) == 2
    for process in fakes:
        await work(process)
    assert not pool.is_cold("black_queen", COMPILED)


async def test_where_nothing_can_be_kept_the_workers_compile(
    pool: BotPool, fakes: list[FakeProcess], kept: Kept
) -> None:
    """If nothing can be cached the workers compile for themselves."""
    kept.writable = False
    await prepare(pool, COMPILED)
    assert len(fakes) == 2


async def test_until_a_bot_is_ready_a_plain_one_plays(
    pool: BotPool, answers: Answers, fakes: list[FakeProcess]
) -> None:
    """A plain bot plays until the compiled one is ready."""
    assert pool.substitute("black_queen", COMPILED, repeatable=False) == Substitute(PLAIN, 30.0)
    await answers.ask(pool, QUESTION)
    assert answers == [(FIRST, PLAIN)]
    assert fakes == []
    worker, _ = await make_ready(pool, fakes)
    assert pool.substitute("black_queen", COMPILED, repeatable=False) is None
    await answers.ask(pool, QUESTION)
    await work(worker)
    assert answers[1:] == [(LAST, COMPILED)]


async def test_where_moves_must_be_repeatable_the_table_waits(
    pool: BotPool, answers: Answers, fakes: list[FakeProcess]
) -> None:
    """A table with repeatable moves waits for the compiled bot."""
    waits = pool.substitute("black_queen", COMPILED, repeatable=True)
    assert waits is not None
    assert waits.strength is None
    task = await answers.ask(pool, REPEATABLE)
    await answers.ask(pool, REPEATABLE)
    task.cancel()
    worker, _ = await make_ready(pool, fakes)
    assert answers == []
    await work(worker)
    assert answers == [(LAST, COMPILED)]


@pytest.mark.parametrize("question", [QUESTION, REPEATABLE], ids=["usual", "repeatable"])
async def test_a_bot_that_cannot_be_compiled_is_replaced_for_good(
    pool: BotPool,
    answers: Answers,
    fakes: list[FakeProcess],
    log_events: list[structlog.typing.EventDict],
    question: BotQuestion,
) -> None:
    """A bot that cannot be compiled is replaced for good, and the log says why."""
    await answers.ask(pool, replace(question, strength=BROKEN))
    ended = await prepare(pool, BROKEN)
    await work(fakes[0])
    assert answers == [(FIRST, PLAIN)]
    await answers.ask(pool, replace(question, strength=BROKEN))
    assert answers[1:] == [(FIRST, PLAIN)]
    assert ended.done()
    assert pool.substitute("black_queen", BROKEN, repeatable=True) == Substitute(PLAIN, 0.0)
    (told,) = [event for event in log_events if event["event"] == "bot_not_warmed"]
    assert (told["game"], told["strength"]) == NAMES[BROKEN]
    assert "no compiler" in told["reason"]


async def test_without_numba_the_bots_that_wait_are_given_up_at_once(
    pool: BotPool,
    fakes: list[FakeProcess],
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If Numba cannot be fetched all waiting bots are given up at once."""

    def obtain() -> None:
        raise NotFetched("no network")

    monkeypatch.setattr("bots.recipe.obtain", obtain)
    monkeypatch.setattr(compiled, "available", cache(lambda: False))
    monkeypatch.setattr(compiled, "fetchable", lambda: True)
    ended = [await prepare(pool, strength) for strength in (COMPILED, BROKEN, OTHER)]
    (own,) = fakes
    await work(own)
    assert all(task.done() for task in ended)
    assert len(own.jobs) == 1
    failures = [event for event in log_events if event["event"] == "bot_not_warmed"]
    assert [event["strength"] for event in failures] == [COMPILED, OTHER, BROKEN]
    assert all("no network" in event["reason"] for event in failures)
    for strength in (COMPILED, BROKEN, OTHER):
        waits = pool.substitute("black_queen", strength, repeatable=True)
        assert waits == Substitute(PLAIN, 0.0)


async def test_kernels_that_end_their_process_are_given_up(
    pool: BotPool, fakes: list[FakeProcess], log_events: list[structlog.typing.EventDict]
) -> None:
    """Kernels that end their process are given up."""
    await prepare(pool, COMPILED)
    fakes[0].end()
    fakes[1].end()
    await turns()
    assert len(fakes) == 2
    assert [event["reason"] for event in log_events if event["event"] == "bot_not_warmed"] == [
        LOST.reason
    ]


async def test_what_a_table_waits_for_is_compiled_first(
    pool: BotPool, fakes: list[FakeProcess], log_events: list[structlog.typing.EventDict]
) -> None:
    """A bot that a table needs is compiled before others."""
    async with asyncio.TaskGroup() as tasks:
        warming = tasks.create_task(pool.warm())
        await asyncio.sleep(0)
        await prepare(pool, OTHER)
        worked: Counter[int] = Counter()
        while not warming.done():
            await asyncio.sleep(0)
            for number, process in enumerate(fakes):
                if len(process.jobs) > worked[number]:
                    worked[number] += 1
                    await work(process)
    order = [event["strength"] for event in log_events if event["event"] == "bot_warming"]
    assert order == [COMPILED, OTHER, BROKEN]
    assert [log_events[0]["event"], log_events[-1]["event"]] == ["bots_warming", "bots_warmed"]


async def test_the_bot_of_a_late_answer_is_replaced_by_the_plain_one(
    pool: BotPool, answers: Answers, fakes: list[FakeProcess]
) -> None:
    """A late answer of a bot is replaced by the plain bot's move."""
    worker, _ = await make_ready(pool, fakes)
    await answers.ask(pool, QUESTION)
    worker.answer("no decision")
    await turns()
    assert answers == [(FIRST, PLAIN)]


async def test_a_process_that_replaces_another_loads_its_kernels(
    pool: BotPool, fakes: list[FakeProcess]
) -> None:
    """A new process loads the kernels of the one it replaces."""
    worker, _ = await make_ready(pool, fakes)
    worker.end()
    assert fakes[-1].job == NAMES[COMPILED]
    fakes[-1].work()
    assert len(fakes[-1].jobs) == 1


async def test_what_is_left_counts_down(
    pool: BotPool, fakes: list[FakeProcess], kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The remaining time counts down from the usual times of compiling."""
    now = 100.0
    monkeypatch.setattr("server.bots.warming.monotonic", lambda: now)
    await prepare(pool, COMPILED)
    now += 12
    assert pool.substitute("black_queen", COMPILED, repeatable=False) == Substitute(PLAIN, 18.0)
    assert pool.substitute("black_queen", BROKEN, repeatable=False) == Substitute(PLAIN, 58.0)
    now += 17.5
    assert pool.substitute("black_queen", COMPILED, repeatable=False) == Substitute(PLAIN, 1.0)


async def test_a_wait_that_takes_longer_than_usual_does_not_stand_still(
    pool: BotPool, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that takes longer than usual raises the estimate for the next."""
    now = 100.0
    monkeypatch.setattr("server.bots.warming.monotonic", lambda: now)

    def left(strength: int) -> float:
        substitute = pool.substitute("black_queen", strength, repeatable=True)
        assert substitute is not None
        return substitute.seconds

    await prepare(pool, COMPILED)
    await prepare(pool, BROKEN)
    now += 60
    assert (left(COMPILED), left(BROKEN)) == (15, 15 + 80)
    now += 60
    assert (left(COMPILED), left(BROKEN)) == (30, 30 + 160)
    own = fakes[-1]
    await work(own)
    # Four times as long as usual; now the two seconds of loading count.
    assert (left(COMPILED), left(BROKEN)) == (8, 8 + 160)
    now += 40
    assert (left(COMPILED), left(BROKEN)) == (10, 10 + 160)
    for process in fakes[-2:]:
        await work(process)
    await asyncio.sleep(0)
    now += 20
    assert left(BROKEN) == 140
