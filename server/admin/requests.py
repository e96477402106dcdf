"""The requests of administrators: one line of JSON each, which names its `act`.

The answers are in `server.admin.answers`. No request has a field for cards.
"""

import json
from functools import partial
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from protocol.parse import explain
from protocol.visible_text import CHAT, visible
from server.nodes.admin_errors import BAD_REQUEST, AdminError

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
    """The base class of administrators' requests; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Status(Request):
    """Asks for the status and load of this node, or of the named node."""

    act: Literal["status"] = "status"
    node: Annotated[str, Field(max_length=128)] = ""


class Tables(Request):
    """Lists the open tables of all nodes by code, including private and sleeping tables."""

    act: Literal["tables"] = "tables"
    after: After = ""


class ListPlayers(Request):
    """Lists the players who are connected or have a seat, by id."""

    act: Literal["players"] = "players"
    after: After = ""


class Nodes(Request):
    """Lists the processes of the server, by name."""

    act: Literal["nodes"] = "nodes"
    after: After = ""


class ListBans(Request):
    """Lists the bans in force."""

    act: Literal["bans"] = "bans"
    after: After = ""


class ReadLog(Request):
    """Asks for the last lines of the audit logs of all nodes."""

    act: Literal["log"] = "log"
    lines: Annotated[int, Field(ge=1, le=MOST_LINES)] = 100


class PagesLink(Request):
    """Asks for a link to the administrator's pages, which works once."""

    act: Literal["link"] = "link"


class KickPlayer(Request):
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
    yes: Annotated[bool, Field(description="also where it hits many, or yourself")] = False
    own: Annotated[str, Field(max_length=64, description="the administrator's address")] = ""


class Unban(Request):
    """Lift a ban."""

    act: Literal["unban"] = "unban"
    subject: Subject


class Drain(Request):
    """Let a node give its tables to the others, also in the middle of a match."""

    act: Literal["drain"] = "drain"
    node: Subject


class Undrain(Request):
    """Let a node that was drained take tables again."""

    act: Literal["undrain"] = "undrain"
    node: Subject


class BalanceTables(Request):
    """Let each node give the other nodes their share of its tables, as after an upgrade of all."""

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
    | ListPlayers
    | Nodes
    | ListBans
    | ReadLog
    | PagesLink
    | KickPlayer
    | Ban
    | Unban
    | Drain
    | Undrain
    | BalanceTables
    | Announce
    | CloseTable,
    Field(discriminator="act"),
]
READS = (Status, Tables, ListPlayers, Nodes, ListBans, ReadLog)
"""Requests that change nothing."""

ACTS: tuple[str, ...] = tuple(
    kind.model_fields["act"].default for kind in get_args(get_args(AnyRequest)[0])
)
_REQUEST: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)


def parse_request(line: bytes) -> AnyRequest:
    """Parse a request from a line; raise `AdminError`, which says what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise AdminError(BAD_REQUEST, "a request is one line of JSON") from None
    if not isinstance(data, dict) or data.get("act") not in ACTS:
        raise AdminError(BAD_REQUEST, f"field 'act' must be one of {', '.join(ACTS)}")
    try:
        return _REQUEST.validate_python(data)
    except ValidationError as error:
        raise AdminError(BAD_REQUEST, explain(error)) from None
