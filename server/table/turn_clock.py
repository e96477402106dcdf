"""The turn clock that the server's rule gives to tables with more than one person.

Each turn has its seconds, and each player a reserve for the whole match, which all players see.
Nothing happens automatically when both have run out: the host may then have a bot play for the
player. A table with `turn_seconds` of its own has no reserve, and a bot makes the move at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.facts import Seat
from protocol.table_settings import TableSettings
from server.table.state import Chair, TableState


@dataclass(frozen=True, slots=True)
class TurnRule:
    """The server's rule: `seconds` for a turn, 0 for no clock; `reserve` seconds for a match."""

    seconds: int = 120
    reserve: int = 300

    def told(self, settings: TableSettings, phase: str, kinds: Iterable[str]) -> int:
        """Return the `turn_seconds` in force at a table with seats of these kinds.

        Before the match a free seat counts as a person's, because one may sit down there.
        """
        if settings.turn_seconds is not None:
            return settings.turn_seconds
        people = ("human", "empty") if phase == "lobby" else ("human",)
        return self.seconds if sum(kind in people for kind in kinds) > 1 else 0


USUAL_RULE = TurnRule()


class TurnClock:
    """The clock of one table. All times are server time in seconds."""

    def __init__(self, rule: TurnRule) -> None:
        self.rule = rule
        self._since = 0.0
        # By player, because who leaves and joins again in the match has no new reserve.
        self._spent: dict[str, float] = {}
        self._told: set[Seat] = set()
        # The chairs and settings last asked about, and what follows from them: each move asks for
        # it several times, and they hardly ever change.
        self._chairs: tuple[Chair, ...] = ()
        self._settings: TableSettings | None = None
        self._limit = 0
        self._whole_reserves: tuple[int, ...] | None = None

    def start(self, now: float) -> None:
        """Start a turn, or give the players to move their whole time again."""
        self._since = now
        self._told.clear()

    def begins(self, before: TableState, after: TableState) -> bool:
        """Whether the rule holds now and did not before: a second person has sat down."""
        if before.chairs is after.chairs and before.settings is after.settings:
            return False
        return self.limit(before) == 0 < self.limit(after)

    def moved_on(self, before: TableState, after: TableState, now: float, anew: bool) -> None:
        """Charge the overtime of players whose time does not run on to their reserves.

        They are no longer to move, or the clock stops, or `start` is to follow (`anew`).
        """
        if after.match != before.match:
            self._spent.clear()
            self._whole_reserves = None
            return
        if now - self._since <= self.rule.seconds:
            return
        limit = self.limit(before)
        over = now - self._since - limit
        if limit and before.phase == "playing":
            runs_on = _people_asked(after) if not anew and self.limit(after) else ()
            for seat in _people_asked(before):
                if seat not in runs_on:
                    player = before.chairs[seat].player
                    self._spent[player] = self._spent.get(player, 0.0) + over
                    self._whole_reserves = None

    def limit(self, state: TableState) -> int:
        """Return the seconds for a turn by the server's rule; 0 if it does not hold here."""
        if state.chairs is not self._chairs or state.settings is not self._settings:
            self._chairs, self._settings = state.chairs, state.settings
            self._limit = self._find_limit(state)
            self._whole_reserves = None
        return self._limit

    def _find_limit(self, state: TableState) -> int:
        if state.settings.turn_seconds is not None or not self.rule.seconds:
            return 0
        people = [chair.kind for chair in state.chairs].count("human")
        return self.rule.seconds if people > 1 else 0

    def seconds_left(self, state: TableState, now: float) -> float | None:
        """Return the turn's seconds left, without any reserve; None if the clock does not run."""
        running = state.phase == "playing" and state.to_act and (limit := self.limit(state))
        return max(0.0, self._since + limit - now) if running else None

    def reserves(self, state: TableState, now: float) -> tuple[int, ...]:
        """Return whole seconds of reserve, by seat, 0 for bots; empty without the rule."""
        limit = self.limit(state)
        if not limit or not self.rule.reserve:
            return ()
        over = max(0.0, now - self._since - limit) if state.phase == "playing" else 0.0
        if over:
            return self._reserves(state, _people_asked(state), over)
        if self._whole_reserves is None:
            self._whole_reserves = self._reserves(state, [], 0.0)
        return self._whole_reserves

    def _reserves(self, state: TableState, asked: list[Seat], over: float) -> tuple[int, ...]:
        return tuple(
            int(max(0.0, self._left(chair.player) - (over if seat in asked else 0.0)))
            if chair.kind == "human"
            else 0
            for seat, chair in enumerate(state.chairs)
        )

    def has_run_out(self, state: TableState, seat: Seat, now: float) -> bool:
        """Whether a player to move has used up the turn's time and their reserve."""
        running = state.phase == "playing" and seat in _people_asked(state)
        return running and self.limit(state) > 0 and now >= self._end(state, seat)

    def next_end(self, state: TableState) -> float | None:
        """Return when the next player's time is up who was not reported yet; None without one."""
        limit = self.limit(state)
        if not limit:
            return None
        left = [
            self._left(state.chairs[seat].player)
            for seat in _people_asked(state)
            if seat not in self._told
        ]
        return self._since + limit + min(left) if left else None

    def ended(self, state: TableState, now: float) -> list[Seat]:
        """Return the players whose time is up, each once in a turn."""
        if not self.limit(state):
            return []
        seats = [s for s in _people_asked(state) if s not in self._told]
        ended = [seat for seat in seats if now >= self._end(state, seat)]
        self._told.update(ended)
        return ended

    def late(self, state: TableState) -> list[Seat]:
        """Return the players from `ended` in this turn who are still to move."""
        told = self._told
        return [s for s in _people_asked(state) if s in told] if told and self.limit(state) else []

    def _end(self, state: TableState, seat: Seat) -> float:
        return self._since + self.limit(state) + self._left(state.chairs[seat].player)

    def _left(self, player: str) -> float:
        return max(0.0, self.rule.reserve - self._spent.get(player, 0.0))


def _people_asked(state: TableState) -> list[Seat]:
    """Return the seats to move that are played by people."""
    return [seat for seat in state.to_act if not state.chairs[seat].played_by_bot]
