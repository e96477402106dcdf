"""Every message that a server may send, as one closed union."""

from typing import Annotated, TypeAlias

from pydantic import Field, TypeAdapter

from protocol.to_client.games import GameList
from protocol.to_client.hints import HintAnswer
from protocol.to_client.lobby import Lobby, OwnTables, TableList
from protocol.to_client.log import LogPage
from protocol.to_client.notices import ChatNotice, Notice, Presence
from protocol.to_client.reviews import ReviewPage
from protocol.to_client.session import (
    Asked,
    CodeOwner,
    DeviceCode,
    DeviceList,
    Error,
    Ok,
    PlayerPreferences,
    Pong,
    Welcome,
)
from protocol.to_client.table import Closed, Event, Legend, Snapshot, TableMoved, Unchanged, Words

ToClient: TypeAlias = Annotated[
    Welcome
    | Ok
    | Asked
    | Error
    | GameList
    | TableList
    | Lobby
    | OwnTables
    | Legend
    | Snapshot
    | Event
    | Unchanged
    | ChatNotice
    | Presence
    | Notice
    | HintAnswer
    | LogPage
    | ReviewPage
    | DeviceCode
    | CodeOwner
    | DeviceList
    | Closed
    | TableMoved
    | Words
    | PlayerPreferences
    | Pong,
    Field(discriminator="type"),
]

TO_CLIENT: TypeAdapter[ToClient] = TypeAdapter(ToClient)
