"""Bots in processes: each question is answered once, in time, with a legal move."""

import pytest
import structlog

from bots import Decision
from server.bots import pool
from server.bots.process import Failed
from server.ops.tracing import CAUSE, caused_by, trace_id
from tests.server.bots.asking import LEGAL, QUESTION, Asking, turns

LATE = 0.05
"""A deadline that is soon over."""


async def test_a_slow_bot_answers_when_it_has_thought(slow: Asking) -> None:
    """A slow bot answers later, from the event loop."""
    await slow.ask()
    assert slow.answers == []
    await slow.answer(Decision("play 3C"))
    assert slow.moves == ["play 3C"]
    assert slow.lateness == [""]


def said(log_events: list[structlog.typing.EventDict]) -> list[str]:
    """The log's lines about bots that did not answer."""
    ends = ("replaced", "unanswered")
    return [each["event"] for each in log_events if each["event"].endswith(ends)]


async def test_a_late_bot_is_replaced_and_its_answer_dropped(
    slow: Asking,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the deadline a legal move is played, and the bot's later answer is ignored."""
    monkeypatch.setattr(pool, "DEADLINE_SECONDS", LATE)
    await (await slow.ask())
    assert slow.answers[0].action in LEGAL
    await slow.answer(Decision("play 3C"))
    assert len(slow.answers) == 1
    assert slow.lateness == ["late"]
    assert said(log_events).count("bot_replaced") == 1


async def test_a_late_hint_is_none(
    slow: Asking,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hint that is late is reported as none, since a random move would be bad advice.

    Nobody is replaced, so neither the log nor the figures say so.
    """
    monkeypatch.setattr(pool, "DEADLINE_SECONDS", LATE)
    assert await slow.pool.advise(QUESTION) is None
    await slow.answer(Decision("play 3C"))
    assert (slow.answers, slow.lateness) == ([], [])
    assert {*said(log_events)} == {"hint_unanswered"}


@pytest.mark.parametrize("came", [Failed("KeyError"), Decision("play QS"), "play 3C"], ids=repr)
async def test_a_bot_that_fails_is_replaced(
    slow: Asking, log_events: list[structlog.typing.EventDict], came: object
) -> None:
    """A bot that raises or plays illegally in its process loses only this move."""
    await slow.ask()
    await slow.answer(came)
    assert [decision.action in LEGAL for decision in slow.answers] == [True]
    assert slow.lateness == ["failed"]
    assert "QS" not in str(log_events)


async def test_a_bot_whose_process_ends_is_asked_once_more(slow: Asking) -> None:
    """If a bot's process ends the bot is asked once more in a new one."""
    await slow.ask()
    slow.fakes[0].end()
    assert slow.answers == []
    await slow.answer(Decision("play 3C"))
    assert slow.moves == ["play 3C"]
    assert slow.lateness == [""]


async def test_a_bot_that_ends_every_process_is_replaced(slow: Asking) -> None:
    """A bot that ends every process is replaced, and the next request has a process again."""
    await slow.ask()
    while not slow.answers:
        slow.fakes[-1].end()
        await turns()
    assert [decision.action in LEGAL for decision in slow.answers] == [True]
    assert slow.lateness == ["failed"]
    await slow.ask()
    await slow.answer(Decision("play 3C"))
    assert slow.answers[1].action == "play 3C"


async def test_a_dropped_question_is_not_answered(slow: Asking) -> None:
    """A dropped question gets no answer."""
    task = await slow.ask()
    task.cancel()
    await slow.answer(Decision("play 3C"))
    assert slow.answers == []


async def test_a_bot_is_asked_under_the_trace_id_of_a_command(
    slow: Asking, traced_lines: list[structlog.typing.EventDict]
) -> None:
    """A bot's lines have the trace id of the command that asked it."""
    for command, result in ((1, Decision("play 3C")), (2, Failed("KeyError"))):
        traced_lines.clear()
        with caused_by(("player", "laptop", command)):
            await slow.ask()
        await slow.answer(result)
        assert len(slow.answers) == command
        told = {line.get("trace_id") for line in traced_lines}
        assert told <= {trace_id(("player", "laptop", command))}
    assert told
    assert CAUSE.get() is None
