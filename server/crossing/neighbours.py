"""What nodes with tables tell each other: the tables they have, and who may not come in.

A node asks each other one to `Meet`, follows what changes there from then on, and asks page by page
for what is there already. What came by the stream is never older than a page.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from protocol.wire_form import WireForm
from server.store import BanKey, BanRow

NEIGHBOURS = "neighbours"
"""What a node asks of another one."""


def stream_beside(node: str, turn: int) -> str:
    """The name of the stream with the news for another node, each time it begins another."""
    return f"beside/{node}/{turn}"


class OpenTable(NamedTuple):
    """An open table: what everybody may know, who sits there, and from where it was opened."""

    code: str
    info: WireForm
    players: tuple[str, ...]
    opener: str
    """A hash of the address; "" if it is not known any more."""


class Meet(NamedTuple):
    """A node begins, or has lost track: open it a new stream with what changes."""

    turn: int


class MoreTables(NamedTuple):
    """Which tables has this node, by their codes, after this one?"""

    after: str


class Tables(NamedTuple):
    """Some of the tables of a node; `more` if there are others after the last of them."""

    tables: tuple[OpenTable, ...]
    more: bool
    leaving: bool = False
    """Whether the node gives all of them away."""


class Chatted(NamedTuple):
    """A player has said so many lines more, or as much as that `in_all` that counts still."""

    player: str
    lines: float
    in_all: bool = False


class News(NamedTuple):
    """What has changed at a node: tables, those that are no longer open, bans, and itself."""

    tables: tuple[OpenTable, ...] = ()
    closed: tuple[str, ...] = ()
    banned: tuple[BanRow, ...] = ()
    unbanned: tuple[BanKey, ...] = ()
    leaving: bool = False
    """Whether the node gives all its tables away from now on."""
    revoked: tuple[str, ...] = ()
    """Hashes of tokens that are of no use any more."""
    chatted: tuple[Chatted, ...] = ()
    staying: bool = False
    """Whether the node takes tables again."""


class Handed(NamedTuple):
    """These tables belong to the node that is told so, by the database."""

    codes: tuple[str, ...]


class Drain(NamedTuple):
    """An administrator wants this node to give its tables away."""


class Draining(NamedTuple):
    """The node gives its tables away: so many, if there is anybody to take them."""

    tables: int
    others: int
    """How many nodes can take them."""


class Undrain(NamedTuple):
    """An administrator wants this node to take tables again; answered by `Ended`."""


class Balance(NamedTuple):
    """An administrator wants this node to give the others their share; answered by `Draining`."""


class Unseat(NamedTuple):
    """An administrator takes a player's seats away, at all tables of this node."""

    player: str


class CloseTable(NamedTuple):
    """An administrator closes a table of this node."""

    table: str


class Ended(NamedTuple):
    """What came of it: "", or the `code` of an administrator's error, and the words for it."""

    code: str = ""
    reason: str = ""


class Announce(NamedTuple):
    """An administrator tells everybody something: this node does so at its tables."""

    text: str


class ReadAudit(NamedTuple):
    """An administrator wants to see the last `most` lines of this node's audit log."""

    most: int


class AuditRead(NamedTuple):
    """These lines, each in JSON, the newest last; `whole` if no older ones had to be left out."""

    lines: tuple[str, ...] = ()
    whole: bool = True
    is_kept: bool = True
    """Whether the node has a log that can be read."""


class AtTables(NamedTuple):
    """The connections that were told so: their numbers by gateway."""

    links: dict[str, list[int]]


AmongNodes: TypeAlias = (
    Meet
    | MoreTables
    | Tables
    | News
    | Handed
    | Drain
    | Draining
    | Unseat
    | CloseTable
    | Ended
    | Announce
    | Balance
    | AtTables
    | ReadAudit
    | AuditRead
    | Undrain
)


def read_tables(written: list[Any]) -> tuple[OpenTable, ...]:
    """Tables as they were sent, without what a newer version says of them."""
    return tuple(
        OpenTable(code, info, tuple(players), opener) for code, info, players, opener, *_ in written
    )


def read_news(
    tables: list[Any],  # as they were sent, of which the decoder knows only that they are lists
    closed: list[str],
    banned: list[Any],
    unbanned: list[Any],
    leaving: bool,
    revoked: Sequence[str] = (),
    chatted: Sequence[Any] = (),
    staying: bool = False,
) -> News:
    """News as they were sent."""
    return News(
        read_tables(tables),
        tuple(closed),
        tuple(BanRow(*ban) for ban in banned),
        tuple(BanKey(*key) for key in unbanned),
        leaving,
        tuple(revoked),
        tuple(Chatted(*each[: len(Chatted._fields)]) for each in chatted),
        staying,
    )
