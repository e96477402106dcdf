"""What the server says. A frame is a list of these, so an answer and its event travel together.

Clients ignore fields and types they do not know; that is how a newer server can speak to them.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from engine.cards import LegendCard
from engine.choices import Action, Choices
from engine.facts import Fact, Seat
from engine.views import View
from protocol.errors import ERROR_CODES, ErrorCode
from protocol.to_server import OptionValue, TableSettings


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Limits(Message):
    """What the server accepts from one connection."""

    message_bytes: int
    messages_per_second: float
    chat_length: int


class Welcome(Message):
    """The answer to `hello`. Keep the token: it is how one comes back as the same player."""

    type: Literal["welcome"] = "welcome"
    id: int
    version: int
    player: str
    name: str
    token: str
    server: str
    limits: Limits


class Ok(Message):
    """Done. `table` where the command made or entered one, `seq` where it became an event."""

    type: Literal["ok"] = "ok"
    id: int
    table: str | None = None
    seq: int | None = None


def _known_code(code: object) -> object:
    return code if code in ERROR_CODES else "internal"


class Error(Message):
    """Not done, and why. `id` is null where none could be read.

    A client takes a code it does not know for `internal`.
    """

    type: Literal["error"] = "error"
    id: int | None
    code: Annotated[ErrorCode, BeforeValidator(_known_code)]
    reason: str


class OptionInfo(Message):
    """A setting of a game: a number within bounds, a yes or no, or one of some words."""

    name: str
    title: str
    default: OptionValue
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()


class GameCard(Message):
    """A game on offer. `rules`, `legend` and `description` only where that one was asked for.

    `described` marks a game that is played by a description, a file of the server's.
    """

    id: str
    version: int
    title: str
    seats: tuple[int, ...]
    usual_seats: int
    options: tuple[OptionInfo, ...] = Field(description="for the usual number of seats")
    strengths: tuple[int, ...]
    rules: str | None = None
    legend: tuple[LegendCard, ...] | None = None
    described: bool = False
    description: str | None = Field(default=None, description="the text of the file")


class GameList(Message):
    """The answer to `games`."""

    type: Literal["games"] = "games"
    id: int
    games: tuple[GameCard, ...]


Phase: TypeAlias = Literal["lobby", "playing", "paused", "finished", "closed"]


class SeatInfo(Message):
    """A chair. `stand_in` tells that a bot plays for the absent player."""

    kind: Literal["empty", "human", "bot"]
    name: str = ""
    ready: bool = False
    strength: int | None = None
    away: bool = False
    stand_in: bool = False


class TableInfo(Message):
    """What everybody may know of a table beside its cards."""

    table: str
    game: str
    version: int
    title: str
    phase: Phase
    host: Seat | None
    seats: tuple[SeatInfo, ...]
    options: dict[str, OptionValue]
    settings: TableSettings
    match: int = Field(description="how many matches have been started here")


class TableList(Message):
    """The answer to `list_tables`."""

    type: Literal["tables"] = "tables"
    id: int
    tables: tuple[TableInfo, ...]


class Question(Message):
    """Who is asked what. `choices` are there only for the receiver, only if he is asked."""

    turn: int
    to_act: tuple[Seat, ...] = ()
    choices: Choices | None = None
    clock: float | None = Field(default=None, description="seconds left to answer")


class Snapshot(Message):
    """A table as the receiver may see it now. `seat` is his; null for a spectator.

    `facts` are what he has seen of this deal; folded from nothing they give `view`.
    """

    type: Literal["table"] = "table"
    table: str
    seq: int
    seat: Seat | None
    info: TableInfo
    view: View
    facts: tuple[Fact, ...]
    question: Question
    legend: tuple[LegendCard, ...]


class Event(Message):
    """Entry number `seq` of the table's log, as the receiver may see it; perhaps empty."""

    type: Literal["event"] = "event"
    table: str
    seq: int
    facts: tuple[Fact, ...] = ()
    info: TableInfo | None = None
    question: Question | None = None


class ChatNotice(Message):
    """What somebody said at the table. `seat` is null for a spectator."""

    type: Literal["chat"] = "chat"
    table: str
    seat: Seat | None
    name: str
    text: str


class Presence(Message):
    """A player's connection came or went."""

    type: Literal["presence"] = "presence"
    table: str
    seat: Seat
    away: bool


class Notice(Message):
    """Something that stands outside every table's sequence, by a stable `kind`."""

    type: Literal["notice"] = "notice"
    kind: Literal["draining", "replaced", "lagging", "spectators"]
    table: str | None = None
    count: int | None = None


DEVIATION = "deviation"
"""The reason that says how sure a worth is."""


class Candidate(Message):
    """A move a bot weighed, its worth in the game's points, and the bot's reasons.

    A reason named `deviation` is the standard deviation of the worth, where it was sampled.
    """

    action: Action
    value: float
    why: dict[str, float] = {}


class HintAnswer(Message):
    """The answer to `hint`: what a bot would do, and what it weighed."""

    type: Literal["hint"] = "hint"
    id: int
    table: str
    turn: int
    action: Action
    candidates: tuple[Candidate, ...] = ()


class Closed(Message):
    """The table is gone, or the receiver has no place at it any more."""

    type: Literal["closed"] = "closed"
    table: str
    reason: Literal["left", "kicked", "expired", "abandoned", "finished", "stopped"]


class Pong(Message):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    id: int


ToClient: TypeAlias = Annotated[
    Welcome
    | Ok
    | Error
    | GameList
    | TableList
    | Snapshot
    | Event
    | ChatNotice
    | Presence
    | Notice
    | HintAnswer
    | Closed
    | Pong,
    Field(discriminator="type"),
]

TO_CLIENT: TypeAdapter[ToClient] = TypeAdapter(ToClient)
