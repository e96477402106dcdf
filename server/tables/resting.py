"""Rests while a log is played: everything else has three quarters of the time."""

from collections.abc import Awaitable, Callable
from time import perf_counter

AT_ONCE = 0.005
"""Seconds of playing after which everything else has a turn, three times as long."""


class Rests:
    """Counts the time of one playing; `pause` waits for a number of seconds."""

    def __init__(self, pause: Callable[[float], Awaitable[None]]) -> None:
        self._pause = pause
        self.begin()

    def begin(self) -> None:
        """Count from now on, as after a wait for something else."""
        self._began = perf_counter()

    async def rest(self) -> None:
        """Pause if enough was played since the last rest."""
        took = perf_counter() - self._began
        if took > AT_ONCE:
            await self._pause(3 * took)
            self.begin()
