"""The background tasks of a process, which end with it."""

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
    """Start helper tasks in `tasks`, the watch on the event loop first; cancel them at the end.

    A helper that raises would end the whole group, and the process: wrap it in `forever` or `once`.
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
