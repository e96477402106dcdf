"""What a client may say. Every message carries `id`: (player, client id, id) names it for ever.

Unknown fields are refused, so that a misspelt option is not silently ignored. Only `hello` may have
unknown fields, because its sender cannot know yet what this server understands.
"""

from functools import partial
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from protocol.message import Phase
from protocol.table_settings import ChangedSettings as ChangedSettings
from protocol.table_settings import Latecomers as Latecomers
from protocol.table_settings import SettingsInfo as SettingsInfo
from protocol.table_settings import TableSettings as TableSettings
from protocol.visible_text import CHAT, NAME, visible

MAX_ID = 2**53
"""Whole numbers stay within what every JSON reader keeps exact."""

MAX_RESUMED = 64
"""How many tables one hello may resume."""

MAX_LEGENDS = 32
"""How many legends a client may say that it has."""

MAX_DIGEST = 64
"""The longest name of a legend."""

PAGE = 100
"""The most tables that one answer lists."""

LOG_PAGE = 256
"""The most entries of a log that one answer tells."""

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


class Hello(Command):
    """First message of a connection: who is there, and what they have seen so far.

    Fields that only newer clients send are ignored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: Literal["hello"] = "hello"
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


class Games(Command):
    """List the games on offer; with `game`, that game alone, with its rules and its deck."""

    type: Literal["games"] = "games"
    game: GameId | None = None


class WantedTables(Command):
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


class ListTables(WantedTables):
    """List the public tables that match, in pages; tables with free seats come first."""

    type: Literal["list_tables"] = "list_tables"
    page: str | None = Field(
        default=None, max_length=32, description="`next` of the previous page; null: the first"
    )


class FollowTables(WantedTables):
    """List the first public tables that match, and tell of every change until further notice."""

    type: Literal["follow_tables"] = "follow_tables"


class UnfollowTables(Command):
    """Tell of no more changes of the public tables."""

    type: Literal["unfollow_tables"] = "unfollow_tables"


class MyTables(Command):
    """List the tables where you have a seat, private and sleeping ones too."""

    type: Literal["my_tables"] = "my_tables"


class CreateTable(Command):
    """Open a table and sit down at seat 0 as its host."""

    type: Literal["create_table"] = "create_table"
    game: GameId
    seats: int | None = Field(
        default=None, ge=1, le=64, description="null: the game's usual number"
    )
    options: dict[OptionName, OptionValue] = Field(default={}, max_length=64)
    settings: TableSettings = TableSettings()
    seed: int | None = Field(
        default=None, ge=0, lt=2**64, description="only if the server lets tables choose it"
    )


class Configure(Command):
    """The host changes the game's options or the settings before the match."""

    type: Literal["configure"] = "configure"
    table: Code
    options: dict[OptionName, OptionValue] | None = Field(default=None, max_length=64)
    settings: TableSettings | None = None


class Join(Command):
    """Sit down at a table: at `seat`, or at the first free seat; in a match, in a bot's place.

    In a running match the host may have to be asked first; then the answer is `asked`.
    """

    type: Literal["join"] = "join"
    table: Code
    seat: SeatNumber | None = None


class Admit(Command):
    """The host answers a player who asks to join the running match."""

    type: Literal["admit"] = "admit"
    table: Code
    request: int = Field(ge=1, le=MAX_ID, description="the number from the notice")
    admit: bool = Field(default=True, description="false: refuse")


class Sit(Command):
    """Move to another free seat before the match."""

    type: Literal["sit"] = "sit"
    table: Code
    seat: SeatNumber


class Leave(Command):
    """Give up your seat, stop watching, or withdraw a request; in a match a bot plays on."""

    type: Literal["leave"] = "leave"
    table: Code


class Ready(Command):
    """Say that you are ready; a full table whose players are all ready starts."""

    type: Literal["ready"] = "ready"
    table: Code
    ready: bool = True


class AddBot(Command):
    """The host adds a bot: at `seat`, or at the first free seat."""

    type: Literal["add_bot"] = "add_bot"
    table: Code
    strength: Strength
    seat: SeatNumber | None = None


class RemoveBot(Command):
    """The host removes a bot."""

    type: Literal["remove_bot"] = "remove_bot"
    table: Code
    seat: SeatNumber


class Kick(Command):
    """The host empties another player's seat; that player may not come back to this table."""

    type: Literal["kick"] = "kick"
    table: Code
    seat: SeatNumber


class StandIn(Command):
    """The host has a bot play for a player whose time is up; anybody may if the host is away."""

    type: Literal["stand_in"] = "stand_in"
    table: Code
    seat: SeatNumber


class Back(Command):
    """Play your seat yourself again."""

    type: Literal["back"] = "back"
    table: Code


class Start(Command):
    """The host starts the match; with `fill`, bots of that strength take the free seats."""

    type: Literal["start"] = "start"
    table: Code
    fill: Strength | None = None


class Act(Command):
    """Make a move, in answer to question number `turn`."""

    type: Literal["act"] = "act"
    table: Code
    turn: int = Field(ge=0, le=MAX_ID)
    action: str = Field(min_length=1, max_length=512)


class Undo(Command):
    """Take moves back, where you play with bots alone: the deal stands as at a turn of yours."""

    type: Literal["undo"] = "undo"
    table: Code
    turn: int | None = Field(
        default=None,
        ge=0,
        le=MAX_ID,
        description="a turn of this deal in which you moved; null: the last",
    )


class Hint(Command):
    """Ask what a bot would play in your place; one hint at a time, only during your turn."""

    type: Literal["hint"] = "hint"
    table: Code


class Chat(Command):
    """Say something to everybody at the table."""

    type: Literal["chat"] = "chat"
    table: Code
    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=CHAT.bytes,
            description="at most 500 graphemes and 2,000 bytes of UTF-8, otherwise like a name",
        ),
        AfterValidator(partial(visible, bounds=CHAT)),
    ]


class Watch(Command):
    """Watch a table as a spectator."""

    type: Literal["watch"] = "watch"
    table: Code


class Sync(Command):
    """Ask for a fresh snapshot, because the client is out of sync."""

    type: Literal["sync"] = "sync"
    table: Code


class Log(Command):
    """Ask for a table's log from an entry on, as you saw it, or as a seat was shown it."""

    type: Literal["log"] = "log"
    table: Code
    after: int = Field(default=0, ge=0, le=MAX_ID, description="the last entry you have")
    size: int = Field(default=LOG_PAGE, ge=1, le=LOG_PAGE, description="entries, at most")
    seat: SeatNumber | None = Field(
        default=None, description="what it was shown, where you may know that; null: what you saw"
    )


class AddDevice(Command):
    """Ask for a code by which another program becomes the same player, once."""

    type: Literal["add_device"] = "add_device"


class Devices(Command):
    """List the devices that can come in as you."""

    type: Literal["devices"] = "devices"


class RevokeDevice(Command):
    """Let the token of a device be of no use any more, and close its connections."""

    type: Literal["revoke_device"] = "revoke_device"
    device: str = Field(min_length=1, max_length=16, description="from the list")


class Rematch(Command):
    """The host opens the table again after a match, everybody in their seats."""

    type: Literal["rematch"] = "rematch"
    table: Code


class Ping(Command):
    """Check that the server answers."""

    type: Literal["ping"] = "ping"


ToServer: TypeAlias = Annotated[
    Hello
    | Games
    | ListTables
    | FollowTables
    | UnfollowTables
    | MyTables
    | CreateTable
    | Configure
    | Join
    | Admit
    | Sit
    | Leave
    | Ready
    | AddBot
    | RemoveBot
    | Kick
    | StandIn
    | Back
    | Start
    | Act
    | Undo
    | Hint
    | Chat
    | Watch
    | Sync
    | Log
    | AddDevice
    | Devices
    | RevokeDevice
    | Rematch
    | Ping,
    Field(discriminator="type"),
]

TO_SERVER: TypeAdapter[ToServer] = TypeAdapter(ToServer)
