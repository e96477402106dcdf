"""A table as its log says it is: frozen, so the state before a failed commit still exists."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.facts import Seat
from engine.game import Options
from protocol.to_server import TableSettings

Phase: TypeAlias = Literal["lobby", "dealing", "playing", "paused", "finished", "stopped", "closed"]
"""`stopped`: nobody can go on and there is no result, by the fault of the game's rules."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits here. A stand-in plays for a human who is away, with the strength beside it."""

    kind: Literal["empty", "human", "bot"] = "empty"
    player: str = ""
    name: str = ""
    ready: bool = False
    strength: int | None = None
    stand_in: bool = False

    @property
    def played_by_bot(self) -> bool:
        return self.kind == "bot" or self.stand_in


EMPTY_CHAIR = Chair()


@dataclass(frozen=True, slots=True)
class TableState:
    """`play` is the state of the match in play or just played; only its game looks inside.

    `turn` numbers the questions asked; seats asked at once share one. `asked` are the seats it was
    put to, `to_act` those of them that have not answered yet. `seen` tells which seat's
    cards each player has seen in this match: he may take no other.
    """

    game: str
    version: int
    options: Options
    settings: TableSettings
    chairs: tuple[Chair, ...]
    seed: bytes | None = None
    phase: Phase = "lobby"
    seq: int = 0
    host: Seat | None = None
    match: int = 0
    turn: int = 0
    asked: tuple[Seat, ...] = ()
    to_act: tuple[Seat, ...] = ()
    # Each game has its own type of state, and a table holds any of them.
    play: Any = None
    match_seed: bytes = b""
    banned: frozenset[str] = frozenset()
    seen: tuple[tuple[str, Seat], ...] = ()
    opened_at: float = 0.0

    def moved(
        self, *, seq: int, play: Any, turn: int, to_act: tuple[Seat, ...], phase: Phase
    ) -> "TableState":
        """The table after a move. Spelt out: `replace` takes three times as long, every move."""
        asked = self.asked if turn == self.turn else to_act
        return TableState(
            self.game,
            self.version,
            self.options,
            self.settings,
            self.chairs,
            self.seed,
            phase,
            seq,
            self.host,
            self.match,
            turn,
            asked,
            to_act,
            play,
            self.match_seed,
            self.banned,
            self.seen,
            self.opened_at,
        )

    def seat_of(self, player: str) -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if chair.kind == "human" and chair.player == player:
                return seat
        return None

    def humans(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.kind == "human")

    def free(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.kind == "empty")
