"""What happens beside a table's sequence of events: chat, presence, news."""

from typing import Annotated, Literal

from engine.facts import Seat
from protocol.message import Message, NoticeKind, words


class ChatNotice(Message):
    """A line of chat at the table. `seat` is null for an announcement of the server.

    A line that is `apart` was written by a spectator and goes to spectators alone. A ready-made
    line is named by `phrase`, so that each client can show it in its own language.

    A line that is `earlier` was written while the receiver had no connection. Lines for all and
    those apart have growing numbers each; an earlier line without a higher number was told already.
    """

    type: Literal["chat"] = "chat"
    table: str
    seat: Seat | None
    name: str
    text: str
    apart: bool = False
    phrase: str | None = None
    number: int = 0
    earlier: bool = False


class Presence(Message):
    """A player connected or disconnected."""

    type: Literal["presence"] = "presence"
    table: str
    seat: Seat
    away: bool


class Notice(Message):
    """News outside every table's sequence, with a stable `kind`.

    `same_address` marks a latecomer with the address of a player whom the host has removed.
    """

    type: Literal["notice"] = "notice"
    kind: Annotated[str, words(NoticeKind)]
    table: str | None = None
    count: int | None = None
    request: int | None = None
    name: str | None = None
    program: str | None = None
    reason: str | None = None
    seats: tuple[Seat, ...] = ()
    strength: int | None = None
    seconds: float | None = None
    same_address: bool = False
