"""What runs beside the work of a process, whatever its roles, and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

from server.bots.bus_worker import run_worker
from server.bots.pool import BotPool
from server.crossing.names import BOTS, TABLES
from server.ops.isolation import forever
from server.ops.metrics import Metrics, watch_loop
from server.ops.settings import Settings
from server.ops.stop_limit import StopLimit
from server.process_roles import OwnPeers

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


@asynccontextmanager
async def answering(
    tasks: asyncio.TaskGroup,
    settings: Settings,
    peers: OwnPeers,
    metrics: Metrics,
    pool: BotPool,
    stop: asyncio.Event,
) -> AsyncIterator[None]:
    """Let the bots of `pool` answer what tables ask over the bus, until `stop` is set.

    In the end it waits for what they have taken. Without tables beside them they are made ready at
    once; else when a table wants one, or the settings say so.
    """
    warm = TABLES not in settings.roles
    bus = peers[BOTS].bytes
    worker = tasks.create_task(run_worker(bus, pool, settings, metrics, stop, warm=warm))
    yield
    await worker


@asynccontextmanager
async def bots_without_tables(
    tasks: asyncio.TaskGroup,
    settings: Settings,
    peers: OwnPeers,
    metrics: Metrics,
    stop: asyncio.Event,
    limit: StopLimit,
) -> AsyncIterator[None]:
    """The bots of a process that has no tables, if they are one of its roles, until `stop`."""
    if BOTS not in settings.roles:
        yield
        return
    pool = BotPool(settings.workers, metrics.bot_chose)
    limit.children = lambda: pool.pids
    metrics.watch_bots(lambda: pool.ready)
    try:
        async with answering(tasks, settings, peers, metrics, pool, stop):
            yield
    finally:
        pool.close()
