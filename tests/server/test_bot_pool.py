"""Whatever becomes of a bot, its question is answered, once, with a legal move."""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from random import Random
from threading import Event
from typing import Any

import pytest
import structlog

from bots import Budget, Decision, Position, roster
from engine import Choices, View
from server import bot_pool, bot_processes
from server.bot_pool import BotPool, Request
from server.serve import tell_what_is_missing

LEGAL = ("play 2C", "play 3C")
REQUEST = Request(0, Position("black_queen", 0, View(), Choices(LEGAL)), b"seed")


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
    monkeypatch.setattr(bot_pool, "_bot", lambda game, strength: bot)


async def test_a_quick_bot_answers_at_once(
    pool: BotPool, answers: Answers, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that thinks in place has answered before the question returns."""
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
    """A fault or a move that is not allowed costs the bot its move, and stops nothing."""
    bots_are(Odd(says), monkeypatch)
    pool.ask(REQUEST, answers.append)
    assert [decision.action in LEGAL for decision in answers] == [True]
    assert seen == ["failed"]
    assert "QS" not in str(log_events)
    assert "bot_replaced" in [event["event"] for event in log_events]


async def test_a_slow_bot_answers_when_it_has_thought(
    pool: BotPool, answers: Answers, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot in another process answers later, from the event loop."""
    thoughts = elsewhere(pool, monkeypatch)
    pool.ask(REQUEST, answers.append)
    assert answers == []
    thoughts[0].set_result(Decision("play 3C"))
    await asyncio.sleep(0)
    assert [decision.action for decision in answers] == ["play 3C"]
    assert seen == [""]


async def test_a_late_bot_is_replaced_and_its_answer_dropped(
    pool: BotPool, answers: Answers, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the deadline any legal move is played; what the bot says then is not heard."""
    monkeypatch.setattr(bot_pool, "DEADLINE_SECONDS", 0.0)
    thoughts = elsewhere(pool, monkeypatch)
    pool.ask(REQUEST, answers.append)
    await answers.come.wait()
    assert answers[0].action in LEGAL
    thoughts[0].set_result(Decision("play 3C"))
    await asyncio.sleep(0)
    assert len(answers) == 1
    assert seen == ["late"]


@pytest.mark.parametrize("error", [BrokenProcessPool("killed"), KeyError("QS")], ids=repr)
async def test_a_bot_lost_with_its_process_is_replaced(
    pool: BotPool,
    answers: Answers,
    seen: list[str],
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    """A process that dies or a bot that raises in it costs the one move."""
    thoughts = elsewhere(pool, monkeypatch)
    pool.ask(REQUEST, answers.append)
    thoughts[0].set_exception(error)
    await asyncio.sleep(0)
    assert [decision.action in LEGAL for decision in answers] == [True]
    assert seen == ["failed"]
    assert "QS" not in str(log_events)


async def test_a_broken_pool_is_made_anew(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its processes were lost the pool starts others for the next question."""
    made: list[object] = []

    class Broken:
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            made.append(self)

        def submit(self, *args: Any) -> None:
            raise BrokenProcessPool("killed")

        def shutdown(self, **kwargs: Any) -> None:
            pass

    monkeypatch.setattr(bot_processes, "ProcessPoolExecutor", Broken)
    bots_are(Odd("play 3C", in_place=False), monkeypatch)
    for asked in (1, 2):
        pool.ask(REQUEST, answers.append)
        assert len(answers) == len(made) == asked


async def test_a_bot_thinks_in_a_process_of_its_own(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real pool carries question and answer over, and gives the same move as in place."""
    in_place = bot_pool.think(REQUEST)
    bots_are(Odd("unused", in_place=False), monkeypatch)
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
    """Not here: bots with kernels are what is tested."""


@pytest.fixture
def with_kernels(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Black Queen with a strength that is compiled and one whose compilation fails."""
    here = "tests.server.test_bot_pool"
    recipes = [
        roster.RANDOM,
        roster.Recipe(f"{here}:Compiled", compiled=True),
        roster.Recipe(f"{here}:broken", compiled=True),
    ]
    monkeypatch.setattr(roster, "STRENGTHS", {"black_queen": tuple(recipes)})
    monkeypatch.setattr(bot_pool, "_tried", set())
    WARMED.clear()
    bot_pool._bot.cache_clear()
    yield
    bot_pool._bot.cache_clear()


def broken() -> Compiled:
    return Compiled(fails=True)


@pytest.mark.usefixtures("with_kernels")
async def test_kernels_are_loaded_in_every_process(
    pool: BotPool,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each bot once a process; one that cannot be loaded is told of and stops no other."""
    with ThreadPoolExecutor(1) as process:
        monkeypatch.setattr(pool._processes, "executor", lambda: process)
        await pool.warm()
    assert WARMED == [1]
    began, *failed, done = log_events
    assert (began["event"], done["event"]) == ("bots_warming", "bots_warmed")
    assert [event["event"] for event in failed] == ["bot_not_warmed"]
    assert (failed[0]["game"], failed[0]["strength"]) == ("black_queen", 2)
    assert "no compiler" in failed[0]["reason"]


@pytest.mark.usefixtures("with_kernels")
async def test_no_process_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has loaded a bot may get the task again; then it is put once more."""
    takers = iter((11, 11, 11, 11, 12))
    asked: list[tuple[str, int]] = []

    def loading(game: str, strength: int) -> tuple[int, str]:
        asked.append((game, strength))
        return next(takers, 11 + len(asked) % 2), ""

    pool = BotPool(2)
    with ThreadPoolExecutor(1) as process:
        monkeypatch.setattr(pool._processes, "executor", lambda: process)
        monkeypatch.setattr(bot_pool, "warm_here", loading)
        await pool.warm()
    assert asked.count(("black_queen", 1)) == 5
    assert asked.count(("black_queen", 2)) == 3


@pytest.mark.usefixtures("with_kernels")
async def test_a_process_lost_while_it_loads_is_told_of(
    pool: BotPool,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server goes on; the next question gets new processes."""

    def lost() -> ThreadPoolExecutor:
        raise BrokenProcessPool("killed")

    monkeypatch.setattr(pool._processes, "executor", lost)
    await pool.warm()
    assert [event["event"] for event in log_events] == ["bots_warming", "bots_not_warmed"]


async def test_without_kernels_no_process_is_started(
    pool: BotPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no bot has any there is nothing to load."""
    monkeypatch.setattr(roster, "available", lambda: False)
    await pool.warm()
    assert not pool._processes.started


@pytest.mark.usefixtures("with_kernels")
async def test_a_bot_with_kernels_is_not_loaded_by_the_server(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets all facts and thinks elsewhere, though nobody here has looked at it."""
    asked: list[Request] = []

    def elsewhere(request: Request) -> Decision:
        asked.append(request)
        return Decision("play 3C")

    with ThreadPoolExecutor(1) as process:
        monkeypatch.setattr(pool._processes, "executor", lambda: process)
        monkeypatch.setattr(bot_pool, "think", elsewhere)
        assert pool.needs_facts("black_queen", 1)
        pool.ask(replace(REQUEST, strength=1), answers.append)
        await answers.come.wait()
    assert len(asked) == 1
    assert bot_pool._bot.cache_info().currsize == 0


@pytest.mark.usefixtures("with_kernels")
async def test_while_kernels_are_compiled_a_bot_is_waited_for(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual deadline would be over before a new installation has compiled anything."""
    monkeypatch.setattr(bot_pool, "DEADLINE_SECONDS", 0.0)
    compiled = Event()

    def compiling(game: str, strength: int) -> tuple[int, str]:
        compiled.wait()
        return 1, ""

    with ThreadPoolExecutor(1) as process:
        monkeypatch.setattr(pool._processes, "executor", lambda: process)
        monkeypatch.setattr(bot_pool, "warm_here", compiling)
        monkeypatch.setattr(bot_pool, "think", lambda request: Decision("play 3C"))
        warming = asyncio.ensure_future(pool.warm())  # noqa: TID251 - its end is awaited below
        await asyncio.sleep(0)
        pool.ask(replace(REQUEST, strength=1), answers.append)
        await asyncio.sleep(0)
        assert answers == []
        compiled.set()
        await answers.come.wait()
        await warming
    assert [decision.action for decision in answers] == ["play 3C"]


@pytest.mark.usefixtures("with_kernels")
async def test_a_strength_that_is_not_on_offer_is_played_by_the_next_below(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table may have been stored by a server that had Numba."""
    monkeypatch.setattr(roster, "available", lambda: False)
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
    monkeypatch.setattr(roster, "available", lambda: False)
    tell_what_is_missing()
    assert [event["event"] for event in log_events] == ["numba_missing"]
    assert "black_queen" in log_events[0]["reason"]


async def test_processes_of_bots_give_way_to_the_server(pool: BotPool) -> None:
    """Where there are too few processors, the loop is served before thinking goes on."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    theirs = await asyncio.get_running_loop().run_in_executor(
        pool._processes.executor(), os.getpriority, os.PRIO_PROCESS, 0
    )
    assert theirs == min(19, own + bot_processes.NICENESS)


def elsewhere(pool: BotPool, monkeypatch: pytest.MonkeyPatch) -> list["asyncio.Future[Decision]"]:
    """Bots that think in other processes; what they think is up to the test."""
    bots_are(Odd("unused", in_place=False), monkeypatch)
    loop = asyncio.get_running_loop()
    thoughts: list[asyncio.Future[Decision]] = []

    def run_in_executor(*args: object) -> "asyncio.Future[Decision]":
        thoughts.append(loop.create_future())
        return thoughts[-1]

    monkeypatch.setattr(loop, "run_in_executor", run_in_executor)
    monkeypatch.setattr(pool._processes, "executor", lambda: None)
    return thoughts
