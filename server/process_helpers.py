"""What runs beside the work of a process, and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

from server.ops.isolation import forever
from server.ops.metrics import Metrics, watch_loop

StartHelper: TypeAlias = Callable[[Coroutine[Any, Any, None]], None]
"""Runs a coroutine until the process ends."""


@asynccontextmanager
async def helpers(tasks: asyncio.TaskGroup, metrics: Metrics) -> AsyncIterator[StartHelper]:
    """Start helpers in `tasks`, the watch on the event loop first; cancel them all at the end.

    One that raises would end the whole group, and the process: give it to `forever` or `once`.
    """
    started: list[asyncio.Task[None]] = []

    def start(work: Coroutine[Any, Any, None]) -> None:
        started.append(tasks.create_task(work))

    start(forever("lag_unseen", partial(watch_loop, metrics.lagged)))
    try:
        yield start
    finally:
        for task in started:
            task.cancel()
