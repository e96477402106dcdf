"""The limits on tables, and the choice of tables to close when there is no room."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog

from server.names import Player, hashed
from server.ops.settings import Settings
from server.refusals import refusal
from server.sessions.registry import ConnectionRegistry
from server.shares import Shares
from server.store import StoreError
from server.tables.effect_runner import EffectRunner
from server.tables.registry import TableRegistry

log = structlog.get_logger()

_FIRST = {"lobby": 0, "finished": 1}
"""The order in which deserted tables are closed, by phase: a match that was begun comes last."""


class TableLimits:
    """Enforces the limits on tables. `now` returns server time in seconds."""

    def __init__(
        self,
        settings: Settings,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        effects: EffectRunner,
        now: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._connections = connections
        self._tables = tables
        self._effects = effects
        self._now = now
        self._shares = Shares(settings.max_tables)
        self._started = now()
        self._closing: set[str] = set()
        # Those that have a place already and are not stored yet, and those of them not even opened.
        self._coming: set[str] = set()
        self._reserved: set[str] = set()

    def may_open(self, player: Player, address: str, held: int) -> None:
        """Refuse another table to a player or an address at the limit.

        The player has `held` seats at tables of other nodes.
        """
        self._forget_those_not_stored()
        openers = self._tables.directory.openers
        has = len(openers.opened_by(hashed(address)))
        limit = self._settings.max_tables_per_address
        if limit is None:
            above = sum(many * self._shares.above(size) for size, many in openers.sizes.items())
            too_many = not self._shares.may_have_more(has, above)
        else:
            too_many = 0 < limit <= has
        if too_many:
            raise refusal("too_many_tables", "refused_tables_opened", {"count": has})
        waiting = self._settings.max_lobby_tables_per_address
        if waiting and self._waiting_at(address) >= waiting:
            raise refusal("too_many_tables", "refused_tables_waiting", {"most": waiting})
        self.may_sit(player, held)

    @asynccontextmanager
    async def place_for(self, code: str, address: str) -> AsyncIterator[None]:
        """Reserve a place for a table that is opened in the block; it is free again on failure."""
        self._tables.directory.openers.note(code, hashed(address))
        self._coming.add(code)
        self._reserved.add(code)
        try:
            await self._make_room()
            yield
        finally:
            self._reserved.discard(code)

    def is_reserved(self, code: str) -> bool:
        """Whether a table that is being opened has this code."""
        return code in self._reserved

    def may_sit(self, player: Player, held: int) -> None:
        """Refuse a seat to a player at the limit, including pending and requested seats.

        The player has `held` seats at tables of other nodes.
        """
        limit = self._settings.max_tables_per_player
        coming = self._connections.count_pending(("create_table", "join"), player.id)
        asked = self._tables.live.count_requests(player.id)
        here = sum(map(self._tables.has, self._tables.directory.tables_of(player.id)))
        if here + held + coming + asked > limit:
            raise refusal("too_many_tables", "refused_tables_held", {"most": limit})

    async def _make_room(self) -> None:
        """If the server is full, close tables where only an absent host sits, or else refuse."""
        while self._is_full():
            code = self._deserted()
            if code is None:
                raise refusal("too_many_tables", "refused_no_room")
            try:
                table = await self._tables.get(code)
            except StoreError as error:
                log.warning("table_not_evicted", table=code, reason=str(error))
                raise refusal("too_many_tables", "refused_no_room") from None
            if table is not None:
                log.info("table_evicted", table=code)
                self._closing.add(code)
                self._effects.perform(table, table.evict(self._now()))

    def _is_full(self) -> bool:
        """Whether there is no room for the tables that are being opened."""
        self._forget_those_not_stored()
        self._closing = {code for code in self._closing if self._is_closing(code)}
        there = len(self._tables.directory) - len(self._closing)
        return there + len(self._coming) > self._settings.max_tables

    def _forget_those_not_stored(self) -> None:
        """Drop reserved codes of tables that are there, were refused or could not be stored."""
        directory = self._tables.directory
        for code in self._coming - self._reserved:
            if code in directory:
                self._coming.remove(code)
            elif not self._tables.knows(code):
                self._coming.remove(code)
                directory.openers.forget(code)

    def _is_closing(self, code: str) -> bool:
        table = self._tables.live.get(code)
        return code in self._tables.directory and table is not None and table.busy

    def _deserted(self) -> str | None:
        """Return the deserted table to close first; None if there is none."""
        found: list[tuple[int, float, str]] = []
        now, grace = self._now(), self._settings.grace_seconds
        for code, phase, player in self._tables.directory.with_one_player():
            if code in self._closing or self._connections.is_here(player):
                continue
            table = self._tables.live.get(code)
            # A sleeping table was left long ago, or before the server was started.
            since = self._started if table is None else table.clocks.deserted_since(table.state)
            # A player who has just lost the connection gets time to come back to a match.
            if since is not None and (phase != "playing" or since + grace <= now):
                found.append((_FIRST.get(phase, len(_FIRST)), since, code))
        return min(found)[2] if found else None

    def _waiting_at(self, address: str) -> int:
        """Return the number of tables in the lobby phase that were opened from an address."""
        directory = self._tables.directory
        infos = [directory.info(code) for code in directory.openers.opened_by(hashed(address))]
        # Without an info yet it is about to be stored.
        return sum(info is None or info["phase"] == "lobby" for info in infos)
