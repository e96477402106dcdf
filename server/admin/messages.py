"""What an administrator may ask, and what the server answers: one line of JSON each.

A request names its `act`. An answer is ``{"ok": true, "answer": {…}}``, or ``{"ok": false, "code":
…, "reason": …}`` with a code of `server.admin.errors`. Nothing here has a place for a card.
"""

import json
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from protocol.parse import explain
from protocol.visible_text import CHAT, visible
from server.admin.errors import AdminError, BadRequest

REQUEST_BYTES = 16_384
"""The longest request; the longest text that players are shown has 2,000 bytes."""
PAGE = 100
"""Tables or players in one answer."""
MOST_LINES = 1000
"""Of the audit log, in one answer."""
LONGEST_BAN_HOURS = 24 * 365 * 10

Words = Annotated[
    str, Field(min_length=1, max_length=CHAT.bytes), AfterValidator(partial(visible, bounds=CHAT))
]
"""A text that players read: one line, visible, as long as a line of chat."""
Subject = Annotated[str, Field(min_length=1, max_length=128)]
Code = Annotated[str, Field(min_length=1, max_length=16)]
After = Annotated[str, Field(max_length=64, description="`next` of the answer before")]


class Request(BaseModel):
    """The base of what an administrator asks; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Status(Request):
    """How the server is, and how full."""

    act: Literal["status"] = "status"


class Tables(Request):
    """The open tables of all nodes by code, private and sleeping ones too."""

    act: Literal["tables"] = "tables"
    after: After = ""


class Players(Request):
    """The players who are connected or have a seat, by id."""

    act: Literal["players"] = "players"
    after: After = ""


class Nodes(Request):
    """The processes of the server, by name."""

    act: Literal["nodes"] = "nodes"
    after: After = ""


class ListBans(Request):
    """The bans that hold now."""

    act: Literal["bans"] = "bans"
    after: After = ""


class Log(Request):
    """The last lines of the audit log."""

    act: Literal["log"] = "log"
    lines: Annotated[int, Field(ge=1, le=MOST_LINES)] = 100


class Link(Request):
    """A link to the administrator's pages, which opens them once."""

    act: Literal["link"] = "link"


class Kick(Request):
    """Disconnect a player and take their seats away; they may come back."""

    act: Literal["kick"] = "kick"
    player: Subject
    reason: Words | None = None


class Ban(Request):
    """Kick a player, or everybody from an address or network, and let them in no more."""

    act: Literal["ban"] = "ban"
    subject: Subject
    hours: Annotated[float, Field(gt=0, le=LONGEST_BAN_HOURS)] | None = None
    reason: Words | None = None


class Unban(Request):
    """Lift a ban."""

    act: Literal["unban"] = "unban"
    subject: Subject


class Drain(Request):
    """Let a node give its tables to the others, also in the middle of a match."""

    act: Literal["drain"] = "drain"
    node: Subject


class BalanceTables(Request):
    """Let each node give the others their share of its tables, as after an upgrade of all."""

    act: Literal["balance"] = "balance"


class Announce(Request):
    """Show a text to everybody who is connected."""

    act: Literal["announce"] = "announce"
    text: Words


class CloseTable(Request):
    """Close a table, whatever is played there."""

    act: Literal["close"] = "close"
    table: Code


AnyRequest: TypeAlias = Annotated[
    Status
    | Tables
    | Players
    | Nodes
    | ListBans
    | Log
    | Link
    | Kick
    | Ban
    | Unban
    | Drain
    | BalanceTables
    | Announce
    | CloseTable,
    Field(discriminator="act"),
]
READS = (Status, Tables, Players, Nodes, ListBans, Log)
"""Requests that change nothing."""

ACTS: tuple[str, ...] = tuple(
    kind.model_fields["act"].default for kind in get_args(get_args(AnyRequest)[0])
)
_REQUEST: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)


class Answer(BaseModel):
    """The base of what the server answers."""

    model_config = ConfigDict(frozen=True)


class ServerStatus(Answer):
    """How the server is. `trouble` says why it is not ready, "" if it is."""

    version: str
    python: str
    pid: int
    uptime: float = Field(description="seconds since the start")
    trouble: str
    connections: int
    seated: int = Field(description="players who have a seat")
    tables: dict[str, int] = Field(description="open tables of all nodes by phase")
    in_memory: int = Field(description="tables in memory of this process")
    bans: int
    bots: tuple["BotLine", ...] = Field((), description="bots at tables in memory")


class BotLine(Answer):
    """How many bots of a game and strength have a seat."""

    game: str
    strength: int
    seats: int


class SeatLine(Answer):
    """A seat of a table."""

    kind: str
    name: str = ""
    player: str | None = None
    strength: int | None = None
    away: bool = False
    stand_in: bool = False


class TableLine(Answer):
    """An open table, without its cards."""

    table: str
    game: str
    title: str
    phase: str
    private: bool
    match: int
    seats: tuple[SeatLine, ...]
    spectators: int | None = Field(description="null for a table of another node")
    in_memory: bool | None = Field(description="null for a table of another node")
    node: str | None = Field(None, description='the node that has it; "" if none has just now')


class TablePage(Answer):
    """Some of the tables; `next` is where to go on, null behind the last."""

    tables: tuple[TableLine, ...]
    next: str | None = None


class PlayerLine(Answer):
    """A player who is connected or has a seat, or was and had until now."""

    player: str
    name: str
    address: str
    tables: tuple[str, ...] = Field(description="where they have a seat")
    online: bool = Field(description="connected, or were until now; else away")


class PlayerPage(Answer):
    """Some of the players; `next` is where to go on, null behind the last."""

    players: tuple[PlayerLine, ...]
    next: str | None = None


class NodeLine(Answer):
    """A process of the server; `lease` and `tables` are null if it shares no database."""

    node: str = Field(description="its role and its --node")
    role: str
    here: bool = Field(description="on the bus, or the process that answers")
    lease: Literal["held", "over"] | None = None
    epoch: int | None = Field(None, description="higher each time that it begins or is fenced")
    tables: int | None = Field(None, description="open tables that it owns, in memory or not")


class NodePage(Answer):
    """Some of the processes; `next` is where to go on, null behind the last."""

    nodes: tuple[NodeLine, ...]
    next: str | None = None


class BanLine(Answer):
    """A ban; times in seconds since the epoch, `until` null: for ever."""

    kind: str
    subject: str
    until: float | None
    reason: str
    created: float


class BanPage(Answer):
    """Some of the bans; `next` is where to go on, null behind the last."""

    bans: tuple[BanLine, ...]
    next: str | None = None


class AuditLine(Answer):
    """A line of the audit log: who asked for what, and what came of it.

    `node` was asked, where several processes have the tables.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    time: str
    uid: int | None = None
    user: str | None = None
    pid: int | None = None
    act: str
    arguments: dict[str, Any] = {}  # whatever that act has
    result: str
    node: str | None = None


class AuditLines(Answer):
    """The last lines of the audit logs of all nodes, the newest last.

    Those of nodes that are `missing` are not among them: they did not answer, or keep none.
    """

    log: tuple[AuditLine, ...]
    missing: tuple[str, ...] = ()


class LinkMade(Answer):
    """A link to the administrator's pages: it opens them once, within so many seconds."""

    url: str
    seconds: float


class Kicked(Answer):
    """Who was disconnected; their `tables` are those at which they lost their seat."""

    kicked: tuple[PlayerLine, ...]


class Banned(Answer):
    """The ban, and who was disconnected for it."""

    ban: BanLine
    kicked: tuple[PlayerLine, ...]


class Unbanned(Answer):
    """The ban that is lifted."""

    ban: BanLine


class Draining(Answer):
    """The node that has begun to give its tables away, and how many it has to give."""

    node: str
    tables: int


class Balancing(Answer):
    """How many tables go to other nodes, and the nodes that did not answer."""

    tables: int
    silent: tuple[str, ...] = ()


class Announced(Answer):
    """How many clients were told."""

    clients: int


class TableClosed(Answer):
    """The table that is closed."""

    table: str


AnyAnswer: TypeAlias = (
    ServerStatus
    | TablePage
    | PlayerPage
    | NodePage
    | BanPage
    | AuditLines
    | LinkMade
    | Kicked
    | Banned
    | Unbanned
    | Draining
    | Balancing
    | Announced
    | TableClosed
)


def parse_request(line: bytes) -> AnyRequest:
    """The request in a line; `BadRequest` says what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRequest("a request is one line of JSON") from None
    if not isinstance(data, dict) or data.get("act") not in ACTS:
        raise BadRequest(f"field 'act' must be one of {', '.join(ACTS)}")
    try:
        return _REQUEST.validate_python(data)
    except ValidationError as error:
        raise BadRequest(explain(error)) from None


def answer_line(answer: AnyAnswer | AdminError) -> bytes:
    """An answer as a line."""
    if isinstance(answer, AdminError):
        told: dict[str, object] = {"ok": False, "code": answer.code, "reason": str(answer)}
    else:
        told = {"ok": True, "answer": answer.model_dump(mode="json")}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"
