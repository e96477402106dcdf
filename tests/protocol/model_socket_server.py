"""The model server behind a real socket that a test can close."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from protocol.client_events import ClientEvent
from protocol.codec import codec_for
from protocol.connection import Client
from protocol.dial import Backoff
from protocol.errors import ErrorCode
from protocol.to_client import Error, ToClient
from protocol.to_server import Hello, ToServer
from protocol.version import SUBPROTOCOLS
from protocol.wire_form import WireForm, wire_form
from tests.protocol.model_server import ModelServer

HASTY = Backoff(first=0.001, longest=0.01, opening=5.0, give_up_after=5.0, retries=3)
"""For tests: everything at once, but time enough for a slow machine."""


@dataclass
class ModelSocketServer:
    """The model server on a socket: `answer` may replace a reply, and `cut` closes the connection.

    Both get each command before the model does. `reword` changes outgoing messages.
    """

    model: ModelServer = field(default_factory=ModelServer)
    commands: list[ToServer] = field(default_factory=list)
    refuse_hello: list[ErrorCode] = field(default_factory=list)
    answer: Callable[[ToServer], list[ToClient] | None] = lambda command: None
    cut_before: Callable[[ToServer], bool] = lambda command: False
    cut_after: Callable[[ToServer], bool] = lambda command: False
    reword: Callable[[list[WireForm]], list[WireForm]] = lambda frame: frame
    parting: tuple[int, str] = (1001, "the model went for a walk")
    subprotocols: tuple[str, ...] = SUBPROTOCOLS
    server: Server | None = None

    @property
    def port(self) -> int:
        assert self.server is not None
        port: int = next(iter(self.server.sockets)).getsockname()[1]
        return port

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def hellos(self) -> int:
        return sum(isinstance(command, Hello) for command in self.commands)

    async def open(self, port: int = 0) -> None:
        names = [Subprotocol(name) for name in self.subprotocols]
        self.server = await serve(
            self._talk, "127.0.0.1", port, subprotocols=names, compression=None, close_timeout=0.1
        )

    async def close(self) -> None:
        assert self.server is not None
        self.server.close()
        await self.server.wait_closed()

    async def _talk(self, socket: ServerConnection) -> None:
        codec = codec_for(socket.subprotocol)
        self.model.hang_up()
        async for raw in socket:
            command = codec.decode_command(raw)
            self.commands.append(command)
            if self.cut_before(command):
                return await socket.close(*self.parting)
            said = self.reword([wire_form(message) for message in self._frame(command)])
            await socket.send(codec.frame([codec.encode_message(message) for message in said]))
            if self.cut_after(command):
                return await socket.close(*self.parting)
        return None

    def _frame(self, command: ToServer) -> list[ToClient]:
        if isinstance(command, Hello) and self.refuse_hello:
            return [Error(id=command.id, code=self.refuse_hello.pop(0), reason="not you")]
        said = self.answer(command)
        return self.model.receive(command) if said is None else said


@asynccontextmanager
async def running(server: ModelSocketServer | None = None) -> AsyncIterator[ModelSocketServer]:
    """The server, listening as long as the block lasts."""
    server = server or ModelSocketServer()
    await server.open()
    try:
        yield server
    finally:
        await server.close()


async def until(client: Client, last: type[ClientEvent]) -> AsyncIterator[ClientEvent]:
    """All client events up to the first of kind `last`."""
    async for event in client.events():
        yield event
        if isinstance(event, last):
            return


async def kinds_until(client: Client, last: type[ClientEvent]) -> list[type[ClientEvent]]:
    return [type(event) async for event in until(client, last)]


@asynccontextmanager
async def serving(
    handler: Callable[[ServerConnection], Awaitable[None]], *subprotocols: str
) -> AsyncIterator[str]:
    """The address of a server that runs the given handler."""
    names = [Subprotocol(name) for name in subprotocols] or None
    async with serve(handler, "127.0.0.1", 0, subprotocols=names, close_timeout=0.1) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}"
