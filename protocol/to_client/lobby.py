"""Tables as everybody may know them, and the lists of them."""

from typing import Annotated, Literal

from pydantic import Field

from engine.facts import Seat
from protocol.message import ChairKind, Message, Phase, words
from protocol.table_settings import SettingsInfo
from protocol.to_server.command import OptionValue


class SeatInfo(Message):
    """One seat of a table. `stand_in` means that a bot plays for the absent player.

    `program` is the name of the program that plays this player's seat, if it said that it is one. A
    name that is `alike` resembles the name of another player at the table.
    """

    kind: Annotated[str, words(ChairKind)]
    name: str = ""
    ready: bool = False
    strength: int | None = None
    away: bool = False
    stand_in: bool = False
    program: str = ""
    alike: bool = False


class TableInfo(Message):
    """What everybody may know about a table, apart from its cards."""

    table: str
    game: str
    version: int
    title: str
    phase: Annotated[str, words(Phase)]
    host: Seat | None
    seats: tuple[SeatInfo, ...]
    options: dict[str, OptionValue]
    settings: SettingsInfo
    match: int = Field(description="how many matches have been started here")
    practice: bool = Field(
        default=False, description="moves of this match were taken back: it has no result"
    )
    seeded: bool = Field(
        default=False,
        description="whoever opened the table chose the seed of its cards, and may know them all",
    )


class TableList(Message):
    """The answer to `list_tables`."""

    type: Literal["tables"] = "tables"
    id: int
    tables: tuple[TableInfo, ...]
    next: str | None = Field(
        default=None, description="the `page` after this one; null: this is the last"
    )


class Lobby(Message):
    """The tables that a client follows, or what has changed of them since the last such message.

    A client shows the tables named in `order`, each as it was told last, and forgets the others.
    """

    type: Literal["lobby"] = "lobby"
    id: int | None = Field(
        default=None, description="of the `follow_tables` that it answers; null: unasked"
    )
    tables: tuple[TableInfo, ...] = Field(default=(), description="those that came or changed")
    order: tuple[str, ...] | None = Field(
        default=None, description="the codes of all that are listed; null: as before"
    )
    more: bool = Field(default=False, description="more tables match than are listed")


class OwnTable(Message):
    """A table where the receiver has a seat."""

    seat: Seat
    info: TableInfo


class OwnTables(Message):
    """The answer to `my_tables`."""

    type: Literal["my_tables"] = "my_tables"
    id: int
    tables: tuple[OwnTable, ...]
