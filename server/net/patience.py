"""A time limit until `hello` that excludes the time in which the client waits for the server.

connected ─▶ nothing has come: counts ─▶ it has sent something: stands still ─▶ read: counts …
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOK_SECONDS = 0.05
"""After the time is over, what came while the event loop was late is still read for so long in all:
whoever sends a byte more each time would otherwise stay."""
MOST_HELD_SECONDS = 120.0
"""So long a client may wait for us in all: one that sends a byte at a time is not here for ever."""


class HelloTimeout:
    """A timer on the event loop `loop`: calls `over` after `seconds` of waiting for the client."""

    __slots__ = (
        "_began",
        "_held",
        "_left",
        "_left_held",
        "_left_to_look",
        "_looks_since",
        "_loop",
        "_over",
        "_timer",
    )

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, over: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._over = over
        self._left = seconds
        self._left_held = MOST_HELD_SECONDS
        self._left_to_look = LOOK_SECONDS
        self._looks_since: float | None = None
        self._held = 0
        self._timer: asyncio.TimerHandle | None = None
        self._start()

    def hold(self) -> None:
        """Stop the timer, as the client waits for the server, perhaps for several things."""
        if not self._held:
            self._left -= self._stop()
        self._held += 1
        if self._held == 1:
            self._start()

    def go_on(self) -> None:
        """Undo one call of `hold`."""
        if self._held == 1:
            self._left_held -= self._stop()
        self._held -= 1
        if not self._held:
            self._start()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the timer inside the block."""
        self.hold()
        try:
            yield
        finally:
            self.go_on()

    def extend(self, seconds: float, over: Callable[[], None]) -> None:
        """Wait this many more seconds for the client, and then call `over`."""
        self._over = over
        self._left += seconds
        self._left_to_look = LOOK_SECONDS
        if not self._held:
            self._left -= self._stop()
            self._start()

    def end(self) -> None:
        """End the timer, and keep no references."""
        # One more than is done some time: it is never waited for the client again.
        self._held += 1
        self._stop()
        self._over = _nothing

    def _start(self) -> None:
        if self._over is not _nothing:
            left = self._left_held if self._held else self._left
            self._began = self._loop.time()
            self._timer = self._loop.call_later(max(0.0, left), self._look)

    def _stop(self) -> float:
        """Stop the timer; return the seconds for which it ran."""
        timer, self._timer = self._timer, None
        if timer is None:
            return 0.0
        timer.cancel()
        now = self._loop.time()
        if self._looks_since is not None:
            self._left_to_look -= now - self._looks_since
            self._looks_since = None
        return now - self._began

    def _look(self) -> None:
        """Restart the timer, so that bytes which have arrived are read before `over` is called."""
        self._looks_since = self._loop.time()
        self._timer = self._loop.call_later(max(0.0, self._left_to_look), self._over)


def _nothing() -> None:
    pass
