"""What a client says outside of tables: which games and tables there are, and opening one."""

from typing import ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from protocol.message import Phase
from protocol.table_settings import TableSettings
from protocol.to_server.command import (
    MAX_ID,
    Code,
    Command,
    GameId,
    OptionName,
    OptionValue,
    SeatNumber,
)

PAGE = 100
"""The most tables that one answer lists."""


class Games(Command):
    """List the games on offer; with `game`, that game alone, with its rules and its deck."""

    type: Literal["games"] = "games"
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True
    game: GameId | None = None


class TableQuery(Command):
    """The base of what asks for public tables: which of them, and how many."""

    size: int = Field(default=PAGE, ge=1, le=PAGE, description="tables a page, at most")
    game: GameId | None = Field(
        default=None, description="only its tables; the digest of a described game is optional"
    )
    free: int = Field(default=0, ge=0, le=64, description="at least this many free seats")
    phase: Phase | None = None
    text: str | None = Field(
        default=None, max_length=64, description="in the code, the game's names or a player's"
    )


class ListTables(TableQuery):
    """List the public tables that match, in pages; tables with free seats come first."""

    type: Literal["list_tables"] = "list_tables"
    price: ClassVar[int] = 3
    reads: ClassVar[bool] = True
    page: str | None = Field(
        default=None, max_length=32, description="`next` of the previous page; null: the first"
    )


class FollowTables(TableQuery):
    """List the first public tables that match, and tell of every change until further notice."""

    type: Literal["follow_tables"] = "follow_tables"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True


class UnfollowTables(Command):
    """Stop telling of changes of the public tables."""

    type: Literal["unfollow_tables"] = "unfollow_tables"
    later: ClassVar[bool] = True
    reads: ClassVar[bool] = True


class MyTables(Command):
    """List the tables where you have a seat, private and sleeping ones too."""

    type: Literal["my_tables"] = "my_tables"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 3
    reads: ClassVar[bool] = True


class Position(BaseModel):
    """A moment of a match that is over, and the seat from which it is to go on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: Code
    entry: int = Field(ge=1, le=MAX_ID, description="the number of the last entry of its log")
    seat: SeatNumber


class CreateTable(Command):
    """Open a table and sit down at seat 0 as its host.

    With `position` a match that is open to everybody goes on for practice, with bots in all other
    seats; `game`, `seats` and `options` are then those of its table, and `seed` must be null.
    """

    type: Literal["create_table"] = "create_table"
    price: ClassVar[int] = 10
    game: GameId
    seats: int | None = Field(
        default=None, ge=1, le=64, description="null: the game's usual number"
    )
    options: dict[OptionName, OptionValue] = Field(default={}, max_length=64)
    settings: TableSettings = TableSettings()
    seed: int | None = Field(
        default=None, ge=0, lt=2**64, description="only if the server lets tables choose it"
    )
    position: Position | None = None


LobbyCommand: TypeAlias = (
    Games | ListTables | FollowTables | UnfollowTables | MyTables | CreateTable
)
