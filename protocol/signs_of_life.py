"""Whether a connection on which a command goes unanswered is dead, or its server is only busy."""

import asyncio
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from protocol.dial import Patience


class SignsOfLife:
    """Watches the sockets of one connection, one after the other; `waits`: a command waits."""

    def __init__(self, waits: Callable[[], bool], patience: Patience) -> None:
        self._waits = waits
        self._patience = patience
        self._socket: ClientConnection | None = None
        self._sent = asyncio.Event()
        self._heard = 0
        # How often in a row a connection was given up: a busy server must not be left for ever.
        self._losses = 0

    def sent(self, socket: ClientConnection) -> None:
        """A command was sent."""
        self._socket = socket
        self._sent.set()

    def heard(self) -> None:
        """The server has said something."""
        self._heard += 1

    async def watch(self) -> None:
        """Close each connection on which neither commands nor a ping are answered."""
        while True:
            await self._sent.wait()
            self._sent.clear()
            socket, seconds = self._socket, self._patience.answer
            while self._waits() and socket is not None and socket is self._socket:
                heard = self._heard
                await asyncio.sleep(seconds)
                if heard != self._heard:
                    continue
                if not await self._lives(socket):
                    break
                # It is busy, and must not be asked all the time.
                seconds = min(2 * seconds, self._patience.ping)

    async def _lives(self, socket: ClientConnection) -> bool:
        """Whether a connection gives a sign of life; it is closed if not."""
        seconds = min(self._patience.ping, self._patience.sign * 2**self._losses)
        try:
            async with asyncio.timeout(seconds):
                await (await socket.ping())
        except TimeoutError:
            self._losses += 1
            await socket.close(reason=f"no answer for {seconds:g} seconds")
            return False
        except ConnectionClosed:
            return False
        self._losses = 0
        return True
