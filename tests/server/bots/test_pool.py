"""Whatever happens to a bot, its request is answered exactly once, with a legal move."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest
import structlog

from bots import Budget, Decision, Position, roster
from bots.recipe import RANDOM, Recipe
from engine import Choices, View
from server.bots import pool as bot_pool
from server.bots import thinking
from server.bots.pool import BotPool
from server.bots.process import LOST, Failed
from server.bots.thinking import NICENESS, BotQuestion
from server.serve import tell_what_is_missing
from tests.server.bots.fake_process import FakeProcess, done_by

LEGAL = ("play 2C", "play 3C")
REQUEST = BotQuestion(0, Position("black_queen", 0, View(), Choices(LEGAL)), b"seed")


@dataclass
class Odd:
    """A bot that answers `says`, or raises it."""

    says: str | Exception
    in_place: bool = True
    needs_facts: bool = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        if isinstance(self.says, Exception):
            raise self.says
        return Decision(self.says)


SLOW = Odd("unused", in_place=False)


class Answers(list[Decision]):
    """What has been answered; the first answer can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.come = asyncio.Event()

    def append(self, decision: Decision) -> None:
        super().append(decision)
        self.come.set()


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def seen() -> list[str]:
    return []


@pytest.fixture
def pool(seen: list[str]) -> Iterator[BotPool]:
    pool = BotPool(1, lambda seconds, lateness: seen.append(lateness))
    yield pool
    pool.close()


def bots_are(bot: Odd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: bot)


async def test_a_quick_bot_answers_at_once(
    pool: BotPool, answers: Answers, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that thinks in place has answered before the call returns."""
    bots_are(Odd("play 3C"), monkeypatch)
    pool.ask(REQUEST, answers.append)
    assert [decision.action for decision in answers] == ["play 3C"]
    assert seen == [""]


@pytest.mark.parametrize(
    "says", [KeyError("QS"), "play QS", ""], ids=["raises", "not allowed", "says nothing"]
)
async def test_a_bot_that_fails_in_place_is_replaced(
    pool: BotPool,
    answers: Answers,
    seen: list[str],
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
    says: str | Exception,
) -> None:
    """A fault or an illegal move costs the bot its move, and stops nothing else."""
    bots_are(Odd(says), monkeypatch)
    pool.ask(REQUEST, answers.append)
    assert [decision.action in LEGAL for decision in answers] == [True]
    assert seen == ["failed"]
    assert "QS" not in str(log_events)
    assert "bot_replaced" in [event["event"] for event in log_events]


async def test_a_slow_bot_answers_when_it_has_thought(
    pool: BotPool,
    answers: Answers,
    seen: list[str],
    fakes: list[FakeProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot in another process answers later, from the event loop."""
    bots_are(SLOW, monkeypatch)
    pool.ask(REQUEST, answers.append)
    assert answers == []
    fakes[0].answer(Decision("play 3C"))
    assert [decision.action for decision in answers] == ["play 3C"]
    assert seen == [""]


async def test_a_late_bot_is_replaced_and_its_answer_dropped(
    pool: BotPool,
    answers: Answers,
    seen: list[str],
    fakes: list[FakeProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the deadline any legal move is played; a later answer of the bot is ignored."""
    monkeypatch.setattr(bot_pool, "DEADLINE_SECONDS", 0.0)
    bots_are(SLOW, monkeypatch)
    pool.ask(REQUEST, answers.append)
    await answers.come.wait()
    assert answers[0].action in LEGAL
    fakes[0].answer(Decision("play 3C"))
    assert len(answers) == 1
    assert seen == ["late"]


async def test_a_late_hint_is_none(
    pool: BotPool,
    answers: Answers,
    fakes: list[FakeProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A random move would be bad advice: the player hears that there is no hint."""
    monkeypatch.setattr(bot_pool, "DEADLINE_SECONDS", 0.0)
    bots_are(SLOW, monkeypatch)
    none = asyncio.Event()
    pool.ask(REQUEST, answers.append, no_hint=none.set)
    await none.wait()
    fakes[0].answer(Decision("play 3C"))
    assert answers == []


@pytest.mark.parametrize("came", [Failed("KeyError"), Decision("play QS"), "play 3C"], ids=repr)
async def test_a_bot_that_fails_in_its_process_is_replaced(
    pool: BotPool,
    answers: Answers,
    seen: list[str],
    fakes: list[FakeProcess],
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
    came: object,
) -> None:
    """A bot that raises in its process, or makes an illegal move, costs only this move."""
    bots_are(SLOW, monkeypatch)
    pool.ask(REQUEST, answers.append)
    fakes[0].answer(came)
    assert [decision.action in LEGAL for decision in answers] == [True]
    assert seen == ["failed"]
    assert "QS" not in str(log_events)


async def test_a_bot_whose_process_ends_is_asked_once_more(
    pool: BotPool,
    answers: Answers,
    seen: list[str],
    fakes: list[FakeProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A new process answers as if nothing had happened."""
    bots_are(SLOW, monkeypatch)
    pool.ask(REQUEST, answers.append)
    fakes[0].end()
    assert answers == []
    fakes[1].answer(Decision("play 3C"))
    assert [decision.action for decision in answers] == ["play 3C"]
    assert seen == [""]


async def test_a_bot_that_ends_two_processes_is_replaced(
    pool: BotPool,
    answers: Answers,
    seen: list[str],
    fakes: list[FakeProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is not asked for ever, and the next request has a process again."""
    bots_are(SLOW, monkeypatch)
    pool.ask(REQUEST, answers.append)
    for process in (0, 1):
        fakes[process].end()
    assert [decision.action in LEGAL for decision in answers] == [True]
    assert seen == ["failed"]
    pool.ask(REQUEST, answers.append)
    fakes[2].answer(Decision("play 3C"))
    assert answers[1].action == "play 3C"


async def test_a_dropped_question_is_not_answered(
    pool: BotPool,
    answers: Answers,
    fakes: list[FakeProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither by the bot nor for it."""
    bots_are(SLOW, monkeypatch)
    drop = pool.ask(REQUEST, answers.append)
    drop()
    drop()
    fakes[0].answer(Decision("play 3C"))
    assert answers == []


async def test_a_bot_thinks_in_a_process_of_its_own(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real pool passes request and answer on, and gives the same move as in place."""
    in_place = thinking.think(REQUEST)
    bots_are(SLOW, monkeypatch)
    pool.ask(REQUEST, answers.append)
    await answers.come.wait()
    assert answers == [in_place]


WARMED: list[int] = []


class Compiled(Odd):
    """A bot with kernels to load; `warm_up` fails if it `says` an error."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__(RuntimeError("no compiler") if fails else "play 3C", False, True)

    def warm_up(self) -> None:
        if isinstance(self.says, Exception):
            raise self.says
        WARMED.append(1)


@pytest.fixture(autouse=True)
def plain_bots() -> None:
    """Not here: these tests are about bots with kernels."""


@pytest.fixture
def with_kernels(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Black Queen with a strength that is compiled and one whose compilation fails."""
    here = "tests.server.bots.test_pool"
    recipes = [
        RANDOM,
        Recipe(f"{here}:Compiled", compiled=True),
        Recipe(f"{here}:broken", compiled=True),
    ]
    monkeypatch.setattr(roster, "STRENGTHS", {"black_queen": tuple(recipes)})
    WARMED.clear()
    thinking.bot_of.cache_clear()
    yield
    thinking.bot_of.cache_clear()


def broken() -> Compiled:
    return Compiled(fails=True)


@pytest.mark.usefixtures("with_kernels")
async def test_kernels_are_loaded_in_every_process(
    fakes: list[FakeProcess], log_events: list[structlog.typing.EventDict]
) -> None:
    """Each bot in one process first, then in the others; a failure is reported."""
    pool, order = BotPool(2), list[int]()
    async with asyncio.TaskGroup() as tasks:
        warming = tasks.create_task(pool.warm())
        while not warming.done():
            await asyncio.sleep(0)
            for number, process in enumerate(fakes):
                if len(process.jobs) > order.count(number):
                    order.append(number)
                    process.work()
    pool.close()
    assert order == [0, 1, 0, 1]
    assert WARMED == [1, 1]
    began, failed, done = log_events
    assert (began["event"], done["event"]) == ("bots_warming", "bots_warmed")
    assert (failed["event"], failed["game"], failed["strength"]) == (
        "bot_not_warmed",
        "black_queen",
        2,
    )
    assert "no compiler" in failed["reason"]


@pytest.mark.usefixtures("with_kernels")
async def test_a_process_that_replaces_another_loads_its_kernels(
    pool: BotPool, fakes: list[FakeProcess]
) -> None:
    """Those that could be loaded; nobody has to ask for it."""
    await warm_up(pool, fakes)
    fakes[0].end()
    assert fakes[1].job == ("black_queen", 1)
    fakes[1].work()
    assert len(fakes[1].jobs) == 1


@pytest.mark.usefixtures("with_kernels")
async def test_kernels_that_end_their_process_are_given_up(
    pool: BotPool,
    fakes: list[FakeProcess],
    log_events: list[structlog.typing.EventDict],
) -> None:
    """A damaged cache may end every process that reads it: processes are not started for ever."""
    async with asyncio.TaskGroup() as tasks:
        warming = tasks.create_task(pool.warm())
        while not warming.done():
            await asyncio.sleep(0)
            if fakes and not warming.done():
                fakes[-1].end() if fakes[-1].job[1] == 1 else fakes[-1].work()
    assert len(fakes) == 3
    told = [event["reason"] for event in log_events if event["event"] == "bot_not_warmed"]
    assert told[0] == LOST.reason


@pytest.mark.usefixtures("with_kernels")
async def test_without_kernels_no_process_is_started(
    pool: BotPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no bot has any kernels there is nothing to load."""
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    await pool.warm()
    assert not pool._processes.started


@pytest.mark.usefixtures("with_kernels")
async def test_a_bot_with_kernels_is_not_loaded_by_the_server(
    pool: BotPool, answers: Answers, fakes: list[FakeProcess]
) -> None:
    """It gets all facts and thinks elsewhere, though this process has never loaded it."""
    assert pool.needs_facts("black_queen", 1)
    pool.ask(replace(REQUEST, strength=1), answers.append)
    assert fakes[0].job == (replace(REQUEST, strength=1),)
    assert thinking.bot_of.cache_info().currsize == 0


@pytest.mark.usefixtures("with_kernels")
async def test_while_kernels_are_compiled_a_bot_is_waited_for(
    pool: BotPool,
    answers: Answers,
    fakes: list[FakeProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The usual deadline would be over before a new installation has compiled anything."""
    monkeypatch.setattr(bot_pool, "DEADLINE_SECONDS", 0.0)
    async with asyncio.TaskGroup() as tasks:
        warming = tasks.create_task(pool.warm())
        await asyncio.sleep(0)
        pool.ask(replace(REQUEST, strength=1), answers.append)
        await asyncio.sleep(0)
        assert answers == []
        fakes[0].answer("")
        # The question goes before the next bot's kernels.
        fakes[0].answer(Decision("play 3C"))
        assert [decision.action for decision in answers] == ["play 3C"]
        warming.cancel()


@pytest.mark.usefixtures("with_kernels")
async def test_a_strength_that_is_not_on_offer_is_played_by_the_next_below(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table may have been stored by a server that had Numba."""
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    assert not pool.needs_facts("black_queen", 2)
    pool.ask(replace(REQUEST, strength=2), answers.append)
    assert answers[0].action in LEGAL


@pytest.mark.usefixtures("with_kernels")
def test_a_server_without_numba_says_so_once(
    log_events: list[structlog.typing.EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the games that would have more bots; with Numba there is nothing to say."""
    tell_what_is_missing()
    assert log_events == []
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    tell_what_is_missing()
    assert [event["event"] for event in log_events] == ["numba_missing"]
    assert "black_queen" in log_events[0]["reason"]


async def test_processes_of_bots_give_way_to_the_server(pool: BotPool) -> None:
    """With too few processors the loop is served before thinking goes on."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    theirs = await done_by(pool._processes, os.getpriority, os.PRIO_PROCESS, 0)
    assert theirs == min(19, own + NICENESS)


async def warm_up(pool: BotPool, fakes: list[FakeProcess]) -> None:
    """Have a pool of one process load all kernels."""
    async with asyncio.TaskGroup() as tasks:
        warming = tasks.create_task(pool.warm())
        jobs = 0
        while not warming.done():
            await asyncio.sleep(0)
            if fakes and len(fakes[0].jobs) > jobs:
                jobs += 1
                fakes[0].work()
