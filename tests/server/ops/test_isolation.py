"""Background tasks: errors are logged, and nothing is left behind."""

import asyncio
from inspect import CORO_CLOSED, getcoroutinestate

from structlog.typing import EventDict

from server.ops.isolation import BackgroundTasks


async def ended() -> None:
    """Let all tasks but this one end."""
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(others)


async def test_an_exception_is_logged_and_goes_no_further(log_events: list[EventDict]) -> None:
    """An exception of a background task is logged, and the task is forgotten."""

    async def fail() -> None:
        raise ValueError

    beside = BackgroundTasks("work_failed")
    beside.spawn(fail())
    beside.spawn(asyncio.sleep(0))
    assert len(beside) == 2
    await ended()
    assert len(beside) == 0
    assert [line["event"] for line in log_events] == ["work_failed"]


async def test_work_that_never_begins_is_closed() -> None:
    """A coroutine that never begins is closed."""
    began: list[bool] = []

    async def begin() -> None:
        began.append(True)

    work = begin()
    BackgroundTasks("work_failed").spawn(work)
    (task,) = asyncio.all_tasks() - {asyncio.current_task()}
    task.cancel()
    await ended()
    assert getcoroutinestate(work) == CORO_CLOSED
    assert began == []
