"""A WebSocket that pings a client that sends nothing, and hangs up if no answer comes.

`websockets` would ping a client that pings us, too, and keep one whose pongs come too late. Its
task for each connection takes 2 KiB.
"""

import asyncio
from typing import Any

from websockets.asyncio.server import Server
from websockets.frames import CloseCode
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocol.silence import Silence
from server.net.bad_requests import AnsweringConnection

LINGER_SECONDS = 1.0
"""How long a connection that was hung up is left open, so that the close frame arrives."""


class PingingConnection(AnsweringConnection):
    """A connection whose last bytes arrived at `heard_at`, by the event loop's clock."""

    __slots__ = ("_next_look", "_silence", "heard_at")

    def __init__(self, protocol: ServerProtocol, server: Server, **options: Any) -> None:
        super().__init__(protocol, server, **options)
        self.heard_at = self.loop.time()
        self._next_look: asyncio.TimerHandle | None = None

    def start_keepalive(self) -> None:
        """Look from now on whether the client still sends something; `websockets` calls this."""
        if self.ping_interval is not None:
            self._silence = Silence(self.loop.time())
            self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of a lost connection."""
        if self._next_look is not None:
            self._next_look.cancel()
        super().connection_lost(exc)

    def hang_up(self, code: CloseCode, words: str) -> None:
        """Close the connection without waiting for the client, and read nothing more from it."""
        if self.protocol.state is State.OPEN:
            self.protocol.fail(code, words)
            self.send_data()
        if not self.transport.is_closing():
            self.transport.pause_reading()
            self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _look(self) -> None:
        assert self.ping_interval is not None
        assert self.ping_timeout is not None
        if self.protocol.state is not State.OPEN:
            return
        ask_at = self.heard_at + self.ping_interval
        check = self._silence.look(self.loop.time(), self.heard_at, ask_at, self.ping_timeout)
        if check.is_gone:
            self.hang_up(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
            return
        if check.asks:
            self.protocol.send_ping(b"")
            self.send_data()
        self._next_look = self.loop.call_later(check.seconds, self._look)
