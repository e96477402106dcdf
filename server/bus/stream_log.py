"""The last events of a stream, kept by its owner so that gaps can be filled."""

from collections import deque
from typing import Generic, TypeVar

P = TypeVar("P")

KEPT = 4096
KEPT_BYTES = 8 * 1024 * 1024
"""What is kept of a stream, for each gateway in a process with tables: some seconds of a busy one,
so that a courier may lose as much and nobody has to be hung up on."""


class StreamLog(Generic[P]):
    """Numbers events from `last + 1` on; keeps at most `kept`, of `KEPT_BYTES` together."""

    __slots__ = ("_bytes", "_events", "_kept", "last")

    def __init__(self, last: int = 0, kept: int = KEPT) -> None:
        self.last = last
        self._kept = kept
        self._events: deque[tuple[P, int]] = deque()
        self._bytes = 0

    def append(self, payload: P, size: int) -> int:
        """Keep an event of `size` bytes; return its number."""
        self.last += 1
        if not self._kept:
            return self.last
        self._events.append((payload, size))
        self._bytes += size
        while len(self._events) > self._kept or self._bytes > KEPT_BYTES:
            self._bytes -= self._events.popleft()[1]
        return self.last

    def after(self, number: int) -> list[tuple[int, P]] | None:
        """The events that follow event `number`; None if some of them are not kept any more."""
        missing = self.last - number
        if not 0 <= missing <= len(self._events):
            return None
        start = len(self._events) - missing
        return [(number + 1 + i, self._events[start + i][0]) for i in range(missing)]
