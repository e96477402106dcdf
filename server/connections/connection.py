"""A client's socket as the server sees it: frames go out in order, and slow readers are noticed.

What has been written and not yet been taken by the network is the queue, and its bytes are its
bound. Over the bound a client gets no more events, only answers; when it has caught up it
gets one snapshot of each of its tables. Over four times the bound it is cut off.
"""

from typing import Protocol

import structlog

from protocol.encode import Plain
from server.connections.session import Session
from server.ops.isolation import isolated

log = structlog.get_logger()

HARD_FACTOR = 4
CLOSE_FAILED = 1011


class Wire(Protocol):
    """The part of a socket that is needed; a test may bring its own."""

    def write(self, frame: bytes | str) -> None: ...

    def unsent(self) -> int: ...

    def close(self, code: int, reason: str) -> None: ...


class Connection:
    """`lagging_since` is when the client fell behind; None while it keeps up.

    `closing` is set once we hang up: nothing that still comes in is meant for us. `address` is
    what limits by address count the client as (`server.transport.addresses.limited_as`).
    """

    def __init__(self, wire: Wire, session: Session, bound: int, address: str) -> None:
        self.session = session
        self.address = address
        self.lagging_since: float | None = None
        self.closing = False
        self._wire = wire
        self._bound = bound
        self._outbox: list[bytes] = []
        self._synced: tuple[str, ...] = ()

    def put(self, message: Plain) -> None:
        """Add a message to the frame that `flush` sends."""
        self._outbox.append(self.session.codec.encode_message(message))

    def put_encoded(self, message: bytes) -> None:
        """The same for one that is encoded already."""
        self._outbox.append(message)

    def flush(self) -> None:
        outbox, self._outbox = self._outbox, []
        # After the last word nothing is sent: it might follow something that was left out.
        if outbox and not self.closing:
            self._wire.write(self.session.codec.frame(outbox))

    def may_sync(self, table: str) -> bool:
        """Whether no snapshot of the table that was asked for is still on its way to the client."""
        if not self._wire.unsent():
            self._synced = ()
        if table in self._synced:
            return False
        self._synced += (table,)
        return True

    def falls_behind(self) -> bool:
        """Whether more waits to be sent than may."""
        return self._wire.unsent() > self._bound

    def is_lost(self) -> bool:
        return self._wire.unsent() > HARD_FACTOR * self._bound

    def has_caught_up(self) -> bool:
        return self._wire.unsent() < self._bound / 4

    def close(self, code: int, reason: str) -> None:
        """Send what waits, then close with a WebSocket close code."""
        try:
            self.flush()
        finally:
            self.closing = True
            self._wire.close(code, reason)

    def fail(self, error: Exception) -> None:
        """By a fault of our own the client misses something: hang up, it comes back for it."""
        log.error("connection_failed", exc_info=error)
        self._outbox = []
        if not self.closing:
            with isolated("connection_failed"):
                self.close(CLOSE_FAILED, "internal")
