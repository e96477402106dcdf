"""Lets a finished match go on from one of its positions, at a new table with bots for practice.

The new table's log begins with the match's moves up to there, so that it is a log like any other.
Only a match whose cards everybody may see can go on: who plays on may see all of them, too.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain
from secrets import token_hex

from bots.roster import strength_of
from engine.catalogue import AnyGame
from engine.facts import Seat
from protocol.table_settings import TableSettings
from protocol.to_server import Position
from server.names import CommandKey, Player
from server.refusals import refusal
from server.store import EntryRow, Store
from server.table.decide import BOT_NAMES
from server.table.entries import (
    Acted,
    Body,
    BotAdded,
    Dealt,
    Entry,
    Opened,
    Seated,
    Started,
    Undone,
    entries_after,
)
from server.table.fold import Advance, advance, open_table
from server.table.log_view import LogView
from server.table.refusals import no_such_seat
from server.table.state import Chair
from server.tables.resting import Rests
from server.tables.rows import entry_of
from server.tables.table_logs import TableLogs

MOST_WAITING = 4
"""The most that may wait for each other, as whoever waits keeps a place for a table."""
MOST_OF_AN_ADDRESS = 2
"""Those of them that wait at one address."""
AGAIN_SECONDS = 1.0
MOST_MOVES = 2000
"""The most moves before a position: they are stored in one write."""


class Positions:
    """Makes the first entries of tables at which finished matches go on."""

    def __init__(
        self,
        store: Store,
        logs: TableLogs,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._logs = logs
        self._pause = pause
        self._turn = asyncio.Lock()
        # The addresses of those who wait.
        self._waiting: list[str] = []

    async def opening(
        self,
        wanted: Position,
        settings: TableSettings,
        player: Player,
        key: CommandKey,
        now: float,
        address: str,
    ) -> tuple[Opened, Advance]:
        """Return how a table opens at which a player goes on, and its first entries with that.

        Raises `ProtocolError` if not everybody may see the match, or it has no such position.
        """
        log_view = await self._logs.view_of(wanted.table, player, address)
        at = wanted.entry - 1
        if at >= log_view.until(player.id) or not log_view.is_open(at, player.id):
            raise refusal("forbidden", "refused_position_closed")
        seats = len(log_view.state.chairs)
        if wanted.seat >= seats:
            raise no_such_seat(wanted.seat, seats)
        full = len(self._waiting) >= MOST_WAITING
        if full or self._waiting.count(address) >= MOST_OF_AN_ADDRESS:
            raise refusal("try_again", "refused_logs_busy", retry_after=AGAIN_SECONDS)
        self._waiting.append(address)
        try:
            return await self._opening(log_view, wanted, settings, player, key, now)
        finally:
            self._waiting.remove(address)

    async def _opening(
        self,
        log_view: LogView,
        wanted: Position,
        settings: TableSettings,
        player: Player,
        key: CommandKey,
        now: float,
    ) -> tuple[Opened, Advance]:
        async with self._turn:
            rows = await self._store.entries(wanted.table, 0)
            dealt, moves = await self._played(log_view, rows[: wanted.entry])
            then = log_view.after(wanted.entry)
            if dealt is None or not then.to_act:
                raise refusal("wrong_phase", "refused_position_over")
            if len(moves) > MOST_MOVES:
                raise refusal("forbidden", "refused_position_far", {"most": MOST_MOVES})
            game, options = log_view.state.game, log_view.info_at(wanted.entry).get("options", {})
            version, seats = log_view.state.version, len(then.seating)
            opened = Opened(game, version, seats, dict(options), settings)
            bodies = [opened, *_seats(game, then.seating, wanted.seat, player), Started()]
            bodies += [Dealt(dealt.seed, token_hex(32), wanted.table)]
            bodies += [_repeated(move, wanted.seat) for move in moves]
            entries = entries_after(0, bodies, key, now)
            return opened, await self._folded(log_view.game, opened, entries)

    async def _played(
        self, log_view: LogView, rows: Sequence[EntryRow]
    ) -> tuple[Dealt | None, list[Acted]]:
        """Return how the last match of these rows was dealt, and its moves that still hold."""
        dealt: Dealt | None = None
        moves: list[tuple[int, Acted]] = []
        start = max((at for at, row in enumerate(rows) if row.kind == "started"), default=0)
        rests = Rests(self._pause)
        for row in rows[start:]:
            match entry_of(row).body:
                case Dealt() as body:
                    dealt = body
                case Acted() as body:
                    moves.append((log_view.after(row.seq - 1).turn, body))
                case Undone() as body:
                    moves = [(turn, move) for turn, move in moves if turn < body.turn]
            await rests.rest()
        return dealt, [move for _, move in moves]

    async def _folded(self, game: AnyGame, opened: Opened, entries: tuple[Entry, ...]) -> Advance:
        """Return what `advance` would, while everything else goes on."""
        state, steps = open_table(game, opened), []
        rests = Rests(self._pause)
        for entry in entries:
            step = advance(game, state, (entry,))
            state = step.state
            steps.append(step.steps)
            await rests.rest()
        return Advance(state, entries, tuple(chain.from_iterable(steps)), info=True)


def _seats(game: str, seating: Sequence[Chair], seat: Seat, player: Player) -> list[Body]:
    """Return how the player and the bots sit down: strong ones in the places of people."""
    strong = strength_of(game, "strong")
    bots: list[Body] = [
        BotAdded(at, chair.strength or strong, BOT_NAMES[at % len(BOT_NAMES)])
        for at, chair in enumerate(seating)
        if at != seat
    ]
    return [Seated(seat, player.id, player.name, player.program), *bots]


def _repeated(move: Acted, seat: Seat) -> Acted:
    """Return a move of the match as one at the new table."""
    if move.seat == seat:
        return Acted(move.seat, move.action)
    return Acted(move.seat, move.action, "bot", move.strength)
