"""Every message that a client may send, as one closed union."""

from typing import Annotated, TypeAlias, get_args

from pydantic import Field, TypeAdapter

from protocol.to_server.command import Command
from protocol.to_server.lobby import LobbyCommand
from protocol.to_server.play import PlayCommand
from protocol.to_server.session import SessionCommand
from protocol.to_server.table import SeatCommand

ToServer: TypeAlias = Annotated[
    SessionCommand | LobbyCommand | SeatCommand | PlayCommand, Field(discriminator="type")
]

COMMANDS: tuple[type[Command], ...] = get_args(get_args(ToServer)[0])
"""The classes of the union."""
TO_SERVER: TypeAdapter[ToServer] = TypeAdapter(ToServer)
