"""The tables where a player has a seat: tables here, and those of other nodes from the database."""

from engine.facts import Seat
from protocol.wire_form import WireForm
from server.ops.isolation import isolated
from server.store import SharedTable, Store
from server.table.turn_clock import TurnRule
from server.tables.directory import seats_in
from server.tables.registry import TableRegistry
from server.tables.rows import listed


class OwnTableFinder:
    """Finds a player's tables. `rule` is the turn clock of tables that do not set their own."""

    def __init__(self, store: Store, tables: TableRegistry, rule: TurnRule) -> None:
        self._store = store
        self._tables = tables
        self._rule = rule

    async def of(self, player: str) -> list[tuple[Seat, WireForm]]:
        """Return a player's seats by table code, with each table's public details.

        Raises `StoreError` if they cannot be read.
        """
        seats = [
            (seat, info)
            for seat, info in self._tables.directory.seats_of(player)
            if self._tables.has(info["table"])
        ]
        for table in await self.elsewhere(player):
            # What another program wrote, or is damaged, its own node can tell.
            with isolated("table_not_listed", table=table.row.code):
                info, players = listed(table.row, self._rule)
                seats += [(seat, info) for seat in seats_in(info, players, player)]
        return sorted(seats, key=lambda each: str(each[1]["table"]))

    async def elsewhere(self, player: str) -> list[SharedTable]:
        """Return other nodes' tables with a player's seat; raise `StoreError` if unreadable.

        A process that shares its database with none has all tables itself, and does not read any.
        """
        if self._store.node is None:
            return []
        found = await self._store.seats_of(player)
        return [table for table in found if not self._tables.has(table.row.code)]
