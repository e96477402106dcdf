"""A table: one actor that takes commands, clock ticks and bots' moves in order.

    command ─▶ decide ─▶ entries ─▶ Persist ─▶ committed ─▶ Answer, Publish, Ask …

Only committed entries are answered or published, and one batch is under way at a time: what
arrives meanwhile waits in the mailbox. If a commit fails the state before it still stands.
No I/O, no clock, no locks: time comes in as `now`, effects go out (`server.table.effects`).
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from bots import strengths
from engine import AnyGame
from engine.choices import Action
from engine.errors import EngineError
from engine.facts import Seat
from protocol.encode import Plain
from protocol.errors import ProtocolError
from server.descriptions import Described
from server.table.answers import error_answer, ok_answer
from server.table.clocks import Clocks, Timing
from server.table.decide import Clerk, Player, TableCommand
from server.table.effects import Answer, Ask, Dismiss, Effect, Persist, Publish, Report, Show, Tell
from server.table.entries import (
    Acted,
    Body,
    Closed,
    Entry,
    HandedBack,
    Key,
    Left,
    Moved,
    Paused,
    Resumed,
    Seated,
    TakenOver,
    TimedOut,
)
from server.table.fold import Steps, advance
from server.table.history import History
from server.table.state import TableState

Work: TypeAlias = Callable[[float], list[Effect]]


class Batch(NamedTuple):
    """Entries on their way to the disk, and the table as it will be once they are there."""

    state: TableState
    entries: tuple[Entry, ...]
    steps: Steps
    info: bool
    key: Key | None


class Table:
    """`state` is always the committed one, `described` what its game is made from, if it is."""

    def __init__(
        self,
        code: str,
        clerk: Clerk,
        state: TableState,
        history: History,
        timing: Timing,
        described: Described | None = None,
    ) -> None:
        self.code = code
        self.described = described
        self.game: AnyGame = clerk.game
        self.state = state
        self.history = history
        self.clocks = Clocks(timing)
        self._clerk = clerk
        self._pending: Batch | None = None
        self._mailbox: deque[Work] = deque()

    @property
    def busy(self) -> bool:
        """Whether something is on its way to the disk or waits for that."""
        return self._pending is not None or bool(self._mailbox)

    def due(self) -> float | None:
        """When `tick` wants to be called next; None if only a command can change anything."""
        return self.clocks.due(self.state)

    # What comes in

    def command(self, command: TableCommand, player: Player, key: Key, now: float) -> list[Effect]:
        """Handle a player's command; its one answer comes now or when it is committed."""
        return self._when_idle(lambda at: self._command(command, player, key, at), now)

    def create(self, opened: list[Body], key: Key, now: float) -> list[Effect]:
        """Write the first entries of a new table."""
        return self._write(opened, key, now)

    def arrived(self, player: str, now: float) -> list[Effect]:
        """A player's connection is (back) at the table: his seat is his again."""
        return self._when_idle(lambda at: self._arrived(player, at), now)

    def went_away(self, player: str, now: float) -> list[Effect]:
        """A player's connection is gone; after a while a bot plays for him."""
        return self._when_idle(lambda at: self._went_away(player, at), now)

    def tick(self, now: float) -> list[Effect]:
        """Do what is due: expire, pause, take over, time out, let a bot move."""
        return [] if self.busy else self._tick(now)

    def chosen(self, ask: Ask, action: Action, now: float) -> list[Effect]:
        """A bot's move has come; it counts only if its question still stands."""
        return self._when_idle(lambda at: self._chosen(ask, action, at), now)

    def committed(self, error: Exception | None, now: float) -> list[Effect]:
        """The batch under way is on the disk, or could not be written."""
        batch, self._pending = self._pending, None
        assert batch is not None, "nothing was being written"
        effects = self._published(batch, now) if error is None else self._failed(batch, now)
        while self._mailbox and self._pending is None:
            effects += self._mailbox.popleft()(now)
        if self._pending is None:
            effects += self._tick(now)
        return effects

    # What it does

    def _when_idle(self, work: Work, now: float) -> list[Effect]:
        if self._pending is not None:
            self._mailbox.append(work)
            return []
        return work(now)

    def _command(self, command: TableCommand, player: Player, key: Key, now: float) -> list[Effect]:
        try:
            bodies = self._clerk.decide(self.state, command, player)
            if not bodies:
                return [Answer(key, ok_answer(key.command, self.code, self.state.seq), record=True)]
            return self._write(bodies, key, now)
        except (ProtocolError, EngineError) as error:
            return [Answer(key, error_answer(key, error), record=True)]

    def _write(self, bodies: list[Body], key: Key | None, now: float) -> list[Effect]:
        """Advance a copy of the table by `bodies` and send them to the disk."""
        state, entries, steps, info = self.state, [], [], False
        for place, body in enumerate(bodies, start=1):
            last = place == len(bodies)
            entry = Entry(state.seq + 1, now, body, key if last else None)
            step = advance(self.game, state, entry)
            state = step.state
            entries.append(entry)
            steps.append((entry.seq, step.facts))
            info = info or step.info
        self._pending = Batch(state, tuple(entries), tuple(steps), info, key)
        return [Persist(self._pending.entries, state, info)]

    def _failed(self, batch: Batch, now: float) -> list[Effect]:
        self.clocks.retry(now)
        if batch.key is None:
            return []
        reason = "the server could not store this; nothing has changed, send it again"
        return [Answer(batch.key, error_answer(batch.key, ProtocolError("try_again", reason)))]

    def _published(self, batch: Batch, now: float) -> list[Effect]:
        before, self.state = self.state, batch.state
        self.history.extend(before, batch.entries, batch.steps)
        self.clocks.moved_on(before, self.state, now)
        effects: list[Effect] = []
        if batch.key is not None:
            effects.append(
                Answer(batch.key, ok_answer(batch.key.command, self.code, self.state.seq))
            )
        effects.append(Publish(batch.steps, batch.info))
        if batch.info:
            for entry in batch.entries:
                effects += self._consequences(before, entry.body)
        return effects

    def _consequences(self, before: TableState, body: Body) -> list[Effect]:
        match body:
            case Seated(seat=seat, player=player):
                self.clocks.came_back(seat)
                return [Show(player, seat)]
            case Moved(seat=seat, to=to):
                return [Show(before.chairs[seat].player, to)]
            case Left(seat=seat, kicked=kicked):
                self.clocks.came_back(seat)
                player = before.chairs[seat].player
                return [Dismiss(player, "kicked" if kicked else "left")]
            case Closed(reason=reason):
                return [Dismiss(None, reason)]
            case _:
                return []

    def _arrived(self, player: str, now: float) -> list[Effect]:
        seat = self.state.seat_of(player)
        if seat is None:
            return []
        told: list[Effect] = [Tell(self.presence(seat))] if self.clocks.came_back(seat) else []
        return told + self._tick(now)

    def _went_away(self, player: str, now: float) -> list[Effect]:
        seat = self.state.seat_of(player)
        if seat is None or not self.clocks.went_away(seat, now):
            return []
        return [Tell(self.presence(seat))]

    def _tick(self, now: float) -> list[Effect]:
        state, clocks = self.state, self.clocks
        due = clocks.due(state)
        if due is None or now < due:
            return []
        reason = clocks.closing(state, now)
        if reason is not None:
            return self._write([Closed(reason)], None, now)
        if state.phase == "lobby":
            return self._let_go(now)
        back: list[Body] = [HandedBack(seat) for seat in clocks.returned(state)]
        if clocks.resumes(state):
            back.append(Resumed())
        if back:
            return self._write(back, None, now)
        if state.phase != "playing":
            return []
        overdue = clocks.overdue(state, now)
        if overdue and len(overdue) == len(state.humans()):
            return self._write([Paused()], None, now)
        strength = strengths(state.game)[-1]
        taken: list[Body] = [
            TakenOver(seat, strength) for seat in overdue if not state.chairs[seat].stand_in
        ]
        if taken:
            return self._write(taken, None, now)
        return [self._ask(seat) for seat in clocks.to_ask(state, now)]

    def _let_go(self, now: float) -> list[Effect]:
        """Who waits for a match elsewhere gives up his seat."""
        overdue = self.clocks.overdue(self.state, now)
        bodies = self._clerk.left(self.state, overdue[0]) if overdue else []
        return self._write(bodies, None, now) if bodies else []

    def _ask(self, seat: Seat) -> Ask:
        chair = self.state.chairs[seat]
        if chair.strength is None or not chair.played_by_bot:
            return Ask(seat, self.state.turn, strengths(self.state.game)[-1], "clock")
        return Ask(seat, self.state.turn, chair.strength)

    def _chosen(self, ask: Ask, action: Action, now: float) -> list[Effect]:
        state, chair = self.state, self.state.chairs[ask.seat]
        stands = state.phase == "playing" and ask.turn == state.turn and ask.seat in state.to_act
        if not stands or (ask.purpose == "move" and not chair.played_by_bot):
            if ask.turn == state.turn:
                self.clocks.unasked(ask.seat)
            return self._tick(now)
        bodies: list[Body] = [Acted(ask.seat, action, "stand_in" if chair.stand_in else "bot")]
        if ask.purpose == "clock":
            bodies = [TimedOut(ask.seat), Acted(ask.seat, action, "clock")]
        try:
            return self._write(bodies, None, now)
        except Exception as error:
            # The move was offered, so the rules are at fault, and would be again: nobody can go on.
            return [Report(error), *self._write([Closed("stopped")], None, now)]

    def presence(self, seat: Seat) -> Plain:
        """Whether the player of a seat is here, as everybody is told."""
        away = self.clocks.is_away(seat)
        return {"type": "presence", "table": self.code, "seat": seat, "away": away}
