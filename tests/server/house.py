"""A whole server without sockets: a real store, a clock turned by hand, guests on wires.

Everything that a guest is sent goes through the real codec both ways, and the guest follows their
tables as a client does: an event that does not fit fails the test at once.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from engine import GAMES, Catalogue
from protocol.codec import codec_for
from protocol.mirror import TableMirror
from protocol.to_client import TO_CLIENT, Event, Presence, Snapshot
from protocol.version import MSGPACK, VERSION
from protocol.wire_form import WireForm
from server.bots.pool import BotPool
from server.connections.connection import Connection
from server.connections.session import Session
from server.game_server import GameServer
from server.games.folder import GameFolder
from server.games.library import Library
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.store import AnswerRow, EntryRow, Forgotten, Store, TableRow, Write
from server.store.errors import StoreUnavailable
from server.store.writer import Done
from server.table.state import TableState
from server.table.table import Table

QUICK = {
    "bot_delay": 0.0,
    "allow_seeds": True,
    "messages_per_second": 1e6,
    "message_burst": 1_000_000,
    "max_lobby_tables_per_address": 0,
}


class MoodyStore(Store):
    """A real store that refuses writes while `broken`, and keeps them back between two calls.

    Reads wait at the `gate`, which is told the name of the read. While `careless`, only players
    are written and all else is only reported as written, which is fast.
    """

    broken = False
    careless = False
    reporting = 0
    kept: list[tuple[Write, Done]] | None = None
    gate: Callable[[str], Awaitable[None]] | None = None

    def commit(self, write: Write, done: Done) -> None:
        if self.kept is not None:
            self.kept.append((write, done))
            return
        if not self.broken and (write.players or not self.careless):
            super().commit(Write(players=write.players) if self.careless else write, done)
            return
        self.reporting += 1
        # Whether the disk works later does not matter: this was not written.
        error = StoreUnavailable("disk full") if self.broken else None

        def report() -> None:
            self.reporting -= 1
            done(error)

        asyncio.get_running_loop().call_soon(report)

    def keep_back(self) -> None:
        """From now on nothing reaches the disk, until it is let go."""
        self.kept = []

    def let_go(self) -> None:
        kept, self.kept = self.kept or [], None
        for write, done in kept:
            self.commit(write, done)

    async def caught_up(self) -> None:
        """Return when all that was handed to the disk is there: writes are made in order."""
        done = asyncio.Event()
        super().commit(Write(), lambda error: done.set())
        await done.wait()

    async def load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        await self._pass("load")
        return await super().load(code)

    async def answer(
        self, player: str, client: str, command: int, tables: Collection[str]
    ) -> EntryRow | AnswerRow | Forgotten | None:
        await self._pass("answer")
        found = await super().answer(player, client, command, tables)
        await self._pass("answered")
        return found

    async def last_command(self, player: str, client: str, tables: Collection[str]) -> int:
        number = await super().last_command(player, client, tables)
        await self._pass("last_command")
        return number

    async def _pass(self, name: str) -> None:
        if self.gate is not None:
            await self.gate(name)


@dataclass
class TestWire:
    """A socket that keeps what it is given; while `stuck`, nothing leaves its buffer."""

    __test__ = False

    hear: Callable[[bytes | str], None]
    stuck: bool = False
    closed: tuple[int, str] | None = None
    buffer: list[bytes | str] = field(default_factory=list)

    def write(self, frame: bytes | str) -> None:
        if self.closed is not None:
            return
        self.buffer.append(frame)
        if not self.stuck:
            self.flow()

    def unsent(self) -> int:
        return sum(map(len, self.buffer))

    def close(self, code: int, reason: str) -> None:
        self.closed = self.closed or (code, reason)

    def flow(self) -> None:
        """The reader reads again."""
        self.stuck = False
        frames, self.buffer = self.buffer, []
        for frame in frames:
            self.hear(frame)


class House:
    """The server: `game_server` on `store`, at server time `now`."""

    def __init__(
        self,
        settings: Settings,
        catalogue: Catalogue,
        store: MoodyStore,
        folder: GameFolder | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.now = 1_000_000.0
        self.metrics = Metrics()
        self.pool = BotPool(1)
        self.library = Library(catalogue, store.description, folder)
        self.game_server = GameServer(
            settings,
            self.library,
            store,
            self.pool,
            self.metrics,
            lambda: self.now,
            lambda at: None,
        )

    async def guest(
        self,
        name: str,
        subprotocol: str = MSGPACK,
        client: str = "laptop",
        address: str = "192.0.2.1",
    ) -> "Guest":
        """A new player who has been welcomed."""
        guest = Guest(self, subprotocol, client, address)
        await guest.hello(name=name)
        return guest

    async def calm(self) -> None:
        """Let everything that is due happen, and every write reach the disk."""
        while True:
            due = self.game_server.next_tick()
            if due is not None and due <= self.now:
                await self.game_server.tick()
            elif self.game_server.tables.load_queue:
                await self.game_server.wake_one()
            elif self.store.reporting:
                await asyncio.sleep(0)
            elif self.store.waiting:
                await self.store.caught_up()
            else:
                return

    async def wait(self, seconds: float) -> None:
        """Let time go by, with the server woken whenever it wants to be."""
        end = self.now + seconds
        await self.calm()
        while (due := self.game_server.next_tick()) is not None and due <= end:
            self.now = max(self.now, due)
            await self.game_server.tick()
            await self.calm()
        self.now = end
        await self.calm()

    def table(self, code: str) -> Table:
        """A table that is loaded."""
        table = self.game_server.live.get(code)
        assert table is not None, f"{code} is not loaded"
        return table

    def state(self, code: str) -> TableState:
        return self.table(code).state

    def loaded(self) -> set[str]:
        return {table.code for table in self.game_server.live}


@asynccontextmanager
async def open_house(
    folder: Path,
    catalogue: Catalogue = GAMES,
    now: float = 1_000_000.0,
    hosted: GameFolder | None = None,
    **settings: Any,
) -> AsyncIterator[House]:
    """A server on the database in `folder`; opening it again is a restart."""
    chosen = Settings(**{**QUICK, "data": folder, **settings})
    store = await MoodyStore.open(chosen.database)
    house = House(chosen, catalogue, store, hosted)
    house.now = now
    try:
        await house.library.refresh()
        await house.game_server.tables.open()
        yield house
    finally:
        house.library.close()
        house.pool.close()
        await store.close()


class Guest:
    """A client program. `inbox` is all it was sent, `tables` what it sees by what it was sent."""

    def __init__(
        self,
        house: House,
        subprotocol: str = MSGPACK,
        client: str = "laptop",
        address: str = "192.0.2.1",
    ) -> None:
        self.address = address
        self.codec = codec_for(subprotocol)
        self.client = client
        self.token: str | None = None
        self.player = ""
        self.inbox: list[WireForm] = []
        self.tables: dict[str, TableMirror] = {}
        self.answers: defaultdict[int, list[WireForm]] = defaultdict(list)
        self.frames: list[bytes | str] = []
        self._ids = count(1)
        self._taken = 0
        self.wire = TestWire(self._hear)
        self.connect(house)

    def connect(self, house: House) -> None:
        """Take a new wire; anything that still comes over the old one is ignored."""
        self.wire.hear = lambda frame: None
        self.house = house
        self.wire = TestWire(self._hear)
        session = Session(
            self.codec, house.settings.messages_per_second, house.settings.message_burst, house.now
        )
        bound = house.settings.send_buffer_bytes
        self.connection = Connection(self.wire, session, bound, self.address)

    async def hello(self, **fields: Any) -> WireForm:
        """Say hello; the last answer to it, which may be an error."""
        fields = {"version": VERSION, "client": self.client, "token": self.token, **fields}
        number = await self.send("hello", **{k: v for k, v in fields.items() if v is not None})
        answer = self.answers[number][-1]
        if answer["type"] == "welcome":
            self.token, self.player = answer["token"], answer["player"]
        return answer

    async def back(self, house: House | None = None, **fields: Any) -> WireForm:
        """Reconnect, resume what was seen, follow what comes."""
        self.connect(house or self.house)
        resume = {code: mirror.seq for code, mirror in self.tables.items()}
        return await self.hello(**{"resume": resume, **fields})

    def lose(self) -> None:
        """The connection is gone."""
        self.house.game_server.disconnected(self.connection)

    def closed(self) -> tuple[int, str] | None:
        """Code and reason with which the server hung up, if it did."""
        return self.wire.closed

    async def send(self, type: str, id: int | None = None, **fields: Any) -> int:
        """Say something and do not wait for the disk; the number it was said under."""
        number = next(self._ids) if id is None else id
        await self.say({"type": type, "id": number, **fields})
        return number

    async def say(self, message: object) -> None:
        """Say anything that the encoding can hold."""
        packed = self.codec.encode_message(message)
        await self.say_raw(packed.decode() if self.codec.frame_type is str else packed)

    async def say_raw(self, raw: bytes | str) -> None:
        await self.house.game_server.router.receive(self.connection, raw)

    async def ask(self, type: str, id: int | None = None, **fields: Any) -> WireForm:
        """Say something and wait; its one answer."""
        number = await self.send(type, id, **fields)
        await self.house.calm()
        (answer,) = self.answers[number]
        return answer

    async def refusal(self, type: str, **fields: Any) -> str:
        answer = await self.ask(type, **fields)
        assert answer["type"] == "error", answer
        return str(answer["code"])

    async def open_table(self, **fields: Any) -> str:
        """Open a table of Black Queen; its code."""
        answer = await self.ask("create_table", **{"game": "black_queen", "seats": 2, **fields})
        return str(answer["table"])

    async def move(self, table: str, at: int = 0) -> WireForm:
        """Make one of the moves that were offered."""
        mirror = self.tables[table]
        action = mirror.choices.actions[at]
        return await self.ask("act", table=table, turn=mirror.question.turn, action=action)

    def take(self, type: str | None = None) -> list[WireForm]:
        """What has come since the last time, perhaps only messages of one type."""
        news, self._taken = self.inbox[self._taken :], len(self.inbox)
        return [message for message in news if type in (None, message["type"])]

    def _hear(self, frame: bytes | str) -> None:
        self.frames.append(frame)
        for message in self.codec.load(frame):
            self.inbox.append(message)
            self._follow(message)

    def _follow(self, message: Mapping[str, Any]) -> None:
        told = TO_CLIENT.validate_python(message)
        match told:
            case Snapshot():
                self.tables[told.table] = TableMirror.of(told)
            case Event():
                before = self.tables.get(told.table)
                if before is not None and told.seq > before.seq:
                    self.tables[told.table] = before.follow(told)
            case Presence():
                before = self.tables.get(told.table)
                if before is not None:
                    self.tables[told.table] = before.with_presence(told.seat, told.away)
        if message["type"] == "closed":
            self.tables.pop(message["table"], None)
        if message.get("id") is not None:
            self.answers[message["id"]].append(dict(message))
