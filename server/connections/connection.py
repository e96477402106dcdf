"""A client's socket as the server sees it: frames go out in order, and slow readers are noticed.

The queue is what was written and the network has not taken yet; it is bounded in bytes. Over the
bound a client gets answers only and no events; when it has caught up, it gets one snapshot of each
of its tables. Over four times the bound it is cut off.
"""

from itertools import count
from typing import Protocol

import structlog

from protocol.wire_form import WireForm
from server.connections.fair_queue import Share
from server.connections.session import Session
from server.crossing.requests import Resumed
from server.ops.isolation import isolated

log = structlog.get_logger()

HARD_FACTOR = 4
CLOSE_FAILED = 1011
_NUMBERS = count(1)


class Wire(Protocol):
    """The part of a socket that a connection uses; tests have their own."""

    def write(self, frame: bytes | str) -> None:
        """Send a frame; never waits."""
        ...

    def unsent(self) -> int:
        """The bytes that the network has not taken yet."""
        ...

    def unread(self) -> float:
        """About how many messages of the client wait to be read."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Close with a WebSocket close code."""
        ...


class Connection:
    """`lagging_since` is when the client fell behind; None while it keeps up.

    `closing` is set once the server hangs up: what still comes in is ignored. `address` is what
    limits by address count the client as (`server.transport.addresses.limited_as`). `is_here` says
    whether the client runs on this machine. `number` names the connection to the tables, which hear
    of it once it is `announced`, and nodes that come later by what is in `come`. `share` is what it
    has used of the time for expensive commands.
    """

    __slots__ = (
        "_bound",
        "_outbox",
        "_synced",
        "_wire",
        "address",
        "announced",
        "closing",
        "come",
        "is_here",
        "lagging_since",
        "number",
        "session",
        "share",
    )

    def __init__(
        self, wire: Wire, session: Session, bound: int, address: str, is_here: bool
    ) -> None:
        self.session = session
        self.address = address
        self.is_here = is_here
        self.lagging_since: float | None = None
        self.closing = False
        self.announced = False
        self.come: Resumed | None = None
        self.share = Share()
        self.number = next(_NUMBERS)
        self._wire = wire
        self._bound = bound
        self._outbox: list[bytes] = []
        self._synced: tuple[str, ...] = ()

    @property
    def player(self) -> str:
        """The id of its player; "" before hello."""
        identity = self.session.identity
        return "" if identity is None else identity.player.id

    def put(self, message: WireForm) -> None:
        """Add a message to the frame that `flush` sends."""
        self._outbox.append(self.session.codec.encode_message(message))

    def put_encoded(self, message: bytes) -> None:
        """The same for one that is encoded already."""
        self._outbox.append(message)

    def flush(self) -> None:
        """Send what was put, as one frame."""
        outbox, self._outbox = self._outbox, []
        # Nothing is sent after the close: it could follow a message that was left out.
        if outbox and not self.closing:
            self._wire.write(self.session.codec.frame(outbox))

    def may_sync(self, table: str) -> bool:
        """Whether the client may ask for a snapshot of `table`: none is on its way to it."""
        if not self._wire.unsent():
            self._synced = ()
        return table not in self._synced

    def synced(self, table: str) -> None:
        """A snapshot of `table` that the client asked for is on its way to it."""
        self._synced += (table,)

    def unread(self) -> float:
        """About how many messages of the client wait to be read."""
        return self._wire.unread()

    def falls_behind(self) -> bool:
        """Whether more waits to be sent than may."""
        return self._wire.unsent() > self._bound

    def is_lost(self) -> bool:
        """Whether so much waits to be sent that the client is given up."""
        return self._wire.unsent() > HARD_FACTOR * self._bound

    def has_caught_up(self) -> bool:
        """Whether so little waits to be sent that the client gets events again."""
        return self._wire.unsent() < self._bound / 4

    def close(self, code: int, reason: str) -> None:
        """Send what waits, then close with a WebSocket close code."""
        try:
            self.flush()
        finally:
            self.closing = True
            self._wire.close(code, reason)

    def fail(self, error: Exception | None = None) -> None:
        """Hang up because a fault of ours has lost the client a message; it reconnects for it.

        Without an `error` the fault was elsewhere, and is logged there.
        """
        if error is not None:
            log.error("connection_failed", exc_info=error)
        self._outbox = []
        if not self.closing:
            with isolated("connection_failed"):
                self.close(CLOSE_FAILED, "internal")
