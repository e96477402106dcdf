"""The access log: who came in, and who was refused, each with player and address.

Anybody can cause such lines, so `server.ops.logs` writes few of each.
"""

import structlog

log = structlog.get_logger()

ENTERING = frozenset({"hello", "create_table", "join", "watch"})
"""Commands that let a player in somewhere: their refusals are of interest to an operator."""


class AccessLog:
    """Addresses are those that limits count by (`server.net.addresses.limited_as`)."""

    def __init__(self) -> None:
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
        log.info("player_welcomed", player=player, address=address, resumed=resumed)

    def command_refused(
        self, type: str, code: str, player: str | None, address: str | None, table: str | None
    ) -> None:
        """A command was refused: news if it was to let the player in, else a detail."""
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
        log.info("connection_refused", reason=reason, address=address)

    def connection_cut(self, reason: str, address: str, player: str | None) -> None:
        """A connection was cut off for what it had sent too much of."""
        log.info("connection_cut", reason=reason, address=address, player=player)
