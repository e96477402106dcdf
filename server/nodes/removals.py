"""Takes away the seats of players whom an administrator of any node has removed.

This includes tables without an owner, or on their way between nodes: their next node does it.
"""

from collections.abc import Callable, Collection
from contextlib import suppress

from server.ops.isolation import Spawn
from server.players.bans import Bans
from server.sessions.registry import ConnectionRegistry
from server.store import Store, StoreError, Write
from server.table.table import Table
from server.tables.registry import TableRegistry

REMEMBERED_SECONDS = 15.0
"""Longer than a table is between two nodes, one of which was killed."""


class Removals:
    """Takes seats away. `now` returns server time."""

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        bans: Bans,
        now: Callable[[], float],
        spawn: Spawn,
    ) -> None:
        self._store = store
        self._connections = connections
        self._tables = tables
        self._bans = bans
        self._now = now
        self._spawn = spawn
        # Until when it is remembered that a player was removed.
        self._removed: dict[str, float] = {}

    async def unseat(self, players: Collection[str]) -> list[tuple[str, str]]:
        """Take players' seats away at all tables here, and at those that arrive soon.

        Returns each player and table for which that failed.
        """
        self._remember(players)
        directory, told = self._tables.directory, list[Table]()
        seats = [
            (player, code)
            for player in players
            for code in sorted(directory.tables_of(player))
            if self._tables.has(code)
        ]
        for player, code in seats:
            with suppress(StoreError):
                if (table := await self._tables.get(code)) is not None:
                    self._tables.remove_player(table, player)
                    self._connections.flush()
                    told.append(table)
        # Only now: one wait for the disk is then enough for many tables.
        for table in told:
            with suppress(StoreError):
                await self.stored(table)
        return [
            (player, code)
            for player, code in seats
            if self._tables.has(code) and not self._tables.is_damaged(code)
            if directory.sits(player, code)
        ]

    async def stored(self, table: Table) -> None:
        """Wait until a table's changes are on the disk, or have failed."""
        self._connections.flush()
        while table.busy:
            # Writes are made in order: when this one is done, all before it are.
            await self._store.save(Write())

    def _remember(self, players: Collection[str]) -> None:
        """Remember players whose seats may be at tables that other nodes have now."""
        if self._store.node is not None:
            now = self._now()
            self._removed = {who: until for who, until in self._removed.items() if until > now}
            self._removed |= dict.fromkeys(players, now + REMEMBERED_SECONDS)

    def taken(self, code: str) -> None:
        """Load a table that another node had, if a removed player sits there."""
        now, players = self._now(), self._tables.directory.players_at(code)
        if any(self._is_removed(player, now) for player in players):
            self._spawn(self._load(code))

    async def _load(self, code: str) -> None:
        await self._tables.get(code)
        self._connections.flush()

    def look_at(self, table: Table) -> None:
        """Remove removed players from a taken table that was loaded."""
        now = self._now()
        for seat in table.state.humans():
            player = table.state.chairs[seat].player
            if player is not None and self._is_removed(player, now):
                self._tables.remove_player(table, player)

    def _is_removed(self, player: str, now: float) -> bool:
        banned = self._bans.of_player(player, now) is not None
        return banned or self._removed.get(player, 0.0) > now
