"""What the server says. A frame is a list of these, so an answer and its event travel together.

Clients ignore fields and types that they do not know, and accept words that they do not know as
plain text (`protocol.message`). So a newer server can speak to them (`protocol.lenient` reads the
rest).
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, TypeAdapter

from engine.cards import LegendCard
from engine.choices import Action, Choices
from engine.facts import Fact, Seat
from engine.labels import Label
from engine.layout import NO_LAYOUT, Layout
from engine.phrases import Phrase
from engine.views import View
from protocol.errors import ErrorCode
from protocol.message import (
    ChairKind,
    CloseReason,
    Level,
    Message,
    NoticeKind,
    Phase,
    known_code,
    words,
)
from protocol.to_server import OptionValue, SettingsInfo


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


class Ok(Message):
    """Done. `table` if the command opened or entered a table, `seq` if it became an event."""

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
    """Not done, and why. `id` is null if none could be read.

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


class OptionInfo(Message):
    """An option of a game: a number within bounds, a yes or no, or one word of a list.

    It has no effect unless each option in `depends` has one of the values named there.
    """

    name: str
    title: str
    default: OptionValue
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    phrase: Phrase | None = Field(default=None, description="what the title says, to be worded")
    help: str = Field(default="", description="a sentence or two more than the title")
    titles: dict[str, str] = Field(default={}, description="what its words mean, by word")
    depends: dict[str, tuple[OptionValue, ...]] = Field(
        default={}, description="the values of other options with which it has an effect"
    )


class SettingText(Message):
    """A setting of tables in words."""

    name: str
    title: str
    help: str
    titles: dict[str, str] = Field(
        default={}, description="what its words mean, by word; `default` is null"
    )


class StrengthInfo(Message):
    """A strength of a game's bots: the words that name it, and how it plays.

    Some strengths have no word, and some have two.
    """

    strength: int
    levels: tuple[Annotated[str, words(Level)], ...] = ()
    how: str = Field(default="", description="one sentence")
    ahead: float | None = Field(
        default=None, description="points a deal ahead of the next weaker one, if measured"
    )


class GameCard(Message):
    """A game on offer.

    Only if it was asked for: `rules`, `description`, `legend`, `labels`, `layout` and their
    `digest`, and `teams`.
    `described` marks a game that a file on the server describes.
    """

    id: str
    version: int
    title: str
    seats: tuple[int, ...]
    usual_seats: int
    options: tuple[OptionInfo, ...] = Field(description="for the usual number of seats")
    strengths: tuple[int, ...]
    bots: tuple[StrengthInfo, ...] = Field(default=(), description="these strengths, in words")
    lowered: tuple[Annotated[str, words(Level)], ...] = Field(
        default=(),
        description="words that name a weaker bot here, because Numba is not installed",
    )
    teams: tuple[tuple[Seat, ...], ...] = Field(
        default=(), description="who plays with whom, for the usual number of seats"
    )
    rules: str | None = None
    legend: tuple[LegendCard, ...] | None = None
    labels: tuple[Label, ...] = ()
    layout: Layout = NO_LAYOUT
    digest: str = ""
    described: bool = False
    description: str | None = Field(default=None, description="the text of the file")


class GameList(Message):
    """The answer to `games`."""

    type: Literal["games"] = "games"
    id: int
    games: tuple[GameCard, ...]
    settings: tuple[SettingText, ...] = Field(
        default=(), description="those of tables in words, if a game was asked for"
    )


class SeatInfo(Message):
    """One seat of a table. `stand_in` means that a bot plays for the absent player.

    `program` is the name of the program that plays this player's seat, if it said that it is one.
    """

    kind: Annotated[str, words(ChairKind)]
    name: str = ""
    ready: bool = False
    strength: int | None = None
    away: bool = False
    stand_in: bool = False
    program: str = ""


class TableInfo(Message):
    """What everybody may know about a table, apart from its cards."""

    table: str
    game: str
    version: int
    title: str
    phase: Annotated[str, words(Phase)]
    host: Seat | None
    seats: tuple[SeatInfo, ...]
    options: dict[str, OptionValue]
    settings: SettingsInfo
    match: int = Field(description="how many matches have been started here")
    practice: bool = Field(
        default=False, description="moves of this match were taken back: it has no result"
    )


class TableList(Message):
    """The answer to `list_tables`."""

    type: Literal["tables"] = "tables"
    id: int
    tables: tuple[TableInfo, ...]
    next: str | None = Field(
        default=None, description="the `page` after this one; null: this is the last"
    )


class Lobby(Message):
    """The tables that a client follows, or what has changed of them since the last such message.

    A client shows the tables named in `order`, each as it was told last, and forgets the others.
    """

    type: Literal["lobby"] = "lobby"
    id: int | None = Field(
        default=None, description="of the `follow_tables` that it answers; null: unasked"
    )
    tables: tuple[TableInfo, ...] = Field(default=(), description="those that came or changed")
    order: tuple[str, ...] | None = Field(
        default=None, description="the codes of all that are listed; null: as before"
    )
    more: bool = Field(default=False, description="more tables match than are listed")


class OwnTable(Message):
    """A table where the receiver has a seat."""

    seat: Seat
    info: TableInfo


class OwnTables(Message):
    """The answer to `my_tables`."""

    type: Literal["my_tables"] = "my_tables"
    id: int
    tables: tuple[OwnTable, ...]


class Question(Message):
    """Who is asked what. `choices` are there only if the receiver is asked."""

    turn: int
    to_act: tuple[Seat, ...] = ()
    choices: Choices | None = None
    clock: float | None = Field(default=None, description="seconds left to answer")
    reserve: tuple[int, ...] = Field(
        default=(), description="by seat, further seconds that the player has in this match"
    )


class Legend(Message):
    """What all tables of a game have in common; for clients that have asked for it in `hello`."""

    type: Literal["legend"] = "legend"
    digest: str = Field(description="its name, by which tables refer to it")
    legend: tuple[LegendCard, ...]
    labels: tuple[Label, ...] = ()
    layout: Layout = NO_LAYOUT


class Snapshot(Message):
    """A table as the receiver may see it now. `seat` is the receiver's; null for a spectator.

    `facts` are what the receiver could see of this deal. Folded from nothing they give `view`,
    unless the receiver took the seat after the deal began: earlier facts are those that spectators
    saw; or unless there were more than the receiver wants. With a `digest` the legend of that
    digest takes the place of `legend`, `labels` and `layout`.
    """

    type: Literal["table"] = "table"
    table: str
    seq: int
    seat: Seat | None
    info: TableInfo
    view: View
    facts: tuple[Fact, ...]
    question: Question
    legend: tuple[LegendCard, ...] = ()
    labels: tuple[Label, ...] = Field(
        default=(), description="the game's own words for zones and values"
    )
    layout: Layout = Field(
        default=NO_LAYOUT, description="where the zones of each kind lie, and values are shown"
    )
    digest: str = Field(default="", description="of the legend, where it is left out")
    earlier: int = Field(default=0, description="how many facts of this deal are left out")


class Event(Message):
    """Entry number `seq` of the table's log, as the receiver may see it; it may be empty."""

    type: Literal["event"] = "event"
    table: str
    seq: int
    facts: tuple[Fact, ...] = ()
    info: TableInfo | None = None
    question: Question | None = None


class LogEntry(Message):
    """An entry of a table's log, with what an event of it holds; `info` is without who was away.

    With `changed` the receiver saw what follows from another `seat`, and if a match was under way
    `view` is what was seen from there.
    """

    seq: int
    time: float = Field(description="when it was made, in seconds since 1970")
    facts: tuple[Fact, ...] = ()
    info: TableInfo | None = None
    question: Question | None = None
    hidden: bool = Field(default=False, description="the receiver may not know what happened")
    changed: bool = False
    seat: Seat | None = Field(default=None, description="with `changed`; null: as a spectator")
    view: View | None = None


class LogPage(Message):
    """The answer to `log`. `seat` is whose the first entry is told as; null: a spectator's.

    `legend`, `labels` and `layout` are those of a snapshot, on the first page alone.
    """

    type: Literal["log"] = "log"
    id: int
    table: str
    seat: Seat | None
    last: int = Field(description="so many entries does the log have")
    info: TableInfo = Field(description="the table before these entries")
    entries: tuple[LogEntry, ...]
    legend: tuple[LegendCard, ...] = ()
    labels: tuple[Label, ...] = ()
    layout: Layout = NO_LAYOUT


class DeviceCode(Message):
    """The answer to `add_device`: show it to nobody else."""

    type: Literal["device_code"] = "device_code"
    id: int
    code: str
    seconds: float = Field(description="so long it can be used, and only once")


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


class UnreadEvent(Event):
    """An event that a newer server sent and this client cannot read; only a snapshot helps."""


class ChatNotice(Message):
    """A line of chat at the table. `seat` is null for an announcement of the server."""

    type: Literal["chat"] = "chat"
    table: str
    seat: Seat | None
    name: str
    text: str


class Presence(Message):
    """A player connected or disconnected."""

    type: Literal["presence"] = "presence"
    table: str
    seat: Seat
    away: bool


class Notice(Message):
    """News outside every table's sequence, with a stable `kind`."""

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


DEVIATION = "deviation"
"""The reason that says how certain a value is."""


class Candidate(Message):
    """A move that a bot considered, its value in the game's points, and the bot's reasons.

    A reason named `deviation` is the standard deviation of a value that was sampled.
    """

    action: Action
    value: float
    why: dict[str, float] = Field(default={})


class HintAnswer(Message):
    """The answer to `hint`: the move a bot would make, and the moves it considered."""

    type: Literal["hint"] = "hint"
    id: int
    table: str
    turn: int
    action: Action
    candidates: tuple[Candidate, ...] = ()
    strength: int | None = Field(default=None, description="of the bot that chose the move")
    weaker: bool = Field(
        default=False, description="this bot is weaker than the strong one of the game"
    )
    seconds: int | None = Field(
        default=None,
        description="about how long until the strong bot is ready, if it is being prepared",
    )
    phrase: Phrase | None = Field(
        default=None,
        description="why, in a sentence; with it the candidates come best first",
    )
    titles: dict[str, str] = Field(
        default={}, description="what the reasons mean, by the first part of their names"
    )


class Closed(Message):
    """The table is gone, or the receiver no longer has a place at it."""

    type: Literal["closed"] = "closed"
    table: str
    reason: Annotated[str, words(CloseReason)]


class Pong(Message):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    id: int


ToClient: TypeAlias = Annotated[
    Welcome
    | Ok
    | Asked
    | Error
    | GameList
    | TableList
    | Lobby
    | OwnTables
    | Legend
    | Snapshot
    | Event
    | ChatNotice
    | Presence
    | Notice
    | HintAnswer
    | LogPage
    | DeviceCode
    | DeviceList
    | Closed
    | Pong,
    Field(discriminator="type"),
]

TO_CLIENT: TypeAdapter[ToClient] = TypeAdapter(ToClient)
