"""The access log: who came in, and who was refused, each with player and address.

Lines about one client after another could be many, and anybody can cause them. So they come at a
limited rate; what is left out is counted, and a line says how many (`lines_left_out`).
"""

from collections.abc import Callable

import structlog

from server.rate_limit import TokenBucket

log = structlog.get_logger()

LINES_PER_SECOND = 20.0
LINE_BURST = 200
ENTERING = frozenset({"hello", "create_table", "join", "watch"})
"""Commands that let a player in somewhere: their refusals are of interest to an operator."""


class AccessLog:
    """`now` gives server time in seconds.

    Addresses are those that limits count by (`server.net.addresses.limited_as`).
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._bucket = TokenBucket.full(LINES_PER_SECOND, LINE_BURST, now())
        self._left_out = 0
        self._knows_of_proxy = False
        self._knows_of_crowd = False

    def came_by_unnamed_proxy(self, address: str) -> None:
        """A client came by a proxy that the settings do not name; news once."""
        if self._knows_of_proxy:
            return
        self._knows_of_proxy = True
        log.warning(
            "proxy_not_trusted",
            address=address,
            reason="limits and bans by address take all clients of this proxy for one; "
            "if it is yours, name it with --trusted-proxies, and let it send X-Forwarded-For",
        )

    def near_address_crowded(self, address: str) -> None:
        """An address nearby has all connections that it may have: news once."""
        if self._knows_of_crowd:
            return
        self._knows_of_crowd = True
        log.warning(
            "near_address_crowded",
            address=address,
            reason="no more connections are taken from it; if it is your proxy, let it send "
            "X-Forwarded-For and name it with --trusted-proxies; if many people are behind it, "
            "raise --max-connections-per-address",
        )

    def welcomed(self, player: str, address: str, resumed: int) -> None:
        """A player has said hello and was welcomed; they resume so many tables."""
        if self._may_write():
            log.info("player_welcomed", player=player, address=address, resumed=resumed)

    def command_refused(
        self, type: str, code: str, player: str | None, address: str | None, table: str | None
    ) -> None:
        """A command was refused: news if it was to let the player in, else a detail."""
        if type in ENTERING and not self._may_write():
            return
        (log.info if type in ENTERING else log.debug)(
            "command_refused",
            message_type=type,
            code=code,
            player=player,
            address=address,
            table=table,
        )

    def connection_refused(self, reason: str, address: str) -> None:
        """A connection was refused before anybody was welcomed on it."""
        if self._may_write():
            log.info("connection_refused", reason=reason, address=address)

    def connection_cut(self, reason: str, address: str, player: str | None) -> None:
        """A connection was cut off for what it had sent too much of."""
        if self._may_write():
            log.info("connection_cut", reason=reason, address=address, player=player)

    def _may_write(self) -> bool:
        if not self._bucket.take(self._now()):
            self._left_out += 1
            return False
        if self._left_out:
            log.info("lines_left_out", count=self._left_out)
            self._left_out = 0
        return True
