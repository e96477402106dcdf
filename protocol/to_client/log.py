"""A table's log, as the receiver saw it or was entitled to see it."""

from typing import Literal

from pydantic import Field

from engine.cards import LegendCard
from engine.facts import Fact, Seat
from engine.labels import Label
from engine.layout import NO_LAYOUT, Layout
from engine.views import View
from protocol.message import Message
from protocol.to_client.lobby import TableInfo
from protocol.to_client.table import Question


class LogEntry(Message):
    """An entry of a table's log, with the fields of its event; `info` does not say who was away.

    `changed` means that from here on the receiver saw the table from another `seat`; if a match was
    under way, `view` is what was seen from there.
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
    """The answer to `log`. `seat` is the viewer of the first entry; null for a spectator.

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
