"""Whether the server is still there: asks it after a silence, and hangs up where nothing comes.

A silence is short while a command goes unanswered or a table is in play, where somebody waits for
what the server says. Whatever arrives is a sign of life, parts of a message too.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from websockets.exceptions import ConnectionClosed

from protocol.dial import Backoff, ServerSocket
from protocol.silence import Silence


class SilenceWatcher:
    """Watches the sockets of one connection, one after the other.

    `waits` tells whether a command was sent that has no answer, `plays` whether a table that is
    followed there is in play.
    """

    def __init__(
        self, waits: Callable[[], bool], plays: Callable[[], bool], patience: Backoff
    ) -> None:
        self._waits = waits
        self._plays = plays
        self._patience = patience
        self._opened = asyncio.Event()
        self._socket: ServerSocket | None = None
        self._silence = Silence(0.0)
        self._waits_since: float | None = None
        # How often in a row a connection was given up: a busy server must not be left for ever.
        self._losses = 0
        self._given_up: tuple[ServerSocket, float] | None = None

    def opened(self, socket: ServerSocket) -> None:
        """Watch this socket from now on."""
        self._socket = socket
        self._silence = Silence(socket.loop.time())
        self._waits_since = None
        self._opened.set()

    def sent(self) -> None:
        """Record that a command was sent."""
        if self._waits_since is None and self._socket is not None:
            self._waits_since = self._socket.loop.time()

    def given_up(self, socket: ServerSocket) -> str:
        """Why the client closed a socket for its silence; "" if it did not."""
        if self._given_up is None or self._given_up[0] is not socket:
            return ""
        return f"no answer for {self._given_up[1]:g} seconds"

    async def watch(self) -> None:
        """Close each socket from which no sign of life comes when it is asked for one."""
        while True:
            await self._opened.wait()
            self._opened.clear()
            socket = self._socket
            assert socket is not None
            while socket is self._socket and socket.is_open:
                seconds = await self._look(socket)
                await asyncio.sleep(seconds)

    async def _look(self, socket: ServerSocket) -> float:
        """Do what is due; returns the seconds until the next check."""
        now, patience = socket.loop.time(), self._patience
        if not self._waits():
            self._waits_since = None
        ask_at, limit = socket.heard_at + patience.ping, patience.ping
        hurried = []
        if self._waits_since is not None:
            hurried.append(max(socket.heard_at, self._waits_since) + patience.answer)
        if self._plays():
            hurried.append(socket.heard_at + patience.table)
        if hurried:
            ask_at = min(ask_at, *hurried)
            limit = min(limit, patience.sign * 2**self._losses)
        look = self._silence.look(now, socket.heard_at, ask_at, limit)
        if self._silence.was_answered:
            self._losses = 0
        if look.is_gone:
            self._losses += 1
            self._given_up = (socket, limit)
            socket.transport.abort()
        if look.asks:
            await _ask(socket, limit)
        # A command may be sent meanwhile, and a table's match begin.
        return min(look.seconds, patience.answer)


async def _ask(socket: ServerSocket, limit: float) -> None:
    """Send a ping, if the socket accepts it."""
    with suppress(TimeoutError, ConnectionClosed):
        async with asyncio.timeout(limit):
            await socket.ping()
