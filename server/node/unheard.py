"""Tables that a node closed just before it was lost, unheard: they are listed no more.

What a lost node told of its tables stays until another node has them. One that was closed nobody
takes over; only the database knows.
"""

import asyncio

import structlog

from server.ops.isolation import Spawn
from server.store import Store, StoreError
from server.tables.directory import TableDirectory

log = structlog.get_logger()

LOOK_SECONDS = 10.0
"""How long after a node was lost, and how often, its tables are looked for: takeovers are over."""


class Unheard:
    """Compares the tables of lost nodes in `directory` with the database."""

    def __init__(self, store: Store, directory: TableDirectory, spawn: Spawn) -> None:
        self._store = store
        self._directory = directory
        self._spawn = spawn
        self._next: dict[str, asyncio.TimerHandle] = {}

    def lost(self, node: str) -> None:
        """A node cannot be reached any more."""
        before = self._next.pop(node, None)
        if before is not None:
            before.cancel()
        loop = asyncio.get_running_loop()
        self._next[node] = loop.call_later(LOOK_SECONDS, self._look, node)

    def _look(self, node: str) -> None:
        del self._next[node]
        codes = self._directory.lost_tables(node)
        if codes:
            self._spawn(self._compare(node, codes))

    async def _compare(self, node: str, codes: list[str]) -> None:
        try:
            rows = await self._store.open_tables(codes)
        except StoreError as error:
            log.warning("tables_not_read", tables=len(codes), reason=str(error))
        else:
            for code in set(codes).difference(row.code for row in rows):
                self._directory.unlearn(code, node)
        # Nobody has taken what is left, or has said so yet.
        self.lost(node)
