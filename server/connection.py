"""A client's socket as the hub sees it: frames go out in order, and a slow reader is noticed.

What has been written and not yet been taken by the network is the queue, and its bytes are its
bound. Over the bound a client gets no events any more, only answers; when he has caught up he
gets one snapshot of each of his tables. Over four times the bound he is cut off.
"""

from typing import Protocol

from protocol.encode import Plain
from server.session import Session

HARD_FACTOR = 4


class Wire(Protocol):
    """The part of a socket that is needed; a test may bring its own."""

    def write(self, frame: bytes | str) -> None: ...

    def unsent(self) -> int: ...

    def close(self, code: int, reason: str) -> None: ...


class Connection:
    """`lagging_since` is when the client fell behind; None while it keeps up.

    `closing` is set once we hang up: nothing that still comes in is meant for us.
    """

    def __init__(self, wire: Wire, session: Session, bound: int) -> None:
        self.session = session
        self.lagging_since: float | None = None
        self.closing = False
        self._wire = wire
        self._bound = bound
        self._outbox: list[bytes] = []

    def put(self, message: Plain) -> None:
        """Add a message to the frame that `flush` sends."""
        self._outbox.append(self.session.codec.encode_message(message))

    def put_encoded(self, message: bytes) -> None:
        """The same for one that is encoded already."""
        self._outbox.append(message)

    def flush(self) -> None:
        if not self._outbox:
            return
        frame = self.session.codec.frame(self._outbox)
        self._outbox = []
        self._wire.write(frame)

    def falls_behind(self) -> bool:
        """Whether more waits to be sent than may."""
        return self._wire.unsent() > self._bound

    def is_lost(self) -> bool:
        return self._wire.unsent() > HARD_FACTOR * self._bound

    def has_caught_up(self) -> bool:
        return self._wire.unsent() < self._bound / 4

    def close(self, code: int, reason: str) -> None:
        """Send what waits, then close with a WebSocket close code."""
        self.flush()
        self.closing = True
        self._wire.close(code, reason)
