"""The access log: welcomed and refused clients, each with player and address.

Anybody can cause such lines, so `server.ops.logs` writes few of each.
"""

import structlog

log = structlog.get_logger()

ENTERING = frozenset({"hello", "create_table", "join", "watch"})
"""Commands that let a player in somewhere: their refusals are of interest to an operator."""


class AccessLog:
    """Logs accesses, with the addresses that limits use (`server.net.addresses.limited_as`)."""

    def __init__(self) -> None:
        self._knows_of_proxy = False
        self._knows_of_crowd = False

    def came_by_unnamed_proxy(self, address: str) -> None:
        """Log once that a client came by a proxy that the settings do not name."""
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
        """Log once that a nearby address has all connections that it may have."""
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
        """Log that a player was welcomed, and the number of tables that they resume."""
        log.info("player_welcomed", player=player, address=address, resumed=resumed)

    def command_refused(
        self, type: str, code: str, player: str | None, address: str | None, table: str | None
    ) -> None:
        """Log that a command was refused, at a higher level if it was a hello."""
        (log.info if type in ENTERING else log.debug)(
            "command_refused",
            message_type=type,
            code=code,
            player=player,
            address=address,
            table=table,
        )

    def connection_refused(self, reason: str, address: str) -> None:
        """Log that a connection was refused before a welcome."""
        log.info("connection_refused", reason=reason, address=address)

    def connection_cut(self, reason: str, address: str, player: str | None) -> None:
        """Log that a connection was cut off because it had sent too much."""
        log.info("connection_cut", reason=reason, address=address, player=player)
