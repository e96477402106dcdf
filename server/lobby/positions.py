"""Lets a finished match go on from one of its positions, at a new table with bots for practice.

The new table's log begins with the match's moves up to there, so that it is a log like any other.
Only a match whose cards everybody may see can go on: who plays on may see all of them, too.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from itertools import chain
from secrets import token_hex
from time import perf_counter
from typing import NamedTuple

from bots.roster import strength_of
from engine.catalogue import AnyGame
from engine.facts import Seat
from protocol.table_settings import TableSettings
from protocol.to_server import Position
from server.names import CommandKey, Player
from server.refusals import refusal
from server.store import Store
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
from server.table.state import TableState
from server.tables.rows import entry_of
from server.tables.table_logs import TableLogs

AT_ONCE = 0.005
"""Seconds of playing after which everything else has a turn, three times as long."""
MOST_WAITING = 4
"""The most that may wait for each other, as whoever waits keeps a place for a table."""
MOST_OF_AN_ADDRESS = 2
"""Those of them that wait at one address."""
AGAIN_SECONDS = 1.0
MOST_MOVES = 2000
"""The most moves before a position: they are stored in one write."""


class _Reached(NamedTuple):
    """The table at a position, how its match was dealt, and the moves that were not taken back."""

    state: TableState
    dealt: Dealt | None
    moves: list[Acted]


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
            log = (entry_of(row) for row in rows[: wanted.entry])
            state, dealt, moves = await self._reached(log_view.game, log)
            if dealt is None or not state.to_act:
                raise refusal("wrong_phase", "refused_position_over")
            if len(moves) > MOST_MOVES:
                raise refusal("forbidden", "refused_position_far", {"most": MOST_MOVES})
            options = dict(state.options)
            opened = Opened(state.game, state.version, len(state.chairs), options, settings)
            bodies = [opened, *_seats(state, wanted.seat, player), Started()]
            bodies += [Dealt(dealt.seed, token_hex(32), wanted.table)]
            bodies += [_repeated(move, wanted.seat) for move in moves]
            entries = entries_after(0, bodies, key, now)
            return opened, await self._folded(log_view.game, opened, entries)

    async def _reached(self, game: AnyGame, log: Iterable[Entry]) -> _Reached:
        """Play a log to its end."""
        state: TableState | None = None
        dealt: Dealt | None = None
        moves: list[tuple[int, Acted]] = []
        began = perf_counter()
        for entry in log:
            body = entry.body
            if state is None:
                assert isinstance(body, Opened), "the log has been read before"
                state = open_table(game, body)
            match body:
                case Started():
                    dealt, moves = None, []
                case Dealt():
                    dealt = body
                case Acted():
                    moves.append((state.turn, body))
                case Undone():
                    moves = [(turn, move) for turn, move in moves if turn < body.turn]
            state = advance(game, state, (entry,)).state
            began = await self._rest(began)
        assert state is not None, "a position has a number from 1"
        return _Reached(state, dealt, [move for _, move in moves])

    async def _folded(self, game: AnyGame, opened: Opened, entries: tuple[Entry, ...]) -> Advance:
        """Return what `advance` would, while everything else goes on."""
        state, steps = open_table(game, opened), []
        began = perf_counter()
        for entry in entries:
            step = advance(game, state, (entry,))
            state = step.state
            steps.append(step.steps)
            began = await self._rest(began)
        return Advance(state, entries, tuple(chain.from_iterable(steps)), info=True)

    async def _rest(self, began: float) -> float:
        """Pause if enough was played since `began`; return since when it goes on."""
        took = perf_counter() - began
        if took <= AT_ONCE:
            return began
        await self._pause(3 * took)
        return perf_counter()


def _seats(state: TableState, seat: Seat, player: Player) -> list[Body]:
    """Return how the player and the bots sit down: strong ones in the places of people."""
    strong = strength_of(state.game, "strong")
    bots: list[Body] = [
        BotAdded(at, chair.strength or strong, BOT_NAMES[at % len(BOT_NAMES)])
        for at, chair in enumerate(state.chairs)
        if at != seat
    ]
    return [Seated(seat, player.id, player.name, player.program), *bots]


def _repeated(move: Acted, seat: Seat) -> Acted:
    """Return a move of the match as one at the new table."""
    if move.seat == seat:
        return Acted(move.seat, move.action)
    return Acted(move.seat, move.action, "bot", move.strength)
