"""The names that both roles use: of players, and of their commands."""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from protocol.to_server import (
    AddDevice,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hello,
    Hint,
    ListTables,
    Log,
    MyTables,
    Ping,
    Review,
    RevokeDevice,
    Sync,
    UnfollowTables,
    Watch,
    WhoseCode,
)

GATEWAY, TABLES = "gateway", "tables"
"""The roles, as the names of their peers on the bus begin."""
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
MOST_OF_A_PLAYER = 8
"""Connections that one player has at once; one more takes the place of the oldest."""
TRANSIENT = frozenset({"rate_limited", "try_again", "draining", "internal"})
"""Errors that do not settle a command: it may be sent again under its id."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player by id, and the name that others see; `program` if no person plays."""

    id: str
    name: str
    program: str = ""


def peer_name(role: str, node: str) -> str:
    """What a process is called on the bus."""
    return f"{role}.{node}" if node else role


def process_name(roles: Collection[str], node: str) -> str:
    """What a process with these roles is called, also at the broker: as its peer that leads."""
    return peer_name(next(role for role in (TABLES, GATEWAY) if role in roles), node)


def role_of(peer: str) -> str:
    """The role of a peer on the bus."""
    return peer.partition(".")[0]


def node_of(peer: str) -> str:
    """What a peer on the bus is called in the store; "" if it has no name of its own."""
    return peer.partition(".")[2]


class Key(NamedTuple):
    """The name of a command, for ever."""

    player: str
    client: str
    command: int


def hashed(secret: str) -> str:
    """What is kept of a token or a code, and crosses the bus for it."""
    return sha256(secret.encode()).hexdigest()


def clean(text: str) -> str:
    """`text`, which passed `protocol.visible_text`, in composed form and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())
