"""For programs that play: connect to a server, take a seat, answer.

    from blackqueen.client import Turn, play

    class Lucky:
        def choose(self, turn: Turn) -> str:
            return turn.random_action()

    print(play("ws://localhost:8765", Lucky(), game="black_queen"))

`play` is all that a bot needs. `connect` gives a `Client`, which can do whatever a player can:
`await client.ask(Join, table="PLUM")`. docs/writing-a-bot.md introduces both.

These names are what others may rely on: `VERSION` is theirs. Its second number grows when something
is added, its first when something that was there changes or goes. Everything else below
`blackqueen` may change with any release.
"""

from typing import Final

from blackqueen.client.bot import Bot, open_table, play, play_match
from blackqueen.client.connecting import connect
from blackqueen.client.turn import Turn
from engine.cards import LegendCard
from engine.choices import Choices, Pick
from engine.facts import Fact, Lay, Move, Set, Show
from engine.views import View, Zone
from protocol.client_events import (
    Answered,
    Chatted,
    ClientEvent,
    Disconnected,
    LobbyChanged,
    Noticed,
    PresenceChanged,
    PutOff,
    Reconnected,
    TableClosed,
    TableEvent,
    TableSnapshot,
    TableUnchanged,
    Welcomed,
)
from protocol.connection import Client
from protocol.errors import ConnectionLost, ErrorCode, IllegalMove, ProtocolError
from protocol.lobby_mirror import LobbyMirror
from protocol.mirror import TableMirror
from protocol.playing import MatchResult, take_seat
from protocol.replaying import TableLog, read_log
from protocol.to_client import (
    Asked,
    CodeOwner,
    DeviceCode,
    DeviceInfo,
    DeviceList,
    GameCard,
    GameList,
    HintAnswer,
    Lobby,
    LogEntry,
    LogPage,
    Ok,
    OwnTable,
    OwnTables,
    PlayerPreferences,
    Points,
    Pong,
    Question,
    ReviewedMove,
    ReviewPage,
    ReviewSummary,
    SeatInfo,
    TableInfo,
    TableList,
    TurningPoint,
    Unchanged,
)
from protocol.to_server import (
    Act,
    AddBot,
    AddDevice,
    Admit,
    Back,
    Chat,
    Configure,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hint,
    Join,
    Kick,
    Leave,
    ListTables,
    Log,
    MakeHost,
    MyTables,
    Ping,
    Preferences,
    Ready,
    Rematch,
    RemoveBot,
    Review,
    RevokeDevice,
    Sit,
    StandIn,
    Start,
    Sync,
    TableSettings,
    Undo,
    UnfollowTables,
    Watch,
    WhoseCode,
)

VERSION: Final = "1.0"
"""The version of this interface."""

__all__ = [
    "VERSION",
    "Act",
    "AddBot",
    "AddDevice",
    "Admit",
    "Answered",
    "Asked",
    "Back",
    "Bot",
    "Chat",
    "Chatted",
    "Choices",
    "Client",
    "ClientEvent",
    "CodeOwner",
    "Configure",
    "ConnectionLost",
    "CreateTable",
    "DeviceCode",
    "DeviceInfo",
    "DeviceList",
    "Devices",
    "Disconnected",
    "ErrorCode",
    "Fact",
    "FollowTables",
    "GameCard",
    "GameList",
    "Games",
    "Hint",
    "HintAnswer",
    "IllegalMove",
    "Join",
    "Kick",
    "Lay",
    "Leave",
    "LegendCard",
    "ListTables",
    "Lobby",
    "LobbyChanged",
    "LobbyMirror",
    "Log",
    "LogEntry",
    "LogPage",
    "MakeHost",
    "MatchResult",
    "Move",
    "MyTables",
    "Noticed",
    "Ok",
    "OwnTable",
    "OwnTables",
    "Pick",
    "Ping",
    "PlayerPreferences",
    "Points",
    "Pong",
    "Preferences",
    "PresenceChanged",
    "ProtocolError",
    "PutOff",
    "Question",
    "Ready",
    "Reconnected",
    "Rematch",
    "RemoveBot",
    "Review",
    "ReviewPage",
    "ReviewSummary",
    "ReviewedMove",
    "RevokeDevice",
    "SeatInfo",
    "Set",
    "Show",
    "Sit",
    "StandIn",
    "Start",
    "Sync",
    "TableClosed",
    "TableEvent",
    "TableInfo",
    "TableList",
    "TableLog",
    "TableMirror",
    "TableSettings",
    "TableSnapshot",
    "TableUnchanged",
    "Turn",
    "TurningPoint",
    "Unchanged",
    "Undo",
    "UnfollowTables",
    "View",
    "Watch",
    "Welcomed",
    "WhoseCode",
    "Zone",
    "connect",
    "open_table",
    "play",
    "play_match",
    "read_log",
    "take_seat",
]
