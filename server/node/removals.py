"""Takes away the seats of players whom an administrator of any node has removed.

Also at tables that are nobody's just then, or on their way between nodes: their next node looks.
"""

from collections.abc import Callable

from server.ops.isolation import Spawn
from server.players.shared_bans import SharedBans
from server.table.table import Table
from server.tables.registry import TableRegistry

REMEMBERED_SECONDS = 15.0
"""Longer than a table is between two nodes, one of which was killed."""


class Removals:
    """`now` gives server time; `settle` sends what waits for gateways."""

    def __init__(
        self,
        tables: TableRegistry,
        bans: SharedBans,
        now: Callable[[], float],
        settle: Callable[[], None],
        spawn: Spawn,
    ) -> None:
        self._tables = tables
        self._bans = bans
        self._now = now
        self._settle = settle
        self._spawn = spawn
        # Until when it is remembered that a player was removed.
        self._removed: dict[str, float] = {}

    def unseat(self, player: str) -> None:
        """Take a player's seats away at all tables here, and at those that come in a moment."""
        now = self._now()
        self._removed = {who: until for who, until in self._removed.items() if until > now}
        self._removed[player] = now + REMEMBERED_SECONDS
        self._spawn(self._unseat(player))

    def look_at(self, table: Table) -> None:
        """A table was another node's until now: nobody keeps a seat there who was removed."""
        now = self._now()
        for seat in table.state.humans():
            player = table.state.chairs[seat].player
            if player is not None and self._is_removed(player, now):
                self._tables.remove_player(table, player)

    def _is_removed(self, player: str, now: float) -> bool:
        banned = self._bans.of_player(player, now) is not None
        return banned or self._removed.get(player, 0.0) > now

    async def _unseat(self, player: str) -> None:
        for code in filter(self._tables.has, self._tables.directory.tables_of(player)):
            table = await self._tables.get(code)
            if table is not None:
                self._tables.remove_player(table, player)
        self._settle()
