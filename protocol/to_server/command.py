"""The base of all messages to a server: their number, and the types of the values they name."""

from functools import partial
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from protocol.visible_text import NAME, visible

MAX_ID = 2**53
"""Whole numbers stay within what every JSON reader keeps exact."""

CommandId = Annotated[int, Field(ge=1, le=MAX_ID)]
Code = Annotated[str, Field(min_length=1, max_length=16, description="a table's code")]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=NAME.bytes,
        description="at most 24 graphemes and 96 bytes of UTF-8, all visible, at most two marks a "
        "letter",
    ),
    AfterValidator(partial(visible, bounds=NAME)),
]
Strength = Annotated[int, Field(ge=0, le=9)]
OptionValue = (
    bool | Annotated[int, Field(ge=-MAX_ID, le=MAX_ID)] | Annotated[str, Field(max_length=64)]
)
OptionName = Annotated[str, Field(min_length=1, max_length=64)]
GameId = Annotated[str, Field(min_length=1, max_length=128)]


STORED_REFUSAL = 10
"""What a refusal costs beside its command if it is stored: nothing has changed, yet it was looked
up and written, because the same command could be carried out later. A command that is carried out
and changes nothing, such as `back` in one's own seat, costs the same."""


class Command(BaseModel):
    """The base of what a client sends: frozen, numbered; unknown fields are refused.

    `price` is how many messages the command counts as against its sender's allowance. A price of
    one is the cost of receiving and answering a `ping`, some 60 µs of the server's time with its
    way through the socket. Other prices are rounded from the further cost, measured on one machine:
    a snapshot or a list of games 0.2 to 0.4 ms and thousands of bytes, a new table 0.8 ms. Taking
    moves back tells a deal again like a snapshot, and writes like a new table. A page of a log is
    as long as several snapshots, and for it as for a review a whole log is read from the store; the
    playing behind both has a limit of its own. A hint is 0.5 ms; the work of a bot behind it is
    bounded by one hint a player. A move costs one, whatever follows from it.

    A command that `reads` changes nothing, or nothing that may not happen again: its answer is
    never stored, and when it is sent again it is answered afresh.

    A command that came `later` than the first form of this version is a feature, which servers name
    by the command's type (`protocol.features`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    price: ClassVar[int] = 1
    reads: ClassVar[bool] = False
    later: ClassVar[bool] = False

    id: CommandId


class AtTable(Command):
    """The base of commands that need their table in memory; every other one needs none."""

    table: Code
