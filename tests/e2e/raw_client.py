"""A raw client: it sends messages as they are, without the help of a client's session."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol.version import JSON, VERSION
from tests.e2e.processes import Server

# What a server says is any JSON.
Message: TypeAlias = dict[str, Any]


class RawClient:
    """A client that sends each command once and shows the answer as it is."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._id = 0

    async def ask(self, type: str, **fields: object) -> Message:
        self._id += 1
        await self._socket.send(json.dumps({"type": type, "id": self._id, **fields}))
        async for frame in self._socket:
            for message in json.loads(frame):
                if message.get("id") == self._id:
                    answer: Message = message
                    return answer
        raise AssertionError("hung up without an answer")


@asynccontextmanager
async def raw_client(server: Server, address: str = "127.0.0.1") -> AsyncIterator[RawClient]:
    """A guest who has been welcomed, from one of this machine's addresses."""
    protocols, local = [Subprotocol(JSON)], (address, 0)
    async with connect(server.url, subprotocols=protocols, local_addr=local) as socket:
        raw_client = RawClient(socket)
        await raw_client.ask("hello", version=VERSION, client="test", name="Ann")
        yield raw_client
