"""What administrators have done at the tables of this node."""

from protocol.visible_text import SERVER_NAME
from protocol.wire_form import WireForm
from server.node.moving import Ended
from server.ops.isolation import isolated
from server.store import Store, StoreError, Write
from server.table.table import Table
from server.tables.links import Links
from server.tables.registry import TableRegistry
from server.tables.subscribers import Subscribers

UNKNOWN_TABLE, TRY_AGAIN = "unknown_table", "try_again"


class ForAdministrators:
    """Closes tables and tells announcements."""

    def __init__(
        self,
        store: Store,
        links: Links,
        tables: TableRegistry,
        subscribers: Subscribers,
    ) -> None:
        self._store = store
        self._links = links
        self._tables = tables
        self._subscribers = subscribers

    async def close(self, code: str) -> Ended:
        """Close a table of this node."""
        try:
            table = await self._tables.get(code)
            if table is None or table.state.phase == "closed":
                return await self._not_here(code)
            self._tables.close(table)
            await self.settled(table)
        except StoreError as error:
            return Ended(TRY_AGAIN, f"the store does not answer: {error}")
        if self._tables.has(code):
            return Ended(TRY_AGAIN, f"table {code} could not be stored as closed")
        return Ended()

    async def _not_here(self, code: str) -> Ended:
        node = await self._tables.whereabouts(code)
        if node is None:
            return Ended(UNKNOWN_TABLE, f"there is no table {code!r}; `tables` lists them")
        if not node:
            return Ended(TRY_AGAIN, f"no node has table {code!r} just now")
        return Ended(UNKNOWN_TABLE, f"node {node!r} has table {code!r}: ask there")

    async def settled(self, table: Table) -> None:
        """Wait until what a table was told to do is on the disk, or has failed."""
        self._links.flush()
        while table.busy:
            # Writes are made in order: when this one is done, all before it are.
            await self._store.save(Write())

    def announce(self, text: str) -> int:
        """Tell clients at a table by a line of chat, which those of any age show; else a notice.

        Returns how many there are.
        """
        line: WireForm = {"type": "chat", "seat": None, "name": SERVER_NAME, "text": text}
        notice: WireForm = {"type": "notice", "kind": "announcement", "reason": text}
        at_tables = self._subscribers.table_of_each()
        clients = 0
        for link in self._links:
            with isolated("announcing_failed"):
                table = at_tables.get((link.mail.gateway, link.number))
                link.put(notice if table is None else {**line, "table": table})
                clients += 1
        self._links.flush()
        return clients
