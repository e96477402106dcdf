"""Adds tables of other nodes to those of this one, and sends them to their players.

The players may be connected already, and know an older state. So each gets a snapshot as soon as
the table is loaded, without a command.
"""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from server.events.publisher import Publisher
from server.nodes.removals import Removals
from server.ops.isolation import isolated
from server.sessions.registry import ConnectionRegistry
from server.store import NodeFenced, Store, StoreError, TableRow
from server.table.effects import SendSnapshot
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.registry import TableRegistry

log = structlog.get_logger()

AGAIN_SECONDS = 0.1
"""The pause after an attempt at which the database did not answer."""
SENT_AGAIN_SECONDS = 60.0
"""How long after a table was taken a client may send again what its last node has answered."""
_AWAKE = ("lobby", "playing")
"""The phases of tables at which something may be due though nobody is there."""


class TakenTables:
    """Takes tables over. `now` returns server time."""

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        effects: EffectRunner,
        removals: Removals,
        events: Publisher | None,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._connections = connections
        self._tables = tables
        self._effects = effects
        self._removals = removals
        self._events = events
        self._now = now
        # Not loaded yet since they were taken.
        self._unseen: set[str] = set()
        tables.on_load = self._show

    async def take(self, codes: Sequence[str]) -> None:
        """Add tables that the node owns, and may know already."""
        unknown = [code for code in codes if not self._tables.has(code)]
        rows = await self._rows(unknown) if unknown else []
        loop, node = asyncio.get_running_loop(), self._store.node
        for row in rows:
            # It may have gone on to another node by now.
            if node is not None and node.owns(row.code) and self._is_new(row.code):
                self._unseen.add(row.code)
                self._tables.taken.add(row.code)
                loop.call_later(SENT_AGAIN_SECONDS, self._tables.taken.discard, row.code)
                with isolated("table_not_taken", table=row.code):
                    await self._tables.include(row)
                    self._removals.taken(row.code)
        self._connections.flush()
        # Those come first that somebody waits for.
        absent: list[str] = []
        for row in rows:
            if not self._tables.sleeps(row.code):
                continue
            if any(map(self._connections.of, self._tables.directory.players_at(row.code))):
                self._tables.load_queue.put(row.code, awaited=True)
            elif row.phase in _AWAKE:
                absent.append(row.code)
        for code in absent:
            self._tables.load_queue.put(code)

    async def take_given(self, codes: Sequence[str]) -> None:
        """Add tables that this node owns according to their rows, without knowing of them."""
        node = self._store.node
        assert node is not None, "others give tables to nodes"
        try:
            await self.take(await node.take(*codes))
        except StoreError as error:
            # The node finds them by itself, if later.
            log.warning("tables_not_taken", tables=len(codes), reason=str(error))

    def _is_new(self, code: str) -> bool:
        return not self._tables.has(code) and code not in self._tables.giving

    async def _rows(self, codes: Sequence[str]) -> list[TableRow]:
        while True:
            try:
                return await self._store.open_tables(codes)
            except NodeFenced:
                return []
            except StoreError as error:
                log.warning("tables_not_read", tables=len(codes), reason=str(error))
            await asyncio.sleep(AGAIN_SECONDS)

    def _show(self, table: Table) -> None:
        """Send a loaded table to its players here, if it was taken."""
        if table.code not in self._unseen:
            return
        self._unseen.remove(table.code)
        with isolated("table_not_shown", table=table.code):
            if self._events is not None:
                self._events.taken(table)
        with isolated("table_not_shown", table=table.code):
            self._removals.look_at(table)
        for seat in table.state.humans():
            player = table.state.chairs[seat].player
            if player is not None and self._connections.of(player):
                self._effects.perform(table, [SendSnapshot(player, seat)])
                self._effects.perform(table, table.player_connected(player, self._now()))
