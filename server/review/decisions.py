"""The decisions of a seat in a stored match, found by replaying its log."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from bots.review import DecisionPoint, SeatMemory
from engine.facts import SPECTATOR, seen_by
from server.review.scope import ReviewScope
from server.store import EntryRow
from server.table.entries import Acted, Dealt, Entry, Opened, Undone
from server.table.errors import BadLog
from server.table.fold import Advance, advance, open_table
from server.table.log_view import LogView
from server.table.state import TableState
from server.tables.resting import Rests
from server.tables.rows import entry_of


class ReviewedDecision(NamedTuple):
    """The move of entry `seq`, made when question `turn` was open."""

    seq: int
    turn: int
    moment: DecisionPoint


class UndoneMoves(NamedTuple):
    """The decisions from question `turn` on do not count: their moves were taken back."""

    turn: int


class MatchDecisions:
    """An iterator over a match of a log; `done` counts the moves so far."""

    def __init__(
        self,
        log_view: LogView,
        rows: Sequence[EntryRow],
        what: ReviewScope,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.done = 0
        self._log_view = log_view
        self._rows = rows[: what.end]
        self._what = what
        self._pause = pause
        self._memory: SeatMemory | None = None

    async def found(self) -> AsyncIterator[ReviewedDecision | UndoneMoves]:
        """Yield every decision in the order of the match, and the taking back of decisions."""
        state: TableState | None = None
        game: Any = self._log_view.game
        rests = Rests(self._pause)
        for at, row in enumerate(self._rows):
            entry = entry_of(row)
            if state is None:
                if not isinstance(entry.body, Opened):
                    raise BadLog("a log begins with entry 1, 'opened'")
                state = open_table(game, entry.body)
            before = state
            step = advance(game, before, (entry,))
            state = step.state
            if at >= self._what.start:
                found = self._decision(at, entry, before, step)
                if found is not None:
                    yield found
                    rests.begin()
            await rests.rest()

    def _decision(
        self, at: int, entry: Entry, before: TableState, step: Advance
    ) -> ReviewedDecision | UndoneMoves | None:
        found: ReviewedDecision | UndoneMoves | None = None
        what, body = self._what, entry.body
        viewer = what.viewer(self._log_view, at, what.player)
        if isinstance(body, Dealt):
            seats = len(before.chairs) if what.open else 0
            self._memory = SeatMemory(self._log_view.game, before.options, what.seat, seats)
        memory = self._memory
        if isinstance(body, Acted):
            self.done += 1
            mine = body.seat == viewer == what.seat and (not what.player or body.by == "player")
            if memory is not None and body.seat == what.seat:
                moment = memory.moment(before.play, body.action)
                if mine and moment is not None:
                    found = ReviewedDecision(entry.seq, before.turn, moment)
        elif isinstance(body, Undone):
            found = UndoneMoves(body.turn)
        if memory is not None:
            # As a player is told the deal so far: what was not theirs to see, as spectators saw it.
            knows = what.seat if viewer == what.seat else SPECTATOR
            memory.see(seen_by(step.facts, knows))
        return found
