"""A gateway without its sockets, and nodes that answer its requests when a test says so."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from protocol.codec import codec_for
from protocol.version import MSGPACK
from server.bus.bus import Answered, Failure
from server.bus.local import Hub
from server.connections.connection import Connection
from server.connections.registry import ConnectionRegistry
from server.connections.session import Identity, Session
from server.connections.tables_nodes import AGAIN_SECONDS, TablesNodes
from server.crossing.names import Player
from server.crossing.parcels import Message
from server.crossing.requests import DONE, Attach, Banning
from server.ops.isolation import Beside
from tests.server.client import FakeWire


class Request(NamedTuple):
    """What a node is asked, and how it answers."""

    peer: str
    message: Message
    answer: Callable[[Message | Failure], None]
    seconds: float


class LoneGateway:
    """`asked` are the requests that wait for an answer, `now` its time."""

    def __init__(self, *nodes: str) -> None:
        hub: Hub[Message] = Hub()
        self.bus = hub.join("gateway.g")
        self._tables = {f"tables.{name}": hub.join(f"tables.{name}") for name in nodes}
        self.bus.send = self._send  # type: ignore[method-assign]
        self.now = 1000.0
        self.asked: list[Request] = []
        self.connections = ConnectionRegistry(lambda *_: None, self.time)
        self.beside = Beside("failed")
        self.nodes = TablesNodes(
            self.bus, self.connections, self.settle, self.time, lambda _: None, self.beside.spawn
        )
        self.nodes.attach()

    def time(self) -> float:
        """The time that is set."""
        return self.now

    def settle(self) -> None:
        """Send every frame that is ready."""
        assert not list(self.connections.flush())

    def connect(self, player: str) -> Connection:
        """A connection of a player who was welcomed on it."""
        session = Session(codec_for(MSGPACK), 1e6, 1e6, self.now)
        connection = Connection(FakeWire(lambda _: None), session, 1 << 20, "192.0.2.1", True)
        identity = Identity(Player(player, player, ""), "laptop", frozenset(), False, None)
        session.welcome(identity, 0)
        self.connections.add(connection, identity)
        return connection

    async def pass_moments(self, number: int = 1) -> None:
        """Let so many pauses go by, and everything happen that can."""
        for _ in range(number):
            await self.quiet()
            self.now += AGAIN_SECONDS
            self.nodes.tick()
        await self.quiet()

    async def quiet(self) -> None:
        """Let everything happen that waits for nothing."""
        for _ in range(20):
            await asyncio.sleep(0)

    def take(self) -> list[Request]:
        """The requests that wait for an answer, once."""
        asked, self.asked = self.asked, []
        return asked

    def _send(
        self, peer: str, port: str, request: Message, answered: Answered[Message], seconds: float
    ) -> None:
        if isinstance(request, Attach):
            self._tables[peer].open_stream(f"for/gateway.g/{request.turn}")
        if isinstance(request, Attach | Banning):
            answered(DONE)
        else:
            self.asked.append(Request(peer, request, answered, seconds))
