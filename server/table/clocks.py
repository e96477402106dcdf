"""A table's deadlines, computed from times that callers pass.

They are not in the log. After a restart the turn starts anew with whole reserves, and all players
count as just gone, so that nobody loses a turn because the server was down.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.facts import Seat
from server.table.entries import CloseReason
from server.table.seating import heir
from server.table.state import Chair, TableState
from server.table.turn_clock import USUAL_RULE, TurnClock, TurnRule

RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Timing:
    """Times in seconds: a bot's delay, the limit of an absence, the life of idle tables.

    `rule` is the turn clock of tables that do not set their own.
    """

    bot_delay: float = 0.6
    grace: float = 30.0
    abandon: float = 3600.0
    lobby: float = 1800.0
    finished: float = 600.0
    rule: TurnRule = USUAL_RULE


class NextHost(NamedTuple):
    """The seat of the next host of a table, and the time when they become host."""

    seat: Seat
    at: float


class Clocks:
    """The deadlines of one table. All times are server time in seconds."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._turn_clock = TurnClock(timing.rule)
        self._away: dict[Seat, float] = {}
        # Present players for whom somebody at the table lets a bot play.
        self._idle: set[Seat] = set()
        self._asked: set[Seat] = set()
        self._turn_since = 0.0
        self._phase_since = 0.0
        self._rest_until = 0.0
        self._stopped = False
        # The chairs last asked about, and which of them bots play: they hardly ever change.
        self._chairs: tuple[Chair, ...] = ()
        self._bots: frozenset[Seat] = frozenset()

    # What happens to the table

    def loaded(self, state: TableState, last: float, now: float) -> None:
        """Initialise a table from the store: nobody is present, its last entry is of `last`."""
        self._start_turn(now)
        self._phase_since = last
        self._away = dict.fromkeys(state.humans(), now)

    def moved_on(self, before: TableState, after: TableState, now: float) -> None:
        """Restart the deadlines of a new turn or phase after new entries.

        By the server's rule a turn also starts anew for a player who takes a seat to move, and when
        a second person ends the time without a clock.
        """
        new_turn = after.turn != before.turn or after.phase != before.phase
        come = after.chairs is not before.chairs and self._seats_changed(before, after)
        by_rule = come and after.settings.turn_seconds is None
        anew = new_turn or by_rule or self._turn_clock.begins(before, after)
        self._turn_clock.moved_on(before, after, now, anew)
        if anew:
            self._start_turn(now)
        if new_turn:
            self._asked.clear()
        if after.phase != before.phase or after.phase == "lobby":
            self._phase_since = now

    def _start_turn(self, now: float) -> None:
        self._turn_since = now
        self._turn_clock.start(now)

    def _seats_changed(self, before: TableState, after: TableState) -> bool:
        """Record the players of the seats; return whether one took a seat from a bot to move."""
        come = False
        for seat, (old, new) in enumerate(zip(before.chairs, after.chairs, strict=True)):
            if not new.stand_in:
                self._idle.discard(seat)
                from_bot = old.played_by_bot and not new.played_by_bot
                come = come or (from_bot and seat in after.to_act)
            elif not old.stand_in and seat not in self._away:
                self._idle.add(seat)
        return come

    def went_away(self, seat: Seat, now: float) -> bool:
        """Record an absence; return False if it was known."""
        if seat in self._away:
            return False
        self._away[seat] = now
        return True

    def came_back(self, seat: Seat) -> bool:
        """End an absence; return False if there was none."""
        self._idle.discard(seat)
        return self._away.pop(seat, None) is not None

    def deserted_since(self, state: TableState) -> float | None:
        """Return since when only one absent player sits here, perhaps with bots, or None."""
        humans = state.humans()
        return self._away.get(humans[0]) if len(humans) == 1 else None

    def is_away(self, seat: Seat) -> bool:
        """Whether the player of a seat is away."""
        return seat in self._away

    @property
    def away(self) -> Collection[Seat]:
        """The seats whose players are away."""
        return self._away

    def retry(self, now: float) -> None:
        """Wait a moment after a failed write, then ask all bots again."""
        self._rest_until = now + RETRY_SECONDS
        self._asked.clear()

    def unasked(self, seat: Seat) -> None:
        """Allow the bot of a seat to be asked again, as its move came too late."""
        self._asked.discard(seat)

    def stop(self) -> None:
        """Stop a match that failed by a fault of the rules; the table is to be closed."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    # What is due

    def due(self, state: TableState) -> float | None:
        """Return the next deadline without further events; None if there is none."""
        if self._stopped:
            return None if state.phase == "closed" else self._rest_until
        if state.phase == "playing" and not self._away and not self._unasked(state):
            # Called three times a move; mostly all players are present and one of them thinks.
            return self._rest_until if self.returned(state) else self._turn_clock.next_end(state)
        if state.phase == "closed":
            return None
        times = list(self._deadlines(state))
        return max(min(times), self._rest_until) if times else None

    def sleep_until(self, state: TableState, now: float) -> float | None:
        """Return when a sleeping table has to be woken, if nobody connects before."""
        reason, seconds = self._life(state)
        if reason:
            return now + seconds
        return now if state.phase == "playing" else None

    def closing(self, state: TableState, now: float) -> CloseReason | None:
        """Return the reason to close the table now, if there is one."""
        if self._stopped:
            return "stopped"
        reason, seconds = self._life(state)
        return reason if reason and now >= self._phase_since + seconds else None

    def overdue(self, state: TableState, now: float) -> tuple[Seat, ...]:
        """Return the humans who have been away for longer than the grace period."""
        grace = self._timing.grace
        return tuple(s for s in state.humans() if s in self._away and now >= self._away[s] + grace)

    def next_host(self, state: TableState) -> NextHost | None:
        """Return the next host in place of an absent one; None while no present player may be.

        A program does not take a table from a person.
        """
        host = state.host_seat
        if host is None or host not in self._away:
            return None
        seat = heir(state, self.is_away)
        if seat is None or seat in self._away:
            return None
        if state.chairs[seat].program and not state.chairs[host].program:
            return None
        return NextHost(seat, self._away[host] + self._timing.grace)

    def returned(self, state: TableState) -> list[Seat]:
        """Return the humans who are present again though a bot stands in for them."""
        if not self._played_by_bots(state):
            return []
        elsewhere = self._away.keys() | self._idle if self._idle else self._away
        return [s for s, chair in enumerate(state.chairs) if chair.stand_in and s not in elsewhere]

    def resumes(self, state: TableState) -> bool:
        """Whether a player of a paused match is present again."""
        return state.phase == "paused" and any(s not in self._away for s in state.humans())

    def to_ask(self, state: TableState, now: float) -> list[Seat]:
        """Return the seats for which a bot has to choose now; its own, or one out of time."""
        due = [seat for seat in self._unasked(state) if now >= self._answer_by(state, seat)]
        self._asked.update(due)
        return due

    def seconds_left(self, state: TableState, now: float) -> float | None:
        """Return the turn's seconds left, without reserves, at least 0; None without a clock."""
        limit = state.settings.turn_seconds
        if limit is None:
            return self._turn_clock.seconds_left(state, now)
        running = limit and state.to_act and state.phase == "playing"
        return max(0.0, self._turn_since + limit - now) if running else None

    def reserves(self, state: TableState, now: float) -> tuple[int, ...]:
        """Return whole seconds of reserve, by seat; empty if the server's rule does not hold."""
        return () if state.settings.turn_seconds else self._turn_clock.reserves(state, now)

    def has_run_out(self, state: TableState, seat: Seat, now: float) -> bool:
        """Whether the time of a player to move is up, by the server's rule."""
        return self._turn_clock.has_run_out(state, seat, now)

    def ended(self, state: TableState, now: float) -> list[Seat]:
        """Return the players whose time is up, by the server's rule; each once in a turn."""
        return self._turn_clock.ended(state, now) if state.phase == "playing" else []

    def late(self, state: TableState) -> list[Seat]:
        """Return the players from `ended` who are still to move."""
        return self._turn_clock.late(state) if state.phase == "playing" else []

    def told_seconds(self, state: TableState) -> int:
        """Return the `turn_seconds` in force, as all clients are told."""
        kinds = [chair.kind for chair in state.chairs]
        return self._timing.rule.told(state.settings, state.phase, kinds)

    def _deadlines(self, state: TableState) -> Iterator[float]:
        reason, seconds = self._life(state)
        if reason:
            yield self._phase_since + seconds
        if self.returned(state) or self.resumes(state):
            yield self._rest_until
        if state.phase == "playing":
            yield from (self._answer_by(state, seat) for seat in self._unasked(state))
            end = self._turn_clock.next_end(state)
            if end is not None:
                yield end
        next_host = self.next_host(state) if self._away else None
        if next_host is not None:
            yield next_host.at
        if self._away and state.phase in ("playing", "lobby"):
            humans = state.humans()
            away = [seat for seat in humans if seat in self._away]
            yield from (
                self._away[seat] + self._timing.grace
                for seat in away
                if not state.chairs[seat].stand_in
            )
            if away and len(away) == len(humans):
                yield max(self._away[seat] for seat in away) + self._timing.grace

    def _unasked(self, state: TableState) -> list[Seat]:
        if state.settings.turn_seconds:
            return [seat for seat in state.to_act if seat not in self._asked]
        bots = self._played_by_bots(state)
        return [s for s in state.to_act if s in bots and s not in self._asked] if bots else []

    def _played_by_bots(self, state: TableState) -> frozenset[Seat]:
        if state.chairs is not self._chairs:
            self._chairs = state.chairs
            bots = [seat for seat, chair in enumerate(state.chairs) if chair.played_by_bot]
            self._bots = frozenset(bots)
        return self._bots

    def _answer_by(self, state: TableState, seat: Seat) -> float:
        if state.chairs[seat].played_by_bot:
            delay = state.settings.bot_delay
            return self._turn_since + (self._timing.bot_delay if delay is None else delay)
        return self._turn_since + (state.settings.turn_seconds or 0)

    def _life(self, state: TableState) -> tuple[CloseReason | None, float]:
        match state.phase:
            case "lobby":
                return "expired", self._timing.lobby
            case "paused":
                return "abandoned", self._timing.abandon
            case "finished":
                return "finished", self._timing.finished
            case "stopped":
                return "stopped", 0.0
            case _:
                return None, 0.0
