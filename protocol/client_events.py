"""What a client's session has to tell its owner: one small frozen class for each thing."""

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
    | Pong
)
"""What a command is answered with, if not with an error."""


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server knows who we are; what was left unanswered is under way again."""

    welcome: Welcome


@dataclass(frozen=True, slots=True)
class Answered:
    """The one answer to a command."""

    command: ToServer
    answer: Answer | Error


@dataclass(frozen=True, slots=True)
class PutOff:
    """The server asks to send a command again later; `ClientSession.again` does."""

    command: ToServer
    error: Error


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The list of public tables that we follow is another one now."""

    lobby: LobbyMirror


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table is seen anew: after joining, after a gap, or because we fell behind."""

    mirror: TableMirror


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One event, and the table before and after it."""

    mirror: TableMirror
    event: Event
    before: TableMirror


@dataclass(frozen=True, slots=True)
class Chatted:
    """Somebody at a table has said something."""

    chat: ChatNotice


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A player's connection came or went.

    It is no news that somebody is back of whom nobody was told that they went: where a table has
    gone to another node, or is loaded after a restart, all players come one after another.
    """

    mirror: TableMirror
    presence: Presence
    is_news: bool = True


@dataclass(frozen=True, slots=True)
class TableUnchanged:
    """We have come back to a table and missed nothing: its clocks are right again."""

    mirror: TableMirror
    unchanged: Unchanged


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something outside every table's sequence, or an error that answers no command.

    `mirror` is the table that a notice is about, with what the notice tells of it.
    """

    notice: Notice | Error
    mirror: TableMirror | None = None


@dataclass(frozen=True, slots=True)
class TableClosed:
    """We have no place at the table any more. `reason` is a word of `closed` or an error code."""

    mirror: TableMirror
    reason: str


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection is gone; it is being made again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The connection is back; `Welcomed` and what was missed follow."""


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
