"""Every message that a client may send, as one closed union."""

from typing import Annotated, TypeAlias

from pydantic import Field, TypeAdapter

from protocol.to_server.lobby import (
    CreateTable,
    FollowTables,
    Games,
    ListTables,
    MyTables,
    UnfollowTables,
)
from protocol.to_server.play import Act, Chat, Hint, Log, Review, Sync, Undo, Watch
from protocol.to_server.session import AddDevice, Devices, Hello, Ping, RevokeDevice, WhoseCode
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

ToServer: TypeAlias = Annotated[
    Hello
    | Games
    | ListTables
    | FollowTables
    | UnfollowTables
    | MyTables
    | CreateTable
    | Configure
    | Join
    | Admit
    | Sit
    | Leave
    | Ready
    | AddBot
    | RemoveBot
    | Kick
    | MakeHost
    | StandIn
    | Back
    | Start
    | Act
    | Undo
    | Hint
    | Chat
    | Watch
    | Sync
    | Log
    | Review
    | AddDevice
    | WhoseCode
    | Devices
    | RevokeDevice
    | Rematch
    | Ping,
    Field(discriminator="type"),
]

TO_SERVER: TypeAdapter[ToServer] = TypeAdapter(ToServer)
