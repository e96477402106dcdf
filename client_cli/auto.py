"""A seat that plays by itself: it asks the server for a hint, or plays at random without one."""

from dataclasses import dataclass, field
from random import Random

from client_cli.effects import Effect, End, SendCommand
from client_cli.refusals import told_reason
from client_cli.tell import tell
from engine.choices import random_action
from protocol.errors import NOT_NOW, ProtocolError
from protocol.exits import Exit
from protocol.mirror import TableMirror
from protocol.strengths import MEDIUM, Wished
from protocol.to_client import HintAnswer
from protocol.to_server import Act, Hint, Ready, Start

_TRIES = 5
"""Refused moves in a row after which trying again cannot help."""


@dataclass(frozen=True, slots=True)
class AutoStart:
    """When an automatic host starts: at `seats` taken, with bots of `fill` in the others."""

    seats: int | None = None
    fill: Wished = MEDIUM


NO_AUTO_START = AutoStart()
"""Say ready and wait for the others."""


@dataclass(slots=True)
class AutoPlayer:
    """Reacts to the table after each event, once to each question."""

    rng: Random
    auto_start: AutoStart = NO_AUTO_START
    hints: bool = True
    _asked: tuple[int, int] | None = field(default=None, init=False)
    _saying_ready: bool = field(default=False, init=False)
    _started: tuple[int, int] | None = field(default=None, init=False)
    _refusals: int = field(default=0, init=False)

    def look(self, table: TableMirror) -> list[Effect]:
        """The effects that are due at the table now."""
        if table.seat is None:
            return []
        if table.info.phase == "lobby":
            return self._get_ready(table, table.seat)
        if table.info.phase == "playing" and table.my_turn:
            return self._move(table)
        return []

    def advised(self, table: TableMirror, answer: object) -> list[Effect]:
        """Play the hint's move if the question is still open; without a hint play at random."""
        if not table.my_turn:
            return []
        if isinstance(answer, HintAnswer):
            # A hint for a later turn: the event with that question is on its way.
            return [_act(table, answer.action)] if answer.turn == table.question.turn else []
        if isinstance(answer, ProtocolError):
            if answer.code in NOT_NOW:
                return self._later()
            self.hints = self.hints and answer.code != "no_hints"
        return [_act(table, random_action(table.choices, self.rng))]

    def moved(self, table: TableMirror, answer: object) -> list[Effect]:
        """Handle a move's answer: a random move replaces a refused one if the question is open."""
        if not isinstance(answer, ProtocolError):
            self._refusals = 0
            return []
        if answer.code in NOT_NOW:
            return self._later()
        self._refusals += 1
        if self._refusals >= _TRIES:
            why = tell("refused.every_move", why=told_reason(answer))
            return [End(Exit.REFUSED, why)]
        return [_act(table, random_action(table.choices, self.rng))] if table.my_turn else []

    def started(self, answer: object) -> list[Effect]:
        """Handle the answer to a start: the table may run already; other errors are final."""
        if isinstance(answer, ProtocolError) and answer.code != "wrong_phase":
            why = tell("refused.no_start", why=told_reason(answer))
            return [End(Exit.REFUSED, why)]
        return []

    def readied(self) -> list[Effect]:
        """Handle the answer to ready; if the options change, ready must be said again."""
        self._saying_ready = False
        return []

    def _get_ready(self, table: TableMirror, seat: int) -> list[Effect]:
        """Say ready; a host that waits for players starts instead, once enough are there."""
        seats = table.info.seats
        if table.info.host == seat and self.auto_start.seats is not None:
            taken = sum(1 for chair in seats if chair.kind != "empty")
            occasion = (table.info.match, taken)
            if taken < self.auto_start.seats or self._started == occasion:
                return []
            self._started = occasion
            fill = {} if taken == len(seats) else {"fill": self.auto_start.fill}
            return [SendCommand(Start, {"table": table.table, **fill})]
        if seats[seat].ready or self._saying_ready:
            return []
        self._saying_ready = True
        return [SendCommand(Ready, {"table": table.table, "ready": True})]

    def _later(self) -> list[Effect]:
        """Answer the question again at the next event."""
        self._asked = None
        return []

    def _move(self, table: TableMirror) -> list[Effect]:
        asked = (table.info.match, table.question.turn)
        if asked == self._asked:
            return []
        self._asked = asked
        if self.hints and table.info.settings.hints:
            return [SendCommand(Hint, {"table": table.table})]
        return [_act(table, random_action(table.choices, self.rng))]


def _act(table: TableMirror, action: str) -> Effect:
    fields = {"table": table.table, "turn": table.question.turn, "action": action}
    return SendCommand(Act, fields)
