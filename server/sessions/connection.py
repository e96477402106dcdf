"""A client's socket as the server sees it: frames go out in order, and slow readers are noticed.

The queue has the bytes that were written and the network has not taken yet; its size is limited.
Over the limit a client gets answers only and no events; when it has caught up, it gets one snapshot
of each of its tables. Over four times the limit it is cut off.
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
        """The approximate number of the client's messages that wait to be read."""
        ...

    def welcomed(self, player: str) -> None:
        """Apply the limits of players, before `welcome` can be sent: a `hello` was accepted."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Close with a WebSocket close code."""
        ...


class Outboxes:
    """The connections that have something to send; a flush takes them all."""

    def __init__(self) -> None:
        self.ready: set[Connection] = set()
        self.hold_back: Callable[[Connection, bytes, bool], bool] | None = None
        """Keeps what tables tell a connection, if it may not be told now; whether it did."""


class Connection:
    """A client's connection, to which tables send messages once its player was welcomed.

    `lagging_since` is when the client fell behind; None while it keeps up. `closing` is set once
    the server hangs up: further input is ignored. `address` is the client's key for limits by
    address (`server.net.addresses.limited_as`). `is_here` says whether the client runs on this
    machine, `number` names the connection in this process, and `share` is its used time for
    expensive commands. `legends` are the digests of the legends its program has, and `words` the
    numbers of the lists of words that it was sent. `tables` are those that it follows.
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
        "tables",
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
        self.tables: tuple[str, ...] = ()
        self._wire = wire
        self._bound = bound
        self._outboxes = outboxes
        self._outbox: list[bytes] = []
        self._synced: tuple[str, ...] = ()

    def welcomed(
        self, identity: SessionIdentity, highest: int, legends: Iterable[str] = ()
    ) -> None:
        """Record the welcomed player, and the `legends` of the program; see `Session`."""
        self.session.welcome(identity, highest)
        self._wire.welcomed(identity.player.id)
        self.player = identity.player
        self.features = identity.features
        self.legends = set(legends)

    @property
    def identity(self) -> SessionIdentity:
        """The player and the program that were welcomed; none until then."""
        return self.session.identity or _NOBODY

    def put(self, message: WireForm) -> None:
        """Add an answer, or a message to the connection itself, to the next frame."""
        self.put_encoded(self.codec.encode_message(message))

    def put_encoded(self, message: bytes) -> None:
        """Add an encoded answer, or message to the connection itself, to the next frame."""
        self._outbox.append(message)
        self._outboxes.ready.add(self)

    def tell(self, message: WireForm) -> None:
        """Add a message of a table or a list of tables, which may have to wait."""
        self.tell_encoded(self.codec.encode_message(message), passing=False)

    def tell_encoded(self, message: bytes, *, passing: bool = True) -> None:
        """Add an encoded message of a table or a list of tables, which may have to wait.

        A client that reads too slowly does not get a `passing` message: a snapshot comes later.
        """
        if passing and self.lagging_since is not None:
            return
        hold_back = self._outboxes.hold_back
        if hold_back is None or not hold_back(self, message, passing):
            self._outbox.append(message)
            self._outboxes.ready.add(self)

    def flush(self) -> None:
        """Send the added messages, as one frame."""
        outbox, self._outbox = self._outbox, []
        # Nothing is sent after the close: it could follow a message that was left out.
        if outbox and not self.closing:
            self._wire.write(self.codec.frame(outbox))

    def may_sync(self, table: str) -> bool:
        """Whether the client may ask for a snapshot of `table`, as none is on its way."""
        if not self._wire.unsent():
            self._synced = ()
        return table not in self._synced

    def synced(self, table: str) -> None:
        """Record that a requested snapshot of `table` is on its way to the client."""
        self._synced += (table,)

    def unread(self) -> float:
        """The approximate number of the client's messages that wait to be read."""
        return self._wire.unread()

    def falls_behind(self) -> bool:
        """Whether more bytes wait to be sent than allowed."""
        return self._wire.unsent() > self._bound

    def is_lost(self) -> bool:
        """Whether so many bytes wait to be sent that the client is cut off."""
        return self._wire.unsent() > HARD_FACTOR * self._bound

    def has_caught_up(self) -> bool:
        """Whether so few bytes wait to be sent that the client gets events again."""
        return self._wire.unsent() < self._bound / 4

    def close(self, code: int, reason: str) -> None:
        """Send the waiting messages, then close with a WebSocket close code."""
        try:
            self.flush()
        finally:
            self.closing = True
            self._wire.close(code, reason)

    def fail(self, error: Exception | None = None) -> None:
        """Hang up because the server lost a message to the client, which then reconnects.

        Without an `error` there is nothing to repair.
        """
        if error is not None:
            log.error("connection_failed", exc_info=error)
        self._outbox = []
        if not self.closing:
            with isolated("connection_failed"):
                self.close(CLOSE_FAILED, "internal")
