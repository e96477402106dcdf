"""The entries of a table's log: one frozen class a kind, readable for ever (`log_format`).

The log is the table. All other data about it can be computed again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field

from engine.choices import Action
from engine.facts import Seat
from engine.game import OptionValue
from protocol.table_settings import TableSettings
from server.names import CommandKey

By = Literal["player", "bot", "stand_in", "clock"]
CloseReason = Literal[
    "left", "expired", "abandoned", "finished", "stopped", "evicted", "closed_by_administrator"
]


@dataclass(frozen=True, slots=True)
class Opened:
    """Opens a table: always the first entry. `seed` is given only if the table chose its own."""

    game: str
    version: int
    seats: int
    options: dict[str, OptionValue]
    settings: TableSettings
    seed: str | None = None
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class Seated:
    """A player took a seat. `program` is its name if one plays; the field came later."""

    seat: Seat
    player: str
    name: str
    program: str = ""
    kind: Literal["seated"] = "seated"


@dataclass(frozen=True, slots=True)
class Moved:
    """A player moved to another seat."""

    seat: Seat
    to: Seat
    kind: Literal["moved"] = "moved"


@dataclass(frozen=True, slots=True)
class Left:
    """A player left their seat. In a match a bot of `strength` named `bot` takes it for good."""

    seat: Seat
    kicked: bool = False
    strength: int | None = None
    bot: str = ""
    kind: Literal["left"] = "left"


@dataclass(frozen=True, slots=True)
class HostPassed:
    """Another player is the host from now on; in older logs only a leaving host had an heir."""

    player: str
    kind: Literal["host_passed"] = "host_passed"


@dataclass(frozen=True, slots=True)
class BotAdded:
    """The host gave a free seat to a bot."""

    seat: Seat
    strength: int
    name: str
    kind: Literal["bot_added"] = "bot_added"


@dataclass(frozen=True, slots=True)
class BotRemoved:
    """The host sent a bot away."""

    seat: Seat
    kind: Literal["bot_removed"] = "bot_removed"


@dataclass(frozen=True, slots=True)
class Readied:
    """A player is ready for the match, or no longer."""

    seat: Seat
    ready: bool
    kind: Literal["readied"] = "readied"


@dataclass(frozen=True, slots=True)
class Configured:
    """The host changed the options and settings."""

    options: dict[str, OptionValue]
    settings: TableSettings
    kind: Literal["configured"] = "configured"


@dataclass(frozen=True, slots=True)
class Started:
    """A match begins: the seats are fixed, the seed comes with `Dealt`."""

    kind: Literal["started"] = "started"


@dataclass(frozen=True, slots=True)
class Dealt:
    """The seed of the match, 32 bytes in hex, and the seed of its bots.

    Neither is sent while the match is played. `bots` came later: if it is missing, bots use the
    seed of the match. `goes_on` came later, too: the table from whose log the seed and the first
    moves are.
    """

    seed: str
    bots: str = ""
    goes_on: str = ""
    kind: Literal["dealt"] = "dealt"


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A bot plays for a player who is away."""

    seat: Seat
    strength: int
    kind: Literal["taken_over"] = "taken_over"


@dataclass(frozen=True, slots=True)
class HandedBack:
    """A player is back, and plays their seat again."""

    seat: Seat
    kind: Literal["handed_back"] = "handed_back"


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The turn clock ran out; the next move was made for the player."""

    seat: Seat
    kind: Literal["timed_out"] = "timed_out"


@dataclass(frozen=True, slots=True)
class Paused:
    """All players are away, and the match waits."""

    kind: Literal["paused"] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed:
    """A player is back, and the match goes on."""

    kind: Literal["resumed"] = "resumed"


@dataclass(frozen=True, slots=True)
class Watched:
    """A spectator watches the match from now on: its moves cannot be taken back."""

    kind: Literal["watched"] = "watched"


@dataclass(frozen=True, slots=True)
class Undone:
    """The only player took moves back: the deal is again as at question `turn`."""

    seat: Seat
    turn: int
    kind: Literal["undone"] = "undone"


@dataclass(frozen=True, slots=True)
class Reopened:
    """The host wants a rematch: the table is in the lobby again, all players in their seats."""

    kind: Literal["reopened"] = "reopened"


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed."""

    reason: CloseReason
    kind: Literal["closed"] = "closed"


@dataclass(frozen=True, slots=True)
class Acted:
    """A move, and its player. `strength` is the bot's; it came later, so old moves have none."""

    seat: Seat
    action: Action
    by: By = "player"
    strength: int | None = None
    kind: Literal["act"] = "act"


TableBody: TypeAlias = (
    Opened
    | Seated
    | Moved
    | Left
    | HostPassed
    | BotAdded
    | BotRemoved
    | Readied
    | Configured
    | Started
    | Dealt
    | TakenOver
    | HandedBack
    | TimedOut
    | Paused
    | Resumed
    | Watched
    | Undone
    | Reopened
    | Closed
)
"""What happens at a table beside the moves."""
Body: TypeAlias = Annotated[TableBody | Acted, Field(discriminator="kind")]


class Entry(NamedTuple):
    """Number `seq` of a table's log, made at server time `at` (seconds since the epoch)."""

    seq: int
    at: float
    body: Body
    key: CommandKey | None = None


def entries_after(
    seq: int, bodies: Sequence[Body], key: CommandKey | None, now: float
) -> tuple[Entry, ...]:
    """Make entries of `bodies` after number `seq`; `key` names the last one."""
    last = len(bodies)
    return tuple(
        [Entry(seq + n, now, body, key if n == last else None) for n, body in enumerate(bodies, 1)]
    )
