"""A table's state according to its log: frozen, so the state before a failed commit remains."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from engine.facts import Seat
from engine.game import Options
from protocol.table_settings import TableSettings
from server.table.undo import UndoPoints

Phase: TypeAlias = Literal["lobby", "dealing", "playing", "paused", "finished", "stopped", "closed"]
"""`stopped`: nobody can go on and there is no result, by the fault of the game's rules."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair and its player. A stand-in of the given strength plays for an absent human.

    The seat of a `program` that joined is a player's like any other. `since` is the number of the
    entry by which a human took a place at this table.
    """

    kind: Literal["empty", "human", "bot"] = "empty"
    player: str = ""
    name: str = ""
    ready: bool = False
    strength: int | None = None
    stand_in: bool = False
    program: str = ""
    since: int = 0

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot makes the moves of this seat."""
        return self.kind == "bot" or self.stand_in


EMPTY_CHAIR = Chair()


class TableState(NamedTuple):
    """A named tuple, because `_replace` is more than twice as fast as `dataclasses.replace`.

    `play` is the state of the match in play or just played; only its game looks inside.

    `turn` numbers the questions asked; seats asked at once share one. `asked` are the seats it was
    put to, `to_act` those of them that have not answered yet. `seen` tells which seats' cards
    each player has seen in this match: they may take no other seat.

    `host` is a player and not a seat: a table may be somebody's who does not sit there.

    `undo_points` are those of the deal to which its only player may go back; None if there is no
    match, or if somebody else has sat or watched in it. `undone` counts how often moves were
    taken back.
    """

    game: str
    version: int
    options: Options
    settings: TableSettings
    chairs: tuple[Chair, ...]
    seed: bytes | None = None
    phase: Phase = "lobby"
    seq: int = 0
    host: str | None = None
    match: int = 0
    turn: int = 0
    asked: tuple[Seat, ...] = ()
    to_act: tuple[Seat, ...] = ()
    # Each game has its own type of state, and a table holds any of them.
    play: Any = None
    match_seed: bytes = b""
    bots_seed: bytes = b""
    banned: frozenset[str] = frozenset()
    seen: tuple[tuple[str, Seat], ...] = ()
    undo_points: UndoPoints | None = None
    watched: bool = False
    undone: int = 0
    goes_on: str = ""
    opened_at: float = 0.0

    @property
    def practice(self) -> bool:
        """Whether the match is one for practice, which has no result."""
        return self.undone > 0 or bool(self.goes_on)

    @property
    def seeded(self) -> bool:
        """Whether somebody may know the cards: they chose the seed, or saw the match before."""
        return self.seed is not None or bool(self.goes_on)

    def moved(
        self,
        *,
        seq: int,
        play: Any,
        turn: int,
        to_act: tuple[Seat, ...],
        phase: Phase,
        undo_points: UndoPoints | None,
    ) -> "TableState":
        """Return the table after a move."""
        return self._replace(
            phase=phase,
            seq=seq,
            turn=turn,
            asked=self.asked if turn == self.turn else to_act,
            to_act=to_act,
            play=play,
            undo_points=undo_points,
        )

    def seat_of(self, player: str) -> Seat | None:
        """Return the seat of a player; None without one."""
        return seat_of(self.chairs, player)

    @property
    def host_seat(self) -> Seat | None:
        """The seat of the host; None without one."""
        return None if self.host is None else self.seat_of(self.host)

    def humans(self) -> tuple[Seat, ...]:
        """The seats of players, without bots."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.kind == "human")

    def free(self) -> tuple[Seat, ...]:
        """The free seats."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.kind == "empty")


def seat_of(chairs: tuple[Chair, ...], player: str) -> Seat | None:
    """Return the seat of a player; None without one."""
    for seat, chair in enumerate(chairs):
        if chair.kind == "human" and chair.player == player:
            return seat
    return None
