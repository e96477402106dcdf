"""The effects of a table, which `EffectRunner` carries out in order.

The effects of every move are named tuples: one costs a third of a frozen dataclass.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.facts import Seat, Viewer
from protocol.wire_form import WireForm
from server.names import CommandKey
from server.table.entries import Body, Closed, Entry, Left, Moved, Seated
from server.table.fold import FactsByEntry
from server.table.state import TableState


class Persist(NamedTuple):
    """Store the entries, and call `Table.committed` with the error, if any.

    `state` is the table after them; `info` says that the directory's details of it have changed.
    """

    entries: tuple[Entry, ...]
    state: TableState
    info: bool


class Answer(NamedTuple):
    """Answer a command. `record`: store the answer, so that the repeated command gets it again.

    `vain`: the command was carried out but has changed nothing.
    """

    key: CommandKey
    message: WireForm
    record: bool = False
    vain: bool = False


class Publish(NamedTuple):
    """Send new entries to all clients at the table, with their facts; the last has the question."""

    steps: FactsByEntry
    info: bool


@dataclass(frozen=True, slots=True)
class SendSnapshot:
    """Send a player a snapshot of the table as they see it now.

    A player's seat is sent to all their programs, a spectator's view to `client`, or if that is
    None to the program that connected last.
    """

    player: str
    viewer: Viewer
    client: str | None = None


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Send a message outside the sequence to all clients at the table."""

    message: WireForm


@dataclass(frozen=True, slots=True)
class Notify:
    """Send a message outside the sequence to one player."""

    player: str
    message: WireForm


@dataclass(frozen=True, slots=True)
class AwaitDisconnect:
    """Call `Table.request_withdrawn` when this player, who has no seat, is gone."""

    player: str


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Unsubscribe a player who has left the table; None unsubscribes all as it closes."""

    player: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class AskBot:
    """Ask a bot to choose for a seat, and call `Table.bot_chose` with its move."""

    seat: Seat
    turn: int
    strength: int
    purpose: Literal["move", "clock", "hint"] = "move"
    key: CommandKey | None = None


@dataclass(frozen=True, slots=True)
class LogError:
    """Log an unexpected exception; `rules` says whether the rules of the game raised it."""

    error: Exception
    rules: bool


Effect: TypeAlias = (
    Persist
    | Answer
    | Publish
    | SendSnapshot
    | Broadcast
    | Notify
    | AwaitDisconnect
    | Unsubscribe
    | AskBot
    | LogError
)


def consequences(before: TableState, body: Body) -> list[Effect]:
    """Return the effects of an entry that is no move; `before` is the table before it."""
    match body:
        case Seated(seat=seat, player=player):
            return [SendSnapshot(player, seat)]
        case Moved(seat=seat, to=to):
            return [SendSnapshot(before.chairs[seat].player, to)]
        case Left(seat=seat, kicked=kicked):
            player = before.chairs[seat].player
            return [Unsubscribe(player, "kicked" if kicked else "left")]
        case Closed(reason=reason):
            return [Unsubscribe(None, reason)]
        case _:
            return []
