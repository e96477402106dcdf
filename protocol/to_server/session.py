"""What a client says about itself: who it is, and what it has seen."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, Field

from protocol.to_server.command import MAX_ID, Code, Command, Name

MAX_RESUMED = 64
"""How many tables one hello may resume."""

MAX_LEGENDS = 32
"""How many legends a client may say that it has."""

MAX_PREFERENCES = 2048
"""How many bytes of preferences are kept for a player."""

MAX_DIGEST = 64
"""The longest name of a legend."""


Heard: TypeAlias = Annotated[
    list[Annotated[int, Field(ge=0, le=MAX_ID)]], Field(min_length=2, max_length=2)
]
"""The last line that was told at a table to everybody, and the last one among spectators."""


class Hello(Command):
    """First message of a connection: who is there, and what they have seen so far.

    Fields that only newer clients send are ignored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: Literal["hello"] = "hello"
    price: ClassVar[int] = 5
    version: int = Field(ge=0, le=MAX_ID, description="the protocol version to be spoken")
    client: str = Field(min_length=1, max_length=64, description="names this client's commands")
    name: Name | None = None
    program: Name | None = Field(
        default=None, description="the name of the program that plays; null: a person does"
    )
    token: str | None = Field(default=None, max_length=128, description="of an earlier welcome")
    code: str | None = Field(
        default=None, max_length=64, description="of `add_device`; instead of a token, once"
    )
    device: Name | None = Field(
        default=None, description="what this program is called in the list of devices"
    )
    alongside: bool = Field(
        default=False, description="leave other programs of the player their connections"
    )
    features: list[Annotated[str, Field(max_length=64)]] = Field(
        default=[], max_length=64, description="what the client wants to be sent, see features"
    )
    facts: int | None = Field(
        default=None,
        ge=0,
        le=MAX_ID,
        description="of a deal, how many facts a snapshot has at most, the last ones; null: all",
    )
    legends: list[Annotated[str, Field(max_length=MAX_DIGEST)]] = Field(
        default=[], max_length=MAX_LEGENDS, description="digests of those that the client has"
    )
    resume: dict[Code, Annotated[int, Field(ge=0, le=MAX_ID)]] = Field(
        default={}, max_length=MAX_RESUMED, description="last event number seen, by table"
    )
    heard: dict[Code, Heard] = Field(
        default={},
        max_length=MAX_RESUMED,
        description="numbers of the last lines of chat that were told, by table: for all, apart",
    )


class AddDevice(Command):
    """Ask for a code by which another program becomes the same player, once."""

    type: Literal["add_device"] = "add_device"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True


class WhoseCode(Command):
    """Ask which player one would become by a code of `add_device`; it stays good.

    It counts as a wrong guess, whatever the answer is.
    """

    type: Literal["whose_code"] = "whose_code"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True
    code: str = Field(min_length=1, max_length=64, description="of `add_device`")


class Devices(Command):
    """List the devices that can come in as you."""

    type: Literal["devices"] = "devices"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 3
    reads: ClassVar[bool] = True


class RevokeDevice(Command):
    """Make the token of a device invalid, and close the device's connections."""

    type: Literal["revoke_device"] = "revoke_device"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True
    device: str = Field(min_length=1, max_length=16, description="from the list")


class Preferences(Command):
    """Ask for the preferences that are kept for you, or keep others in their place."""

    type: Literal["preferences"] = "preferences"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 5
    reads: ClassVar[bool] = True
    kept: str | None = Field(
        default=None,
        max_length=MAX_PREFERENCES,
        pattern=r"^[ -~]*$",
        description="printable ASCII, which only clients read; null: keep what is kept",
    )


class Ping(Command):
    """Check that the server answers."""

    type: Literal["ping"] = "ping"
    reads: ClassVar[bool] = True


SessionCommand: TypeAlias = (
    Hello | AddDevice | WhoseCode | Devices | RevokeDevice | Preferences | Ping
)
