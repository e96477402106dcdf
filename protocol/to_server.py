"""What a client may say. Every message carries `id`: (player, client id, id) names it for ever.

Unknown fields are refused, so that a misspelt option is not silently ignored.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

MAX_ID = 2**53
"""Whole numbers stay within what every JSON reader keeps exact."""

MAX_RESUMED = 64
"""How many tables one hello may resume."""

_JOINER = "\u200d"
"""Holds the parts of one emoji together."""


def printable(text: str) -> str:
    """`text` if other people's screens can show it as one line; `ValueError` if not.

    Control characters could move a terminal's cursor, and those of direction turn a line around.
    """
    if not text.strip():
        raise ValueError("must not be blank")
    if not text.replace(_JOINER, "").isprintable():
        raise ValueError("must not hold control characters or line breaks")
    return text


CommandId = Annotated[int, Field(ge=1, le=MAX_ID)]
Code = Annotated[str, Field(min_length=1, max_length=16, description="a table's code")]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
Name = Annotated[str, Field(min_length=1, max_length=24), AfterValidator(printable)]
Strength = Annotated[int, Field(ge=0, le=9)]
OptionValue = (
    bool | Annotated[int, Field(ge=-MAX_ID, le=MAX_ID)] | Annotated[str, Field(max_length=64)]
)
OptionName = Annotated[str, Field(min_length=1, max_length=64)]
GameId = Annotated[str, Field(min_length=1, max_length=128)]


class Command(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: CommandId


class Hello(Command):
    """First message of a connection: who is there, and what he has seen so far."""

    type: Literal["hello"] = "hello"
    version: int = Field(ge=0, le=MAX_ID, description="the protocol version to be spoken")
    client: str = Field(min_length=1, max_length=64, description="names this client's commands")
    name: Name | None = None
    token: str | None = Field(default=None, max_length=128, description="of an earlier welcome")
    resume: dict[Code, Annotated[int, Field(ge=0, le=MAX_ID)]] = Field(
        default={}, max_length=MAX_RESUMED, description="last event number seen, by table"
    )


class Games(Command):
    """The games on offer; with `game`, that one with its rules and its deck."""

    type: Literal["games"] = "games"
    game: GameId | None = None


class ListTables(Command):
    """The public tables."""

    type: Literal["list_tables"] = "list_tables"


class TableSettings(BaseModel):
    """How a table is run, whatever is played at it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    private: bool = Field(default=False, description="not listed; found by its code alone")
    turn_seconds: int = Field(default=0, ge=0, le=86_400, description="0: no turn clock")
    hints: bool = Field(default=True, description="whether seats may ask for a bot's advice")
    watchable: bool = Field(default=True, description="whether spectators are let in")
    bot_delay: float | None = Field(
        default=None, ge=0, le=60, description="seconds a bot waits; null: the server's own"
    )


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
        default=None, ge=0, lt=2**64, description="only where the server lets tables choose it"
    )


class Configure(Command):
    """The host changes the game's options or the settings before the match."""

    type: Literal["configure"] = "configure"
    table: Code
    options: dict[OptionName, OptionValue] | None = Field(default=None, max_length=64)
    settings: TableSettings | None = None


class Join(Command):
    """Sit down at a table: at `seat`, or at the first free one."""

    type: Literal["join"] = "join"
    table: Code
    seat: SeatNumber | None = None


class Sit(Command):
    """Move to another free seat before the match."""

    type: Literal["sit"] = "sit"
    table: Code
    seat: SeatNumber


class Leave(Command):
    """Give up one's seat, or stop watching; in a match a bot plays on."""

    type: Literal["leave"] = "leave"
    table: Code


class Ready(Command):
    """Say that one is ready; a full table whose players are all ready starts."""

    type: Literal["ready"] = "ready"
    table: Code
    ready: bool = True


class AddBot(Command):
    """The host seats a bot: at `seat`, or at the first free one."""

    type: Literal["add_bot"] = "add_bot"
    table: Code
    strength: Strength
    seat: SeatNumber | None = None


class RemoveBot(Command):
    """The host takes a bot away."""

    type: Literal["remove_bot"] = "remove_bot"
    table: Code
    seat: SeatNumber


class Kick(Command):
    """The host empties another player's seat; he may not come back to this table."""

    type: Literal["kick"] = "kick"
    table: Code
    seat: SeatNumber


class Start(Command):
    """The host starts the match; with `fill`, bots of that strength take the free seats."""

    type: Literal["start"] = "start"
    table: Code
    fill: Strength | None = None


class Act(Command):
    """A move, as the answer to the question asked in `turn`."""

    type: Literal["act"] = "act"
    table: Code
    turn: int = Field(ge=0, le=MAX_ID)
    action: str = Field(min_length=1, max_length=512)


class Hint(Command):
    """What a bot would do in the asker's place."""

    type: Literal["hint"] = "hint"
    table: Code


class Chat(Command):
    """Say something to everybody at the table."""

    type: Literal["chat"] = "chat"
    table: Code
    text: Annotated[str, Field(min_length=1, max_length=500), AfterValidator(printable)]


class Watch(Command):
    """See a table as a spectator."""

    type: Literal["watch"] = "watch"
    table: Code


class Sync(Command):
    """Send a fresh snapshot: the client has lost the thread."""

    type: Literal["sync"] = "sync"
    table: Code


class Rematch(Command):
    """The host opens the table again after a match, everybody in his seat."""

    type: Literal["rematch"] = "rematch"
    table: Code


class Ping(Command):
    """Ask for a sign of life."""

    type: Literal["ping"] = "ping"


ToServer: TypeAlias = Annotated[
    Hello
    | Games
    | ListTables
    | CreateTable
    | Configure
    | Join
    | Sit
    | Leave
    | Ready
    | AddBot
    | RemoveBot
    | Kick
    | Start
    | Act
    | Hint
    | Chat
    | Watch
    | Sync
    | Rematch
    | Ping,
    Field(discriminator="type"),
]

TO_SERVER: TypeAdapter[ToServer] = TypeAdapter(ToServer)
