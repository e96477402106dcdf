"""A table: one actor that takes commands, clock ticks and bots' moves in order.

    command ─▶ decide ─▶ entries ─▶ Persist ─▶ committed ─▶ Answer, Publish, AskBot …

Only committed entries are answered or published, and one batch is under way at a time: what
arrives meanwhile waits in the mailbox. If a commit fails, the state before it still stands.
Each item of the mailbox is handled by itself: an exception in it is reported and affects that item
only, a command is answered `internal`, and a match whose rules have failed is closed as `stopped`.
No I/O, no clock, no locks: time comes in as `now`, effects go out (`server.table.effects`).
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeAlias

from engine import AnyGame
from engine.choices import Action
from engine.errors import EngineError
from engine.facts import Seat
from protocol.to_server import Act, Ready, StandIn, Start
from protocol.wire_form import WireForm, ok_message
from server.games.descriptions import DescribedGame
from server.names import CommandKey, Player
from server.table.clocks import Clocks, Timing
from server.table.decide import Decider, TableCommand
from server.table.effects import (
    Answer,
    AskBot,
    Broadcast,
    Effect,
    LogError,
    Persist,
    Publish,
    consequences,
)
from server.table.entries import Acted, Body, Closed, Entry, Left, Seated, Watched, entries_after
from server.table.failures import failed_command, failed_work, failed_write
from server.table.first_spectator import FirstSpectator, Newcomer
from server.table.fold import Advance, advance
from server.table.guarded_game import GuardedGame, RulesFailed
from server.table.history import History
from server.table.origins import PlayerOrigins
from server.table.refusals import wrong_phase
from server.table.seat_requests import SeatRequests
from server.table.state import TableState
from server.table.timeouts import bots_to_ask, entries_due, entries_of_choice

Work: TypeAlias = Callable[[float], list[Effect]]
MOST_CAUSED = 64
"""So many entries of bots are put down to one command: more than a trick has, less than a match."""


class Table:
    """The actor; `state` is always the committed one, `described` a described game's source.

    `is_watched` returns whether anybody without a seat follows the table, and `origins_of` the
    origins of a player's connections (`Origins`).
    """

    def __init__(
        self,
        code: str,
        decider: Decider,
        state: TableState,
        history: History,
        timing: Timing,
        described: DescribedGame | None = None,
        is_watched: Callable[[], bool] = lambda: False,
        origins_of: Callable[[str], Collection[str]] = lambda player: (),
    ) -> None:
        self.code = code
        self.described = described
        self.game: AnyGame = GuardedGame.of(decider.game)
        self.state = state
        self.history = history
        self.clocks = Clocks(timing)
        self.origins = PlayerOrigins(origins_of)
        self.seat_requests = SeatRequests(code, decider, self.origins)
        self.first_spectator = FirstSpectator(code, is_watched)
        self._decider = decider
        self.cause: CommandKey | None = None
        """The command after which bots play on now, as `caused` says."""
        self._cause_seq = 0
        self.last_info: tuple[object, WireForm] | None = None
        """What `server.table.messages.info_at` made last, and of what."""
        # What `_tick` found last, until anything else is done: every move asks again at once.
        self._due: float | None = None
        self._knows_due = False
        self._pending: Advance | None = None
        self._mailbox: deque[tuple[Work, CommandKey | None]] = deque()

    @property
    def busy(self) -> bool:
        """Whether a write is in progress or waits."""
        return self._pending is not None or bool(self._mailbox)

    @property
    def may_be_undone(self) -> bool:
        """Whether moves could be taken back now, or after the write in progress."""
        pending = self._pending
        begins = pending is not None and pending.state.undo_points is not None
        return begins or self.state.undo_points is not None

    def due(self) -> float | None:
        """Return when to call `tick` next; None if only a command can change anything."""
        due = self._due if self._knows_due else self.clocks.due(self.state)
        asked = self.seat_requests.due() if self.seat_requests.requests else None
        return due if asked is None else asked if due is None else min(due, asked)

    # What comes in

    def command(
        self, command: TableCommand, player: Player, key: CommandKey, now: float
    ) -> list[Effect]:
        """Handle a player's command, whose one answer comes now or when it is committed."""
        if self._pending is not None:
            self._mailbox.append((partial(self.command, command, player, key), key))
            return []
        self._knows_due = False
        try:
            if self.clocks.stopped and self.state.phase != "closed":
                raise wrong_phase("stopped")
            if isinstance(command, Act):
                bodies = self._decider.move(self.state, command, player)
            elif isinstance(command, StandIn):
                seat = command.seat
                bodies = self._decider.stand_in(self.state, seat, player, self.clocks, now)
            else:
                # No move concerns players who ask to be let in.
                away = self.clocks.is_away
                own = self.seat_requests.command(command, player, key, self.state, away, now)
                if own is not None:
                    return own.effects + (self._write(own.bodies, key, now) if own.bodies else [])
                bodies = self._decider.decide(self.state, command, player, away)
                if isinstance(command, Ready | Start):
                    bodies = self.first_spectator.noted(self.state, bodies)
            if not bodies:
                done = ok_message(key.command, self.code, self.state.seq)
                return [Answer(key, done, record=True, vain=True)]
            return self._write(bodies, key, now)
        except Exception as error:
            return self._do(partial(self._failed_command, command, player, key, error), key, now)

    def caused(self, entries: Sequence[Entry]) -> CommandKey | None:
        """Return the command that caused the entries being written, directly or through bots.

        The moves of bots are attributed to the last command, for `MOST_CAUSED` entries; entries
        caused by time alone are not.
        """
        last = entries[-1]
        if last.key is not None:
            self.cause, self._cause_seq = last.key, last.seq
        elif last.seq - self._cause_seq > MOST_CAUSED or not _is_bots(last.body):
            self.cause = None
        return self.cause

    def create(self, first: Advance, key: CommandKey, now: float) -> list[Effect]:
        """Write the first entries of a new table, which are applied already."""
        return self._do(partial(self._persist, first), key, now)

    def player_connected(self, player: str, now: float) -> list[Effect]:
        """Record that a player's connection follows the table: they play their seat themselves."""
        return self._when_idle(partial(self._player_connected, player), None, now)

    def player_disconnected(self, player: str, now: float) -> list[Effect]:
        """Record that a player's connection is gone; after a while a bot plays for them."""
        return self._when_idle(partial(self._player_disconnected, player), None, now)

    def remove_player(self, player: str, now: float) -> list[Effect]:
        """Take a player's seat away, if they have one; in a match a bot plays on."""
        return self._when_idle(partial(self._give_up_seat, player), None, now)

    def close(self, now: float) -> list[Effect]:
        """Close the table for an administrator."""
        return self._when_idle(self._close, None, now)

    def watch(self, player: str, key: CommandKey | None, now: float) -> list[Effect]:
        """Send a table that `may_be_undone` to a player without a seat, which ends that.

        `key` names their command, if there is one.
        """
        return self._when_idle(partial(self._watch, Newcomer(player, key)), key, now)

    def evict(self, now: float) -> list[Effect]:
        """Close the table if it is deserted, to make room for another."""
        return self._when_idle(self._evict, None, now)

    def request_withdrawn(self, player: str, now: float) -> list[Effect]:
        """End the request of a player who is gone, or has left."""
        return self._when_idle(
            lambda at: self.seat_requests.withdrawn(player, self.state, at), None, now
        )

    def leaves(self, now: float) -> list[Effect]:
        """End requests, as the table goes to another node. No write is in progress."""
        return self.seat_requests.forgotten(self.state, now)

    def tick(self, now: float) -> list[Effect]:
        """Do what is due: expire, pause, take over, time out, let a bot move."""
        return [] if self.busy else self._do(self._tick, None, now)

    def bot_chose(self, ask: AskBot, action: Action, strength: int, now: float) -> list[Effect]:
        """Make the move that a bot of `strength` has chosen, if its question is still open."""
        return self._when_idle(partial(self._bot_chose, ask, action, strength), None, now)

    def committed(self, error: Exception | None, now: float) -> list[Effect]:
        """Finish the batch in progress, which is on the disk or could not be written."""
        batch, self._pending = self._pending, None
        assert batch is not None, "nothing was being written"
        effects = self._stored(batch, now) if error is None else self._not_stored(batch, now)
        return effects + self._next(now)

    def write_failed(self, error: Exception, now: float) -> list[Effect]:
        """Handle an error of the server before the batch in progress reached the store."""
        batch, self._pending = self._pending, None
        assert batch is not None, "nothing was being written"
        effects = self._raised(error, batch.entries[-1].key, now) + self.first_spectator.failed()
        if isinstance(error, RulesFailed) and isinstance(batch.entries[-1].body, Acted):
            effects += self.stop(error, now)
        return effects + self._next(now)

    def stop(self, error: RulesFailed, now: float) -> list[Effect]:
        """Stop a match whose rules have failed, and close the table when it is idle."""
        if self.clocks.stopped:
            return []
        self.clocks.stop()
        closing = [] if self._pending is not None else self._do(self._tick, None, now)
        return [LogError(error.error, rules=True), *closing]

    def asking_failed(self, error: Exception, now: float) -> list[Effect]:
        """Ask a bot again after a moment, as an error of the server prevented it."""
        return self._raised(error, None, now)

    # What it does

    def _when_idle(self, work: Work, key: CommandKey | None, now: float) -> list[Effect]:
        if self._pending is not None:
            self._mailbox.append((work, key))
            return []
        return self._do(work, key, now)

    def _next(self, now: float) -> list[Effect]:
        """Handle the waiting items of the mailbox, then the work that is due."""
        effects: list[Effect] = []
        while self._mailbox and self._pending is None:
            effects += self._do(*self._mailbox.popleft(), now)
        if self._pending is None:
            effects += self._do(self._tick, None, now)
        return effects

    def _do(self, work: Work, key: CommandKey | None, now: float) -> list[Effect]:
        """Do one item of work; an exception in it affects this item only.

        `key` names the command that requested it, if any.
        """
        self._knows_due = False
        try:
            return work(now)
        except Exception as error:
            return self._raised(error, key, now)

    def _raised(self, error: Exception, key: CommandKey | None, now: float) -> list[Effect]:
        """Report an unexpected exception, and answer the command for which it was raised."""
        if key is None:
            # What was due is still due, and is tried again after a moment.
            self._knows_due = False
            self.clocks.retry(now)
        return failed_work(self.game.info.title, key, error)

    def _failed_command(
        self, command: TableCommand, player: Player, key: CommandKey, error: Exception, now: float
    ) -> list[Effect]:
        """Return the effects of an exception in handling a command: mostly a refusal."""
        effects, fault = failed_command(self.game, self.state, command, player, key, error)
        return effects if fault is None else effects + self.stop(fault, now)

    def _write(self, bodies: list[Body], key: CommandKey | None, now: float) -> list[Effect]:
        """Apply `bodies` to a copy of the table and send them to the disk."""
        entries = entries_after(self.state.seq, bodies, key, now)
        return self._persist(advance(self.game, self.state, entries), now)

    def _persist(self, batch: Advance, now: float) -> list[Effect]:
        """Send entries that are applied to a copy of the table to the disk."""
        self._pending = batch
        return [Persist(batch.entries, batch.state, batch.info)]

    def _not_stored(self, batch: Advance, now: float) -> list[Effect]:
        self.clocks.retry(now)
        return failed_write(batch.entries[-1].key) + self.first_spectator.failed()

    def _stored(self, batch: Advance, now: float) -> list[Effect]:
        before, self.state = self.state, batch.state
        effects: list[Effect] = []
        key = batch.entries[-1].key
        if key is not None:
            effects.append(Answer(key, ok_message(key.command, self.code, self.state.seq)))
        effects.append(Publish(batch.steps, batch.info))
        # Entries on the disk are answered and published even if something fails below.
        try:
            self.history.extend(before, batch.entries, batch.steps)
            self.clocks.moved_on(before, self.state, now)
            if batch.info:
                for entry in batch.entries:
                    if isinstance(entry.body, Seated | Left):
                        self.clocks.came_back(entry.body.seat)
                        self.origins.follow(before, entry.body)
                    effects += consequences(before, entry.body)
                effects += self.seat_requests.moved_on(before, self.state, now)
        except Exception as error:
            effects += self._raised(error, None, now)
        return effects + self.first_spectator.committed(self.state)

    def _watch(self, newcomer: Newcomer, now: float) -> list[Effect]:
        if self.state.undo_points is None:
            return self.first_spectator.show(newcomer, self.state)
        effects = self._write([Watched()], None, now)
        self.first_spectator.wait(newcomer)
        return effects

    def _player_connected(self, player: str, now: float) -> list[Effect]:
        seat = self.state.seat_of(player)
        if seat is None:
            return []
        self.origins.note(player)
        told: list[Effect] = [Broadcast(self.presence(seat))] if self.clocks.came_back(seat) else []
        return told + self.seat_requests.arrived(seat, self.state) + self._tick(now)

    def _give_up_seat(self, player: str, now: float) -> list[Effect]:
        seat = self.state.seat_of(player)
        if seat is None or self.state.phase == "closed":
            return []
        leaving = self._decider.leave(self.state, seat, self.clocks.is_away)
        return self._write(leaving, None, now)

    def _close(self, now: float) -> list[Effect]:
        if self.state.phase == "closed":
            return []
        return self._write([Closed("closed_by_administrator")], None, now)

    def _evict(self, now: float) -> list[Effect]:
        if self.state.phase == "closed" or self.clocks.deserted_since(self.state) is None:
            return []
        return self._write([Closed("evicted")], None, now)

    def _player_disconnected(self, player: str, now: float) -> list[Effect]:
        seat = self.state.seat_of(player)
        if seat is None or not self.clocks.went_away(seat, now):
            return []
        return [Broadcast(self.presence(seat)), *self.seat_requests.away(seat, self.state, now)]

    def _tick(self, now: float) -> list[Effect]:
        state, clocks = self.state, self.clocks
        late = self.seat_requests.tick(state, now) if self.seat_requests.requests else []
        due = clocks.due(state)
        if due is None or now < due:
            self._due, self._knows_due = due, True
            return late
        bodies = entries_due(self._decider, state, clocks, now)
        if bodies:
            return late + self._write(bodies, None, now)
        return [*late, *self._time_up(now), *bots_to_ask(state, clocks, now)]

    def _time_up(self, now: float) -> list[Effect]:
        """Tell all clients whose players' time is up, and that the host may seat a bot for them."""
        seats = self.clocks.ended(self.state, now)
        return [Broadcast(self._late(seats))] if seats else []

    def late(self) -> WireForm | None:
        """Return the notice of players whose time is up, if it was sent before; else None."""
        seats = self.clocks.late(self.state)
        return self._late(seats) if seats else None

    def _late(self, seats: Sequence[Seat]) -> WireForm:
        return {"type": "notice", "kind": "time_up", "table": self.code, "seats": seats}

    def _bot_chose(self, ask: AskBot, action: Action, strength: int, now: float) -> list[Effect]:
        bodies = entries_of_choice(self.state, ask, action, strength)
        if not bodies:
            if ask.turn == self.state.turn:
                self.clocks.unasked(ask.seat)
            return self._tick(now)
        try:
            return self._write(bodies, None, now)
        except (EngineError, RulesFailed) as error:
            # The move was offered, so the rules are at fault, and would be again: nobody can go on.
            failed = error if isinstance(error, RulesFailed) else RulesFailed("apply", error)
            return self.stop(failed, now)

    def presence(self, seat: Seat) -> WireForm:
        """Return the message that says whether the player of a seat is present."""
        away = self.clocks.is_away(seat)
        return {"type": "presence", "table": self.code, "seat": seat, "away": away}


def _is_bots(body: Body) -> bool:
    return isinstance(body, Acted) and body.by in ("bot", "stand_in")
