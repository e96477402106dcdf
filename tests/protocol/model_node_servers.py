"""The model's nodes behind real sockets, each on a port of its own."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.codec import codec_for
from protocol.to_client import ToClient
from protocol.to_server import Hello, ToServer
from protocol.version import CLOSE_REPLACED, SUBPROTOCOLS
from tests.protocol.model_nodes import NODES, Link, ModelNodes
from tests.protocol.model_server import encode_frame


@dataclass
class NodeServers:
    """Servers for the model's nodes: `heard` has each node's commands; `answer` may replace any.

    A node that is `deaf` reads what it is sent and does not react.
    """

    nodes: ModelNodes = field(default_factory=ModelNodes)
    heard: list[tuple[str, ToServer]] = field(default_factory=list)
    answer: Callable[[str, ToServer], list[ToClient] | None] = lambda node, command: None
    deaf: set[str] = field(default_factory=set)
    sockets: dict[Link, ServerConnection] = field(default_factory=dict)
    servers: dict[str, Server] = field(default_factory=dict)

    @property
    def entry(self) -> str:
        """The address of the first node, as a user gives it."""
        return self.nodes.urls[NODES[0]]

    def hellos(self, node: str) -> int:
        """The number of hellos that a client sent to a node."""
        return sum(at == node and isinstance(command, Hello) for at, command in self.heard)

    def connected_to(self, node: str) -> bool:
        """Whether a client is connected to a node."""
        return any(link.node == node for link in self.nodes.links)

    async def open(self, node: str) -> None:
        """Let a node listen on the port that it had."""
        port = int(self.nodes.urls[node].rpartition(":")[2]) if node in self.servers else 0
        names = [Subprotocol(name) for name in SUBPROTOCOLS]
        talk = partial(self._talk, node)
        server = await serve(
            talk, "127.0.0.1", port, subprotocols=names, compression=None, close_timeout=0.1
        )
        port = next(iter(server.sockets)).getsockname()[1]
        self.servers[node], self.nodes.urls[node] = server, f"ws://127.0.0.1:{port}"
        self.nodes.up.add(node)

    async def close(self, node: str) -> None:
        """Stop a node and close its connections."""
        self.nodes.up.discard(node)
        self.servers[node].close()
        await self.servers[node].wait_closed()

    async def give(self, table: str, node: str) -> None:
        """Move a table to another node."""
        self.nodes.give(table, node)
        await self.send()

    async def happens(self, table: str) -> None:
        """Let another player act at a table."""
        self.nodes.happens(table)
        await self.send()

    async def send(self) -> None:
        """Send the nodes' pending messages."""
        for link, socket in [*self.sockets.items()]:
            codec = codec_for(socket.subprotocol)
            while link.down:
                await socket.send(encode_frame(codec, link.down.popleft()))
            if link.ending:
                await socket.close(CLOSE_REPLACED, "replaced")

    async def _talk(self, node: str, socket: ServerConnection) -> None:
        codec, link = codec_for(socket.subprotocol), Link(node)
        self.nodes.links.append(link)
        self.sockets[link] = socket
        try:
            async for raw in socket:
                command = codec.decode_command(raw)
                self.heard.append((node, command))
                if node in self.deaf:
                    continue
                said = self.answer(node, command)
                if said is None:
                    self.nodes.hear(link, command)
                else:
                    link.down.append(said)
                await self.send()
        except ConnectionClosed:
            pass
        finally:
            self.nodes.gone(link)
            del self.sockets[link]


@asynccontextmanager
async def node_servers() -> AsyncIterator[NodeServers]:
    """All nodes, listening as long as the block lasts."""
    servers = NodeServers()
    for node in NODES:
        await servers.open(node)
    try:
        yield servers
    finally:
        for node in NODES:
            await servers.close(node)
