"""Finds the address of a table that this node does not have.

whose is it? ─▶ a living node's: clients go to its address
             ─▶ nobody's, or of one whose lease is over: this node takes it
             ─▶ nobody's just now: looked for again at the next look at the nodes
"""

import asyncio
from collections.abc import Callable

from server.nodes.other_nodes import OtherNodes
from server.nodes.taken_tables import TakenTables
from server.refusals import refusal
from server.store import LeaseState, Store, StoreUnavailable
from server.store.membership import Membership
from server.tables.registry import TableRegistry

LONGER_SECONDS = 2.0
"""How much longer than a lease somebody waits for a table that nobody has."""
GIVEN_SECONDS = 0.05
"""The pause before it is looked again for a table that is just being given away."""
RENEWALS = 1.5
"""By so many renewals the lease of a node has to grow until it has surely renewed it since."""


class TableFinder:
    """Finds tables at other nodes. `now` returns server time in seconds."""

    def __init__(
        self,
        node: Membership,
        store: Store,
        tables: TableRegistry,
        taken: TakenTables,
        others: OtherNodes,
        now: Callable[[], float],
    ) -> None:
        self._node = node
        self._store = store
        self._tables = tables
        self._taken = taken
        self._others = others
        self._now = now
        # A crowd that comes at once asks the database once for each table.
        self._asking: dict[str, asyncio.Future[str | None]] = {}

    async def find(self, code: str, failed: str | None = None) -> str | None:
        """Return the address of a table's other node; None if this node has it, or no node ever.

        A client that could not reach the node at the address `failed` is sent there only if the
        node has renewed its lease since. Raises `ProtocolError` if the table has no owner for too
        long, or the database does not answer, and another `StoreError` if that is damaged.
        """
        until = self._now() + self._node.lease.times.lasts + LONGER_SECONDS
        before = self._others.lease_at(failed)
        while True:
            try:
                where = await self._where(code)
            except StoreUnavailable:
                raise refusal("try_again", "refused_store") from None
            # That of a node which has just begun is not known at once.
            before = before or self._others.lease_at(failed)
            if where is None or (where and (where != failed or self._has_renewed(failed, before))):
                return where
            if self._now() >= until:
                raise refusal("try_again", "refused_unreachable")
            await self._pause(code)

    def check(self) -> None:
        """Raise `ProtocolError` while this node may not own its tables."""
        if self._node.state is not LeaseState.HELD:
            raise refusal("try_again", "refused_unsure")

    def _has_renewed(self, address: str, before: float) -> bool:
        """Whether the node at an address has renewed a lease with this end."""
        return self._others.lease_at(address) > before + RENEWALS * self._node.lease.times.renewal

    async def _pause(self, code: str) -> None:
        if code in self._tables.giving:
            await asyncio.sleep(GIVEN_SECONDS)
            return
        # Without the database there is no look.
        await self._others.looked(LONGER_SECONDS)

    async def _where(self, code: str) -> str | None:
        """Return the address of a table's node, "" without an owner; None if it is here."""
        asked = self._asking.get(code)
        if asked is not None:
            return await asyncio.shield(asked)
        asked = self._asking[code] = asyncio.get_running_loop().create_future()
        try:
            where = await self._ask(code)
        except Exception as error:
            asked.set_exception(error)
            # Perhaps nobody else waits for it.
            asked.exception()
            raise
        else:
            asked.set_result(where)
            return where
        finally:
            del self._asking[code]
            asked.cancel()

    async def _ask(self, code: str) -> str | None:
        if self._tables.has(code):
            return None
        owner = await self._store.owner(code)
        if owner is None or self._tables.has(code):
            return None
        is_mine = owner.name == self._node.name
        if owner.lives and not is_mine:
            return self._others.address(owner.name)
        leaves_it = not self._node.takes_tables and bool(self._others.staying())
        if code in self._tables.giving or (leaves_it and not (owner.lives and is_mine)):
            return ""
        await self._taken.take(await self._node.take(code))
        return None if self._tables.has(code) else ""
