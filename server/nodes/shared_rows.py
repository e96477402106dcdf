"""Reads what other nodes have written, with each renewal of this node's lease.

their tables          ─▶ the list of tables, and players' seats
tables that they gave ─▶ this node's from now on
their requests        ─▶ carried out here
"""

import structlog

from server.nodes.for_administrators import ForAdministrators
from server.nodes.taken_tables import TakenTables
from server.ops.isolation import Spawn
from server.store import CLOSED, SharedTable, Store, StoreError
from server.table.turn_clock import TurnRule
from server.tables.directory import TableDirectory
from server.tables.rows import listed

log = structlog.get_logger()


class SharedRows:
    """Reads other nodes' rows. `rule` is the turn clock of tables that do not set their own."""

    def __init__(
        self,
        store: Store,
        directory: TableDirectory,
        rule: TurnRule,
        administrators: ForAdministrators,
        taken: TakenTables,
        spawn: Spawn,
    ) -> None:
        self._store = store
        self._directory = directory
        self._rule = rule
        self._administrators = administrators
        self._taken = taken
        self._spawn = spawn
        self._since = 0
        self._begun = False
        self._reads = False
        self._failed = True
        # The tables of others whose rows say something that is not known here.
        self._unreadable: set[str] = set()

    def look(self) -> None:
        """Read the changes, unless a read is in progress."""
        if not self._reads:
            self._reads = True
            self._spawn(self._read())

    def tables(self) -> list[str] | None:
        """Return the other nodes' open tables; None if they cannot be read just now."""
        if self._reads or self._failed:
            return None
        return [*self._directory.codes_elsewhere(), *self._unreadable]

    async def _read(self) -> None:
        self._failed = True
        try:
            await self.read()
            self._failed = False
        except StoreError as error:
            log.warning("rows_of_others_not_read", reason=str(error))
        finally:
            self._reads = False

    async def read(self) -> None:
        """Read the changes since the last time, and carry out the others' requests."""
        changes = await self._store.changed_since(self._since)
        for table in changes.tables:
            self._learn(table)
        node = self._store.node
        if given := [code for code in changes.own if node is None or not node.owns(code)]:
            self._spawn(self._taken.take_given(given))
        if self._begun:
            self._administrators.requests.read(changes.requests)
        else:
            await self._administrators.players.begun(changes.requests)
            self._begun = True
        self._since = changes.since

    def _learn(self, table: SharedTable) -> None:
        code = table.row.code
        self._unreadable.discard(code)
        if table.row.phase == CLOSED:
            self._directory.closed_elsewhere(code)
            return
        try:
            info, players = listed(table.row, self._rule)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # Written by another program, or damaged; its node says more.
            log.warning("table_not_listed", table=code, reason=repr(error))
            self._unreadable.add(code)
            return
        self._directory.learn(code, info, players, table.owner or "")
