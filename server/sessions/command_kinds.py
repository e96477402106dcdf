"""Commands by what they are for, and refusals by what becomes of their command."""

from protocol.to_server import (
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
    ToServer,
    UnfollowTables,
    WhoseCode,
)

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
TRANSIENT = frozenset({"rate_limited", "try_again", "draining", "internal"})
"""Errors that are no final answer to a command: it may be sent again under its id."""


def table_of(command: ToServer) -> str:
    """The table that a command is for; "" if it is for none in memory."""
    return "" if isinstance(command, LOBBY) else command.table
