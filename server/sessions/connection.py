"""A client's socket as the server sees it: frames go out in order, and slow readers are noticed.

The queue is what was written and the network has not taken yet; it is bounded in bytes. Over the
bound a client gets answers only and no events; when it has caught up, it gets one snapshot of each
of its tables. Over four times the bound it is cut off.
"""

from collections.abc import Callable, Iterable
from itertools import count
from typing import Protocol

import structlog

from protocol.features import FIRST_FORM
from protocol.wire_form import WireForm
from server.names import Player
from server.ops.isolation import isolated
from server.sessions.fair_queue import Share
from server.sessions.session import Session, SessionIdentity

log = structlog.get_logger()

HARD_FACTOR = 4
CLOSE_FAILED = 1011
_NUMBERS = count(1)
_NOBODY = SessionIdentity(Player("", ""), "")


class Wire(Protocol):
    """The part of a socket that a connection uses; tests have their own."""

    def write(self, frame: bytes | str) -> None:
        """Send a frame without waiting."""
        ...

    def unsent(self) -> int:
        """The number of bytes that the network has not taken yet."""
        ...

    def unread(self) -> float:
        """About how many messages of the client wait to be read."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Close with a WebSocket close code."""
        ...


class Outboxes:
    """The connections that have something to send; a flush takes them all."""

    def __init__(self) -> None:
        self.ready: set[Connection] = set()
        self.hold_back: Callable[[Connection, bytes, bool], bool] = _never
        """Keeps what tables tell a connection, if it may not be told now; whether it did."""


class Connection:
    """A client as the server sees it, and as tables know it once its player was welcomed.

    `lagging_since` is when the client fell behind; None while it keeps up. `closing` is set once
    the server hangs up: what still comes in is ignored. `address` is what limits by address count
    the client as (`server.net.addresses.limited_as`). `is_here` says whether the client runs
    on this machine, `number` names the connection in this process, and `share` is what it has used
    of the time for expensive commands. `legends` are the digests of those its program has, and
    `words` the numbers of the lists of words that it was told.
    """

    __slots__ = (
        "_bound",
        "_outbox",
        "_outboxes",
        "_synced",
        "_wire",
        "address",
        "closing",
        "codec",
        "features",
        "is_here",
        "lagging_since",
        "legends",
        "number",
        "player",
        "session",
        "share",
        "words",
    )

    def __init__(
        self,
        wire: Wire,
        session: Session,
        bound: int,
        address: str,
        is_here: bool,
        outboxes: Outboxes,
    ) -> None:
        self.session = session
        self.codec = session.codec
        self.address = address
        self.is_here = is_here
        self.lagging_since: float | None = None
        self.closing = False
        self.share = Share()
        self.number = next(_NUMBERS)
        # Until `hello` is answered with `welcome`.
        self.player = _NOBODY.player
        self.features = FIRST_FORM
        self.legends: set[str] = set()
        self.words: tuple[int, ...] = ()
        self._wire = wire
        self._bound = bound
        self._outboxes = outboxes
        self._outbox: list[bytes] = []
        self._synced: tuple[str, ...] = ()

    def welcomed(
        self, identity: SessionIdentity, highest: int, legends: Iterable[str] = ()
    ) -> None:
        """Its player was welcomed, whose program has these `legends`; `highest`: see `Session`."""
        self.session.welcome(identity, highest)
        self.player = identity.player
        self.features = identity.features
        self.legends = set(legends)

    @property
    def identity(self) -> SessionIdentity:
        """The player and the program that were welcomed; nobody until then."""
        return self.session.identity or _NOBODY

    def put(self, message: WireForm) -> None:
        """Add an answer, or what the connection itself is told, to the frame that is sent next."""
        self.put_encoded(self.codec.encode_message(message))

    def put_encoded(self, message: bytes) -> None:
        """The same for one that is encoded already."""
        self._outbox.append(message)
        self._outboxes.ready.add(self)

    def tell(self, message: WireForm) -> None:
        """The same for what a table or a list of tables tells, which may have to wait."""
        self.tell_encoded(self.codec.encode_message(message), passing=False)

    def tell_encoded(self, message: bytes, *, passing: bool = True) -> None:
        """The same for one that is encoded already.

        A client that reads too slowly is left out of one that is `passing`: a snapshot comes later.
        """
        if passing and self.lagging_since is not None:
            return
        if not self._outboxes.hold_back(self, message, passing):
            self._outbox.append(message)
            self._outboxes.ready.add(self)

    def flush(self) -> None:
        """Send what was put, as one frame."""
        outbox, self._outbox = self._outbox, []
        # Nothing is sent after the close: it could follow a message that was left out.
        if outbox and not self.closing:
            self._wire.write(self.codec.frame(outbox))

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

        Without an `error` it is no fault that anybody could mend.
        """
        if error is not None:
            log.error("connection_failed", exc_info=error)
        self._outbox = []
        if not self.closing:
            with isolated("connection_failed"):
                self.close(CLOSE_FAILED, "internal")


def _never(connection: Connection, message: bytes, passing: bool) -> bool:
    return False
