"""What a client may say. Every message carries `id`: (player, client id, id) names it for ever.

    session            coming in and going on: `hello`, devices, `ping`
    lobby              games, lists of tables, opening one
    table              who sits where, and how the table is run
    play               a match: moves, hints, chat, watching, the log, reviews
    command, union     what all have in common; the closed union of all

Unknown fields are refused, so that a misspelt option is not silently ignored. Only `hello` may have
unknown fields, because its sender cannot know yet what this server understands.
"""

from protocol.table_settings import ChangedSettings, Latecomers, SettingsInfo, TableSettings
from protocol.to_server.command import (
    MAX_ID,
    STORED_REFUSAL,
    Code,
    Command,
    CommandId,
    GameId,
    Name,
    OptionName,
    OptionValue,
    SeatNumber,
    Strength,
)
from protocol.to_server.lobby import (
    PAGE,
    CreateTable,
    FollowTables,
    Games,
    ListTables,
    MyTables,
    UnfollowTables,
    WantedTables,
)
from protocol.to_server.play import (
    LOG_PAGE,
    MAX_URL,
    Act,
    Chat,
    Hint,
    Log,
    Review,
    Sync,
    Undo,
    Watch,
)
from protocol.to_server.session import (
    MAX_DIGEST,
    MAX_LEGENDS,
    MAX_RESUMED,
    AddDevice,
    Devices,
    Hello,
    Ping,
    RevokeDevice,
    WhoseCode,
)
from protocol.to_server.table import (
    AddBot,
    Admit,
    Back,
    Configure,
    Join,
    Kick,
    Leave,
    MakeHost,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    StandIn,
    Start,
)
from protocol.to_server.union import TO_SERVER, ToServer

__all__ = [
    "LOG_PAGE",
    "MAX_DIGEST",
    "MAX_ID",
    "MAX_LEGENDS",
    "MAX_RESUMED",
    "MAX_URL",
    "PAGE",
    "STORED_REFUSAL",
    "TO_SERVER",
    "Act",
    "AddBot",
    "AddDevice",
    "Admit",
    "Back",
    "ChangedSettings",
    "Chat",
    "Code",
    "Command",
    "CommandId",
    "Configure",
    "CreateTable",
    "Devices",
    "FollowTables",
    "GameId",
    "Games",
    "Hello",
    "Hint",
    "Join",
    "Kick",
    "Latecomers",
    "Leave",
    "ListTables",
    "Log",
    "MakeHost",
    "MyTables",
    "Name",
    "OptionName",
    "OptionValue",
    "Ping",
    "Ready",
    "Rematch",
    "RemoveBot",
    "Review",
    "RevokeDevice",
    "SeatNumber",
    "SettingsInfo",
    "Sit",
    "StandIn",
    "Start",
    "Strength",
    "Sync",
    "TableSettings",
    "ToServer",
    "Undo",
    "UnfollowTables",
    "WantedTables",
    "Watch",
    "WhoseCode",
]
