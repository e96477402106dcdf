"""The fastest event loop at hand, and a minimal WebSocket connection.

Load must cost less than the server, so the connection is `websockets`' Sans-I/O protocol directly
on an asyncio transport: no task, no queue, and no future per message.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from bench.processes import BenchError
from server.event_loop import fastest_loop

CONNECT_SECONDS = 20.0
T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """`work`'s result; the types that a coroutine is sent and yields belong to asyncio.

    A `BenchError` of one of its tasks is raised as it is.
    """
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        try:
            return runner.run(work)
        except ExceptionGroup as group:
            failed: Exception = group
            while isinstance(failed, ExceptionGroup):
                failed = failed.exceptions[0]
            if isinstance(failed, BenchError):
                raise failed from None
            raise


class Connection(asyncio.Protocol):
    """Calls `receive` with the payload of every message, `lost` when the peer goes away."""

    def __init__(self, url: str, subprotocol: str | None, receive: Callable[[bytes], None]) -> None:
        self.receive = receive
        self.lost: Callable[[], None] | None = None
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._websocket = ClientProtocol(
            parse_uri(url), subprotocols=[Subprotocol(subprotocol)] if subprotocol else None
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._websocket.send_request(self._websocket.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._websocket.receive_data(data)
        for event in self._websocket.events_received():
            if isinstance(event, Frame):
                if event.opcode in (Opcode.BINARY, Opcode.TEXT):
                    self.receive(bytes(event.data))
            elif isinstance(event, Response):
                self._open()
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._opened.done():
            self._opened.set_exception(BenchError("the server hung up during the handshake"))
        if self.lost is not None:
            self.lost()

    def send(self, *frames: bytes) -> None:
        """Send each as one binary frame, all at once."""
        for data in frames:
            self._websocket.send_binary(data)
        self._flush()

    def send_text(self, text: bytes) -> None:
        """Send it as one text frame."""
        self._websocket.send_text(text)
        self._flush()

    def ping(self) -> None:
        """Send a ping; that it is answered is not told."""
        self._websocket.send_ping(b"idle")
        self._flush()

    def go_deaf(self) -> None:
        """Read nothing more of what the peer sends."""
        self._transport.pause_reading()

    def close(self) -> None:
        """Close the connection; `lost` is not called."""
        self.lost = None
        self._transport.close()

    async def opened(self, seconds: float) -> None:
        """Wait for the handshake; `BenchError` if it fails."""
        async with asyncio.timeout(seconds):
            await self._opened

    def _open(self) -> None:
        error = self._websocket.handshake_exc
        if error is None:
            self._opened.set_result(None)
        else:
            self._opened.set_exception(BenchError(f"the handshake failed: {error}"))

    def _flush(self) -> None:
        for data in self._websocket.data_to_send():
            if data:
                self._transport.write(data)


async def connect(
    url: str,
    receive: Callable[[bytes], None],
    subprotocol: str | None = None,
    source: str | None = None,
    seconds: float = CONNECT_SECONDS,
) -> Connection:
    """An open connection to `url`, from the address `source`; its handshake may take `seconds`."""
    uri = parse_uri(url)
    connection = Connection(url, subprotocol, receive)
    loop = asyncio.get_running_loop()
    local = None if source is None else (source, 0)
    await loop.create_connection(lambda: connection, uri.host, uri.port, local_addr=local)
    await connection.opened(seconds)
    return connection
