"""Wherever bots think, each request is answered exactly once, in time, with a legal move."""

import asyncio

import pytest
import structlog

from bots import Decision
from server.bots import service
from server.bots.process import Failed
from server.ops.tracing import CAUSE, caused_by, trace_id
from tests.server.bots.asking import LEGAL, Asked

LATE = 0.05
"""A deadline that is soon over."""


async def test_a_slow_bot_answers_when_it_has_thought(anywhere: Asked) -> None:
    """A bot outside the event loop answers later, from the event loop."""
    anywhere.ask()
    await anywhere.settled()
    assert anywhere.answers == []
    await anywhere.answer(Decision("play 3C"))
    assert anywhere.moves == ["play 3C"]
    assert anywhere.lateness == [""]


def said(log_events: list[structlog.typing.EventDict]) -> list[str]:
    """What the log says of bots that did not answer."""
    ends = ("replaced", "unanswered")
    return [each["event"] for each in log_events if each["event"].endswith(ends)]


async def test_a_late_bot_is_replaced_and_its_answer_dropped(
    anywhere: Asked,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the deadline any legal move is played; a later answer of the bot is ignored."""
    monkeypatch.setattr(service, "DEADLINE_SECONDS", LATE)
    anywhere.ask()
    await anywhere.settled()
    await anywhere.answered.wait()
    assert anywhere.answers[0].action in LEGAL
    await anywhere.answer(Decision("play 3C"))
    assert len(anywhere.answers) == 1
    assert anywhere.lateness == ["late"]
    assert said(log_events).count("bot_replaced") == 1


async def test_a_late_hint_is_none(
    anywhere: Asked,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A random move would be bad advice: the player hears that there is no hint.

    Nobody is replaced, so neither the log says so nor the figures.
    """
    monkeypatch.setattr(service, "DEADLINE_SECONDS", LATE)
    none = asyncio.Event()
    anywhere.ask(no_hint=none.set)
    await anywhere.settled()
    await none.wait()
    await anywhere.answer(Decision("play 3C"))
    assert (anywhere.answers, anywhere.lateness) == ([], [])
    assert {*said(log_events)} == {"hint_unanswered"}


@pytest.mark.parametrize("came", [Failed("KeyError"), Decision("play QS"), "play 3C"], ids=repr)
async def test_a_bot_that_fails_is_replaced(
    anywhere: Asked, log_events: list[structlog.typing.EventDict], came: object
) -> None:
    """A bot that raises in its process, or makes an illegal move, costs only this move."""
    anywhere.ask()
    await anywhere.answer(came)
    assert [decision.action in LEGAL for decision in anywhere.answers] == [True]
    assert anywhere.lateness == ["failed"]
    assert "QS" not in str(log_events)


async def test_a_bot_whose_process_ends_is_asked_once_more(anywhere: Asked) -> None:
    """A new process answers as if nothing had happened."""
    anywhere.ask()
    await anywhere.settled()
    anywhere.fakes[0].end()
    await anywhere.settled()
    assert anywhere.answers == []
    await anywhere.answer(Decision("play 3C"))
    assert anywhere.moves == ["play 3C"]
    assert anywhere.lateness == [""]


async def test_a_bot_that_ends_every_process_is_replaced(anywhere: Asked) -> None:
    """It is not asked for ever, and the next request has a process again."""
    anywhere.ask()
    await anywhere.settled()
    while not anywhere.answers:
        anywhere.fakes[-1].end()
        await anywhere.settled()
    assert [decision.action in LEGAL for decision in anywhere.answers] == [True]
    assert anywhere.lateness == ["failed"]
    anywhere.ask()
    await anywhere.answer(Decision("play 3C"))
    assert anywhere.answers[1].action == "play 3C"


async def test_a_dropped_question_is_not_answered(anywhere: Asked) -> None:
    """Neither by the bot nor for it."""
    drop = anywhere.ask()
    await anywhere.settled()
    drop()
    drop()
    await anywhere.answer(Decision("play 3C"))
    assert anywhere.answers == []


async def test_a_bot_is_asked_under_the_trace_id_of_a_command(
    anywhere: Asked, traced_lines: list[structlog.typing.EventDict]
) -> None:
    """Also by a worker, in a process that was started for another command."""
    for command, result in ((1, Decision("play 3C")), (2, Failed("KeyError"))):
        traced_lines.clear()
        with caused_by(("player", "laptop", command)):
            anywhere.ask()
        await anywhere.answer(result)
        assert len(anywhere.answers) == command
        told = {line.get("trace_id") for line in traced_lines}
        assert told <= {trace_id(("player", "laptop", command))}
    assert told
    assert CAUSE.get() is None
