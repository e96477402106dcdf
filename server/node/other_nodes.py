"""The other nodes as their rows tell: they share the database with this one, and nothing else.

Each renewal of the lease reads the rows of all nodes. So whatever is told here is half a second old
at most, as long as the database answers.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from server.bus.bus import BusError, Failure
from server.crossing.encoding import Message
from server.crossing.neighbours import AmongNodes
from server.crossing.parcels import Leaving
from server.store import NodeRow
from server.store.membership import Membership
from server.tables.links import Links

PATIENCE_SECONDS = 10.0
"""So long, beyond a lease, players stay connected while the database does not answer. It may be
away for all nodes, which nobody can tell."""


class OtherNodes:
    """The nodes beside `node`, whose connections are `links`.

    `looked` is called after each look at their rows.
    """

    patience = PATIENCE_SECONDS

    def __init__(self, node: Membership, links: Links, looked: Callable[[], None]) -> None:
        self.on_unseat: Callable[[str], None] = lambda player: None
        self._node = node
        self._links = links
        self._told = looked
        self._rows: dict[str, NodeRow] = {}
        self._next: asyncio.Future[None] | None = None
        node.on_look = self._look

    def address(self, name: str) -> str:
        """Where clients reach a living node; "" if it is not known to live."""
        row = self._rows.get(name)
        return "" if row is None else row.address

    def lease_at(self, address: str | None) -> float:
        """Until when the living node at an address has its lease, by the database; 0 if none is."""
        return max(
            (row.expires for row in self._rows.values() if row.address == address), default=0
        )

    async def looked(self, seconds: float) -> None:
        """Return after the next look at the rows, or after so many seconds without one."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        await asyncio.wait((self._next,), timeout=seconds)

    # What `Others` promises

    def met(self) -> list[str]:
        """The names of the other nodes that live."""
        return list(self._rows)

    def here(self) -> list[str]:
        """The names of the other nodes that live."""
        return list(self._rows)

    def staying(self) -> list[str]:
        """The names of the other nodes that live and take tables."""
        return [row.name for row in self._rows.values() if row.has_tables]

    def leaving(self) -> list[str]:
        """The names of the other nodes that live and give their tables away."""
        return [row.name for row in self._rows.values() if not row.has_tables]

    def leave(self) -> None:
        """The row of this node says it from its next renewal on."""

    def stay(self) -> None:
        """The row of this node says it from its next renewal on."""

    def leave_to_others(self) -> None:
        """Have all connections closed: clients find whoever has this node's tables then."""
        self._links.tell_gateways(Leaving())
        self._links.flush()

    def come_back(self) -> None:
        """The row of this node says it."""

    def give(self, node: str, codes: Iterable[str]) -> None:
        """Another node finds its new tables in their rows, or when a client asks for them."""

    def unseat(self, player: str) -> None:
        """Take away a player's seats here; other nodes do so for players who are banned."""
        self.on_unseat(player)

    async def ask(self, node: str, request: AmongNodes, seconds: float) -> Message:
        """`BusError`: nodes ask each other nothing."""
        raise BusError(Failure.LOST)

    def close(self) -> None:
        """The lease that is given back says it."""

    def _look(self, rows: Sequence[NodeRow]) -> None:
        self._rows = {row.name: row for row in rows if row.lives and row.name != self._node.name}
        before, self._next = self._next, None
        if before is not None and not before.done():
            before.set_result(None)
        self._told()
