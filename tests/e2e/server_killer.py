"""Kills a server repeatedly at given moments of a match, and restarts it each time."""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from tests.e2e.processes import Programs, Server

LONGEST_WAIT = 0.008
"""Seconds from the event that gives the sign to the kill: about as long as a move takes."""
STILLBIRTHS = 0.15
"""The share of restarts that are killed before they are ready."""
START_SECONDS = 1.0


class ServerKiller:
    """Kills a server at `moments`, which are event numbers: one kill for each, or a little later.

    Between two kills something happens at the table, so every kill hits a match in progress.
    """

    def __init__(
        self, programs: Programs, server: Server, moments: Sequence[int], *flags: str
    ) -> None:
        self.kills = 0
        self.server = server
        self._programs = programs
        self._flags = flags
        self._moments = sorted(moments)
        self._seen = 0
        self._news = asyncio.Event()

    def saw(self, seq: int) -> None:
        """Record that a client received an event."""
        self._seen = max(self._seen, seq)
        self._news.set()

    async def work(self, rng: Random) -> None:
        """Kill the server at every moment, and return when the last server runs."""
        for moment in self._moments:
            await self._until(max(moment, self._seen + 1))
            if rng.random() < 0.7:
                await asyncio.sleep(rng.uniform(0.0, LONGEST_WAIT))
            await self.server.kill()
            self.kills += 1
            if rng.random() < STILLBIRTHS:
                await self._stillborn(rng.uniform(0.0, START_SECONDS))
            self.server = await self._programs.serve(*self._flags, port=self.server.port)

    async def _until(self, seq: int) -> None:
        while self._seen < seq:
            self._news.clear()
            await self._news.wait()

    async def _stillborn(self, seconds: float) -> None:
        """Start a server and kill it during its start, or soon after the first player may act."""
        program = await self._programs.start_server(*self._flags, port=self.server.port)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._until(self._seen + 1), seconds)
        program.signal(signal.SIGKILL)
        await program.ended()
