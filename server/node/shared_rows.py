"""What other nodes have written: this one reads it with each renewal of its lease.

their tables ─▶ the list of tables, and where players have seats
bans         ─▶ who may not be here any more
"""

from collections.abc import Callable

import structlog

from server.crossing.bans import PLAYER, banned
from server.node.removals import Removals
from server.ops.isolation import Spawn
from server.players.shared_bans import SharedBans
from server.store import CLOSED, SharedTable, Store, StoreError
from server.table.turn_clock import TurnRule
from server.tables.directory import TableDirectory
from server.tables.links import Links
from server.tables.rows import listed

log = structlog.get_logger()


class SharedRows:
    """`rule` is that of tables which do not set their own turn clock; `now` gives server time."""

    def __init__(
        self,
        store: Store,
        directory: TableDirectory,
        rule: TurnRule,
        bans: SharedBans,
        removals: Removals,
        links: Links,
        now: Callable[[], float],
        spawn: Spawn,
    ) -> None:
        self._store = store
        self._directory = directory
        self._rule = rule
        self._bans = bans
        self._removals = removals
        self._links = links
        self._now = now
        self._spawn = spawn
        self._since = 0
        self._reads = False

    def look(self) -> None:
        """Read what has changed, unless that is being done."""
        if not self._reads:
            self._reads = True
            self._spawn(self._read())

    async def _read(self) -> None:
        try:
            await self.read_tables()
            await self._read_bans()
        except StoreError as error:
            log.warning("rows_of_others_not_read", reason=str(error))
        finally:
            self._reads = False

    async def read_tables(self) -> None:
        """Learn the tables of other nodes that have changed since the last time."""
        changes = await self._store.changed_since(self._since)
        for table in changes.tables:
            self._learn(table)
        self._since = changes.since

    def _learn(self, table: SharedTable) -> None:
        code = table.row.code
        if table.row.phase == CLOSED:
            self._directory.closed_elsewhere(code)
            return
        try:
            info, players = listed(table.row, self._rule)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # Written by another program, or damaged; its node says more.
            log.warning("table_not_listed", table=code, reason=repr(error))
            return
        self._directory.learn(code, info, players, table.owner or "")

    async def _read_bans(self) -> None:
        before = set(self._bans)
        await self._bans.read_again(self._store)
        new = [ban for ban in self._bans if ban not in before]
        if not new:
            return
        now, removed = self._now(), {ban.subject for ban in new if ban.kind == PLAYER}
        for link in self._links:
            player = link.player.id
            ban = self._bans.of_player(player, now) or self._bans.of_address(link.address, now)
            if ban is not None and not link.leaving:
                self._links.expel(player, banned(ban))
                removed.add(player)
        for player in removed:
            self._removals.unseat(player)
        self._links.flush()
