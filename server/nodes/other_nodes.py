"""The other nodes, according to their rows in the database, which is all that they share.

Each renewal of the lease reads the rows of all nodes. So these values are half a second old at
most, as long as the database answers.
"""

import asyncio
from collections.abc import Sequence

from server.store import NodeRow
from server.store.membership import Membership


class OtherNodes:
    """The nodes other than `node`."""

    def __init__(self, node: Membership) -> None:
        self._node = node
        self._rows: dict[str, NodeRow] = {}
        self._next: asyncio.Future[None] | None = None

    def address(self, name: str) -> str:
        """Return the client address of a living node; "" if it is not known to live."""
        row = self._rows.get(name)
        return "" if row is None else row.address

    def epoch(self, name: str) -> int | None:
        """Return the epoch of another living node; None if it is not known to live."""
        row = self._rows.get(name)
        return None if row is None else row.epoch

    def lease_at(self, address: str | None) -> float:
        """Return the end of the lease of the node at an address, by the database; 0 without one."""
        return max(
            (row.expires for row in self._rows.values() if row.address == address), default=0
        )

    async def looked(self, seconds: float) -> None:
        """Wait for the next reading of the rows, at most for these seconds."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        await asyncio.wait((self._next,), timeout=seconds)

    def here(self) -> list[str]:
        """Return the names of the other nodes that live."""
        return list(self._rows)

    def staying(self) -> list[str]:
        """Return the names of the other nodes that live and take tables."""
        return [row.name for row in self._rows.values() if row.has_tables]

    def leaving(self) -> list[str]:
        """Return the names of the other nodes that live and give their tables away."""
        return [row.name for row in self._rows.values() if not row.has_tables]

    def look(self, rows: Sequence[NodeRow]) -> None:
        """Record from the rows of all nodes which others live."""
        self._rows = {row.name: row for row in rows if row.lives and row.name != self._node.name}
        before, self._next = self._next, None
        if before is not None and not before.done():
            before.set_result(None)
