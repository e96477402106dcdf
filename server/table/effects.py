"""What a table wants done. It does nothing itself: a shell carries these out, in order.

What every move asks for are named tuples: one costs a third of a frozen dataclass.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.facts import Seat, Viewer
from protocol.encode import Plain
from server.table.entries import Entry, Key
from server.table.fold import Steps
from server.table.state import TableState


class Persist(NamedTuple):
    """Write the entries, and call `Table.committed` with what came of it.

    `state` is the table after them; `info` tells that what the lobby shows of it has changed.
    """

    entries: tuple[Entry, ...]
    state: TableState
    info: bool


class Answer(NamedTuple):
    """The answer to a command. `record`: keep it, so that asking again gets the same."""

    key: Key
    message: Plain
    record: bool = False


class Publish(NamedTuple):
    """New entries for everybody at the table: each with its facts, the last with the question."""

    steps: Steps
    info: bool


@dataclass(frozen=True, slots=True)
class Show:
    """Send a player the table as they see it now."""

    player: str
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class Tell:
    """A message outside the sequence, for everybody at the table."""

    message: Plain


@dataclass(frozen=True, slots=True)
class Notify:
    """A message outside the sequence, for one player."""

    player: str
    message: Plain


@dataclass(frozen=True, slots=True)
class Await:
    """Call `Table.withdrawn` when this player, who has no seat, is gone."""

    player: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """A player has no place here any more; None means nobody has: the table is closed."""

    player: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Let a bot choose for a seat, and call `Table.chosen` with its move."""

    seat: Seat
    turn: int
    strength: int
    purpose: Literal["move", "clock", "hint"] = "move"
    key: Key | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Something raised that should not have; for whoever runs the server.

    `rules` tells whether it was the game's rules.
    """

    error: Exception
    rules: bool


OtherEffect: TypeAlias = Answer | Publish | Show | Tell | Notify | Await | Dismiss | Ask | Report
Effect: TypeAlias = Persist | OtherEffect
