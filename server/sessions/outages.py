"""Outages: players are told if nothing could be saved for some seconds.

well ─▶ away ─▶ for `PATIENCE_SECONDS`: everybody is told, and whoever comes in ─▶ well: told again
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from protocol.features import OUTAGES
from protocol.wire_form import WireForm
from server.ops.isolation import isolated
from server.sessions.connection import Connection
from server.sessions.registry import ConnectionRegistry

log = structlog.get_logger()

BEAT_SECONDS = 0.5
PATIENCE_SECONDS = 2.0
"""Shorter pauses are not told: tables of a lost node go on at others after about as long."""

_BEGINS: WireForm = {"type": "notice", "kind": "outage"}
_IS_OVER: WireForm = {"type": "notice", "kind": "outage_over"}


class Outages:
    """Tells all `connections` that want it of outages. `now` returns server time."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        now: Callable[[], float],
    ) -> None:
        self._connections = connections
        self._now = now
        self._since: float | None = None
        self._is_told = False

    async def run(self, why_away: Callable[[], Awaitable[str]]) -> None:
        """Look once; `why_away` returns the failing part, "" if all is well."""
        await asyncio.sleep(BEAT_SECONDS)
        self.look(await why_away())

    def look(self, why: str) -> None:
        """Record the failing part, "" for none, and tell players if that is news for them."""
        if not why:
            self._since = None
            if self._is_told:
                self._is_told = False
                log.info("outage_over")
                self._tell(_IS_OVER)
            return
        now = self._now()
        if self._since is None:
            self._since = now
        if not self._is_told and now >= self._since + PATIENCE_SECONDS:
            self._is_told = True
            log.warning("outage", reason=why)
            self._tell(_BEGINS)

    def welcomed(self, connection: Connection) -> None:
        """Tell a new connection of an outage that the others were told of."""
        if self._is_told:
            self._put(connection, _BEGINS)

    def _tell(self, notice: WireForm) -> None:
        for connection in self._connections:
            with isolated("outage_not_told"):
                self._put(connection, notice)
        self._connections.flush()

    def _put(self, connection: Connection, notice: WireForm) -> None:
        if OUTAGES in connection.features:
            connection.put(notice)
