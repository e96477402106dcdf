"""Clients that cost less than the server: a minimal WebSocket connection, and a player on it.

The connection is `websockets`' Sans-I/O protocol directly on an asyncio transport: no task, no
queue, and no future per message. A player's messages stay as msgpack decodes them, because parsing
them into models would cost more than the server.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, TypeVar, cast

import msgpack
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from bench.processes import BenchError
from protocol.version import MSGPACK, VERSION
from server.event_loop import fastest_loop

ANSWER_SECONDS = 120.0
"""Longest wait for a handshake or an answer: a server may be busy with a crowd."""

Message: TypeAlias = dict[str, Any]
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

    def go_deaf(self) -> None:
        """Stop reading what the peer sends."""
        self._transport.pause_reading()

    def close(self) -> None:
        """Close the connection; `lost` is not called."""
        self.lost = None
        self._transport.close()

    async def opened(self) -> None:
        """Wait for the handshake; `BenchError` if it fails."""
        async with asyncio.timeout(ANSWER_SECONDS):
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
) -> Connection:
    """Open a connection to `url`, from the address `source` of this machine if one is given."""
    uri = parse_uri(url)
    connection = Connection(url, subprotocol, receive)
    loop = asyncio.get_running_loop()
    local = None if source is None else (source, 0)
    await loop.create_connection(lambda: connection, uri.host, uri.port, local_addr=local)
    await connection.opened()
    return connection


class Player:
    """A client that sends commands; subclasses override `heard` and `lost`."""

    def __init__(self, name: str, source: str | None = None) -> None:
        self.name = name
        self._source = source
        self._last_id = 0
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._connection: Connection

    async def enter(self, url: str, **hello: Any) -> Message:
        """Connect and say hello, with further fields of `hello`; return the welcome."""
        self._connection = await connect(url, self._receive, MSGPACK, self._source)
        self._connection.lost = self._lost
        return await self.ask("hello", version=VERSION, client=self.name, name=self.name, **hello)

    async def ask(self, type: str, **fields: Any) -> Message:
        """Return the answer to a command; `BenchError` if it is a refusal or does not come."""
        number = self.send(type, **fields)
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(ANSWER_SECONDS):
            answer: Message = await future
        if answer["type"] == "error":
            raise BenchError(f"{type} was refused: {answer['code']}: {answer['reason']}")
        return answer

    def send(self, type: str, **fields: Any) -> int:
        """Send a command without waiting; return its number."""
        self._last_id += 1
        self._connection.send(msgpack.packb({"type": type, "id": self._last_id, **fields}))
        return self._last_id

    def flood(self, count: int, type: str, **fields: Any) -> None:
        """Send a command `count` times at once, and read nothing from now on."""
        self._connection.go_deaf()
        numbers = range(self._last_id + 1, self._last_id + 1 + count)
        commands = ({"type": type, "id": number, **fields} for number in numbers)
        self._connection.send(*map(msgpack.packb, commands))

    def hang_up(self) -> None:
        """Close the connection."""
        self._connection.close()

    def heard(self, message: Message) -> None:
        """Handle a message that no `ask` waits for."""

    def lost(self) -> None:
        """Handle the end of a connection that the server closed."""

    def _receive(self, frame: bytes) -> None:
        for message in msgpack.unpackb(frame):
            future = self._answers.pop(message.get("id"), None)
            if future is None:
                self.heard(message)
            else:
                future.set_result(message)

    def _lost(self) -> None:
        for future in self._answers.values():
            if not future.done():
                future.set_exception(BenchError("the server hung up"))
        self.lost()


class Follower(Player):
    """A player who follows one table; `closed` says why they lost their connection."""

    def __init__(self, name: str, source: str | None = None) -> None:
        super().__init__(name, source)
        self.table = ""
        self.closed = ""
        self.knows: int | None = None
        """The number of the last entry that they were told of."""
        self.shown = asyncio.Event()

    async def until_shown(self, work: Coroutine[Any, Any, None]) -> None:
        """Return when their table was shown after `work`, or the connection was closed."""
        self.shown.clear()
        self.closed = ""
        try:
            await work
            await self.shown.wait()
        except (BenchError, OSError, TimeoutError) as error:
            self.closed = self.closed or str(error) or type(error).__name__

    async def watch(self, url: str, table: str) -> None:
        """Connect and watch a table."""
        self.table = table
        await self.enter(url)
        await self.ask("watch", table=table)

    def heard(self, message: Message) -> None:
        """Note what is told of the table."""
        if self.table and message.get("table") == self.table:
            self.knows = message.get("seq", self.knows)
            self.shown.set()

    def lost(self) -> None:
        """Note that the server closed the connection."""
        self.closed = self.closed or "the server hung up"
        self.shown.set()
