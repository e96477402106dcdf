"""The events that a client's session tells its owner, one small frozen class each."""

from dataclasses import dataclass
from typing import TypeAlias

from protocol.lobby_mirror import LobbyMirror
from protocol.mirror import TableMirror
from protocol.to_client import (
    Asked,
    ChatNotice,
    CodeOwner,
    DeviceCode,
    DeviceList,
    Error,
    Event,
    GameList,
    HintAnswer,
    Lobby,
    LogPage,
    Notice,
    Ok,
    OwnTables,
    PlayerPreferences,
    Pong,
    Presence,
    ReviewPage,
    TableList,
    Unchanged,
    Welcome,
)
from protocol.to_server import ToServer

Answer: TypeAlias = (
    Ok
    | Asked
    | GameList
    | TableList
    | Lobby
    | OwnTables
    | HintAnswer
    | LogPage
    | DeviceCode
    | CodeOwner
    | DeviceList
    | ReviewPage
    | PlayerPreferences
    | Pong
)
"""What a command is answered with, if not with an error."""


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server has welcomed the session; unanswered commands are sent again."""

    welcome: Welcome


@dataclass(frozen=True, slots=True)
class Answered:
    """A command has got its one answer."""

    command: ToServer
    answer: Answer | Error


@dataclass(frozen=True, slots=True)
class PutOff:
    """The server asks to send a command again later; `ClientSession.again` does it."""

    command: ToServer
    error: Error


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The followed list of public tables has changed."""

    lobby: LobbyMirror


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table has a new snapshot: after joining, after a gap, or because the client fell behind."""

    mirror: TableMirror


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An event has changed a table; both mirrors, before and after, are included."""

    mirror: TableMirror
    event: Event
    before: TableMirror


@dataclass(frozen=True, slots=True)
class Chatted:
    """Somebody at a table has written a line of chat."""

    chat: ChatNotice


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A player's connection came or went.

    A return is not reported if the loss was not: after a table has moved to another node, or was
    loaded after a restart, all of its players come back one after another.
    """

    mirror: TableMirror
    presence: Presence
    is_news: bool = True


@dataclass(frozen=True, slots=True)
class TableUnchanged:
    """The client has come back to a table and missed nothing: its clocks are right again."""

    mirror: TableMirror
    unchanged: Unchanged


@dataclass(frozen=True, slots=True)
class Noticed:
    """A notice outside every table's sequence, or an error that answers no command.

    `mirror` is the table that a notice is about, with what the notice tells of it.
    """

    notice: Notice | Error
    mirror: TableMirror | None = None


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The client has lost its place at the table. `reason` is of `closed` or an error code."""

    mirror: TableMirror
    reason: str


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection is lost, and the client is reconnecting."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The connection is back; `Welcomed` and the missed events follow."""


ClientEvent: TypeAlias = (
    Welcomed
    | Answered
    | PutOff
    | LobbyChanged
    | TableSnapshot
    | TableEvent
    | Chatted
    | PresenceChanged
    | TableUnchanged
    | Noticed
    | TableClosed
    | Disconnected
    | Reconnected
)
