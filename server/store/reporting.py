"""Passes the reports of the writer's thread to the event loop.

On Linux an event descriptor wakes the loop. `call_soon_threadsafe` does so by a socket: that costs
a lone commit some 15 µs more, and the processor some 30.
"""

import os
import sys
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from contextvars import Context

from server.store.errors import StoreError
from server.store.writer import Report, Round


class Reporting:
    """Has `loop` call `finish` with each report, in order; the thread calls `report`."""

    def __init__(self, loop: AbstractEventLoop, finish: Report) -> None:
        self._loop = loop
        self._finish = finish
        self._reports: deque[tuple[Round, Sequence[StoreError | None], float]] = deque()
        self._bell = -1
        if sys.platform == "linux":
            with suppress(OSError):
                self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        if self._bell >= 0:
            # Whoever opens the store is not whom the reports are about.
            Context().run(loop.add_reader, self._bell, self._heard)

    def report(self, written: Round, outcomes: Sequence[StoreError | None], seconds: float) -> None:
        """Report a batch to the loop; a loop that was closed meanwhile gets nothing more."""
        if self._bell >= 0:
            self._reports.append((written, outcomes, seconds))
            os.eventfd_write(self._bell, 1)
        else:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._finish, written, outcomes, seconds)

    def close(self) -> None:
        """Pass the remaining reports; the thread must have ended."""
        self._hand_over()
        if self._bell >= 0:
            self._loop.remove_reader(self._bell)
            os.close(self._bell)
            self._bell = -1

    def _heard(self) -> None:
        # Those who wait come first.
        self._hand_over()
        os.eventfd_read(self._bell)
        # What was reported in between rang before it was read.
        self._hand_over()

    def _hand_over(self) -> None:
        while self._reports:
            self._finish(*self._reports.popleft())
