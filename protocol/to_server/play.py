"""What a client says in a match, or while it watches one."""

from functools import partial
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, Field

from protocol.to_server.command import MAX_ID, AtTable, Code, Command, Name, SeatNumber
from protocol.visible_text import CHAT, visible

MAX_URL = 300
"""The longest address that a client may name."""
LOG_PAGE = 256
"""The most entries of a log that one answer tells."""


class Act(AtTable):
    """Make a move, in answer to question number `turn`."""

    type: Literal["act"] = "act"
    turn: int = Field(ge=0, le=MAX_ID)
    action: str = Field(min_length=1, max_length=512)


class Undo(AtTable):
    """Take moves back, where you play with bots alone: the deal stands as at a turn of yours."""

    type: Literal["undo"] = "undo"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 10
    turn: int | None = Field(
        default=None,
        ge=0,
        le=MAX_ID,
        description="a turn of this deal in which you moved; null: the last",
    )


class Hint(AtTable):
    """Ask what a bot would play in your place; one hint at a time, only during your turn."""

    type: Literal["hint"] = "hint"
    price: ClassVar[int] = 4
    reads: ClassVar[bool] = True


class Chat(AtTable):
    """Say something to everybody at the table."""

    type: Literal["chat"] = "chat"
    price: ClassVar[int] = 2
    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=CHAT.bytes,
            description="at most 500 graphemes and 2,000 bytes of UTF-8, otherwise like a name",
        ),
        AfterValidator(partial(visible, bounds=CHAT)),
    ]
    phrase: Name | None = Field(
        default=None, description="the name of the phrase that the text is, for other languages"
    )


class Watch(AtTable):
    """Watch a table as a spectator.

    A client that cannot reach the table at the address of a `moved` names that as `failed`. Then
    the answer waits until the server is sure again where the table is, some seconds at most.
    """

    type: Literal["watch"] = "watch"
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True
    failed: str | None = Field(
        default=None, min_length=1, max_length=MAX_URL, description="the `url` of a `moved`"
    )


class Sync(AtTable):
    """Ask for a fresh snapshot, because the client is out of sync."""

    type: Literal["sync"] = "sync"
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True


class Log(Command):
    """Ask for a table's log from an entry on, as you saw it, or as a seat was shown it."""

    type: Literal["log"] = "log"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 15
    reads: ClassVar[bool] = True
    table: Code
    after: int = Field(default=0, ge=0, le=MAX_ID, description="the last entry you have")
    size: int = Field(default=LOG_PAGE, ge=1, le=LOG_PAGE, description="entries, at most")
    seat: SeatNumber | None = Field(
        default=None, description="what it was shown, where you may know that; null: what you saw"
    )


class Review(Command):
    """Ask what the strong bot thinks of the decisions in a match that is over.

    The review is made while somebody asks for it: whoever wants it asks again until it is whole.
    """

    type: Literal["review"] = "review"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 15
    reads: ClassVar[bool] = True
    table: Code
    match: int | None = Field(
        default=None, ge=1, le=MAX_ID, description="its number; null: the last that is over"
    )
    seat: SeatNumber | None = Field(
        default=None, description="whose decisions, where you may know them; null: your own"
    )
    after: int = Field(default=0, ge=0, le=MAX_ID, description="so many decisions do you have")


PlayCommand: TypeAlias = Act | Undo | Hint | Chat | Watch | Sync | Log | Review
