"""What all messages to a server have in common: their number, and the values they name."""

from functools import partial
from typing import Annotated

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


class Command(BaseModel):
    """The base of what a client sends: frozen, numbered; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: CommandId
