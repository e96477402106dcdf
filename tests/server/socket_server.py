"""A server on a real socket of this process, with a match in the background."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from protocol.client_events import TableEvent, TableSnapshot
from protocol.connection import Client, connect
from protocol.mirror import TableMirror
from protocol.to_server import Act, CreateTable, Join, Start
from protocol.version import JSON, MSGPACK
from server.bots.pool import BotPool
from server.event_loop import server_clock
from server.game_server import GameServer, ServerParts
from server.net.gateway import Gateway
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.process import library_for
from server.store import Store
from server.ticker import Ticker, load_sleepers
from tests.raw_client import RawClient, raw_client, raw_socket


@dataclass
class SocketServer:
    """A server that listens at `url`."""

    url: str
    game_server: GameServer
    metrics: Metrics
    gateway: Gateway

    def socket(self, subprotocol: str = JSON) -> AbstractAsyncContextManager[RawClient]:
        """A connection without any message."""
        return raw_socket(self.url, subprotocol)

    def client(self, subprotocol: str = JSON) -> AbstractAsyncContextManager[RawClient]:
        """A connection of a new player, after the welcome."""
        return raw_client(self.url, subprotocol)


@asynccontextmanager
async def open_socket_server(folder: Path, **settings: Any) -> AsyncIterator[SocketServer]:
    """The server as `blackqueen serve` builds it, in this process and on a free port."""
    chosen = Settings(**{"data": folder, "port": 0, "bot_delay": 0.0, **settings})
    store, pool, metrics, now = (
        await Store.open(chosen.database),
        BotPool(1),
        Metrics(),
        server_clock(),
    )
    ticker = Ticker()
    library = library_for(chosen, store)
    game_server = GameServer(ServerParts(chosen, library, store, pool, metrics, now, ticker.wake))
    await library.refresh()
    await game_server.open()
    try:
        async with asyncio.TaskGroup() as tasks:
            gateway = Gateway(chosen, game_server, metrics, now, tasks.create_task)
            helpers = [
                tasks.create_task(ticker.run(game_server, now)),
                tasks.create_task(load_sleepers(game_server)),
            ]
            async with gateway.listen() as server:
                port = next(iter(server.sockets)).getsockname()[1]
                yield SocketServer(f"ws://127.0.0.1:{port}", game_server, metrics, gateway)
            for helper in helpers:
                helper.cancel()
    finally:
        library.close()
        pool.close()
        await store.close()


@dataclass
class BackgroundMatch:
    """Two people who play on; every event must come to them in order."""

    clients: list[Client] = field(default_factory=list)
    moves: int = 0
    table: str = ""
    went_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait_for_moves(self, moves: int = 4) -> None:
        """Return after this many further moves."""
        until = self.moves + moves
        while self.moves < until:
            self.went_on.clear()
            await self.went_on.wait()

    async def play(self, client: Client) -> None:
        rng = Random(1)
        seen = 0
        async for client_event in client.events():
            match client_event:
                case TableSnapshot(mirror):
                    assert not seen, "one snapshot, and then every event"
                    seen = mirror.seq
                case TableEvent(mirror, event):
                    assert event.seq == seen + 1
                    seen = event.seq
                    self.moves += any(fact.verb == "card_played" for fact in event.facts)
                    self.went_on.set()
                case _:
                    continue
            if mirror.my_turn and mirror.choices:
                await self._move(client, mirror, rng)

    async def _move(self, client: Client, mirror: TableMirror, rng: Random) -> None:
        action = rng.choice(mirror.choices.actions)
        await client.ask(Act, table=mirror.table, turn=mirror.question.turn, action=action)


@asynccontextmanager
async def background_match(url: str) -> AsyncIterator[BackgroundMatch]:
    """A long match between two clients, one of each encoding, during the block."""
    match = BackgroundMatch()
    async with (
        connect(url, name="Ann", subprotocol=MSGPACK) as ann,
        connect(url, name="Bea", subprotocol=JSON) as bea,
    ):
        answer = await ann.ask(CreateTable, game="black_queen", seats=2, options={"deals": 100})
        assert answer.table is not None
        match.table = answer.table
        await bea.ask(Join, table=answer.table)
        async with asyncio.TaskGroup() as tasks:
            playing = [tasks.create_task(match.play(client)) for client in (ann, bea)]
            await ann.ask(Start, table=answer.table)
            await match.wait_for_moves()
            yield match
            await match.wait_for_moves()
            for player in playing:
                player.cancel()
