"""The table registry: finds every table, in memory or in the store, and wakes it when due.

A table without followers that waits for nothing but its end sleeps in the store until a command or
an alarm needs it. Tables decide (`server.table`), and `EffectRunner` carries out the effects.
"""

from collections.abc import Callable, Set
from functools import partial
from secrets import token_bytes

import structlog

from server.games.descriptions import DescribedGame, DescriptionMissing
from server.games.library import Library
from server.names import CommandKey
from server.ops.isolation import isolated
from server.ops.tracing import caused_by
from server.sessions.registry import ConnectionRegistry
from server.sessions.subscriber import Subscriber
from server.sessions.subscribers import Subscribers
from server.store import Store, StoreDamaged, StoreError, TableRow
from server.table.clocks import RETRY_SECONDS, Timing
from server.table.decide import Decider
from server.table.entries import Opened
from server.table.errors import BadLog, NewerLog
from server.table.fold import Advance, open_table
from server.table.history import History
from server.table.state import TableState
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.live_tables import LiveTables
from server.tables.loading import Loader, LoadQueue
from server.tables.log_replay import replay_log
from server.tables.rows import entry_of, listed

log = structlog.get_logger()

DAMAGED = "its log is damaged"
NEWER = "a newer version of the server has gone on with it"


class TableRegistry:
    """All open tables; those in memory are `live`. `now` returns server time."""

    def __init__(
        self,
        library: Library,
        store: Store,
        live: LiveTables,
        effects: EffectRunner,
        subscribers: Subscribers,
        connections: ConnectionRegistry,
        timing: Timing,
        now: Callable[[], float],
    ) -> None:
        self.library = library
        self.live = live
        self.directory = live.directory
        self.load_queue = LoadQueue()
        self._store = store
        self._effects = effects
        self._subscribers = subscribers
        self._connections = connections
        self._timing = timing
        self._now = now
        # Those that were another node's until a moment ago.
        self.taken: set[str] = set()
        # Told of every table that was loaded.
        self.on_load: Callable[[Table], None] = _nothing
        # Those that the database is about to say are another node's.
        self.giving: set[str] = set()
        self._damaged: dict[str, str] = {}
        self._loading = Loader(self._load)

    async def open(self) -> None:
        """Put every stored table that is not closed into the lobby; load none of them yet.

        Tables of other nodes stay theirs.
        """
        node = self._store.node
        for row in await self._store.open_tables():
            if node is None or node.owns(row.code):
                await self.include(row)

    async def include(self, row: TableRow) -> None:
        """Put a stored table into the lobby, if it is not there yet, without loading it."""
        code = row.code
        if self.has(code):
            return
        if code in self._store.found.damaged:
            log.error("table_unplayable", table=code, reason="its last entries are missing")
            self._damaged[code] = DAMAGED
            return
        try:
            self.directory.update(code, *listed(row, self._timing.rule))
        except (ValueError, KeyError, TypeError, AttributeError):
            # Written by another program, or damaged; the log decides.
            await self._load(code)
            if not self.directory.is_here(code):
                return
        # Players who sat here get time to come back before anything is closed.
        self.live.alarms.set(code, max(row.due or 0.0, self._now() + self._timing.grace))

    async def get(self, code: str) -> Table | None:
        """Return a table, loaded if it sleeps; None if there is none or its log cannot be played.

        Raises `StoreError` if the store cannot be read.
        """
        while self.sleeps(code):
            await self._loading.load(code)
        return self.live.get(code)

    def has(self, code: str) -> bool:
        """Whether this node has such a table, stored or about to be stored."""
        return self.directory.is_here(code) or code in self.live or code in self._damaged

    def knows(self, code: str) -> bool:
        """Whether a table has this code, here or elsewhere, stored or about to be stored."""
        return code in self.directory or code in self.live or code in self._damaged

    def why_damaged(self, code: str) -> str:
        """Return the error of a damaged table's log, as players are told."""
        return self._damaged[code]

    def is_damaged(self, code: str) -> bool:
        """Whether there is such a table whose log cannot be played."""
        return code in self._damaged

    def with_logs(self, codes: Set[str]) -> frozenset[str]:
        """Return those of these tables whose logs are not known to be unreadable."""
        return frozenset(codes - self._damaged.keys())

    def sleeps(self, code: str) -> bool:
        """Whether this node has such a table, but not in memory."""
        return self.directory.is_here(code) and code not in self.live

    def is_loading(self, code: str) -> bool:
        """Whether a table is being loaded."""
        return code in self._loading

    def hand_over(self, code: str, node: str) -> None:
        """Forget a table that is another node's soon; no work on it is in progress.

        It is in `giving` until the caller that stores the handover removes it.
        """
        self.giving.add(code)
        table = self.live.get(code)
        if table is not None:
            self._effects.perform(table, table.leaves(self._now()))
        self.live.release(code)
        self.directory.hand_over(code, node)

    def create(self, code: str, opened: Opened, first: Advance, key: CommandKey) -> None:
        """Open a table with its first entries; the answer comes when they are stored."""
        game, described = self.library.game(opened.game), self.library.described(opened.game)
        state = open_table(game, opened)
        history = History(game, state, keep=described is not None)
        table = self._add(code, state, history, described)
        self._effects.perform(table, table.create(first, key, self._now()))

    def disconnected(self, connection: Subscriber, present: bool) -> None:
        """Forget a closed connection; its player is away unless `present` on another."""
        player = connection.player.id
        for code in () if present else self.live.drop_requests(player):
            with isolated("going_failed", table=code):
                self.withdraw(code, player)
        followed = connection.tables
        for code in followed:
            with isolated("going_failed", table=code):
                self._subscribers.of(code).remove(connection)
        # Of several connections the last one may have followed none of the player's tables.
        for code in () if present else {*followed, *self.directory.tables_of(player)}:
            with isolated("going_failed", table=code):
                table = self.live.get(code)
                if table is not None:
                    self._effects.perform(table, table.player_disconnected(player, self._now()))

    def withdraw(self, code: str, player: str) -> None:
        """End a player's request to join a table."""
        table = self.live.get(code)
        if table is not None:
            self._effects.perform(table, table.request_withdrawn(player, self._now()))

    def remove_player(self, table: Table, player: str) -> None:
        """Take a player's seat away; in a match a bot plays on."""
        self._effects.perform(table, table.remove_player(player, self._now()))

    def close(self, table: Table) -> None:
        """Close a table for an administrator."""
        self._effects.perform(table, table.close(self._now()))

    def unfollow(self, table: Table, connection: Subscriber) -> None:
        """Let a spectator leave; a seat they got in the meantime is given up, too."""
        self._subscribers.unsubscribe(table.code, connection, "left")
        # While the answer was stored, the table may have gone to sleep.
        if self.live.get(table.code) is table:
            self._effects.perform(table, table.remove_player(connection.player.id, self._now()))

    def tick(self) -> None:
        """Do what is due at the tables in memory; queue sleeping tables to be loaded."""
        for code in tuple(self.live.alarms.ring(self._now())):
            table = self.live.get(code)
            if table is None:
                self.load_queue.put(code)
                continue
            with caused_by(table.cause):
                try:
                    self._effects.perform(table, table.tick(self._now()))
                except Exception:
                    log.exception("tick_failed", table=code)
                    self.live.alarms.set(code, self._now() + RETRY_SECONDS)

    async def wake_one(self) -> None:
        """Load the table that is first in line, and do what is due there."""
        code = self.load_queue.take()
        try:
            table = await self.get(code)
            if table is not None:
                self._effects.perform(table, table.tick(self._now()))
        except Exception:
            # A fault of one table, or a short one of the disk, must not stop the other tables.
            log.exception("tick_failed", table=code)
            self.live.alarms.set(code, self._now() + RETRY_SECONDS)

    def _add(
        self, code: str, state: TableState, history: History, described: DescribedGame | None
    ) -> Table:
        game = self.library.game(state.game)
        decider = Decider(game, partial(token_bytes, 32), self._timing.rule)
        table = Table(
            code,
            decider,
            state,
            history,
            self._timing,
            described,
            is_watched=lambda: self._subscribers.spectators(code) > 0,
            origins_of=self._connections.origins_of,
        )
        self.live.add(table)
        return table

    async def _load(self, code: str) -> None:
        """Load a table into memory; if its log cannot be played, mark it as damaged."""
        try:
            stored = await self._store.load(code)
        except StoreDamaged as error:
            self._give_up(code, error)
            return
        try:
            entries = [] if stored is None else [entry_of(row) for row in stored[1]]
            described = await self._described("" if stored is None else stored[0].game)
            state, history = await replay_log(self.library, entries, keep=described is not None)
        except StoreError:
            raise
        except Exception as error:
            self._give_up(code, error)
            return
        table = self._add(code, state, history, described)
        table.clocks.loaded(state, entries[-1].at, self._now())
        # An `admit` from before a restart must not admit a new player: the numbers go on from the
        # clock, which counts faster than players can ask.
        table.seat_requests.number_from(int(self._now() * 1000))
        self.live.update_directory(table)
        self.on_load(table)

    async def _described(self, game: str) -> DescribedGame | None:
        """Return the described game of a stored table; None for a native game."""
        try:
            return await self.library.load_stored(game)
        except DescriptionMissing as error:
            raise BadLog(str(error)) from None

    def _give_up(self, code: str, error: Exception) -> None:
        """Mark a table as damaged: its log cannot be played, for whatever reason."""
        log.error("table_unplayable", table=code, exc_info=error)
        self._damaged[code] = NEWER if isinstance(error, NewerLog) else DAMAGED
        self.directory.remove(code)
        self.live.alarms.drop(code)


def _nothing(table: Table) -> None:
    pass
