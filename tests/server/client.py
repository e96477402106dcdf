"""A test client of a `ServerHarness`, without a socket.

Every message goes through the real codec in both directions, and the client follows its tables as a
real one does: an event that does not fit fails the test at once.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from protocol.codec import codec_for
from protocol.compact_reader import CompactReader
from protocol.mirror import TableMirror
from protocol.same_server import is_this_machine
from protocol.to_client import TO_CLIENT, Event, Presence, Snapshot
from protocol.version import MSGPACK, VERSION
from protocol.wire_form import WireForm
from server.sessions.connection import Connection
from server.sessions.session import Session

if TYPE_CHECKING:
    from tests.server.harness import ServerHarness


@dataclass
class FakeWire:
    """A socket that delivers frames at once, or while `blocked` keeps them in its buffer."""

    deliver: Callable[[bytes | str], None]
    blocked: bool = False
    closed: tuple[int, str] | None = None
    buffer: list[bytes | str] = field(default_factory=list)

    def write(self, frame: bytes | str) -> None:
        if self.closed is not None:
            return
        self.buffer.append(frame)
        if not self.blocked:
            self.drain()

    def unsent(self) -> int:
        return sum(map(len, self.buffer))

    def unread(self) -> float:
        return 0.0

    def welcomed(self, player: str) -> None:
        pass

    def close(self, code: int, reason: str) -> None:
        self.closed = self.closed or (code, reason)

    def drain(self) -> None:
        """Let the reader read again."""
        self.blocked = False
        frames, self.buffer = self.buffer, []
        for frame in frames:
            self.deliver(frame)


class TestClient:
    """A client program.

    `received` are all messages that it was sent, `frames` the frames as they came, `answers` those
    with a command's number, and `tables` its mirror of each table, folded from events. `features`
    are those it asks for in `hello`.
    """

    __test__ = False

    def __init__(
        self,
        server: "ServerHarness",
        subprotocol: str = MSGPACK,
        client_id: str = "laptop",
        address: str = "192.0.2.1",
    ) -> None:
        self.address = address
        self.codec = codec_for(subprotocol)
        self.features: tuple[str, ...] = ()
        self.client_id = client_id
        self.token: str | None = None
        self.player = ""
        self.received: list[WireForm] = []
        self.tables: dict[str, TableMirror] = {}
        self.answers: defaultdict[int, list[WireForm]] = defaultdict(list)
        self.frames: list[bytes | str] = []
        self._ids = count(1)
        self._reported = 0
        self.wire = FakeWire(self._receive)
        self.connect(server)

    def connect(self, server: "ServerHarness") -> None:
        """Open a new connection without a hello; the old one is ignored from then on."""
        self.wire.deliver = lambda frame: None
        self.compact = CompactReader()
        self.server = server
        self.wire = FakeWire(self._receive)
        session = Session(
            self.codec,
            server.settings.messages_per_second,
            server.settings.message_burst,
            server.now,
        )
        bound = server.settings.send_buffer_bytes
        is_here = is_this_machine(self.address)
        outboxes = server.game_server.connections.outboxes
        self.connection = Connection(self.wire, session, bound, self.address, is_here, outboxes)

    async def hello(self, **fields: Any) -> WireForm:
        """Send hello; returns its last answer, which may be an error."""
        known = {"client": self.client_id, "token": self.token, "features": self.features or None}
        fields = {"version": VERSION, **known, **fields}
        number = await self.send("hello", **{k: v for k, v in fields.items() if v is not None})
        answer = self.answers[number][-1]
        if answer["type"] == "welcome":
            self.token, self.player = answer["token"], answer["player"]
        return answer

    async def reconnect(self, server: "ServerHarness | None" = None, **fields: Any) -> WireForm:
        """Open a new connection and resume all tables; returns the last answer to hello."""
        self.connect(server or self.server)
        resume = {code: mirror.seq for code, mirror in self.tables.items()}
        return await self.hello(**{"resume": resume, **fields})

    def disconnect(self) -> None:
        """Close the connection."""
        self.server.game_server.disconnected(self.connection)

    def closed(self) -> tuple[int, str] | None:
        """The code and reason of the server's close, if it closed."""
        return self.wire.closed

    async def send(self, type: str, id: int | None = None, **fields: Any) -> int:
        """Send a command without waiting for the disk; returns its number."""
        number = next(self._ids) if id is None else id
        await self.send_message({"type": type, "id": number, **fields})
        return number

    async def send_message(self, message: object) -> None:
        """Send anything that the encoding can hold."""
        packed = self.codec.encode_message(message)
        await self.send_raw(packed.decode() if self.codec.frame_type is str else packed)

    async def send_raw(self, raw: bytes | str) -> None:
        """Send a frame as it is."""
        rest = self.server.game_server.router.receive(self.connection, raw)
        if rest is not None:
            await rest

    async def ask(self, type: str, id: int | None = None, **fields: Any) -> WireForm:
        """Send a command and let everything settle; returns its one answer."""
        number = await self.send(type, id, **fields)
        await self.server.settle()
        (answer,) = self.answers[number]
        return answer

    async def refusal(self, type: str, **fields: Any) -> str:
        """The code of the error that answers a command."""
        answer = await self.ask(type, **fields)
        assert answer["type"] == "error", answer
        return str(answer["code"])

    async def open_table(self, **fields: Any) -> str:
        """Open a table of Black Queen; returns its code."""
        answer = await self.ask("create_table", **{"game": "black_queen", "seats": 2, **fields})
        return str(answer["table"])

    async def move(self, table: str, at: int = 0) -> WireForm:
        """Make a random one of the offered moves."""
        mirror = self.tables[table]
        action = mirror.choices.actions[at]
        return await self.ask("act", table=table, turn=mirror.question.turn, action=action)

    def new_messages(self, type: str | None = None) -> list[WireForm]:
        """The messages since the last call, optionally only those of one type."""
        news, self._reported = self.received[self._reported :], len(self.received)
        return [message for message in news if type in (None, message["type"])]

    def _receive(self, frame: bytes | str) -> None:
        self.frames.append(frame)
        for message in self.compact.long_form(self.codec.load(frame)):
            self.received.append(message)
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
