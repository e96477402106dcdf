"""The client's side of the protocol, without a connection: messages in, events out.

    offline ──connected()──▶ greeting ──welcome──▶ online ──disconnected()──▶ offline
                                └──error──▶ refused

A command is remembered until it is answered. (player, client id, id) names it for ever and the
server answers it once, so after a new connection everything unanswered is simply sent again, in
order and under the same ids; nothing is done twice and nothing is lost. Events are numbered: a
number that was seen is dropped, a gap or an event that does not fit makes the session ask for a
snapshot by `sync`, which its owner need not know of. If events still do not fit, as those of a
newer server may, the owner is asked to send it later (`PutOff`).
"""

import secrets
from collections.abc import Collection
from itertools import count
from typing import Any, assert_never

from pydantic import ValidationError

from protocol.client_events import (
    Answer,
    Answered,
    Chatted,
    ClientEvent,
    Noticed,
    PutOff,
    Welcomed,
)
from protocol.errors import LATER, ProtocolError
from protocol.features import needed
from protocol.followed_lobby import FollowedLobby
from protocol.followed_tables import FollowedTables
from protocol.lobby_mirror import LobbyMirror
from protocol.mirror import Misfit, OutOfSync
from protocol.parse import explain
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
    Pong,
    Presence,
    ReviewPage,
    Snapshot,
    TableList,
    TableMoved,
    ToClient,
    Unchanged,
    Welcome,
)
from protocol.to_server import (
    TO_SERVER,
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

    `refused` is why the server does not have us; unless its code is in `errors.PASSING`, trying
    again is of no use. `features` are the later commands and fields that the server knows;
    None before the first welcome. `wanted` are those of `features.ON_REQUEST` that we ask for.
    `code` makes us a further device of a player, under the name `device`.
    """

    def __init__(
        self,
        *,
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
        self.features: frozenset[str] | None = None
        self.public_url: str | None = None
        self.renamed = False
        self._followed = FollowedTables()
        self.tables = self._followed.mirrors
        self.online = False
        self.refused: ProtocolError | None = None
        self._ids = count(1)
        self._hello: int | None = None
        self._pending: dict[int, ToServer] = {}
        self._put_off: set[int] = set()
        self.outbox: list[ToServer] = []
        # The tables for which we sent a `sync` by ourselves, by its id.
        self._own_syncs: dict[int, str] = {}
        self._entered: set[str] = set()
        self._lobby = FollowedLobby()
        # The number of the command by which we follow it again after a new connection.
        self._own_follow: int | None = None

    # The connection

    def connected(self) -> list[ToServer]:
        """A connection stands: what to say on it first. All else waits for the welcome."""
        self.disconnected()
        hello = self._new(
            Hello,
            version=VERSION,
            client=self.client,
            name=self.name,
            program=self.program,
            features=self.wanted,
            code=self._code,
            device=self.device,
            alongside=True,
            legends=self._followed.known_legends(),
            token=self.token,
            resume=self._followed.resumed(),
            heard=self._followed.heard(),
        )
        self._hello = hello.id
        self.refused = None
        return [hello]

    def disconnected(self) -> None:
        """The connection is gone; what is unanswered waits for the next."""
        self.online = False
        self._hello = None
        self.outbox.clear()
        self._put_off.clear()
        for id in self._own_syncs:
            del self._pending[id]
        self._own_syncs.clear()
        self._pending.pop(self._own_follow or 0, None)
        self._own_follow = None
        self._followed.disconnected()

    def start_afresh(self) -> bool:
        """Be somebody new where the server does not know our token; False if we have a seat there.

        A server keeps no guests over a restart who never sat down.
        """
        if not self._may_start_afresh():
            return False
        self.token = None
        return True

    def _may_start_afresh(self) -> bool:
        return self.token is not None and not self._followed.seated()

    @property
    def lobby(self) -> LobbyMirror | None:
        """The list of public tables that we follow; None if we follow none."""
        return self._lobby.mirror

    @property
    def greeting(self) -> bool:
        """Whether `hello` waits for its answer."""
        return self._hello is not None

    @property
    def waits(self) -> bool:
        """Whether any command waits for its answer."""
        return bool(self._pending)

    def take_outbox(self) -> list[ToServer]:
        """What is to be sent now, in order; the caller sends it."""
        messages, self.outbox = self.outbox, []
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
        """A new command, sent at once or as soon as we are online.

        `ProtocolError` `bad_message` if `fields` are not what such a message holds, or where the
        server has told that it is too old to know them.
        """
        command = self._new(kind, **fields)
        lacking = [] if self.features is None else set(needed(command)) - self.features
        if lacking:
            reason = f"this server is older than {' and '.join(sorted(lacking))}"
            raise ProtocolError("bad_message", reason, command.id)
        self._pending[command.id] = command
        if self.online:
            self.outbox.append(command)
        return command

    def again(self, id: int) -> None:
        """Send a command that was put off, if that has not happened by reconnecting."""
        if id in self._put_off:
            self._put_off.discard(id)
            self.outbox.append(self._pending[id])

    def forget(self, id: int) -> None:
        """Give up a command: should its answer still come, nobody is told."""
        self._pending.pop(id, None)
        self._put_off.discard(id)
        if table := self._own_syncs.pop(id, None):
            self._followed.find(table)

    def _new(self, kind: type[ToServer], **fields: Any) -> ToServer:
        data = {"type": kind.model_fields["type"].default, "id": next(self._ids), **fields}
        try:
            return TO_SERVER.validate_python(data, strict=True)
        except ValidationError as error:
            raise ProtocolError("bad_message", explain(error)) from None

    # Messages

    def receive(self, *frame: ToClient) -> list[ClientEvent]:
        """What the messages of one frame mean. Look into the outbox afterwards."""
        events = [client_event for message in frame for client_event in self._receive(message)]
        for table in self._followed.unseen(self._entered):
            # The snapshot fell to a lost connection, and the answer is only a repetition.
            self._ask_for_snapshot(table)
        self._entered.clear()
        return events

    def _receive(self, message: ToClient) -> list[ClientEvent]:
        match message:
            case Welcome():
                return self._welcomed(message)
            case Lobby(id=None):
                return self._lobby.told(message)
            case Ok() | Asked() | Error() | GameList() | TableList() | HintAnswer() | Pong():
                return self._answered(message)
            case (
                Lobby()
                | OwnTables()
                | LogPage()
                | ReviewPage()
                | DeviceCode()
                | CodeOwner()
                | DeviceList()
            ):
                return self._answered(message)
            case Legend():
                self._followed.legend(message)
                return []
            case Snapshot():
                return [self._followed.snapshot(message)]
            case Event():
                return self._event(message)
            case ChatNotice():
                return [Chatted(message)] if self._followed.hears(message) else []
            case Presence():
                return self._followed.presence(message)
            case Unchanged():
                return self._followed.unchanged(message)
            case Notice():
                return self._noticed(message)
            case TableMoved():
                return []
            case Closed():
                return self._followed.close(message.table, message.reason)
            case _:
                assert_never(message)

    def _welcomed(self, welcome: Welcome) -> list[ClientEvent]:
        if welcome.id != self._hello:
            return []
        self._hello = None
        self.online = True
        self._code = None
        self.player, self.name, self.token = welcome.player, welcome.name, welcome.token
        self.limits = welcome.limits
        self.features = frozenset(welcome.features)
        self.public_url = welcome.url
        self.renamed = welcome.renamed
        self.outbox += self._pending.values()
        wanted = self._lobby.resumed(self._pending.values())
        if wanted is not None and self.knows("follow_tables"):
            self._own_follow = self.command(FollowTables, **wanted).id
        return [Welcomed(welcome), *self._followed.close_others()]

    def _answered(self, answer: Answer | Error) -> list[ClientEvent]:
        if answer.id is None or answer.id == self._hello:
            return self._refusal(answer) if isinstance(answer, Error) else []
        command = self._pending.get(answer.id)
        if command is None:
            return []
        if isinstance(answer, Error) and answer.code in LATER:
            self._put_off.add(command.id)
            return [PutOff(command, answer)]
        self._put_off.discard(command.id)
        del self._pending[command.id]
        if table := self._own_syncs.pop(command.id, None):
            self._followed.find(table)
            return self._followed.close(table, answer.code) if isinstance(answer, Error) else []
        told: list[ClientEvent] = [Answered(command, answer)]
        if command.id == self._own_follow:
            told, self._own_follow = [], None
        if not isinstance(answer, Error):
            told += self._lobby.answered(command, answer)
        if isinstance(answer, GameList):
            self._followed.games(answer.games)
        if isinstance(answer, Ok):
            if isinstance(command, CreateTable | Join | Watch) and answer.table is not None:
                self._entered.add(answer.table)
            if isinstance(command, Leave):
                told += self._followed.close(command.table, "left")
        return told

    def _refusal(self, error: Error) -> list[ClientEvent]:
        if error.id is not None:
            self._hello = None
        if error.id is not None or error.code == "forbidden":
            # Without a number: an administrator of the server disconnects this player.
            self.refused = ProtocolError(
                error.code, error.reason, retry_after=error.retry_after, phrase=error.phrase
            )
        # A guest whom the server has forgotten says hello anew, and nobody need know.
        recovers = error.code == "unauthorized" and self._may_start_afresh()
        return [] if recovers else [Noticed(error)]

    def _event(self, event: Event) -> list[ClientEvent]:
        try:
            followed = self._followed.event(event)
        except Misfit:
            return self._ask_for_snapshot_in_a_while(event.table)
        except OutOfSync:
            self._ask_for_snapshot(event.table)
            return []
        return [] if followed is None else [followed]

    def _ask_for_snapshot(self, table: str) -> None:
        self._followed.lose(table)
        sync = self.command(Sync, table=table)
        self._own_syncs[sync.id] = table

    def _ask_for_snapshot_in_a_while(self, table: str) -> list[ClientEvent]:
        """The first time at once; but what one event holds, the next may hold as well."""
        self._ask_for_snapshot(table)
        again = self._followed.misfits_again(table)
        if not again or not self.online:
            # Before the welcome nothing is sent anyway.
            return []
        sync = self.outbox.pop()
        self._put_off.add(sync.id)
        reason = "this client cannot follow the table's last event; it asks for a snapshot soon"
        error = Error(
            id=sync.id, code="try_again", reason=reason, retry_after=SECONDS_BETWEEN_MISFITS
        )
        return [PutOff(sync, error)]

    def _noticed(self, notice: Notice) -> list[ClientEvent]:
        if notice.kind == "replaced":
            # Coming back would only throw out our successor.
            if notice.table is not None:
                return [Noticed(notice), *self._followed.close(notice.table, "replaced")]
            self.refused = ProtocolError("replaced", "the same player connected from elsewhere")
        return self._followed.noticed(notice)
