"""Isolates faults: runs work that may raise and concerns one owner only.

An exception affects the table, command or connection of that work; all else is done as if nothing
had happened. `Table` and `EffectRunner.perform` isolate their own work, item by item and effect by
effect, because they know the cost of each failure.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, TypeAlias

import structlog

log = structlog.get_logger()

AGAIN_SECONDS = 0.1

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], object]
"""Runs a coroutine beside everything else."""


class isolated:  # noqa: N801 - it reads as what it does: with isolated(...)
    """Log an exception of the block as `event`, with its table, and suppress it.

    `raised` says afterwards whether there was one.
    """

    __slots__ = ("_event", "_table", "raised")

    def __init__(self, event: str, table: str | None = None) -> None:
        self._event = event
        self._table = table
        self.raised = False

    def __enter__(self) -> "isolated":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self.raised = True
        log.error(self._event, table=self._table, exc_info=error)
        return True


async def forever(event: str, work: Callable[[], Awaitable[object]]) -> None:
    """Repeat `work` until cancelled, after an exception with a short pause.

    The tasks beside the connections share a group: an exception in one would end the server.
    """
    while True:
        with isolated(event) as attempt:
            await work()
        if attempt.raised:
            await asyncio.sleep(AGAIN_SECONDS)


async def once(event: str, work: Awaitable[object]) -> None:
    """Await `work`, and log and suppress an exception in it."""
    with isolated(event):
        await work


class BackgroundTasks:
    """Background tasks; an exception in one is logged as `event`."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background."""
        # The event loop itself would let go of it.
        task = asyncio.get_running_loop().create_task(once(self._event, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is cancelled before its first step never comes to its work.
        task.add_done_callback(lambda _: work.close())
