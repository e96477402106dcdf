"""A server that listens on a real socket of this process, and a match that is played beside."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as dial
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.client_events import TableEvent, TableSnapshot
from protocol.codec import codec_for
from protocol.connection import Client, connect
from protocol.mirror import TableMirror
from protocol.to_server import Act, CreateTable, Join, Start
from protocol.version import JSON, MSGPACK
from protocol.wire_form import WireForm
from server.bots.pool import BotPool
from server.game_server import GameServer
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.serve import library_for, server_clock
from server.store import Store
from server.ticker import Ticker, load_sleepers
from server.transport.gateway import Gateway


@dataclass
class Listening:
    url: str
    game_server: GameServer
    metrics: Metrics

    @asynccontextmanager
    async def socket(self, subprotocol: str = JSON) -> AsyncIterator["Raw"]:
        """A bare connection, on which nobody has said anything."""
        names = [Subprotocol(subprotocol)]
        async with dial(self.url, subprotocols=names, compression=None, max_size=None) as websocket:
            yield Raw(websocket, subprotocol)

    @asynccontextmanager
    async def client(self, subprotocol: str = JSON) -> AsyncIterator["Raw"]:
        """A bare connection that has been welcomed."""
        async with self.socket(subprotocol) as raw:
            await raw.say({"type": "hello", "id": 1, "version": 1, "client": "c", "name": "Zoe"})
            (raw.welcome,) = await raw.heard()
            yield raw


class Raw:
    """Says what it likes and hears what comes, frame by frame."""

    def __init__(self, websocket: ClientConnection, subprotocol: str) -> None:
        self.websocket = websocket
        self.codec = codec_for(subprotocol)
        self.welcome: WireForm = {}

    async def say(self, message: object) -> None:
        packed = self.codec.encode_message(message)
        await self.websocket.send(packed.decode() if self.codec.frame_type is str else packed)

    async def heard(self) -> list[WireForm]:
        """The messages of the next frame."""
        frame: list[WireForm] = self.codec.load(await self.websocket.recv())
        return frame

    async def ask(self, message: dict[str, Any]) -> WireForm:
        """The next message under the number of this one."""
        await self.say(message)
        while True:
            for answer in await self.heard():
                if answer.get("id") == message["id"]:
                    return answer

    async def end(self) -> tuple[int, str]:
        """Code and reason with which the server hangs up; whatever it says before is dropped."""
        with suppress(ConnectionClosed):
            async for _ in self.websocket:
                pass
        assert self.websocket.close_code is not None
        return self.websocket.close_code, self.websocket.close_reason or ""


@asynccontextmanager
async def listening(folder: Path, **settings: Any) -> AsyncIterator[Listening]:
    """The server as `blackqueen serve` puts it together, in this process and on a free port."""
    chosen = Settings(**{"data": folder, "port": 0, "bot_delay": 0.0, **settings})
    store, pool, metrics, now = (
        await Store.open(chosen.database),
        BotPool(1),
        Metrics(),
        server_clock(),
    )
    ticker = Ticker()
    library = library_for(chosen, store)
    game_server = GameServer(chosen, library, store, pool, metrics, now, ticker.wake)
    await library.refresh()
    await game_server.tables.open()
    try:
        async with asyncio.TaskGroup() as tasks:
            gateway = Gateway(
                chosen, game_server, metrics, game_server.ready, now, tasks.create_task
            )
            helpers = [
                tasks.create_task(ticker.run(game_server, now)),
                tasks.create_task(load_sleepers(game_server)),
            ]
            async with gateway.listen() as server:
                port = next(iter(server.sockets)).getsockname()[1]
                yield Listening(f"ws://127.0.0.1:{port}", game_server, metrics)
            for helper in helpers:
                helper.cancel()
    finally:
        library.close()
        pool.close()
        await store.close()


@dataclass
class Beside:
    """Two people who play on, whatever others do; every event must come to them in order."""

    clients: list[Client] = field(default_factory=list)
    moves: int = 0
    table: str = ""
    went_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def more(self, moves: int = 4) -> None:
        """Return when so many more moves have been made."""
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
async def match_beside(url: str) -> AsyncIterator[Beside]:
    """A long match between two clients, one of each encoding, for as long as the block lasts."""
    beside = Beside()
    async with (
        connect(url, name="Ann", subprotocol=MSGPACK) as ann,
        connect(url, name="Bea", subprotocol=JSON) as bea,
    ):
        answer = await ann.ask(CreateTable, game="black_queen", seats=2, options={"deals": 100})
        assert answer.table is not None
        beside.table = answer.table
        await bea.ask(Join, table=answer.table)
        async with asyncio.TaskGroup() as tasks:
            playing = [tasks.create_task(beside.play(client)) for client in (ann, bea)]
            await ann.ask(Start, table=answer.table)
            await beside.more()
            yield beside
            await beside.more()
            for player in playing:
                player.cancel()
