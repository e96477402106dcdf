"""The client's side of the protocol, without connections: messages in, events out.

    offline ──connected()──▶ greeting ──welcome──▶ online ──disconnected()──▶ offline
                                └──error──▶ refused

A command is remembered until it is answered. (player, client id, id) names it for ever and the
server answers it once, so after a new connection everything unanswered is simply sent again, in
order and under the same ids; nothing is done twice and nothing is lost. Events are numbered: a
number that was seen is dropped, a gap or an event that does not fit makes the session ask for a
snapshot by `sync`, which its owner need not know of. If events still do not fit, as those of a
newer server may, the owner is asked to send it later (`PutOff`).

A server may be several nodes. The session has a connection to the address that its user gave, the
`first`, and one to each other node with a table that it follows (`others`); each command takes that
of its table (`protocol.commands`), and `moved` says where a table is (`protocol.table_nodes`).
Whoever runs the session opens what is in `others`, says which is `lost` or `unreachable`, and
closes what is not there any more.
"""

import secrets
from collections.abc import Collection
from typing import Any, assert_never

from protocol.client_events import (
    Answer,
    Answered,
    Chatted,
    ClientEvent,
    Noticed,
    Welcomed,
)
from protocol.commands import Commands, table_of
from protocol.errors import LATER, PASSING, ProtocolError
from protocol.followed_lobby import FollowedLobby
from protocol.followed_tables import FollowedTables
from protocol.lobby_mirror import LobbyMirror
from protocol.mirror import OutOfSync, UnsupportedEvent
from protocol.node_connection import NodeConnection
from protocol.own_questions import OwnQuestions
from protocol.table_nodes import TableNodes
from protocol.table_places import leads_away
from protocol.to_client import (
    Asked,
    ChatNotice,
    Closed,
    CodeOwner,
    DeviceCode,
    DeviceList,
    Error,
    Event,
    GameList,
    HintAnswer,
    Legend,
    Limits,
    Lobby,
    LogPage,
    Notice,
    Ok,
    OwnTables,
    PlayerPreferences,
    Pong,
    Presence,
    ReviewPage,
    Snapshot,
    TableList,
    TableMoved,
    ToClient,
    Unchanged,
    Welcome,
    Words,
)
from protocol.to_server import (
    CreateTable,
    FollowTables,
    Hello,
    Join,
    Leave,
    Sync,
    ToServer,
    Watch,
)
from protocol.version import VERSION

SECONDS_BETWEEN_MISFITS = 1.0
"""How long to wait for the next snapshot where events of a newer server cannot be followed."""


class ClientSession:
    """`tables` is what is seen now, by table; the frozen mirrors in it may be kept.

    `url` is the address that the user gave: the server is not followed away from it. `refused` is
    why the server does not have us; unless its code is in `errors.PASSING`, trying again is of no
    use. `features` are the later commands and fields that the server knows; None before the first
    welcome. `wanted` are those of `features.ON_REQUEST` that we ask for. `code` makes us a further
    device of a player, under the name `device`. Where no connection is named, the first is meant.
    """

    def __init__(
        self,
        *,
        url: str = "",
        name: str | None = None,
        token: str | None = None,
        program: str | None = None,
        wanted: Collection[str] = (),
        code: str | None = None,
        device: str | None = None,
    ) -> None:
        self.client = secrets.token_hex(8)
        self.name = name
        self.token = token
        self.program = program
        self.wanted = sorted(wanted)
        self.device = device
        # Of no use after the first welcome, which brings a token.
        self._code = code
        self.player: str | None = None
        self.limits: Limits | None = None
        self.public_url: str | None = None
        self.renamed = False
        self._welcome: Welcome | None = None
        self._commands = Commands(url)
        self._hellos = 0
        self.first = self._commands.first
        self._followed = FollowedTables()
        self.tables = self._followed.mirrors
        self._own = OwnQuestions(self._commands, self._followed)
        self._table_nodes = TableNodes(self._commands, self._followed, self._own)
        self._lobby = FollowedLobby()

    # The connections

    @property
    def others(self) -> Collection[NodeConnection]:
        """The connections that should exist beside the first."""
        return self._commands.others.values()

    @property
    def online(self) -> bool:
        """Whether the server has welcomed the session."""
        return self.first.online

    @property
    def greeting(self) -> bool:
        """Whether `hello` has no answer yet."""
        return self.first.greeting

    @property
    def refused(self) -> ProtocolError | None:
        """The error by which the server refused the session."""
        return self.first.refused

    @property
    def refused_for_good(self) -> ProtocolError | None:
        """The error by which the server refused the session, if trying again is useless."""
        refused = self.first.refused
        if refused is None or refused.code in PASSING:
            return None
        afresh = refused.code == "unauthorized" and self._may_start_afresh()
        return None if afresh else refused

    @property
    def features(self) -> frozenset[str] | None:
        """The later commands and fields that the server knows."""
        return self.first.features

    @property
    def outbox(self) -> list[ToServer]:
        """The messages to be sent now on the first connection."""
        return self.first.outbox

    def connected(self, at: NodeConnection | None = None) -> list[ToServer]:
        """A connection is open: returns its first message. All others wait for the welcome."""
        at = at or self.first
        self.disconnected(at)
        at.hellos = self._hellos - sum(each.greeting for each in self._commands)
        self._hellos += 1
        hello = self._commands.new(
            Hello,
            version=VERSION,
            client=self.client,
            name=self.name,
            program=self.program,
            features=self.wanted,
            code=self._code,
            device=self.device,
            alongside=True,
            token=self.token,
            **self._own.hello(at),
        )
        at.greet(hello.id)
        return [hello]

    def disconnected(self, at: NodeConnection | None = None) -> None:
        """A connection is closed; unanswered commands wait for the next one."""
        self._table_nodes.disconnected(at or self.first)

    def lost(self, reason: str, at: NodeConnection | None = None) -> list[ClientEvent]:
        """A connection broke by itself: `disconnected`, and the client events for the owner."""
        at = at or self.first
        told = self._table_nodes.lost(reason, at)
        self.disconnected(at)
        return told + self._restored([])

    def unreachable(self, at: NodeConnection) -> None:
        """A node cannot be reached: ask the first connection where its tables are."""
        if at is not self.first and self._commands.has(at):
            self._table_nodes.unreachable(at, named=self.knows("watch.failed"))

    def start_afresh(self) -> bool:
        """Become a new guest if the server forgot the token; False if the session has a seat there.

        Over a restart a server forgets guests that never took a seat.
        """
        if not self._may_start_afresh():
            return False
        self.token, self.first.refused = None, None
        self._commands.start_afresh()
        return True

    def _may_start_afresh(self) -> bool:
        return self.token is not None and not self._followed.seated()

    @property
    def lobby(self) -> LobbyMirror | None:
        """The list of public tables that we follow; None if we follow none."""
        return self._lobby.mirror

    def waits(self, at: NodeConnection | None = None) -> bool:
        """Whether any command that was sent on a connection has no answer yet."""
        return self._commands.were_sent(at or self.first)

    def plays(self, at: NodeConnection) -> bool:
        """Whether a followed table on a connection is in play."""
        return any(
            mirror.info.phase == "playing" and self._commands.node_of(table) is at
            for table, mirror in self.tables.items()
        )

    def take_outbox(self, at: NodeConnection | None = None) -> list[ToServer]:
        """Take the messages to be sent now on a connection, in order; the caller sends them."""
        at = at or self.first
        messages, at.outbox = at.outbox, []
        return messages

    def knows(self, feature: str) -> bool:
        """Whether the server has said that it knows a later command or field."""
        return self.features is not None and feature in self.features

    def sits_at(self, table: str) -> bool:
        """Whether we have a seat at a table, by what it was last seen as."""
        mirror = self.tables.get(table)
        return mirror is not None and mirror.seat is not None

    # Commands

    def command(self, kind: type[ToServer], **fields: Any) -> ToServer:
        """A new command, sent at once or as soon as its connection is online.

        `ProtocolError` `bad_message` if `fields` do not fit the command, or if the server is too
        old to know them.
        """
        command = self._commands.new(kind, **fields)
        self._commands.check(command)
        self._commands.send(command)
        return command

    def again(self, id: int) -> None:
        """Send a postponed command again, unless reconnecting has done so."""
        self._commands.again(id)

    def forget(self, id: int) -> None:
        """Give up a command; its answer is not reported any more."""
        if (command := self._commands.waiting.get(id)) is not None:
            self._own.forget(command)

    # Messages

    def receive(self, *frame: ToClient, at: NodeConnection | None = None) -> list[ClientEvent]:
        """The client events of a frame's messages. Check the outboxes and `others` afterwards."""
        at = at or self.first
        if not self._commands.has(at):
            return []
        events = [event for message in frame for event in self._receive(message, at)]
        for table in filter(None, map(_entered, events)):
            if table not in self.tables and not self._own.asks(table):
                # The snapshot fell to a lost connection, and the answer is only a repetition.
                self._own.ask(Sync, table=table)
        self._table_nodes.tidy()
        return self._restored(events)

    def _receive(self, message: ToClient, at: NodeConnection) -> list[ClientEvent]:
        if self.others and self._table_nodes.is_stray(message, at):
            return []
        match message:
            case Welcome():
                return self._welcomed(message, at)
            case Lobby(id=None):
                return self._lobby.told(message)
            case Ok() | Asked() | Error() | GameList() | TableList() | HintAnswer() | Pong():
                return self._answered(message, at)
            case (
                Lobby()
                | OwnTables()
                | LogPage()
                | ReviewPage()
                | DeviceCode()
                | CodeOwner()
                | DeviceList()
                | PlayerPreferences()
            ):
                return self._answered(message, at)
            case Words():
                # Events were read with them before they came here.
                return []
            case Legend():
                self._followed.legend(message)
                return []
            case Snapshot():
                self._table_nodes.shown(message.table, at)
                self._table_nodes.requested.discard(message.table)
                self._own.forget_table(message.table)
                return [self._followed.snapshot(message)]
            case Event():
                self._table_nodes.shown(message.table, at)
                return self._event(message)
            case ChatNotice():
                return [Chatted(message)] if self._followed.hears(message) else []
            case Presence():
                return self._followed.presence(message)
            case Unchanged():
                self._table_nodes.shown(message.table, at)
                return self._followed.unchanged(message)
            case Notice():
                return self._noticed(message, at)
            case TableMoved():
                return self._moved(message, at)
            case Closed():
                return self._table_nodes.close(message.table, message.reason)
            case _:
                assert_never(message)

    def _welcomed(self, welcome: Welcome, at: NodeConnection) -> list[ClientEvent]:
        if welcome.id != at.hello:
            return []
        if at is self.first:
            self._table_nodes.first_is_at(welcome.node)
            self._come_in(welcome)
        at.welcomed(welcome.features)
        closed = self._table_nodes.welcomed(at)
        if at is self.first:
            self._go_on()
        return [Welcomed(welcome), *closed] if at is self.first or at.welcomes > 1 else closed

    def _come_in(self, welcome: Welcome) -> None:
        self._code = None
        self._welcome = welcome
        self.player, self.name, self.token = welcome.player, welcome.name, welcome.token
        self.limits = welcome.limits
        self.public_url = welcome.url
        self.renamed = welcome.renamed

    def _go_on(self) -> None:
        """Ask on the new first connection for what only the entry node knows."""
        wanted = self._lobby.resumed(self._commands.waiting.values())
        if wanted is not None and self.knows("follow_tables"):
            self._own.ask(FollowTables, **wanted)
        for other in [*self.others]:
            if other.unreachable:
                self.unreachable(other)

    def _answered(self, answer: Answer | Error, at: NodeConnection) -> list[ClientEvent]:
        if answer.id is None or answer.id == at.hello:
            return self._refusal(answer, at) if isinstance(answer, Error) else []
        command = self._commands.waiting.get(answer.id)
        if command is None:
            return []
        if isinstance(answer, Error) and answer.code in LATER:
            return [self._commands.later(command, answer)]
        is_own = self._own.is_own(command)
        if is_own and isinstance(command, Sync | Watch):
            reason = answer.code if isinstance(answer, Error) else None
            return self._table_nodes.answered(command, at, reason)
        self._own.forget(command)
        told: list[ClientEvent] = [] if is_own else [Answered(command, answer)]
        if not isinstance(answer, Error):
            at.signs += 1
            told += self._lobby.answered(command, answer)
        if isinstance(answer, GameList):
            self._followed.games(answer.games)
        if isinstance(answer, Asked):
            self._table_nodes.requested.add(answer.table)
        if isinstance(answer, Ok) and isinstance(command, Leave):
            told += self._table_nodes.close(command.table, "left")
        return told

    def _refusal(self, error: Error, at: NodeConnection) -> list[ClientEvent]:
        refused = ProtocolError(
            error.code, error.reason, retry_after=error.retry_after, phrase=error.phrase
        )
        if error.id is not None:
            at.hello, at.refused = None, refused
            others = (each for each in self._commands if each is not at)
            if error.code == "replaced" and any(each.greeting or each.online for each in others):
                # By another one of ours, which has come to the same node meanwhile.
                at.refused = ProtocolError("try_again", error.reason)
                return []
            if at is not self.first:
                # Not the last word: the first is asked where the tables are.
                return []
        elif error.code == "forbidden":
            # An administrator of the server disconnects this player.
            self.first.refused = refused
        # A guest whom the server has forgotten says hello anew, and nobody need know.
        recovers = error.code == "unauthorized" and self._may_start_afresh()
        return [] if recovers else [Noticed(error)]

    def _event(self, event: Event) -> list[ClientEvent]:
        if self._own.asks(event.table):
            return []
        try:
            followed = self._followed.event(event)
        except UnsupportedEvent:
            return self._ask_in_a_while(event.table)
        except OutOfSync:
            self._own.ask(Sync, table=event.table)
            return []
        return [] if followed is None else [followed]

    def _ask_in_a_while(self, table: str) -> list[ClientEvent]:
        """Ask for a snapshot: at once the first time, later again, as the next event may fail."""
        again = self._followed.misfits_again(table)
        sync = self._own.new(Sync, table=table)
        if not again or not self._commands.node_of(table).online:
            # Before the welcome nothing is sent anyway.
            self._commands.send(sync)
            return []
        reason = "this client cannot follow the table's last event; it asks for a snapshot soon"
        return [self._commands.put_off(sync, reason, SECONDS_BETWEEN_MISFITS)]

    def _noticed(self, notice: Notice, at: NodeConnection) -> list[ClientEvent]:
        if notice.kind == "refused" and notice.table is not None:
            self._table_nodes.requested.discard(notice.table)
        if notice.kind == "replaced":
            # Coming back would only throw out our successor.
            if notice.table is not None:
                return [Noticed(notice), *self._table_nodes.close(notice.table, "replaced")]
            if self._hellos > at.hellos + 1:
                # By another of our own, perhaps on a connection that we have given up since.
                self._table_nodes.give_way(at)
                return []
            self.first.refused = ProtocolError(
                "replaced", "the same player connected from elsewhere"
            )
        return self._followed.noticed(notice)

    def _moved(self, moved: TableMoved, at: NodeConnection) -> list[ClientEvent]:
        """Handle `moved`: a table is at another address, or a command must be sent there."""
        command = self._commands.waiting.get(moved.id or 0)
        table = moved.table if command is None else table_of(command)
        if table is None or self._table_nodes.is_stale(table, moved, at):
            return []
        if self._commands.places.may_be(moved.url):
            return self._table_nodes.moved(table, moved)
        error = leads_away(moved)
        if moved.id is not None:
            return self._answered(error, at)
        return [Noticed(error), *self._table_nodes.close(table, "elsewhere")]

    def _restored(self, events: list[ClientEvent]) -> list[ClientEvent]:
        return self._table_nodes.restored(events, self._welcome)


def _entered(event: ClientEvent) -> str | None:
    """The table that the session entered by this event; None if there is none."""
    match event:
        case Answered(CreateTable() | Join() | Watch(), Ok(table=table)):
            return table
        case _:
            return None
