"""A WebSocket that counts bytes and frames as they arrive, and reads them in its turn.

    the network ─▶ bytes counted ─▶ little? read at once : backlog, then a piece a turn
                                                          └▶ parser ─▶ frames counted

A connection over its budget is closed: nothing more of what has arrived is parsed, and what is
still in the kernel is not read.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isinf
from types import GeneratorType
from typing import Any, Literal, TypeAlias, cast

from websockets.asyncio.server import Server, ServerConnection
from websockets.frames import DATA_OPCODES, CloseCode, Frame
from websockets.protocol import Event, State
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

from server.net.addresses import (
    client_address,
    is_here,
    is_trusted,
    limited_as,
    unnamed_proxy,
)
from server.net.frames import message_in
from server.net.keepalive import PingingConnection
from server.net.patience import HelloTimeout
from server.net.traffic import Arrivals, TrafficBudget, TrafficLimits
from server.ops.settings import Networks
from server.sessions.fair_queue import FairQueue, Share

PIECE = 512
"""Bytes for one turn: 85 empty frames, some 2 ms. The parser is never given more at once."""
HIGH_WATER = 32_768
"""Bytes waiting for their turn over which no more are read from the network."""
FRAME = 32
"""Bytes that are reckoned as one frame while they wait: most messages have more."""
AT_ONCE = 16
"""Frames that are counted together, at most."""
MOST_PARTS = 512
"""Frames that one message may come in. Each takes memory until the last has come, and empty ones
do not count to the message's size."""

Reason: TypeAlias = Literal["arrivals", "bytes", "frames", "messages", "unread"]
"""What a connection that is cut off had too much of; `unread` is what it does not read of us."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """The shared state of all connections of a server.

    `cut` is called with each connection that is cut off, with its address and its player if it has
    one. `unsent` limits the bytes that may wait for a client that does not read.
    """

    before_hello: TrafficLimits
    limits: TrafficLimits
    arrivals: Arrivals
    fair_queue: FairQueue
    trusted: Networks
    unsent: int
    handshake_seconds: float
    """What the client may take until the WebSocket is open."""
    hello_seconds: float
    """The same until its `hello`, the handshake included."""
    cut: Callable[[Reason, str, str | None], None]
    now: Callable[[], float]

    def connections(self) -> type[ServerConnection]:
        """The `create_connection` argument of `websockets.serve`."""
        # It only calls it, but is declared to want a class.
        return cast(type[ServerConnection], partial(CountedConnection, traffic=self))


class CountedConnection(PingingConnection):
    """A counted connection; `patience` is the remaining time until `hello`.

    `wants_more` while some of its bytes wait for their turn; `share` is its used time for reading.
    The last parsed bytes arrived at `since`, by the event loop's clock.
    """

    # Outside the instance's dictionary, which takes 2 KiB more when it has over thirty names.
    __slots__ = (
        "_address",
        "_admitted",
        "_backlog",
        "_budget",
        "_counted",
        "_counted_to",
        "_ended",
        "_frames",
        "_held",
        "_is_between",
        "_now",
        "_over",
        "_parts",
        "_player",
        "_traffic",
        "on_message",
        "patience",
        "share",
        "since",
        "wants_more",
    )

    on_message: Callable[[bytes | str], None] | None
    """Takes a whole message at once; None while it has to wait for others."""

    def __init__(
        self, protocol: ServerProtocol, server: Server, *, traffic: Traffic, **options: Any
    ) -> None:
        super().__init__(protocol, server, **options)
        self._traffic = traffic
        self._address: str | None = None
        self._player: str | None = None
        self._budget = TrafficBudget(traffic.before_hello, traffic.now())
        self._backlog = b""
        self._frames = 0
        self._parts = 0
        self._now = traffic.now
        self._admitted = False
        self.wants_more = False
        self.share = Share()
        self.since = 0.0
        self._held = False
        self._ended = False
        self._over = False
        self._counted = False
        self.patience = HelloTimeout(self.loop, traffic.handshake_seconds, self._give_up)
        self._counted_to = ""
        self._is_between = False
        self.on_message = None
        # An empty deque takes 600 bytes, and hardly ever is anybody in it.
        self.drain_waiters = []  # type: ignore[assignment]

    @property
    def address(self) -> str:
        """The client's key for limits by address; the peer's before a request is read."""
        if self._address is not None:
            return self._address
        peer = self.remote_address
        if not peer:
            return ""
        forwarded = [] if self.request is None else self.request.headers.get_all("X-Forwarded-For")
        return limited_as(client_address(str(peer[0]), forwarded, self._traffic.trusted))

    @property
    def is_forwarded(self) -> bool:
        """Whether the connection comes from a trusted proxy."""
        peer = self.remote_address
        return bool(peer) and is_trusted(str(peer[0]), self._traffic.trusted)

    @property
    def is_here(self) -> bool:
        """Whether the client runs on this machine, according to the handshake."""
        peer = self.remote_address
        if not peer or self.request is None:
            return False
        return is_here(str(peer[0]), self.request.headers)

    @property
    def unnamed_proxy(self) -> str | None:
        """The address of the client's proxy if the settings do not name it."""
        peer = self.remote_address
        if not peer or self.request is None:
            return None
        return unnamed_proxy(str(peer[0]), self.request.headers, self._traffic.trusted)

    def accepted(self, late: Callable[[], None]) -> None:
        """Finish an open WebSocket's handshake, and keep only the address of its request.

        The headers would stay for as long as the connection, 3 KiB of them. `late` is called when
        the client has had its time for `hello`.
        """
        more = self._traffic.hello_seconds - self._traffic.handshake_seconds
        self.patience.extend(more, late)
        self._address = self.address
        # The parser has the request, too.
        if self.request is not None:
            self.request.headers.clear()
        self.response = None

    def forwarded(self) -> bool:
        """Count the socket to the client behind a proxy; return False if it has too many."""
        address = self.address
        if not self._traffic.arrivals.named(address):
            return False
        self._counted_to = address
        return True

    def welcomed(self, player: str) -> None:
        """Apply the full limits, as a `hello` of `player` was welcomed."""
        self._player = player
        self.patience.end()
        self._budget.grant(self._traffic.limits, self._traffic.now())

    def cut_off(self, reason: Reason, words: str) -> None:
        """Close the connection for what it sent (1008), and read nothing more from it.

        There is no closing handshake, and new connections of its address have to wait.
        """
        self._traffic.cut(reason, self.address, self._player)
        if self._over:
            return
        self._over = True
        self._backlog = b""
        self.patience.end()
        self._traffic.arrivals.punish(self.address, self._traffic.now())
        if self.protocol.state is State.CONNECTING:
            self.transport.abort()
            return
        self.hang_up(CloseCode.POLICY_VIOLATION, words)

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a new connection in, perhaps after a wait, or cut it off."""
        self.transport = cast(asyncio.Transport, transport)
        arrivals = self._traffic.arrivals
        # Only the request says for whom a proxy speaks.
        address = "" if self.is_forwarded else self.address
        wait = arrivals.wait(address, self._traffic.now()) if address else 0.0
        if isinf(wait) or not arrivals.opened(address):
            self._over = True
            self.patience.end()
            self._traffic.cut("arrivals", self.address, None)
            self.transport.abort()
            return
        self._counted, self._counted_to = True, address
        super().connection_made(transport)
        self.recv_messages.pause = self._hold
        self.recv_messages.resume = self._read_on
        if wait:
            self.loop.call_later(wait, self._admit)
        else:
            self._admitted = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up a lost connection, also one that was cut off."""
        self._over = True
        self._backlog = b""
        self.patience.end()
        if self._counted:
            self._traffic.arrivals.closed(self._counted_to)
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count bytes, and parse them at once if they are few, else in their turn."""
        if self._over:
            return
        now, size = self._now(), len(data)
        self.heard_at = now
        if not self._budget.take_bytes(size, now):
            self._cut("bytes")
            return
        small = size <= PIECE and not self._backlog
        if small and self._budget.is_prompt(now) and self._traffic.fair_queue.admits_at_once(now):
            # Most of what arrives is one small message.
            self.since = now
            self._parse(data)
        else:
            if not self._backlog:
                self.since = now
                self.patience.hold()
            self._backlog += data
            if len(self._backlog) > HIGH_WATER:
                self._hold()
            self._wait()

    def eof_received(self) -> bool:  # type: ignore[override] # asyncio allows it, websockets has None
        """Read the client's remaining bytes before its end of the stream."""
        if not self._backlog or self._over:
            super().eof_received()
            return False
        # What came before the end is read first, and the connection kept until then.
        self._ended = True
        return True

    def process_event(self, event: Event) -> None:
        """Count a frame."""
        self._frames += 1
        if isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            self._parts = 0 if event.fin else self._parts + 1
        super().process_event(event)

    # Turns

    @property
    def wanted(self) -> float:
        """The approximate number of frames that wait to be read, or to be carried out."""
        return len(self._backlog) / FRAME + len(self.recv_messages.frames)

    def take_turn(self) -> float:
        """Parse one piece of the backlog; return the number of frames in it."""
        try:
            return self._take_turn()
        except Exception:
            self.transport.abort()
            raise

    def _take_turn(self) -> float:
        frames = 0
        piece, self._backlog = self._backlog[:PIECE], self._backlog[PIECE:]
        if not self._over:
            frames = self._parse(piece)
        # The messages are carried out before more is parsed, so refusals come in time.
        self.wants_more = bool(self._backlog) and not self.recv_messages.paused
        if not self._backlog and not self._over:
            self._caught_up()
        return max(1, frames)

    def _admit(self) -> None:
        self._admitted = True
        self._wait()

    def _wait(self) -> None:
        if (
            self._backlog
            and self._admitted
            and not self.wants_more
            and not self.recv_messages.paused
        ):
            self.wants_more = True
            self._traffic.fair_queue.wait(self)

    def _caught_up(self) -> None:
        """Read on without a backlog, or close if the client has ended."""
        self.patience.go_on()
        if self._held and not self.recv_messages.paused:
            self._read_on()
        if self._ended:
            super().eof_received()
            self.transport.close()

    def _hold(self) -> None:
        """Pause reading from the network until the backlog is empty."""
        self._held = True
        self.transport.pause_reading()

    def _read_on(self) -> None:
        """Parse the backlog, or else read from the network; called when messages were taken."""
        if self._backlog:
            self._wait()
        elif not self._over and not self.transport.is_closing():
            self._held = False
            self.transport.resume_reading()

    def _give_up(self) -> None:
        """Close a client that has not ended its handshake in time, without an answer."""
        self.transport.abort()

    # Budgets

    def _parse(self, data: bytes) -> int:
        """Give at most `PIECE` bytes to the parser; return the number of frames in them."""
        if self.on_message is not None and (message := self._whole_message(data)) is not None:
            self._frames += 1
            if self._frames > AT_ONCE and not self._take_frames():
                self._cut("frames")
            else:
                self.on_message(message)
            return 1
        before = self._frames
        super().data_received(data)
        frames = self._frames - before
        self._is_between = _is_between_frames(self.protocol)
        if self._parts >= MOST_PARTS or (self._frames > AT_ONCE and not self._take_frames()):
            self._cut("frames")
        elif self.paused and self.transport.get_write_buffer_size() > self._traffic.unsent:
            # Each ping is answered, whether or not the answers are read.
            self._cut("unread")
        return frames

    def _whole_message(self, data: bytes) -> bytes | str | None:
        """Return the one whole message in `data`, if the parser is not needed for it."""
        if not self._is_between or self._parts or self.protocol.state is not State.OPEN:
            return None
        return None if self.recv_messages.frames else message_in(data)

    def _take_frames(self) -> bool:
        frames, self._frames = self._frames, 0
        return self._budget.take_frames(frames, self._now())

    def _cut(self, reason: Reason) -> None:
        self.cut_off(reason, "too much traffic")


_AT_EOF = StreamReader.at_eof.__code__


def _is_between_frames(protocol: ServerProtocol) -> bool:
    """Whether the parser has read all its bytes and waits for the first byte of a frame."""
    reading: object = protocol.parser
    while isinstance(reading, GeneratorType) and reading.gi_yieldfrom is not None:
        reading = reading.gi_yieldfrom
    return isinstance(reading, GeneratorType) and reading.gi_code is _AT_EOF
