"""What the server says. A frame is a list of these, so an answer and its event travel together.

    session            coming in, short answers, refusals, devices
    games              the games on offer, in words
    lobby              tables as lists show them
    table              a table from inside: snapshots, events, what goes with them
    log                a table's log, page after page
    reviews            what a bot thinks of the decisions of a match
    hints, notices     advice; chat, presence and news
    union              the closed union of all

Clients ignore fields and types that they do not know, and accept words that they do not know as
plain text (`protocol.message`). So a newer server can speak to them (`protocol.lenient` reads the
rest).
"""

from protocol.to_client.games import (
    GameCard,
    GameFigures,
    GameList,
    OptionBounds,
    OptionInfo,
    SettingText,
    StrengthInfo,
)
from protocol.to_client.hints import DEVIATION, Candidate, HintAnswer
from protocol.to_client.lobby import Lobby, OwnTable, OwnTables, SeatInfo, TableInfo, TableList
from protocol.to_client.log import LogEntry, LogPage
from protocol.to_client.notices import ChatNotice, Notice, Presence
from protocol.to_client.reviews import (
    Odds,
    OpenDeal,
    Points,
    ReviewedMove,
    ReviewPage,
    ReviewSummary,
    TurningPoint,
)
from protocol.to_client.session import (
    Asked,
    CodeOwner,
    DeviceCode,
    DeviceInfo,
    DeviceList,
    Error,
    Limits,
    Ok,
    PlayerPreferences,
    Pong,
    Welcome,
)
from protocol.to_client.table import (
    Closed,
    Event,
    Legend,
    Question,
    Snapshot,
    TableMoved,
    Unchanged,
    UnreadEvent,
    Words,
)
from protocol.to_client.union import TO_CLIENT, ToClient

__all__ = [
    "DEVIATION",
    "TO_CLIENT",
    "Asked",
    "Candidate",
    "ChatNotice",
    "Closed",
    "CodeOwner",
    "DeviceCode",
    "DeviceInfo",
    "DeviceList",
    "Error",
    "Event",
    "GameCard",
    "GameFigures",
    "GameList",
    "HintAnswer",
    "Legend",
    "Limits",
    "Lobby",
    "LogEntry",
    "LogPage",
    "Notice",
    "Odds",
    "Ok",
    "OpenDeal",
    "OptionBounds",
    "OptionInfo",
    "OwnTable",
    "OwnTables",
    "PlayerPreferences",
    "Points",
    "Pong",
    "Presence",
    "Question",
    "ReviewPage",
    "ReviewSummary",
    "ReviewedMove",
    "SeatInfo",
    "SettingText",
    "Snapshot",
    "StrengthInfo",
    "TableInfo",
    "TableList",
    "TableMoved",
    "ToClient",
    "TurningPoint",
    "Unchanged",
    "UnreadEvent",
    "Welcome",
    "Words",
]
