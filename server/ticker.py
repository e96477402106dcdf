"""Wakes tables when they are due, in memory or asleep."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter

from server.game_server import GameServer
from server.ops import isolation
from server.ops.isolation import forever

MOST_PAUSE_SECONDS = 0.25


class Ticker:
    """Calls the server's `tick` when it is due, and sleeps in between."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()

    def wake(self, at: float) -> None:
        """Request a tick at `at`, perhaps earlier than the present one."""
        self._woken.set()

    async def run(self, server: GameServer, now: Callable[[], float]) -> None:
        """Tick until cancelled, whatever a tick raises."""

        async def tick() -> None:
            due = server.next_tick()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if due is None else max(0.0, due - now())):
                    await self._woken.wait()
            self._woken.clear()
            if not await server.tick():
                await asyncio.sleep(isolation.AGAIN_SECONDS)

        await forever("tick_failed", tick)


async def load_sleepers(server: GameServer) -> None:
    """Load the sleeping tables that an alarm has woken, one by one, until cancelled.

    After each there is a pause as long as its loading took, so that thousands of them, as after a
    restart, leave half of the time to the tables with play. There is no pause while a client waits
    for the next one.
    """

    async def load() -> None:
        await server.tables.load_queue.wait()
        began = perf_counter()
        await server.wake_one()
        took = min(perf_counter() - began, MOST_PAUSE_SECONDS)
        await asyncio.sleep(0 if server.tables.load_queue.is_awaited else took)

    await forever("waking_failed", load)
