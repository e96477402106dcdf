"""The server's answers to administrators: one line of JSON each.

An answer is ``{"ok": true, "answer": {…}}``, or ``{"ok": false, "code": …, "reason": …}`` with a
code of `server.nodes.admin_errors`. Nothing here has a place for a card.
"""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from server.nodes.admin_errors import AdminError
from server.nodes.player_list import PlayerInfo


class AdminAnswer(BaseModel):
    """The base class of the server's answers."""

    model_config = ConfigDict(frozen=True)


class NodeFailure(AdminAnswer):
    """A node that has failed to do an act, with a code of `server.nodes.admin_errors`."""

    node: str
    code: str
    reason: str


class OfAllNodes(AdminAnswer):
    """The base class of answers of all nodes; `failed` has the nodes that may have failed."""

    failed: tuple[NodeFailure, ...] = ()


class ServerStatus(AdminAnswer):
    """The status of the server, of several nodes that of the node that was asked."""

    node: str | None = Field(None, description="null for a server that is no node")
    version: str
    python: str
    pid: int
    uptime: float = Field(description="seconds since the start")
    trouble: str
    connections: int = Field(description="of this node")
    seated: int = Field(description="players who have a seat")
    tables: dict[str, int] = Field(description="open tables of all nodes by phase")
    in_memory: int = Field(description="tables in memory of this process")
    bans: int
    bots: tuple["BotLine", ...] = Field((), description="bots at tables in memory")


class BotLine(AdminAnswer):
    """The number of bots of a game and strength that have a seat."""

    game: str
    strength: int
    seats: int


class SeatLine(AdminAnswer):
    """A seat of a table."""

    kind: str
    name: str = ""
    player: str | None = None
    strength: int | None = None
    away: bool = False
    stand_in: bool = False


class TableLine(AdminAnswer):
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


class TablePage(AdminAnswer):
    """A page of tables; `next` is the code to go on after, null on the last page."""

    tables: tuple[TableLine, ...]
    next: str | None = None


class PlayerPage(AdminAnswer):
    """A page of players; `next` is the id to go on after, null on the last page."""

    players: tuple[PlayerInfo, ...]
    next: str | None = None
    node: str | None = Field(None, description="of several the one whose connections these are")


class NodeLine(AdminAnswer):
    """A node of the server.

    `lease` and `tables` are null while the database does not tell them: `unknown` says why, else it
    is "".
    """

    node: str = Field(description="the end of its --node-url")
    here: bool = Field(description="whether it has a lease")
    lease: Literal["held", "over"] | None = None
    epoch: int | None = Field(None, description="higher each time that it begins or is fenced")
    tables: int | None = Field(None, description="open tables that it owns, in memory or not")
    takes: bool = Field(True, description="false while it gives tables away and takes none")
    gone: float | None = Field(None, description="since when it is not there, if that is not long")
    unknown: str = ""


class NodePage(AdminAnswer):
    """A page of nodes; `next` is the name to go on after, null on the last page."""

    nodes: tuple[NodeLine, ...]
    next: str | None = None


class BanLine(AdminAnswer):
    """A ban; times in seconds since the epoch, `until` is null for a ban without end."""

    kind: str
    subject: str
    until: float | None
    reason: str
    created: float


class BanPage(AdminAnswer):
    """A page of bans; `next` is the key after which the next page begins, null on the last page."""

    bans: tuple[BanLine, ...]
    next: str | None = None


class AuditLine(AdminAnswer):
    """A line of the audit log: an act, the administrator who asked for it, and its result."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    time: str
    uid: int | None = None
    user: str | None = None
    pid: int | None = None
    act: str
    node: str | None = Field(None, description="the node that was asked")
    arguments: dict[str, Any] = {}  # whatever that act has
    result: str


class AuditLines(OfAllNodes):
    """The last lines of the audit logs of all nodes, the newest last."""

    log: tuple[AuditLine, ...]


class LinkMade(AdminAnswer):
    """A link to the administrator's pages, which works once, within this number of seconds."""

    url: str
    seconds: float


class Kicked(OfAllNodes):
    """The disconnected players; their `tables` are those at which they lost their seats."""

    kicked: tuple[PlayerInfo, ...]


class Banned(OfAllNodes):
    """The ban, and the players who were disconnected by it."""

    ban: BanLine
    kicked: tuple[PlayerInfo, ...]


class Unbanned(OfAllNodes):
    """The ban that was lifted."""

    ban: BanLine


class Draining(AdminAnswer):
    """The node that has begun to give its tables away, and the number of these tables."""

    node: str
    tables: int


class Undrained(AdminAnswer):
    """The node that takes tables again."""

    node: str


class Balancing(OfAllNodes):
    """The number of tables that move to other nodes, and the nodes that get none."""

    tables: int
    drained: tuple[str, ...] = ()


class Announced(OfAllNodes):
    """The number of clients that received the announcement."""

    clients: int


class ClosedTable(AdminAnswer):
    """The table that was closed."""

    table: str


def answer_line(answer: AdminAnswer | AdminError) -> bytes:
    """Encode an answer as a line."""
    if isinstance(answer, AdminError):
        told: dict[str, object] = {"ok": False, "code": answer.code, "reason": str(answer)}
    else:
        told = {"ok": True, "answer": answer.model_dump(mode="json")}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"
