"""The bans as the tables keep them; every gateway has a copy and is told what changes."""

from collections.abc import Iterable, Iterator

from server.crossing.bans import Bans
from server.crossing.parcels import Banned, Unbanned
from server.store import BanKey, BanRow
from server.tables.links import Links

AT_ONCE_BYTES = 32 * 1024
"""About as many bytes of bans are sent in one batch."""
ROW_BYTES = 64
"""What a ban takes beside its texts."""


class SharedBans(Bans):
    """All bans in memory; what is put or lifted waits for the gateways, too."""

    def __init__(self, links: Links) -> None:
        super().__init__()
        self._links = links

    def load(self, bans: Iterable[BanRow]) -> None:
        """Add all bans that are stored; gateways that are there already are told of them."""
        for ban in bans:
            super().put(ban)
        for gateway in self._links.gateways:
            self.tell(gateway)

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
        """Send all bans to a gateway that has just begun, in batches of moderate size."""
        for bans in _parts(self):
            self._links.tell_gateway(gateway, Banned(bans))
            self._links.flush()


def _parts(bans: Iterable[BanRow]) -> Iterator[list[BanRow]]:
    part: list[BanRow] = []
    size = 0
    for ban in bans:
        part.append(ban)
        size += ROW_BYTES + len(ban.subject) + len(ban.reason.encode())
        if size >= AT_ONCE_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part
