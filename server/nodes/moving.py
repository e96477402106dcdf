"""Moves a node's tables to other nodes, one by one, also in the middle of a deal.

the table is quiet ─▶ this node forgets it ─▶ the database says whose it is ─▶ those who follow it
are told
"""

import asyncio
from typing import NamedTuple

import structlog

from server.nodes.admin_errors import NOT_DRAINED, AdminError
from server.nodes.moving_clients import MovingClients
from server.nodes.other_nodes import OtherNodes
from server.nodes.taken_tables import TakenTables
from server.ops.isolation import isolated
from server.rendezvous import heir
from server.sessions.registry import ConnectionRegistry
from server.store import Deletion, GivenTable, Store, StoreError, Write
from server.store.membership import Membership
from server.tables.registry import TableRegistry

log = structlog.get_logger()

LOOK_SECONDS = 2.0
"""So long a node that is about to stop waits for news of others, if it knows of none."""
AGAIN_SECONDS = 0.1
"""The pause after a table could not be given away, or while there is nobody to give it to."""


class Departure(NamedTuple):
    """A number of tables that move to a number of `others`."""

    tables: int
    others: int


class Moving:
    """Gives away tables of `node`."""

    def __init__(
        self,
        node: Membership,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        taken: TakenTables,
        neighbours: OtherNodes,
        clients: MovingClients,
    ) -> None:
        self._node = node
        self._store = store
        self._connections = connections
        self._tables = tables
        self._taken = taken
        self._neighbours = neighbours
        self._clients = clients
        self.drains = False
        """Whether this node gives its tables away, or has given them, and takes none."""
        self._for_good = False
        self._drain: asyncio.Task[None] | None = None
        self._balance: asyncio.Task[None] | None = None

    @property
    def left(self) -> int:
        """The number of tables that are still here."""
        return sum(1 for _ in self._tables.directory)

    def drained(self) -> list[str]:
        """The names of the living nodes that give their tables away, or have."""
        own = [self._node.name] if self.drains else []
        return sorted([*own, *self._neighbours.leaving()])

    def begin(self, *, for_good: bool = False) -> Departure:
        """Begin to `drain`, if another node can take the tables; return the number to move.

        A process that ends drains `for_good`, which `undrain` cannot stop.
        """
        self._for_good = self._for_good or for_good
        others = len(self._neighbours.staying())
        if others:
            self.drain()
        return Departure(self.left, others)

    async def end(self) -> None:
        """Give all tables away for good, if another node can take them, and wait for it.

        A node that has started a moment ago is seen with the next look.
        """
        if not self._neighbours.staying():
            await self._neighbours.looked(LOOK_SECONDS)
        if self.begin(for_good=True).others:
            await self.drain()

    def balance(self) -> Departure:
        """Begin to give each other node its share; return the number of tables to move.

        The share of a node is what it would have taken, had it been there. A node that gives all
        away has none.
        """
        others = self._neighbours.staying()
        codes = [code for code in self._tables.directory if self._falls_to(code) in others]
        idle = self._balance is None or self._balance.done()
        if codes and idle and not self.drains:
            log.info("node_balances", node=self._node.name, tables=len(codes))
            self._balance = asyncio.get_running_loop().create_task(self._give_some(codes))
        return Departure(0 if self.drains else len(codes), len(others))

    def drain(self) -> "asyncio.Task[None]":
        """Take no more tables and give all away; return the task that does so."""
        if not self.drains:
            log.info("node_drains", node=self._node.name, tables=self.left)
            self.drains = True
            self._node.stop_taking()
        if self._drain is None or self._drain.done():
            self._drain = asyncio.get_running_loop().create_task(self._give_all())
        return self._drain

    def undrain(self) -> None:
        """Take tables again, and give no more away; those that have left stay elsewhere."""
        if self._for_good:
            raise AdminError(NOT_DRAINED, f"node {self._node.name!r} is about to stop")
        if not self.drains:
            raise AdminError(NOT_DRAINED, f"node {self._node.name!r} is not drained")
        log.info("node_takes_again", node=self._node.name, tables=self.left)
        # The task sees it before the next table.
        self.drains = False
        self._node.take_again()

    async def _give_some(self, codes: list[str]) -> None:
        for code in codes:
            with isolated("table_not_given", table=code):
                # Whoever has come or gone meanwhile.
                if (to := self._falls_to(code)) != self._node.name:
                    await self._give(code, to)

    def _falls_to(self, code: str) -> str:
        """Return the node that would take a table among the staying nodes and this one."""
        return heir(code, [self._node.name, *self._neighbours.staying()])

    async def _give_all(self) -> None:
        while self.drains and (codes := list(self._tables.directory)):
            await self._give_each(codes)
        if self.drains:
            log.info("node_drained", node=self._node.name)

    async def _give_each(self, codes: list[str]) -> None:
        for code in codes:
            if not self.drains:
                return
            given = False
            with isolated("table_not_given", table=code):
                given = await self._give(code)
            if not given:
                await asyncio.sleep(AGAIN_SECONDS)

    async def _give(self, code: str, to: str = "") -> bool:
        """Give one table away, perhaps to a chosen node; return False if that is impossible now."""
        others = self._neighbours.staying()
        if not others:
            return False
        try:
            await self._until_quiet(code)
            if not self._tables.directory.is_here(code):
                return True
            # As a node that is free to take tables chooses among them.
            to = to if to in others else heir(code, others)
            tell = self._clients.of(code)
            self._tables.hand_over(code, to)
            try:
                await self._store.save(Write(deleted=Deletion(given=(GivenTable(code, to),))))
            finally:
                self._tables.giving.discard(code)
        except StoreError as error:
            log.warning("table_not_given", table=code, reason=str(error))
            await self._taken.take([code])
            tell(self._node.name)
            self._connections.flush()
            return False
        tell(to)
        self._connections.flush()
        log.info("table_given", table=code, node=to)
        return True

    async def _until_quiet(self, code: str) -> None:
        """Wait until no read or write of a table is in progress."""
        if self._tables.is_loading(code):
            await self._tables.get(code)
        while self._tables.live.is_busy(code):
            # Writes are made in order: when this one is done, all before it are.
            await self._store.save(Write())
