"""A model server: one table, one player, and the promises of the protocol.

It answers every command once, keeps its answers over connections, numbers its events, and
resumes. What happens at its table is a little game of cards moving from a deck to a pile, with a
new deal now and then, so that folding events is no formality.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.facts import Fact, Lay, Move, Set
from engine.views import fold
from protocol.client import ClientSession
from protocol.codec import Codec
from protocol.mirror import TableMirror
from protocol.to_client import (
    Error,
    Event,
    Limits,
    Ok,
    Pong,
    Question,
    SeatInfo,
    Snapshot,
    TableInfo,
    ToClient,
    Welcome,
)
from protocol.to_server import Act, Hello, Join, Ping, SettingsInfo, Sit, Sync, ToServer, Watch
from protocol.wire_form import wire_form

TABLE = "PLUM"
SEATS = 3
CARDS = 5
"""How many cards of a deal are played before the next deal begins."""

INFO = TableInfo(
    table=TABLE,
    game="pile",
    version=1,
    title="Pile",
    phase="playing",
    host=0,
    seats=tuple(SeatInfo(kind="human", name=name) for name in ("Ann", "Bob", "Cid")),
    options={},
    settings=SettingsInfo(),
    match=1,
)


def encode_frame(codec: Codec, messages: Iterable[ToClient]) -> bytes | str:
    """The frame in which a server sends the given messages."""
    return codec.frame([codec.encode_message(wire_form(message)) for message in messages])


def welcome(id: int, player: str = "p1", name: str = "Ann") -> Welcome:
    limits = Limits(message_bytes=1_000, messages_per_second=10.0, chat_length=500)
    return Welcome(
        id=id, version=1, player=player, name=name, token="secret", server="model", limits=limits
    )


@dataclass
class ModelServer:
    table: str = TABLE
    log: list[tuple[Fact, ...]] = field(default_factory=list)
    applied: list[str] = field(default_factory=list)
    answers: dict[tuple[str, int], Ok] = field(default_factory=dict)
    seat: int | None = None
    client: str = ""
    greeted: bool = False
    subscribed: bool = False
    busy: bool = False
    ever_busy: bool = False

    def hang_up(self) -> None:
        self.greeted = self.subscribed = False

    def receive(self, command: ToServer) -> list[ToClient]:
        """The frame that answers a command, followed by the events that it causes."""
        if isinstance(command, Hello):
            return self._hello(command)
        if self.busy:
            self.busy, self.ever_busy = False, True
            return [Error(id=command.id, code="try_again", reason="the disk is full")]
        if isinstance(command, Ping):
            return [Pong(id=command.id)]
        if isinstance(command, Sync | Watch):
            self.subscribed = True
            return [Ok(id=command.id, table=self.table), self.snapshot()]
        key = (self.client, command.id)
        if key in self.answers:
            return [self.answers[key]]
        before = len(self.log)
        frame = self._apply(command)
        self.answers[key] = Ok(id=command.id, table=self.table, seq=len(self.log))
        return [self.answers[key], *self.events(before), *frame]

    def happens(self, fact: Fact | None = None) -> None:
        """Add an entry to the table's log without telling anybody."""
        number = len(self.log)
        facts: tuple[Fact, ...] = (fact,) if fact else ()
        if number % CARDS == 0:
            laid = Lay({"deck": CARDS, "pile": 0})
            facts += (Fact("deal_started", {"deal": number}, (laid, Set("deal", number))),)
        played = (Move("deck", "pile", (f"c{number}",)), Set(f"seen/{number}", True))
        self.log.append((*facts, Fact("card_played", {"number": number}, played)))

    def events(self, after: int) -> list[ToClient]:
        """The entries after number `after` as the player sees them, if they are connected."""
        entries = enumerate(self.log[after:], start=after + 1)
        events = [
            Event(table=self.table, seq=seq, facts=facts, question=Question(turn=seq))
            for seq, facts in entries
        ]
        return [*events] if self.subscribed else []

    def snapshot(self) -> Snapshot:
        facts: list[Fact] = []
        for entry in self.log:
            for fact in entry:
                facts = [] if fact.verb == "deal_started" else facts
                facts.append(fact)
        return Snapshot(
            table=self.table,
            seq=len(self.log),
            seat=self.seat,
            info=INFO.model_copy(update={"table": self.table}),
            view=fold(facts),
            facts=tuple(facts),
            question=Question(turn=len(self.log)),
            legend=(),
        )

    def truth(self) -> TableMirror:
        return TableMirror.of(self.snapshot())

    def _hello(self, hello: Hello) -> list[ToClient]:
        self.greeted, self.client = True, hello.client
        answer = welcome(hello.id)
        self.subscribed = self.seat is not None
        if self.seat is None:
            return [answer]
        return [answer, *self.resumed(hello.resume.get(self.table))]

    def resumed(self, seen: int | None) -> list[ToClient]:
        """The messages that resume a client whose last event was number `seen`."""
        # A snapshot where it saw nothing, or fell behind too far.
        if seen is None or len(self.log) - seen > 2 * CARDS:
            return [self.snapshot()]
        return self.events(seen)

    def _apply(self, command: ToServer) -> list[ToClient]:
        match command:
            case Join():
                self.subscribed, self.seat = True, 0
                return [self.snapshot()]
            case Sit(seat=to):
                assert self.seat is not None
                moved = Fact("player_moved", {"seat": self.seat, "to": to, "name": "Ann"})
                self.seat = to
                self.happens(moved)
            case Act(action=action):
                self.applied.append(action)
                self.happens()
            case _:
                raise AssertionError(f"the model knows no {command.type}")
        return []


def online(**who: str) -> ClientSession:
    """A session that has received its welcome."""
    session = ClientSession(**who)
    [hello] = session.connected()
    session.receive(welcome(hello.id))
    return session


def seated(after: int = 0) -> tuple[ClientSession, ModelServer]:
    """A session that follows a table after its event number `after`, and the server."""
    session, server = online(), ModelServer(seat=0, subscribed=True)
    for _ in range(after):
        server.happens()
    session.receive(server.snapshot())
    return session, server


def types(messages: list[ToServer]) -> list[str]:
    return [message.type for message in messages]


def resent(session: ClientSession) -> list[ToServer]:
    """The commands that a session sends after a new welcome."""
    [hello] = session.connected()
    session.receive(welcome(hello.id))
    return session.take_outbox()
