"""What administrators of any node have done at the tables of this one."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

from protocol.visible_text import SERVER_NAME
from protocol.wire_form import WireForm
from server.bus.bus import BusError
from server.crossing.neighbours import Announce, AtTables, AuditRead, CloseTable, Ended
from server.node.others import Others
from server.ops.isolation import isolated
from server.store import Store, StoreError, Write
from server.table.table import Table
from server.tables.links import Links
from server.tables.registry import TableRegistry
from server.tables.subscribers import Subscribers

ELSEWHERE_SECONDS = 5.0
"""How long another node may take for it."""
UNKNOWN_TABLE, TRY_AGAIN = "unknown_table", "try_again"


class ForAdministrators:
    """Closes tables and tells announcements, here and by the `neighbours`, if there are any."""

    def __init__(
        self,
        store: Store,
        links: Links,
        tables: TableRegistry,
        subscribers: Subscribers,
        neighbours: Others | None,
    ) -> None:
        self._store = store
        self._links = links
        self._tables = tables
        self._subscribers = subscribers
        self._neighbours = neighbours
        self.read_audit: Callable[[int], Awaitable[AuditRead]] = _no_audit
        """Reads so many lines of the audit log of this process."""

    async def close(self, code: str) -> Ended:
        """Close a table, wherever it is."""
        ended = await self.close_here(code)
        if ended.code != UNKNOWN_TABLE or self._neighbours is None:
            return ended
        node = await self._tables.whereabouts(code)
        if node is None:
            return ended
        if not node:
            return Ended(TRY_AGAIN, f"no node has table {code!r} just now")
        try:
            answer = await self._neighbours.ask(node, CloseTable(code), ELSEWHERE_SECONDS)
        except BusError as error:
            return Ended(TRY_AGAIN, f"the node {node!r} does not answer ({error})")
        assert isinstance(answer, Ended)
        return answer

    async def close_here(self, code: str) -> Ended:
        """Close a table of this node."""
        try:
            table = await self._tables.get(code)
            if table is None or table.state.phase == "closed":
                return Ended(UNKNOWN_TABLE, f"there is no table {code!r}; `tables` lists them")
            self._tables.close(table)
            await self.settled(table)
        except StoreError as error:
            return Ended(TRY_AGAIN, f"the store does not answer: {error}")
        if self._tables.has(code):
            return Ended(TRY_AGAIN, f"table {code} could not be stored as closed")
        return Ended()

    async def settled(self, table: Table) -> None:
        """Wait until what a table was told to do is on the disk, or has failed."""
        self._links.flush()
        while table.busy:
            # Writes are made in order: when this one is done, all before it are.
            await self._store.save(Write())

    async def announce(self, text: str) -> int:
        """Tell clients at a table by a line of chat, which those of any age show; else a notice.

        Returns how many there are.
        """
        at_tables = [self.announce_here(text)]
        if self._neighbours is not None:
            asked = [self._announce_at(node, text) for node in self._neighbours.here()]
            at_tables += await asyncio.gather(*asked)
        told = {
            (gateway, number)
            for each in at_tables
            for gateway, numbers in each.links.items()
            for number in numbers
        }
        clients = 0
        notice: WireForm = {"type": "notice", "kind": "announcement", "reason": text}
        for link in self._links:
            with isolated("announcing_failed"):
                if (link.mail.gateway, link.number) not in told:
                    link.put(notice)
                clients += 1
        self._links.flush()
        return clients

    def announce_here(self, text: str) -> AtTables:
        """Tell the clients at the tables of this node; who they are."""
        line: WireForm = {"type": "chat", "seat": None, "name": SERVER_NAME, "text": text}
        at_tables = self._subscribers.table_of_each()
        told: defaultdict[str, list[int]] = defaultdict(list)
        for link in self._links:
            with isolated("announcing_failed"):
                table = at_tables.get((link.mail.gateway, link.number))
                if table is not None:
                    link.put({**line, "table": table})
                    told[link.mail.gateway].append(link.number)
        self._links.flush()
        return AtTables(dict(told))

    async def _announce_at(self, node: str, text: str) -> AtTables:
        assert self._neighbours is not None
        try:
            answer = await self._neighbours.ask(node, Announce(text), ELSEWHERE_SECONDS)
        except BusError:
            return AtTables({})
        assert isinstance(answer, AtTables)
        return answer


async def _no_audit(count: int) -> AuditRead:
    return AuditRead(is_kept=False)
