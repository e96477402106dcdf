"""The bans as the tables keep them; every gateway has a copy and is told what changes."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence

import structlog

from server.crossing.bans import Bans
from server.crossing.parcels import Banned, Unbanned
from server.store import BanKey, BanRow, Store, StoreError
from server.tables.links import Links

AT_ONCE_BYTES = 32 * 1024
"""About as many bytes of bans are sent in one batch."""
LIFTED_AT_ONCE = 256
"""Bans whose end is told in one batch."""
ROW_BYTES = 64
"""What a ban takes beside its texts."""
AGAIN_SECONDS = 0.25

log = structlog.get_logger()


class SharedBans(Bans):
    """All bans in memory; what is put or lifted waits for the gateways, too.

    `on_put` and `on_lift` are told of it for other nodes.
    """

    def __init__(self, links: Links) -> None:
        super().__init__()
        self.on_put: Callable[[BanRow], None] = _nothing
        self.on_lift: Callable[[BanKey], None] = _nothing
        self._links = links
        self._changes = 0

    def load(self, bans: Iterable[BanRow]) -> None:
        """Add all bans that are stored; gateways that are there already are told of them."""
        for ban in bans:
            super().put(ban)
        for gateway in self._links.gateways:
            self.tell(gateway)

    def put(self, ban: BanRow) -> None:
        """Add a ban, or replace the one of the same subject."""
        self.learn(ban)
        self._links.tell_gateways(Banned([ban]))
        self.on_put(ban)

    def lift(self, key: BanKey) -> bool:
        """Forget a ban; False if there is none."""
        found = self.unlearn(key)
        if found:
            self._links.tell_gateways(Unbanned([key]))
            self.on_lift(key)
        return found

    def learn(self, ban: BanRow) -> None:
        """Add a ban; whoever has made it, as another node, tells the gateways."""
        self._changes += 1
        super().put(ban)

    def unlearn(self, key: BanKey) -> bool:
        """Forget a ban of whose end another node tells the gateways; False if there is none."""
        self._changes += 1
        return super().lift(key)

    async def read_again(self, store: Store) -> None:
        """Have what is stored: another node may have changed it unheard.

        Gateways are told the difference: that node may be gone, and not have told them all.
        """
        before = None
        while before != self._changes:
            before = self._changes
            try:
                stored = await store.bans()
            except StoreError as error:
                log.warning("bans_not_read", reason=str(error))
                await asyncio.sleep(AGAIN_SECONDS)
                before = None
        known = set(self)
        gone = {_key(ban) for ban in known} - {_key(ban) for ban in stored}
        for key in gone:
            super().lift(key)
        new = [ban for ban in stored if ban not in known]
        for ban in new:
            super().put(ban)
        for bans in _parts(new):
            self._links.tell_gateways(Banned(bans))
            self._links.flush()
        for keys in _batches(sorted(gone), LIFTED_AT_ONCE):
            self._links.tell_gateways(Unbanned(keys))
            self._links.flush()

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


def _batches(keys: Sequence[BanKey], size: int) -> Iterator[list[BanKey]]:
    for start in range(0, len(keys), size):
        yield list(keys[start : start + size])


def _key(ban: BanRow) -> BanKey:
    return BanKey(ban.kind, ban.subject)


def _nothing(subject: object) -> None:
    pass
