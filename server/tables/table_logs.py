"""The requested logs of tables, replayed and cached for a while.

A log is read from the store, that of a closed table too, and replayed one entry after the other, at
most a quarter of the time. One log is replayed at a time; a bounded number of players wait, each
with one question. A replayed log is cached, so that the next page costs only its own size.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Set
from contextlib import contextmanager
from time import perf_counter

from engine.errors import EngineError
from protocol.to_server import Log
from protocol.wire_form import WireForm, question_form, view_form
from server.games.descriptions import DescriptionMissing
from server.games.legends import legend_of
from server.games.library import Library
from server.names import Player
from server.refusals import refusal
from server.store import EntryRow, Store
from server.table.clocks import Clocks, Timing
from server.table.entries import Opened
from server.table.errors import BadLog
from server.table.fold import advance, open_table
from server.table.guarded_game import RulesFailed
from server.table.log_view import NOBODY, LogView, ViewedEntry
from server.table.messages import past_facts, shown_view
from server.table.refusals import no_such_seat
from server.tables.resting import Rests
from server.tables.rows import entry_of

MOST_KEPT = 20_000
"""Entries of the logs that are kept, but always the last log: some 20 to 60 MB."""
MOST_WAITING = 16
"""Players that may wait for a log at once."""
MOST_OF_AN_ADDRESS = 4
"""Those of them that wait at one address."""
MOST_FACTS = 600
"""Facts that a page holds, or those of one entry: some 0.1 MB."""
AGAIN_SECONDS = 1.0


class TableLogs:
    """Answers `log`. `pause` waits for a number of seconds."""

    def __init__(
        self,
        store: Store,
        library: Library,
        timing: Timing,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._library = library
        self._timing = timing
        self._pause = pause
        self._kept: OrderedDict[str, LogView] = OrderedDict()
        self._turn = asyncio.Lock()
        # By player, with the address that they asked from.
        self._waiting: dict[str, str] = {}
        self._rested_at = 0.0

    async def log(
        self, command: Log, player: Player, features: Set[str], address: str = ""
    ) -> WireForm:
        """Return a page of a table's log for this player, or raise `ProtocolError`.

        `features` are those that the client has asked for, from `address`.
        """
        with self._one_of(player, command.table, address):
            async with self._turn:
                # A crowd that wants pages has a quarter of the time, too.
                await self._rest()
                log_view = await self._log_view(command.table)
                began = perf_counter()
                page = self._page(log_view, command, player.id, features)
                now = perf_counter()
                self._rested_at = now + 3 * (now - began)
                return page

    async def view_of(self, code: str, player: Player, address: str = "") -> LogView:
        """Return the present log of a table, for callers that filter it for this player."""
        with self._one_of(player, code, address):
            async with self._turn:
                return await self._log_view(code)

    async def _rest(self) -> None:
        """Pause until all other work has had its time after the last page."""
        left = self._rested_at - perf_counter()
        if left > 0:
            await self._pause(left)

    @contextmanager
    def _one_of(self, player: Player, code: str, address: str) -> Iterator[None]:
        """Allow a player one question; refuse it if the log is damaged or too many wait."""
        of_address = sum(other == address for other in self._waiting.values())
        full = len(self._waiting) >= MOST_WAITING or of_address >= MOST_OF_AN_ADDRESS
        if player.id in self._waiting or full:
            raise refusal("try_again", "refused_logs_busy", retry_after=AGAIN_SECONDS)
        self._waiting[player.id] = address
        try:
            yield
        except (BadLog, EngineError, RulesFailed, DescriptionMissing):
            self._kept.pop(code, None)
            raise refusal("table_damaged", "refused_log_damaged") from None
        finally:
            del self._waiting[player.id]

    def _page(self, log_view: LogView, command: Log, player: str, features: Set[str]) -> WireForm:
        seats = len(log_view.state.chairs)
        if command.seat is not None and command.seat >= seats:
            raise no_such_seat(command.seat, seats)
        if log_view.is_shut(player):
            raise refusal("forbidden", "refused_not_watchable")
        entries: list[WireForm] = []
        facts = 0
        for entry in log_view.told(player, command.seat, command.after):
            if len(entries) == command.size or (entries and facts + len(entry.facts) > MOST_FACTS):
                break
            facts += len(entry.facts)
            entries.append(_entry_form(entry, features))
        last = log_view.until(player)
        after = min(command.after, last)
        page: WireForm = {
            "type": "log",
            "id": command.id,
            "table": log_view.code,
            "seat": _seat(log_view.viewer(after, player, command.seat)),
            "last": last,
            "info": log_view.info_at(after),
            "entries": entries,
        }
        # What belongs to the game is the same on every page.
        return {**page, **legend_of(log_view.game.info).form} if command.after == 0 else page

    async def _log_view(self, code: str) -> LogView:
        """Return the present log of a table, replaying only its new entries."""
        log_view = self._kept.get(code)
        rows = await self._store.entries(code, 0 if log_view is None else len(log_view))
        if log_view is None and not rows:
            raise refusal("unknown_table", "refused_no_log", {"table": code})
        log_view = await self._played(code, log_view, rows)
        self._kept[code] = log_view
        self._kept.move_to_end(code)
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > MOST_KEPT:
            self._kept.popitem(last=False)
        return log_view

    async def _played(self, code: str, log_view: LogView | None, rows: list[EntryRow]) -> LogView:
        rests = Rests(self._pause)
        for row in rows:
            entry = entry_of(row)
            if log_view is None:
                if not isinstance(entry.body, Opened) or entry.seq != 1:
                    raise BadLog("a log begins with entry 1, 'opened'")
                described = await self._library.load_stored(entry.body.game)
                game = self._library.game(entry.body.game)
                state = open_table(game, entry.body)
                log_view = LogView(code, game, state, Clocks(self._timing), described)
            if entry.seq != len(log_view) + 1:
                raise BadLog(f"entry {entry.seq} follows entry {len(log_view)}")
            log_view.add(entry, advance(log_view.game, log_view.state, (entry,)))
            await rests.rest()
        assert log_view is not None, "there is a first row"
        return log_view


def _entry_form(entry: ViewedEntry, features: Set[str]) -> WireForm:
    form: WireForm = {"seq": entry.seq, "time": entry.at}
    if entry.viewer == NOBODY:
        form["hidden"] = True
    if entry.facts:
        form["facts"] = past_facts(entry.facts, features)
    if entry.info is not None:
        form["info"] = entry.info
    form["question"] = question_form(entry.turn, entry.to_act)
    if entry.then != entry.viewer:
        form["seat"] = _seat(entry.then)
        form["changed"] = True
    if entry.view is not None:
        form["view"] = view_form(shown_view(entry.view, features))
    return form


def _seat(viewer: int) -> int | None:
    return viewer if viewer >= 0 else None
