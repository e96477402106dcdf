"""Whatever happens to a bot, its request is answered exactly once, with a legal move."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest
import structlog

from bots import Budget, Decision, Position
from engine import Choices, View
from server.bots import pool as bot_pool
from server.bots import thinking
from server.bots.pool import BotPool
from server.bots.process import Failed
from server.bots.thinking import NICENESS, BotQuestion
from server.serve import tell_what_is_missing
from tests.server.bots.fake_process import FakeProcess, done_by
from tests.server.bots.kernels import pretend_kernels

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
        self.strengths: list[int] = []

    def take(self, decision: Decision, strength: int) -> None:
        self.append(decision)
        self.strengths.append(strength)
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
    pool.ask(REQUEST, answers.take)
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
    pool.ask(REQUEST, answers.take)
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
    pool.ask(REQUEST, answers.take)
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
    pool.ask(REQUEST, answers.take)
    await answers.come.wait()
    assert answers[0].action in LEGAL
    fakes[0].answer(Decision("play 3C"))
    assert len(answers) == 1
    assert seen == ["late"]


async def test_a_late_hint_is_none(
    pool: BotPool, answers: Answers, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A random move would be bad advice: the player hears that there is no hint."""
    monkeypatch.setattr(bot_pool, "DEADLINE_SECONDS", 0.0)
    bots_are(SLOW, monkeypatch)
    none = asyncio.Event()
    pool.ask(REQUEST, answers.take, no_hint=none.set)
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
    pool.ask(REQUEST, answers.take)
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
    pool.ask(REQUEST, answers.take)
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
    pool.ask(REQUEST, answers.take)
    for process in (0, 1):
        fakes[process].end()
    assert [decision.action in LEGAL for decision in answers] == [True]
    assert seen == ["failed"]
    pool.ask(REQUEST, answers.take)
    fakes[2].answer(Decision("play 3C"))
    assert answers[1].action == "play 3C"


async def test_a_dropped_question_is_not_answered(
    pool: BotPool, answers: Answers, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by the bot nor for it."""
    bots_are(SLOW, monkeypatch)
    drop = pool.ask(REQUEST, answers.take)
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
    pool.ask(REQUEST, answers.take)
    await answers.come.wait()
    assert answers == [in_place]


@pytest.fixture(autouse=True)
def plain_bots() -> None:
    """Not here: these tests are about bots with kernels."""


@pytest.fixture
def with_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Black Queen with strengths that are compiled, and one that needs nothing."""
    pretend_kernels(monkeypatch)


@pytest.mark.usefixtures("with_kernels")
async def test_without_kernels_no_process_is_fakes(
    pool: BotPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no bot has any kernels there is nothing to load."""
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    await pool.warm()
    assert not pool._processes.started


@pytest.mark.usefixtures("with_kernels")
async def test_a_strength_that_is_not_on_offer_is_played_by_the_next_below(
    pool: BotPool, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table may have been stored by a server that had Numba."""
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    assert not pool.needs_facts("black_queen", 2)
    pool.ask(replace(REQUEST, strength=2), answers.take)
    assert (answers[0].action, answers.strengths) == (LEGAL[0], [1])


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
