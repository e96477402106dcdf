"""A client that sends messages as they are, without the help of a client's session."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.codec import codec_for
from protocol.version import JSON, VERSION
from protocol.wire_form import WireForm


class RawClient:
    """Sends each command once and shows the answers, frame by frame."""

    def __init__(self, websocket: ClientConnection, subprotocol: str = JSON) -> None:
        self.websocket = websocket
        self.codec = codec_for(subprotocol)
        self.welcome: WireForm = {}
        self._ids = count(1)

    async def send_message(self, message: object) -> None:
        """Send anything that the encoding can hold."""
        packed = self.codec.encode_message(message)
        await self.websocket.send(packed.decode() if self.codec.frame_type is str else packed)

    async def receive(self) -> list[WireForm]:
        """The messages of the next frame."""
        frame: list[WireForm] = self.codec.load(await self.websocket.recv())
        return frame

    async def ask_message(self, message: WireForm) -> WireForm:
        """Send a message; returns the next message with its number."""
        await self.send_message(message)
        while True:
            for answer in await self.receive():
                if answer.get("id") == message["id"]:
                    return answer

    async def ask(self, type: str, id: int | None = None, **fields: Any) -> WireForm:
        """Send a command, with the next number unless `id` is given; returns its answer."""
        number = next(self._ids) if id is None else id
        return await self.ask_message({"type": type, "id": number, **fields})

    async def closed(self) -> tuple[int, str]:
        """The code and reason of the server's close; messages before it are dropped."""
        with suppress(ConnectionClosed):
            async for _ in self.websocket:
                pass
        assert self.websocket.close_code is not None
        return self.websocket.close_code, self.websocket.close_reason or ""


@asynccontextmanager
async def raw_socket(
    url: str, subprotocol: str = JSON, address: str | None = None
) -> AsyncIterator[RawClient]:
    """An open connection without any message, optionally from another local address."""
    names = [Subprotocol(subprotocol)]
    local = None if address is None else (address, 0)
    async with connect(
        url, subprotocols=names, compression=None, max_size=None, local_addr=local
    ) as websocket:
        yield RawClient(websocket, subprotocol)


@asynccontextmanager
async def raw_client(
    url: str, subprotocol: str = JSON, address: str | None = None
) -> AsyncIterator[RawClient]:
    """A connection of a new player, after the welcome."""
    async with raw_socket(url, subprotocol, address) as raw:
        raw.welcome = await raw.ask("hello", version=VERSION, client="test", name="Zoe")
        yield raw
