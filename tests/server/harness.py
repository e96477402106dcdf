"""A whole server without sockets: a real store, a manual clock, and `TestClient`s."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

from engine import GAMES, Catalogue
from protocol.version import MSGPACK
from server.bots.pool import BotPool
from server.events.publisher import Publisher
from server.events.service import EventService, Serve, presence_of
from server.events.topics import Topics
from server.game_server import GameServer, ServerParts
from server.games.folder import GameFolder
from server.games.library import Library
from server.games.shared_games import SharedGames
from server.node_server import NodeServer
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.table.state import TableState
from server.table.table import Table
from tests.server import pairs
from tests.server.client import TestClient
from tests.server.controllable_store import ControllableStore
from tests.server.events.recording_broker import RecordingBroker

EVERYTHING = 1_000_000
"""More messages than a test makes."""
TURNS = 8
"""So many turns of the event loop lie between the disk and the answer to a command at most."""
FAST_SETTINGS = {
    "bot_delay": 0.0,
    "allow_seeds": True,
    "messages_per_second": 1e6,
    "message_burst": 1_000_000,
    "max_tables_per_address": 0,
    "max_lobby_tables_per_address": 0,
}


class ServerHarness:
    """The server: `game_server` on `store`, at server time `now`.

    With a `broker` it publishes events.
    """

    def __init__(
        self,
        settings: Settings,
        catalogue: Catalogue,
        store: ControllableStore,
        folder: GameFolder | None = None,
        broker: RecordingBroker | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.now = 1_000_000.0
        self.metrics = Metrics()
        self.pool = BotPool(1)
        shared = None if store.node is None else SharedGames(store, store.node.name)
        self.library = Library(catalogue, store.description, folder, shared)
        topics = Topics("test", "secret")
        self.broker = broker
        self.events = None
        if broker is not None:
            presence = presence_of(topics, "1.0", None)
            self.events = EventService(_unused, topics, lambda: self.now, presence)
            # No task runs here: what happens is told at once.
            self.events.publisher = Publisher(broker.publish, topics, lambda: self.now, self._tell)
        parts = ServerParts(
            settings,
            self.library,
            store,
            self.pool,
            self.metrics,
            lambda: self.now,
            lambda at: None,
            self.events,
        )
        kind = GameServer if settings.node_url is None else NodeServer
        self.game_server = kind(parts)

    def _tell(self) -> None:
        assert self.events is not None
        assert self.broker is not None
        while self.broker.connected and self.events.publisher.tell(EVERYTHING):
            pass

    async def client(
        self,
        name: str,
        subprotocol: str = MSGPACK,
        client_id: str = "laptop",
        address: str = "192.0.2.1",
    ) -> TestClient:
        """A new player after the welcome."""
        client = TestClient(self, subprotocol, client_id, address)
        await client.hello(name=name)
        return client

    async def table_of(self, *names: str, **fields: Any) -> tuple[str, list[TestClient]]:
        """A table in the lobby with new players of these names; the first is its host."""
        clients = [await self.client(name) for name in names]
        code = await clients[0].open_table(**{"seats": max(2, len(names)), **fields})
        for client in clients[1:]:
            await client.ask("join", table=code)
        return code, clients

    async def match_of(self, *names: str, **fields: Any) -> tuple[str, list[TestClient]]:
        """A table in play, with random bots in all other seats."""
        code, clients = await self.table_of(*names, **fields)
        await clients[0].ask("start", table=code, fill=0)
        return code, clients

    async def play(self, code: str, moves: int, *clients: TestClient) -> None:
        """Make this many moves by those of `clients` who are asked, or as many as possible."""
        for _ in range(moves):
            if clients[0].tables[code].info.phase != "playing":
                return
            await next(client for client in clients if client.tables[code].my_turn).move(code)

    async def settle(self) -> None:
        """Let everything due happen, and every write reach the disk."""
        left = TURNS
        while True:
            due = self.game_server.next_tick()
            if due is not None and due <= self.now:
                await self.game_server.tick()
            elif self.game_server.tables.load_queue:
                await self.game_server.wake_one()
            elif self.store.reporting:
                await asyncio.sleep(0)
            elif self.store.waiting:
                await self.store.flushed()
                left = TURNS
            elif self.store.reading:
                await asyncio.sleep(0.001)
                left = TURNS
            elif left:
                # Commands that the connection no longer waits for go on beside it.
                await asyncio.sleep(0)
                left -= 1
            else:
                return

    async def wait(self, seconds: float) -> None:
        """Advance the time, waking the server whenever it wants to be."""
        end = self.now + seconds
        await self.settle()
        while (due := self.game_server.next_tick()) is not None and due <= end:
            self.now = max(self.now, due)
            await self.game_server.tick()
            await self.settle()
        self.now = end
        await self.settle()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        """Open the server, and close it at the end with its store."""
        try:
            await self.library.refresh()
            await self.game_server.open()
            yield self
        finally:
            self.library.close()
            self.pool.close()
            await self.store.close()

    def table(self, code: str) -> Table:
        """A loaded table."""
        table = self.game_server.live.get(code)
        assert table is not None, f"{code} is not loaded"
        return table

    def state(self, code: str) -> TableState:
        return self.table(code).state

    def loaded(self) -> set[str]:
        return {table.code for table in self.game_server.live}


async def _unused(serve: Serve) -> None:
    raise AssertionError("no task of public events runs")


@asynccontextmanager
async def open_server(
    folder: Path,
    catalogue: Catalogue = GAMES,
    now: float = 1_000_000.0,
    hosted: GameFolder | None = None,
    broker: RecordingBroker | None = None,
    **settings: Any,
) -> AsyncIterator[ServerHarness]:
    """A server on the database in `folder`; opening it again is a restart."""
    services = pairs.current
    given = {**FAST_SETTINGS, "data": folder, **settings}
    node = None
    if services is not None:
        node = pairs.NODE
        given = {"database_url": services.url(folder), "node_url": node.address, **given}
    chosen = Settings(**given)
    if services is None and "database_url" not in given:
        pairs.begin_file(chosen.database)
    store = await ControllableStore.open(chosen.database, node=node)
    server = ServerHarness(chosen, catalogue, store, hosted, broker)
    server.now = now
    async with server.running():
        yield server
