"""Bots of described games under load: they think less, and keep what they found."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from time import sleep

import pytest

from bots import Budget, Decision
from engine import AnyGame
from server.bots import pool, standby, thinking
from server.bots.job_queue import Job, Load
from server.bots.process import LOST, Progress, report
from server.bots.thinking import REPORT_SECONDS, BotQuestion, best_found
from server.bots.thinking_time import LEAST_SECONDS, MOST_SECONDS, described_budget
from server.bots.workers import Processes
from server.games.descriptions import make_game
from tests.server.bots.asking import Asking, turns
from tests.server.bots.fake_process import FakeProcess
from tests.server.bots.test_described_bots import SOURCE, request


def seconds(left: float, questions: int, lane: int = 1) -> float:
    """The thinking time of a bot, if one of two processes has long jobs."""
    budget = described_budget(left, Load(questions, lane, processes=2, long=1))
    assert budget.milliseconds is not None
    return budget.milliseconds / 1000


def test_alone_a_bot_may_think_for_long() -> None:
    """A bot alone may think for long."""
    assert seconds(5.0, 1) == MOST_SECONDS


def test_the_more_questions_wait_the_shorter_each_is_thought_about() -> None:
    """The more questions of a game wait, the less time each gets."""
    times = [seconds(5.0, questions) for questions in range(1, 60)]
    assert times == sorted(times, reverse=True)
    assert seconds(5.0, 8, lane=8) < seconds(5.0, 8)
    assert seconds(2.0, 4) < seconds(5.0, 4)
    assert seconds(0.1, 4) == LEAST_SECONDS


@pytest.mark.parametrize("questions", [1, 2, 3, 5, 6, 7, 12, 20, 60])
def test_all_questions_that_wait_are_answered_in_time(questions: int) -> None:
    """Questions asked at once are all answered in time, with any number of processes."""
    now, free = 0.0, [0.0, 0.0]
    for begun in range(questions):
        spent = seconds(5.0 - now, questions - begun)
        working = 2 if spent < 0.5 else 1
        at = free.index(min(free[:working]))
        free[at] = now + spent
        now = max(now, min(free[:working]))
    assert max(free) < 5.0


def test_a_search_says_now_and_then_what_it_has_found() -> None:
    """A search reports its decision from time to time, the last of which is the answer."""
    now, reports = 0.0, list[str]()

    def parts() -> Iterator[Callable[[], Decision]]:
        nonlocal now
        for number in range(10):
            now += 0.4 * REPORT_SECONDS
            yield partial(Decision, f"play {number}")

    found = best_found(parts(), lambda each: reports.append(each.action), lambda: now)
    assert found.action == "play 9"
    assert reports == ["play 2", "play 5", "play 8"]


async def test_what_a_job_has_found_crosses_over_before_its_result(one: Processes) -> None:
    """A job's interim results arrive before its final one."""
    job = Job(report, ("nearly",))
    assert await one.run(job) is None
    assert job.found == ["nearly"]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the deadline of a question come when the event loop next reads the time."""
    monkeypatch.setattr(pool, "DEADLINE_SECONDS", 0.0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("index", [0, 1])
async def test_a_deadline_gives_the_best_found_so_far(slow: Asking, index: int) -> None:
    """At the deadline the bot's best move so far is played."""
    asked = request(2)
    best = Decision(asked.position.choices.actions[index])
    task = asyncio.get_running_loop().create_task(slow.play(asked))
    await asyncio.sleep(0)
    for found in (Decision("no such move"), best, Decision("nor this")):
        slow.fakes[0].answer(Progress(found))
    await task
    assert (slow.answers, slow.strengths, slow.lateness) == ([best], [2], [""])


@pytest.mark.usefixtures("at_once")
async def test_a_bot_that_has_found_nothing_is_replaced(slow: Asking) -> None:
    """A bot without any result at the deadline is replaced by a quick search."""
    asked, game = request(2), make_game(SOURCE)
    await slow.play(asked, game)
    assert slow.moves[0] in asked.position.choices.actions
    assert (slow.strengths, slow.lateness) == ([1], ["late"])


@pytest.mark.usefixtures("at_once")
async def test_any_legal_move_is_the_last_resort(
    slow: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the quick search fails a random legal move is played."""

    def failing(rules: AnyGame, question: BotQuestion) -> Decision:
        raise RuntimeError

    monkeypatch.setattr(thinking, "hasty_move", failing)
    await slow.play(request(2), make_game(SOURCE))
    assert (slow.strengths, slow.lateness) == ([0], ["late"])


@pytest.mark.usefixtures("at_once")
async def test_moves_in_a_hurry_leave_the_event_loop_its_time(
    slow: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one slow quick search the next late question gets a random legal move."""

    def slowly(rules: AnyGame, question: BotQuestion) -> Decision:
        sleep(4 * standby.HURRY_SECONDS)
        return Decision(question.position.choices.actions[0])

    monkeypatch.setattr(thinking, "hasty_move", slowly)
    for strengths in ([1], [1, 0]):
        await slow.play(request(2), make_game(SOURCE))
        assert slow.strengths == strengths


async def test_what_was_found_survives_the_process_that_found_it(slow: Asking) -> None:
    """A result found before its process died is kept for the question."""
    asked = request(2)
    best = Decision(asked.position.choices.actions[1])
    await slow.ask(asked)
    slow.fakes[0].answer(Progress(best))
    slow.fakes[0].end()
    slow.fakes[1].end()
    await turns()
    assert (slow.answers, slow.lateness) == ([best], [""])


async def test_a_process_that_died_is_replaced_before_the_next_question(slow: Asking) -> None:
    """A process that died is replaced before the next question needs it."""
    await slow.ask(request(2))
    await slow.answer(LOST)
    slow.fakes[0].end()
    assert len(slow.fakes) == 2
    await slow.ask(request(2))
    assert len(slow.fakes) == 2
    assert slow.fakes[1].jobs


async def test_a_process_that_cannot_be_started_again_is_started_for_the_next_question(
    one: Processes, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that could not be started is tried again for the next question."""
    one.submit(Job(int, ()))
    fakes[0].answer(0)
    start = Processes._start

    def fails(self: Processes, worker: object) -> FakeProcess:
        raise OSError("no memory")

    monkeypatch.setattr(Processes, "_start", fails)
    fakes[0].end()
    monkeypatch.setattr(Processes, "_start", start)
    one.submit(Job(int, ()))
    assert len(fakes) == 2


async def test_the_budget_is_given_when_the_question_begins(slow: Asking) -> None:
    """A question's budget is set when it begins."""
    budgets = []
    for _ in range(5):
        await slow.ask(request(2))
    for _ in range(5):
        (asked,) = slow.fakes[0].job
        budgets.append(asked.budget.milliseconds)
        await slow.answer(Decision(asked.position.choices.actions[0]))
    assert budgets[-1] == 1000 * MOST_SECONDS
    assert 0 < budgets[1] < budgets[2] < budgets[-1]


async def test_a_repeatable_question_keeps_its_budget(slow: Asking) -> None:
    """A repeatable question keeps its budget under load."""
    asked = request(2)
    given = Budget(samples=7)
    await slow.ask(type(asked)(2, asked.position, b"seed", given, asked.source))
    assert slow.fakes[0].job[0].budget == given
