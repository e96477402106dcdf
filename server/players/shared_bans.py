"""The bans as the tables keep them; every gateway has a copy and is told what changes."""

from server.crossing.bans import Bans
from server.crossing.parcels import Banned, Unbanned
from server.store import BanKey, BanRow
from server.tables.links import Links

AT_ONCE = 200
"""Bans in one parcel."""


class SharedBans(Bans):
    """All bans in memory; what is put or lifted waits for the gateways, too."""

    def __init__(self, links: Links) -> None:
        super().__init__()
        self._links = links

    def put(self, ban: BanRow) -> None:
        """Add a ban, or replace the one of the same subject."""
        super().put(ban)
        self._links.tell_gateways(Banned([ban]))

    def lift(self, key: BanKey) -> bool:
        """Forget a ban; False if there is none."""
        found = super().lift(key)
        if found:
            self._links.tell_gateways(Unbanned([key]))
        return found

    def tell(self, gateway: str) -> None:
        """Let all bans wait for a gateway that has just begun."""
        bans = list(self)
        for start in range(0, len(bans), AT_ONCE):
            self._links.tell_gateway(gateway, Banned(bans[start : start + AT_ONCE]))
