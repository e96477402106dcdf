"""Commands by what they change: what a repeated one gets, and which table hears of it."""

from protocol.to_server import (
    Act,
    AddBot,
    AddDevice,
    Admit,
    Back,
    Configure,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hello,
    Hint,
    Kick,
    ListTables,
    Log,
    MakeHost,
    MyTables,
    Ping,
    Ready,
    Rematch,
    RemoveBot,
    Review,
    RevokeDevice,
    Sit,
    StandIn,
    Start,
    Sync,
    ToServer,
    Undo,
    UnfollowTables,
    Watch,
    WhoseCode,
)

READS = frozenset(
    {
        Games,
        ListTables,
        Log,
        Review,
        Ping,
        Sync,
        Watch,
        Hint,
        FollowTables,
        UnfollowTables,
        MyTables,
        AddDevice,
        Devices,
        RevokeDevice,
        WhoseCode,
    }
)
"""Commands that change nothing, or nothing that may not happen again, as their answer is never
stored: asked again, they are answered afresh. A set of types, as every command is looked up."""
LOBBY = (
    AddDevice,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hello,
    ListTables,
    Log,
    MyTables,
    Ping,
    Review,
    RevokeDevice,
    UnfollowTables,
    WhoseCode,
)
"""Commands that are for no table in memory."""
TABLE_COMMANDS = (
    Act,
    AddBot,
    Admit,
    Back,
    Configure,
    Kick,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    MakeHost,
    StandIn,
    Start,
    Undo,
)
"""Commands that a table handles by itself, whoever sends them."""
TRANSIENT = frozenset({"rate_limited", "try_again", "draining", "internal"})
"""Errors that do not settle a command: it may be sent again under its id."""


def table_of(command: ToServer) -> str:
    """The table that a command is for; "" if it is for none in memory."""
    return "" if isinstance(command, LOBBY) else command.table
