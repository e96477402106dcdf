"""Honest programs that ask for more than people do, one thing after the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from time import perf_counter

from bench.load import Load, Player

EACH = 3
"""Programs of each kind."""
ASKED = {"ping": 0.03, "list_tables": 0.2, "games": 0.3}
"""What they ask for, and how many seconds they wait after each answer."""
COME_SECONDS = 0.3
"""How long those wait who come in anew each time."""


class Busy:
    """Programs at a server; `round_trips` are seconds from asking to the answer."""

    def __init__(self, url: str) -> None:
        self.round_trips: list[float] = []
        self._load = Load(url)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """They ask inside the block; `BenchError` if one was refused."""
        async with asyncio.TaskGroup() as tasks:
            programs = [tasks.create_task(self._come(f"busy-{at}")) for at in range(EACH)]
            for type, pause in ASKED.items():
                for at in range(EACH):
                    asking = self._ask(f"busy-{type}-{at}", type, pause)
                    programs.append(tasks.create_task(asking))
            yield
            for program in programs:
                program.cancel()
        self._load.check()

    async def _ask(self, name: str, type: str, pause: float) -> None:
        player = Player(self._load, 0)
        await player.connect(self._load.urls[0], name)
        while True:
            began = perf_counter()
            await player.ask(type)
            self.round_trips.append(perf_counter() - began)
            await asyncio.sleep(pause)

    async def _come(self, name: str) -> None:
        for number in count():
            began = perf_counter()
            player = Player(self._load, 0)
            await player.connect(self._load.urls[0], f"{name}-{number}")
            self.round_trips.append(perf_counter() - began)
            player.hang_up()
            await asyncio.sleep(COME_SECONDS)
