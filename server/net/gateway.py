"""The gateway: accepts sockets, hands their frames to the command router, and serves pages."""

import asyncio
import errno
import os
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from math import isinf
from typing import Any, TypeAlias

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from protocol.codec import codec_for
from protocol.version import CLOSE_REFUSED, SUBPROTOCOLS
from server.game_server import GameServer
from server.net.frames import framed
from server.net.origins import Origins
from server.net.plain_pages import Administrators, PlainPages
from server.net.reading import MessageReader
from server.net.tls import listening
from server.net.traffic import AddressBudgets, Arrivals, TrafficLimits
from server.net.websocket import CountedConnection, Traffic
from server.ops.isolation import isolated, once
from server.ops.metrics import Metrics
from server.ops.public_url import PublicUrl
from server.ops.settings import Settings
from server.players.bans import banned
from server.sessions.connection import HARD_FACTOR, Connection
from server.sessions.session import Session

log = structlog.get_logger()

BACKLOG = 1024
"""Connections that the kernel keeps for us to accept. Of a crowd that comes at once, those for whom
there is no room would have to knock again after a second, then after two more, then four."""
RECEIVE_BUFFER = 65_536
"""Bytes of a connection that the kernel keeps for us to read."""
SEND_BUFFER = 131_072
"""Bytes for a connection that the kernel keeps until the client takes them; it doubles this for its
own use. By itself it would keep megabytes, and whoever reads nothing would seem to read."""
FOREIGN_PAGE = (
    "This page does not belong to this server, so it may not play here. Whoever runs the server "
    "can let it in: --public-url, --allowed-hosts.\n"
)
CLOSE_SECONDS = 10.0
"""How long a client may take to answer a close."""

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], object]
"""Runs a coroutine beside everything else, in a group that waits for it."""


class Socket:
    """A websocket as `server.sessions.connection.Wire`."""

    __slots__ = ("_closing", "_spawn", "_websocket")

    def __init__(self, websocket: CountedConnection, spawn: Spawn) -> None:
        self._websocket = websocket
        self._spawn = spawn
        self._closing = False

    def write(self, frame: bytes | str) -> None:
        """Send a frame without waiting."""
        # Written without waiting; what the network has not taken yet is counted by `unsent`.
        if self._websocket.protocol.state is State.OPEN:
            self._websocket.transport.write(framed(frame))

    def unsent(self) -> int:
        """The number of bytes that the network has not taken yet."""
        return self._websocket.transport.get_write_buffer_size()

    def unread(self) -> float:
        """The approximate number of the client's messages that wait to be read."""
        return self._websocket.wanted

    def welcomed(self, player: str) -> None:
        """Apply the limits of players."""
        self._websocket.welcomed(player)

    def close(self, code: int, reason: str) -> None:
        """Close with a WebSocket close code; once is enough."""
        if not self._closing:
            self._closing = True
            if code == CloseCode.POLICY_VIOLATION:
                self._websocket.cut_off("messages", reason)
            else:
                # All that is spawned shares a group, which an exception would end.
                self._spawn(once("closing_failed", self._hang_up(code, reason)))

    async def _hang_up(self, code: int, reason: str) -> None:
        try:
            # A client that does not read delays our close frame as well as its own.
            async with asyncio.timeout(self._websocket.close_timeout):
                await self._websocket.close(code, reason)
        except TimeoutError:
            self._websocket.transport.abort()


class Gateway:
    """Serves clients. `now` returns server time in seconds."""

    def __init__(
        self,
        settings: Settings,
        server: GameServer,
        metrics: Metrics,
        now: Callable[[], float],
        spawn: Spawn,
        administrators: Administrators | None = None,
    ) -> None:
        self._settings = settings
        self._server = server
        self._metrics = metrics
        self._now = now
        self._spawn = spawn
        self._access_log = server.connections.access_log
        self._arrivals = Arrivals.of(settings)
        self._messages = AddressBudgets(
            settings.address_messages_per_second, settings.address_message_burst
        )
        node = settings.node_url
        own = None if node is None else PublicUrl.parse(node)
        self._origins = Origins(settings.public, settings.allowed_hosts, own)
        self._pages = PlainPages(
            settings,
            server,
            metrics,
            self._origins,
            now,
            self._cut,
            administrators,
        )

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[Server]:
        """Accept connections until the context ends; raise `OSError` without the address."""
        settings = self._settings
        loop = asyncio.get_running_loop()
        tls = listening(settings)
        traffic = Traffic(
            before_hello=TrafficLimits.before_hello(settings),
            limits=TrafficLimits.of(settings),
            arrivals=self._arrivals,
            fair_queue=self._server.fair_queue,
            trusted=settings.trusted_proxies,
            unsent=HARD_FACTOR * settings.send_buffer_bytes,
            # A frozen client says neither hello nor goodbye; a stopping server waits for both.
            handshake_seconds=min(settings.hello_seconds, settings.drain_seconds / 2),
            hello_seconds=settings.hello_seconds,
            cut=self._cut,
            now=loop.time,
        )
        try:
            listener = await serve(
                self._connected,
                settings.host,
                settings.port,
                backlog=BACKLOG,
                subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
                process_request=self._http,
                # Small messages gain nothing from it, and it costs 40 KiB a connection.
                compression=None,
                max_size=settings.message_bytes,
                ping_interval=settings.ping_seconds,
                ping_timeout=settings.ping_seconds,
                # It would count our own time: `Patience` does not.
                open_timeout=None,
                close_timeout=min(CLOSE_SECONDS, settings.drain_seconds / 2),
                # Every answer would carry it, and nobody reads it.
                server_header=None,
                create_connection=traffic.connections(),
                **tls,
            )
        except OSError as error:
            where = f"{settings.host}:{settings.port}"
            more = "; choose another with --port" if error.errno == errno.EADDRINUSE else ""
            raise OSError(f"cannot listen on {where}: {_reason(error)}{more}") from None
        for socket_ in listener.sockets:
            # Connections inherit it: what nobody reads waits at the client, not in our memory.
            socket_.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
            # And what a client does not read is soon known here.
            socket_.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        async with listener:
            yield listener

    async def _connected(self, websocket: ServerConnection) -> None:
        assert isinstance(websocket, CountedConnection)
        settings = self._settings
        # Before the headers go.
        is_here = websocket.is_here
        if (proxy := websocket.unnamed_proxy) is not None:
            self._access_log.came_by_unnamed_proxy(proxy)
        session = Session(
            codec_for(websocket.subprotocol),
            settings.messages_per_second,
            settings.message_burst,
            self._now(),
            self._messages.of(websocket.address),
        )
        socket = Socket(websocket, self._spawn)
        address = websocket.address
        outboxes = self._server.connections.outboxes
        bound = settings.send_buffer_bytes
        connection = Connection(socket, session, bound, address, is_here, outboxes)
        websocket.accepted(partial(self._late, connection))
        self._metrics.accepted.inc()
        self._metrics.connections.inc()
        try:
            receive = self._server.router.receive
            while session.identity is None:
                raw = await websocket.recv()
                with websocket.patience.held():
                    rest = receive(connection, raw, websocket.loop.time() - websocket.since)
                    if rest is not None:
                        await rest
            await MessageReader(websocket, connection, receive).run()
        except ConnectionClosed:
            log.debug("connection_lost", address=address)
        finally:
            with isolated("going_failed"):
                self._server.disconnected(connection)
            self._metrics.connections.dec()

    def _late(self, connection: Connection) -> None:
        """Close a client that has not said hello in time."""
        log.info("connection_silent", address=connection.address)
        connection.close(CLOSE_REFUSED, "hello_first")

    async def _http(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer plain requests, and let WebSocket requests pass while there is room."""
        assert isinstance(connection, CountedConnection)
        with connection.patience.held():
            return await self._answered(connection, request)

    async def _answered(self, connection: CountedConnection, request: Request) -> Response | None:
        if connection.is_forwarded:
            # Only the request says for whom the proxy speaks.
            wait = self._arrivals.wait(connection.address, asyncio.get_running_loop().time())
            if isinf(wait):
                self._cut("arrivals", connection.address, None)
                return connection.respond(HTTPStatus.TOO_MANY_REQUESTS, "too many connections\n")
            if not connection.forwarded():
                self._server.admission.refuse("address", connection.address)
                return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
            await asyncio.sleep(wait)
        if "Upgrade" in request.headers:
            hosts = request.headers.get_all("Host")
            if self._origins.may_play(request.headers.get_all("Origin"), hosts):
                return self._banned(connection)
            self._cut("origin", connection.address, None)
            return connection.respond(HTTPStatus.FORBIDDEN, FOREIGN_PAGE)
        return await self._pages.answer(request, connection.address)

    def _cut(self, reason: str, address: str, player: str | None) -> None:
        self._metrics.cut(reason)
        if reason in ("admin", "arrivals", "banned", "origin", "pages"):
            self._access_log.connection_refused(reason, address)
        else:
            self._access_log.connection_cut(reason, address, player)

    def _banned(self, connection: CountedConnection) -> Response | None:
        ban = self._server.bans.of_address(connection.address, self._now())
        if ban is None:
            return None
        self._cut("banned", connection.address, None)
        return connection.respond(HTTPStatus.FORBIDDEN, f"{banned(ban).reason}\n")


def _reason(error: OSError) -> str:
    """Return the system's message alone, as asyncio's own message repeats the address."""
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return error.strerror or str(error)
