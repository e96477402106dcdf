"""Several nodes and gateways in this process: one database, and a network that fails by a seed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from engine import GAMES
from server.bus.courier import Courier
from server.bus.encoded import EncodedBus
from server.bus.over_courier import CourierBus
from server.commands.role import GatewayRole
from server.crossing.encoding import decode, encode
from server.game_server import Buses
from server.games.folder import GameFolder
from server.node.role import TablesRole
from server.ops.settings import Settings
from server.store import Node
from tests.server.bus.worlds import LossyWorld
from tests.server.client import TestClient
from tests.server.controllable_store import ControllableStore
from tests.server.harness import FAST_SETTINGS, ServerHarness
from tests.server.store.nodes import STEADY, die

BEGIN = 1_000_000.0
PATIENCE = 60.0


class OneOfSeveral(ServerHarness):
    """A gateway and a node, `gateway.NAME` and `tables.NAME`, which know each other as any others.

    The node may be lost, while the gateway goes on.
    """

    def __init__(
        self,
        all_: "SeveralNodes",
        name: str,
        store: ControllableStore,
        courier: Courier | None = None,
        folder: GameFolder | None = None,
    ) -> None:
        self.all = all_
        self.name = name
        self.lost = False
        gateway, tables = (all_.world.join(f"{role}.{name}") for role in ("gateway", "tables"))
        buses = Buses(EncodedBus(gateway, encode, decode), EncodedBus(tables, encode, decode))
        super().__init__(all_.settings, GAMES, store, folder, courier, buses)

    @property
    def gateway(self) -> GatewayRole:
        return self.game_server._gateway

    @property
    def node(self) -> TablesRole:
        return self.game_server._node

    @property
    def is_busy(self) -> bool:
        """Whether the node waits for the database."""
        lease = self.node.lease
        waits = len(self.node.beside) or (lease is not None and len(lease._beside))
        return bool(self.store.waiting or self.store.reporting or waits)

    async def settle(self) -> None:
        await self.all.settle()

    async def wait_for_news(self) -> None:
        """Let time go by until the lobby's lists have been told, and heard."""
        await self.all.until(lambda: self.game_server.feed.next_news() is None)
        await self.settle()

    async def go_on(self) -> None:
        """Do what is due."""
        self.now = BEGIN + self.all.world.now
        if self.lost:
            self.gateway.tick()
            return
        due = self.game_server.next_tick()
        if due is not None and due <= self.now:
            await self.game_server.tick()
        elif self.game_server.tables.load_queue:
            await self.game_server.wake_one()


class SeveralNodes:
    """The `servers` by their names, on the database at `url`."""

    def __init__(self, url: str, folder: Path, seed: object) -> None:
        self.world = LossyWorld(seed, loss=0.1, repeats=0.1, delay=0.1)
        self.settings = Settings(**{**FAST_SETTINGS, "data": folder})  # type: ignore[arg-type]
        self.servers: dict[str, OneOfSeveral] = {}
        self._url = url
        self._stands_still = False

    async def begin(
        self, name: str, courier: Courier | None = None, folder: GameFolder | None = None
    ) -> OneOfSeveral:
        """Another gateway and another node, which tells public events if it has a `courier`."""
        store = await ControllableStore.open(self._url, node=Node(name, times=STEADY))
        server = OneOfSeveral(self, name, store, courier, folder)
        await server.library.refresh()
        await server.game_server.open()
        self.servers[name] = server
        await self.settle()
        return server

    def lose(self, name: str) -> None:
        """A node is gone as by a power cut; its lease is not over yet."""
        self.servers[name].lost = True
        self.world.kill(f"tables.{name}")

    async def noticed(self, name: str) -> None:
        """Let all gateways notice that a node is gone."""
        peer = f"tables.{name}"
        gateways = [server.gateway for server in self.servers.values()]
        await self.until(lambda: not any(peer in each.nodes._peers for each in gateways))

    async def expire(self, name: str) -> None:
        """The lease of a node that is gone is over: others take its tables, in no time."""
        lost = self.servers[name]
        codes = list(lost.game_server.tables.directory)
        others = [server for server in self.servers.values() if not server.lost]
        # The database has another time: what the network is busy with does not wait for it.
        self._stands_still = True
        await asyncio.to_thread(die, lost.store, self._url)
        async with asyncio.timeout(PATIENCE):
            for code in codes:
                while not any(each.game_server.tables.has(code) for each in others):  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
        self._stands_still = False

    def home(self, player: str) -> str:
        """The name of the node that is a player's home."""
        server = next(iter(self.servers.values()))
        return server.gateway.nodes.home(player).partition(".")[2]

    def holder(self, code: str) -> OneOfSeveral:
        """The server whose node has a table."""
        living = (server for server in self.servers.values() if not server.lost)
        return next(server for server in living if server.game_server.tables.has(code))

    async def player(self, at: str, home: str, name: str) -> TestClient:
        """A new player at the gateway `at` whose home is the node `home`."""
        while True:
            client = await self.servers[at].client(name)
            if self.home(client.player) == home:
                return client
            client.disconnect()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until `condition` holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():  # noqa: ASYNC110 - many things may make it true
                await asyncio.sleep(0.001)

    async def settle(self) -> None:
        """Let everything that was sent arrive, and every write reach the disk."""
        await self.until(self._is_quiet)

    async def run(self) -> None:
        """Let time go by."""
        while True:
            servers = list(self.servers.values())
            if not self._stands_still and not any(map(self._waits, servers)):
                self.world.step()
            for server in servers:
                await server.go_on()
            await asyncio.sleep(0.001)

    def _waits(self, server: OneOfSeveral) -> bool:
        return not server.lost and server.is_busy

    def _is_quiet(self) -> bool:
        living = {f"tables.{each.name}" for each in self.servers.values() if not each.lost}
        for server in self.servers.values():
            gateway, bus = server.gateway, self.world.buses[f"gateway.{server.name}"]
            if gateway.nodes._ready.keys() != living or len(gateway.beside):
                return False
            if gateway.connections._pending or gateway.connections._reads:
                return False
            if self._waits(server) or (not server.lost and server.game_server.tables.load_queue):
                return False
            if not all(self._has_heard(bus, self.world.buses[peer]) for peer in living):
                return False
        return True

    def _has_heard(self, gateway: CourierBus, tables: CourierBus) -> bool:
        """Whether a gateway has all that a node has sent it, and all its answers."""
        link = gateway._links[tables.name]
        own = f"for/{gateway.name}/"
        owned = {name: s for name, s in tables._owned._streams.items() if name.startswith(own)}
        followed = link.followed._followed
        return (
            not len(link.sender)
            and owned.keys() == followed.keys()
            and all(followed[name].position == stream.log.last for name, stream in owned.items())
        )


@asynccontextmanager
async def open_several(
    url: str, folder: Path, seed: object, *names: str
) -> AsyncIterator[SeveralNodes]:
    """Servers with these names on the database at `url`."""
    nodes = SeveralNodes(url, folder, seed)
    try:
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(nodes.run())
            for name in names:
                await nodes.begin(name)
            yield nodes
            running.cancel()
    finally:
        for server in nodes.servers.values():
            server.library.close()
            server.pool.close()
            await server.store.close()
