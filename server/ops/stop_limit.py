"""A time limit on the server's stop, whatever it is doing."""

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep

import structlog

log = structlog.get_logger()

EXIT_FORCED = 1
LEAST_SECONDS = 1.0
"""Even a server that waits for nobody needs a moment to close its files."""
LOG_SECONDS = 0.2
"""How long a last word in the log may take: nobody may be reading it."""


class StopLimit:
    """Ends this process and its `children` at most `seconds` after `begin`.

    It needs neither the event loop nor the main thread, because either may wait for ever. All
    acknowledged moves are on the disk by then.
    """

    def __init__(self, seconds: float) -> None:
        self.children: Callable[[], Iterable[int]] = tuple
        """Returns the pids of the processes that must not outlive this one."""
        self._seconds = max(seconds, LEAST_SECONDS)
        self._end = 0.0

    def begin(self) -> None:
        """Start the time limit; further calls change nothing."""
        if not self._end:
            self._end = monotonic() + self._seconds
            Thread(target=self._end_in_time, name="stop-limit", daemon=True).start()

    def left(self) -> float:
        """The remaining seconds, never negative."""
        return max(0.0, self._end - monotonic())

    def _end_in_time(self) -> None:
        sleep(self.left())
        for pid in self.children():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        told = Thread(target=log.warning, args=("stop_forced",), daemon=True)
        told.start()
        told.join(LOG_SECONDS)
        os._exit(EXIT_FORCED)
