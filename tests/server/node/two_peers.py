"""A server whose gateway and tables are two peers, over a courier that fails by a seed.

Both are in this process, but all that they share is the store and what the courier brings.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from engine import GAMES
from server.bus.bus import Bus
from server.bus.encoded import EncodedBus
from server.commands.role import GatewayRole
from server.crossing.encoding import Message, decode, encode
from server.game_server import Buses, GameServer
from server.node.role import TablesRole
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from tests.server.bus.worlds import LossyWorld
from tests.server.controllable_store import ControllableStore
from tests.server.harness import FAST_SETTINGS, ServerHarness

PATIENCE = 60.0


class TwoPeers(ServerHarness):
    """The server, on a network of its own whose time goes by while somebody waits."""

    def __init__(self, settings: Settings, store: ControllableStore, seed: object) -> None:
        self.world = LossyWorld(seed, loss=0.2, repeats=0.2, delay=0.2)
        buses = Buses(gateway=self.peer("gateway"), tables=self.peer("tables"))
        super().__init__(settings, GAMES, store, buses=buses)

    def peer(self, name: str) -> Bus[Message]:
        """A peer that has just begun."""
        return EncodedBus(self.world.join(name), encode, decode)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until `condition` holds and the server has settled."""
        async with asyncio.timeout(PATIENCE):
            while True:
                await super().settle()
                if condition():
                    return
                await asyncio.sleep(0)

    async def settle(self) -> None:
        """Let everything that was sent arrive, and every write reach the disk."""
        await self.until(self._is_quiet)

    def _is_quiet(self) -> bool:
        connections, node = self.game_server.connections, self.game_server._node
        if not self.game_server._gateway.nodes.is_ready:
            return False
        if connections._pending or connections._reads or len(node.beside):
            return False
        gateway, tables = self.world.buses["gateway"], self.world.buses["tables"]
        owned = tables._owned._streams
        followed = gateway._links["tables"].followed._followed
        senders = [link.sender for bus in (gateway, tables) for link in bus._links.values()]
        return (
            not any(map(len, senders))
            and owned.keys() == followed.keys()
            and all(followed[name].position == stream.log.last for name, stream in owned.items())
        )

    async def back(self, *peers: str) -> None:
        """These peers find the broker again, and what they do a moment later is done, too."""
        self.world.come_back(*peers)
        async with asyncio.timeout(PATIENCE):
            while not self._is_quiet():
                self.now += 0.1
                await super().settle()
                await asyncio.sleep(0.005)

    async def kill_tables(self) -> None:
        """The tables are gone as by a power cut, and others take over with what is stored."""
        self.world.kill("tables")
        await self.until(lambda: "tables" not in self.world.buses["gateway"].alive)
        old = self.game_server
        bus = self.peer("tables")
        node = TablesRole(
            bus, self.settings, self.library, self.store, self.pool, Metrics(), *self._clock
        )
        self.game_server = _of_roles(old._gateway, node, old)
        await node.open()
        await self.settle()

    async def kill_gateway(self) -> None:
        """The gateway is gone as by a power cut, and another takes its place."""
        self.world.kill("gateway")
        await self.until(lambda: "gateway" not in self.world.buses["tables"].alive)
        old = self.game_server
        gateway = GatewayRole(self.peer("gateway"), self.settings, self.metrics, *self._clock)
        self.game_server = _of_roles(gateway, old._node, old)
        await self.settle()

    @property
    def _clock(self) -> tuple[Callable[[], float], Callable[[float], None]]:
        return (lambda: self.now), (lambda at: None)

    async def run(self) -> None:
        """Let the network's time go by, but not while the disk is busy, which has another time."""
        while True:
            beside = self.game_server._node.beside
            if not (self.store.waiting or self.store.reporting or len(beside)):
                self.world.step()
            await asyncio.sleep(0.001)


def _of_roles(gateway: GatewayRole, node: TablesRole, old: GameServer) -> GameServer:
    """A game server of these roles."""
    new = GameServer.__new__(GameServer)
    new.__dict__.update(old.__dict__)
    new._have(node)
    new._open_to(gateway)
    return new


@asynccontextmanager
async def open_two_peers(folder: Path, seed: object) -> AsyncIterator[TwoPeers]:
    """The server on the database in `folder`."""
    settings = Settings(**{**FAST_SETTINGS, "data": folder})  # type: ignore[arg-type]
    store = await ControllableStore.open(settings.database)
    server = TwoPeers(settings, store, seed)
    try:
        async with asyncio.TaskGroup() as tasks:
            network = tasks.create_task(server.run())
            await server.library.refresh()
            await server.game_server.open()
            await server.settle()
            yield server
            network.cancel()
    finally:
        server.library.close()
        server.pool.close()
        await store.close()
