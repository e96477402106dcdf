"""The other nodes as their rows tell: they share the database with this one, and nothing else.

Each renewal of the lease reads the rows of all nodes. So whatever is told here is half a second old
at most, as long as the database answers.
"""

import asyncio
from collections.abc import Sequence

from server.store import NodeRow
from server.store.membership import Membership


class OtherNodes:
    """The nodes beside `node`."""

    def __init__(self, node: Membership) -> None:
        self._node = node
        self._rows: dict[str, NodeRow] = {}
        self._next: asyncio.Future[None] | None = None

    def address(self, name: str) -> str:
        """Where clients reach a living node; "" if it is not known to live."""
        row = self._rows.get(name)
        return "" if row is None else row.address

    def epoch(self, name: str) -> int | None:
        """The epoch of another node that lives; None if it is not known to live."""
        row = self._rows.get(name)
        return None if row is None else row.epoch

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

    def here(self) -> list[str]:
        """The names of the other nodes that live."""
        return list(self._rows)

    def staying(self) -> list[str]:
        """The names of the other nodes that live and take tables."""
        return [row.name for row in self._rows.values() if row.has_tables]

    def leaving(self) -> list[str]:
        """The names of the other nodes that live and give their tables away."""
        return [row.name for row in self._rows.values() if not row.has_tables]

    def look(self, rows: Sequence[NodeRow]) -> None:
        """Learn from the rows of all nodes which others live."""
        self._rows = {row.name: row for row in rows if row.lives and row.name != self._node.name}
        before, self._next = self._next, None
        if before is not None and not before.done():
            before.set_result(None)
