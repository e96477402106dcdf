"""Bots over a bus that repeats and reorders, loses or lies, with a clock of its own."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from server.bots.bus_service import BotsOverBus
from server.bots.bus_worker import BusWorker
from server.bots.known_workers import TELL_SECONDS
from server.bots.pool import BotPool
from server.bus.bus import Bus
from tests.server.bots.asking import Asked
from tests.server.bus.worlds import LossyWorld


@dataclass
class BotWorld:
    """A network with one asker, `tables`, and workers that come and are killed."""

    world: LossyWorld
    bots: BotsOverBus = field(init=False)
    lateness: list[str] = field(default_factory=list)
    workers: dict[str, BusWorker] = field(default_factory=dict)
    pools: list[BotPool] = field(default_factory=list)

    def __post_init__(self) -> None:
        def observe(game: str, strength: int, seconds: float, late: str) -> None:
            self.lateness.append(late)

        self.bots = BotsOverBus(self.world.join("tables"), lambda: self.world.now, observe)

    def pool(self, processes: int = 1) -> BotPool:
        """The bots of a worker."""
        pool = BotPool(processes)
        self.pools.append(pool)
        return pool

    def add_worker(
        self,
        name: str,
        processes: int = 1,
        bus: Bus[bytes] | None = None,
        pool: BotPool | None = None,
    ) -> BusWorker:
        """A worker, of which the tables have yet to hear; with `bus` that peer becomes one."""
        pool = pool or self.pool(processes)
        worker = BusWorker(bus or self.world.join(name), pool, processes, lambda: self.world.now)
        self.workers[name] = worker
        return worker

    def kill(self, name: str) -> None:
        """Let a worker be gone, as by a power cut."""
        del self.workers[name]
        self.world.kill(name)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass; workers say every second what they have."""
        end = self.world.now + seconds
        while self.world.now < end:
            before = self.world.now
            self.world.step()
            if int(before / TELL_SECONDS) != int(self.world.now / TELL_SECONDS):
                for worker in self.workers.values():
                    worker.tell()
            await asyncio.sleep(0)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until `condition` holds."""
        end = self.world.now + 1000.0
        while not condition():
            assert self.world.now < end, "not within this world's time"
            await self.pass_time(0.05)

    async def met(self) -> None:
        """Let the tables hear of all workers."""
        await self.until(lambda: self.bots.workers.fresh.keys() == self.workers.keys())

    def close(self) -> None:
        """End all processes."""
        for pool in self.pools:
            pool.close()


@dataclass
class AskedOverBus(Asked):
    """Asks workers over a bus."""

    network: BotWorld | None = None

    async def settled(self) -> None:
        assert self.network is not None
        await self.network.pass_time(0.4)
