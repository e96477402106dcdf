"""Bots that think in processes: each question is answered once, in time, with a legal move."""

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
    """A bot outside the event loop answers later, from the event loop."""
    await slow.ask()
    assert slow.answers == []
    await slow.answer(Decision("play 3C"))
    assert slow.moves == ["play 3C"]
    assert slow.lateness == [""]


def said(log_events: list[structlog.typing.EventDict]) -> list[str]:
    """What the log says of bots that did not answer."""
    ends = ("replaced", "unanswered")
    return [each["event"] for each in log_events if each["event"].endswith(ends)]


async def test_a_late_bot_is_replaced_and_its_answer_dropped(
    slow: Asking,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the deadline any legal move is played; a later answer of the bot is ignored."""
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
    """A random move would be bad advice: the player hears that there is no hint.

    Nobody is replaced, so neither the log says so nor the figures.
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
    """A bot that raises in its process, or makes an illegal move, costs only this move."""
    await slow.ask()
    await slow.answer(came)
    assert [decision.action in LEGAL for decision in slow.answers] == [True]
    assert slow.lateness == ["failed"]
    assert "QS" not in str(log_events)


async def test_a_bot_whose_process_ends_is_asked_once_more(slow: Asking) -> None:
    """A new process answers as if nothing had happened."""
    await slow.ask()
    slow.fakes[0].end()
    assert slow.answers == []
    await slow.answer(Decision("play 3C"))
    assert slow.moves == ["play 3C"]
    assert slow.lateness == [""]


async def test_a_bot_that_ends_every_process_is_replaced(slow: Asking) -> None:
    """It is not asked for ever, and the next request has a process again."""
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
    """Neither by the bot nor for it."""
    task = await slow.ask()
    task.cancel()
    await slow.answer(Decision("play 3C"))
    assert slow.answers == []


async def test_a_bot_is_asked_under_the_trace_id_of_a_command(
    slow: Asking, traced_lines: list[structlog.typing.EventDict]
) -> None:
    """Also in a process that was started for another command."""
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
