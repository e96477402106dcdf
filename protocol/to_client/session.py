"""Messages about the session itself: the welcome, and short answers."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from engine.phrases import Phrase
from protocol.errors import ErrorCode
from protocol.message import Message, known_code


class Limits(Message):
    """What the server accepts from one connection."""

    message_bytes: int
    messages_per_second: float
    chat_length: int = Field(description="in graphemes")


class Welcome(Message):
    """The answer to `hello`. Keep the token: with it you come back as the same player."""

    type: Literal["welcome"] = "welcome"
    id: int
    version: int
    player: str
    name: str
    token: str
    server: str
    limits: Limits
    features: tuple[str, ...] = Field(
        default=(), description="commands and fields that were added later and the server knows"
    )
    url: str | None = Field(
        default=None, description="the server's address for invitations, if the server knows it"
    )
    renamed: bool = Field(
        default=False,
        description="others would take the name of the hello for the server or a host: ask for one",
    )
    node: str | None = Field(
        default=None, description="the address of the node that answers, where `moved` may name it"
    )
    words: bool = Field(
        default=False, description="events on this connection come in the compact form"
    )


class Ok(Message):
    """The command was carried out. `table` if it opened or entered one, `seq` if it is an event."""

    type: Literal["ok"] = "ok"
    id: int
    table: str | None = None
    seq: int | None = None


class Asked(Message):
    """The answer to `join` if the host is asked first; a notice or the table follows later."""

    type: Literal["asked"] = "asked"
    id: int
    table: str
    request: int
    seconds: float = Field(description="the request is refused after this time")


class Error(Message):
    """The command was refused, and why. `id` is null if none could be read.

    A client treats a code that it does not know as `internal`.
    """

    type: Literal["error"] = "error"
    id: int | None
    code: Annotated[ErrorCode, BeforeValidator(known_code)]
    reason: str
    retry_after: float | None = Field(
        default=None, description="minimum seconds to wait before sending it again"
    )
    phrase: Phrase | None = Field(
        default=None, description="what the reason says, for a client that words it itself"
    )


class Pong(Message):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    id: int


class DeviceCode(Message):
    """The answer to `add_device`: show it to nobody else."""

    type: Literal["device_code"] = "device_code"
    id: int
    code: str
    seconds: float = Field(description="so long it can be used, and only once")


class CodeOwner(Message):
    """The answer to `whose_code`: the name of the player who made the code."""

    type: Literal["code_owner"] = "code_owner"
    id: int
    name: str


class PlayerPreferences(Message):
    """The answer to `preferences`: those that are kept now."""

    type: Literal["preferences"] = "preferences"
    id: int
    kept: str = Field(default="", description='"": none, as for a player who never had a seat')


class DeviceInfo(Message):
    """A device of the receiver; times in seconds since 1970."""

    device: str
    name: str = Field(default="", description="of the program, if it said one")
    since: float
    seen: float = Field(description="when it came in last, not exact")
    this: bool = False
    online: bool = False


class DeviceList(Message):
    """The answer to `devices`, the oldest first."""

    type: Literal["devices"] = "devices"
    id: int
    devices: tuple[DeviceInfo, ...]
