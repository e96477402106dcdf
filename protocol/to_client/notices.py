"""What happens beside a table's sequence of events: chat, presence, news."""

from typing import Annotated, Literal

from engine.facts import Seat
from protocol.message import Message, NoticeKind, words


class ChatNotice(Message):
    """A line of chat at the table. `seat` is null for an announcement of the server.

    A line that is `apart` is one of a spectator, and told to spectators alone. One that is a phrase
    which many say is named by `phrase`, too, so that each client may say it in its own language.

    A line that is `earlier` was said while the receiver had no connection. Lines for all and those
    apart have growing numbers each; what is earlier and has no higher one was told already.
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

    A latecomer who has the `same_address` comes from where a player came whom the host has removed.
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
