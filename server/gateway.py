"""The gateway: websockets on one side, the hub on the other, and three pages over plain HTTP."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import lru_cache
from http import HTTPStatus
from typing import Any, TypeAlias

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from protocol.codec import codec_for
from protocol.version import CLOSE_REFUSED, SUBPROTOCOLS
from server.connection import Connection
from server.hub import Hub
from server.metrics import Metrics
from server.session import Session
from server.settings import Settings

log = structlog.get_logger()

HELLO_SECONDS = 10.0
"""How long a new connection may do without a hello that is welcomed."""
CLOSE_SECONDS = 10.0
"""How long a client may take to say goodbye."""

Ready: TypeAlias = Callable[[], Awaitable[str]]
"""Gives the reason why the server is not ready, or nothing if it is."""
Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], object]
"""Runs a coroutine beside everything else, in a group that waits for it."""


class Socket:
    """A websocket as `server.connection.Wire`."""

    def __init__(self, websocket: ServerConnection, spawn: Spawn) -> None:
        self._websocket = websocket
        self._spawn = spawn
        self._closing = False

    def write(self, frame: bytes | str) -> None:
        # Written without waiting; what the network has not taken yet is counted by `unsent`.
        if self._websocket.protocol.state is State.OPEN:
            self._websocket.transport.write(_framed(frame))

    def unsent(self) -> int:
        return self._websocket.transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        if not self._closing:
            self._closing = True
            self._spawn(self._websocket.close(code, reason))


@lru_cache(maxsize=64)
def _framed(frame: bytes | str) -> bytes:
    """The frame on the wire, made once for all who are sent the same.

    What a server sends is not masked, and no extension is agreed on, so it depends on nothing else.
    """
    if isinstance(frame, str):
        return Frame(Opcode.TEXT, frame.encode()).serialize(mask=False)
    return Frame(Opcode.BINARY, frame).serialize(mask=False)


class Gateway:
    """`now` gives server time in seconds."""

    def __init__(
        self,
        settings: Settings,
        hub: Hub,
        metrics: Metrics,
        ready: Ready,
        now: Callable[[], float],
        spawn: Spawn,
    ) -> None:
        self._settings = settings
        self._hub = hub
        self._metrics = metrics
        self._ready = ready
        self._now = now
        self._spawn = spawn
        self._addresses: Counter[str] = Counter()

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[Server]:
        """Accept connections until the context ends; `OSError` if the address cannot be had."""
        settings = self._settings
        try:
            server = await serve(
                self._connected,
                settings.host,
                settings.port,
                subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
                process_request=self._http,
                # Small messages gain nothing from it, and it costs 40 KiB a connection.
                compression=None,
                max_size=settings.message_bytes,
                ping_interval=settings.ping_seconds,
                ping_timeout=settings.ping_seconds,
                # A frozen client says neither hello nor goodbye; a stopping server waits for both.
                open_timeout=min(HELLO_SECONDS, settings.drain_seconds),
                close_timeout=min(CLOSE_SECONDS, settings.drain_seconds),
                server_header="blackqueen",
            )
        except OSError as error:
            where = f"{settings.host}:{settings.port}"
            raise OSError(f"cannot listen on {where}: {_reason(error)}") from None
        async with server:
            yield server

    async def _connected(self, websocket: ServerConnection) -> None:
        settings = self._settings
        session = Session(
            codec_for(websocket.subprotocol),
            settings.messages_per_second,
            settings.message_burst,
            self._now(),
        )
        socket = Socket(websocket, self._spawn)
        connection = Connection(socket, session, settings.send_buffer_bytes)
        address = _address(websocket)
        self._addresses[address] += 1
        self._metrics.accepted.inc()
        self._metrics.connections.inc()
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                while session.identity is None:
                    await self._hub.receive(connection, await websocket.recv())
            async for raw in websocket:
                await self._hub.receive(connection, raw)
        except ConnectionClosed:
            log.debug("connection_lost", address=address)
        except TimeoutError:
            log.info("connection_silent", address=address)
            await websocket.close(CLOSE_REFUSED, "hello_first")
        finally:
            self._hub.gone(connection)
            self._metrics.connections.dec()
            self._addresses -= Counter((address,))

    async def _http(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer plain requests; let those for a websocket pass while there is room."""
        if "Upgrade" in request.headers:
            return self._full(connection)
        match request.path.partition("?")[0]:
            case "/healthz":
                return connection.respond(HTTPStatus.OK, "ok\n")
            case "/readyz":
                reason = await self._ready()
                status = HTTPStatus.SERVICE_UNAVAILABLE if reason else HTTPStatus.OK
                return connection.respond(status, f"{reason or 'ready'}\n")
            case "/metrics":
                kind, body = self._metrics.render()
                length = str(len(body))
                headers = Headers([("Content-Type", kind), ("Content-Length", length)])
                return Response(HTTPStatus.OK, HTTPStatus.OK.phrase, headers, body)
            case "/":
                words = "blackqueen: join with `blackqueen join ws://...`, or see /healthz\n"
                return connection.respond(HTTPStatus.OK, words)
            case _:
                return connection.respond(HTTPStatus.NOT_FOUND, "no such page\n")

    def _full(self, connection: ServerConnection) -> Response | None:
        settings = self._settings
        per_address = settings.max_connections_per_address
        crowded = per_address and self._addresses[_address(connection)] >= per_address
        if not crowded and self._addresses.total() < settings.max_connections:
            return None
        self._metrics.refused.inc()
        return connection.respond(
            HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again later\n"
        )


def _address(connection: ServerConnection) -> str:
    address = connection.remote_address
    return str(address[0]) if address else ""


def _reason(error: OSError) -> str:
    """The system's words alone; asyncio's own name the address once more."""
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return error.strerror or str(error)
