"""A table as one receiver may see it: snapshots, and the events after them."""

from typing import Annotated, Literal

from pydantic import Field

from engine.cards import LegendCard
from engine.choices import Choices
from engine.facts import Fact, Seat
from engine.labels import Label
from engine.layout import NO_LAYOUT, Layout
from engine.views import View
from protocol.compact_form import LONGEST_WORD, MOST_WORDS
from protocol.message import CloseReason, Message, words
from protocol.to_client.lobby import TableInfo


class Question(Message):
    """A question and the seats that may act. `choices` are there only if the receiver may act."""

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


class UnreadEvent(Event):
    """An event that a newer server sent and this client cannot read; only a snapshot helps."""


class Unchanged(Message):
    """A resumed table of which the receiver missed no event, with what events do not tell.

    The question that the receiver has still holds, except for its times. For clients that have
    asked for it in `hello`.
    """

    type: Literal["unchanged"] = "unchanged"
    table: str
    info: TableInfo
    clock: float | None = Field(default=None, description="seconds left to answer")
    reserve: tuple[int, ...] = Field(default=(), description="as in a question")


class Words(Message):
    """Words that stand as numbers in the events that follow on this connection.

    For clients that have asked for it in `hello` and read msgpack.
    """

    type: Literal["words"] = "words"
    number: int = Field(ge=0, description="of this list; events name it")
    words: tuple[Annotated[str, Field(max_length=LONGEST_WORD)], ...] = Field(max_length=MOST_WORDS)


class TableMoved(Message):
    """A table is at another address of the same server; for clients that ask for it in `hello`.

    With an `id` it stands in place of an answer: nothing has been done, and the command waits to be
    sent to that address, under the same number. Without an `id` it goes to everybody who sits at
    the table or follows it.
    """

    type: Literal["moved"] = "moved"
    id: int | None = Field(default=None, description="of a command that is to be sent there")
    table: str
    url: str = Field(description="connect there as the same player, with the same `client`")


class Closed(Message):
    """The table is gone, or the receiver no longer has a place at it."""

    type: Literal["closed"] = "closed"
    table: str
    reason: Annotated[str, words(CloseReason)]
