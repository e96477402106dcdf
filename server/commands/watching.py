"""Lets connections go on watching tables whose nodes were lost, or gave them away.

A table's next node knows the players who have seats there, but not who watched it.

    for each table: one connection asks ─▶ nobody has it just now: again, a moment later
                                        ─▶ shown: the others ask that node
"""

import asyncio
from collections.abc import Callable, Iterable

from server.bus.bus import BusError, ask
from server.connections.connection import Connection
from server.connections.registry import ConnectionRegistry
from server.connections.tables_nodes import CLOSE_LOST, TablesNodes
from server.crossing.requests import LINKS, SECONDS, Done, Elsewhere, Follow
from server.ops.isolation import Spawn

AT_ONCE = 64
"""Questions that wait for their answers at once: thousands of connections may watch one node."""

HOPS = 3
"""So many nodes are asked one after the other; then it waits, as they do not agree just now."""


class Watching:
    """`now` gives server time in seconds."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        nodes: TablesNodes,
        now: Callable[[], float],
        spawn: Spawn,
    ) -> None:
        self._connections = connections
        self._nodes = nodes
        self._now = now
        self._spawn = spawn
        # For each table the connections that ask, and until when they may.
        self._asking: dict[str, dict[int, float]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
        nodes.listeners.append(self)

    def lost(self, peer: str) -> None:
        """A node is gone: whoever watches a table that was there, or may have been, asks again."""
        self.go_on(
            (number, table)
            for number, table in self._connections.watched.each()
            if self._nodes.route(table) in (None, peer)
        )

    def go_on(self, watched: Iterable[tuple[int, str]]) -> None:
        """Ask the nodes of tables to show them to connections, until one has done so."""
        for number, table in watched:
            asking = self._asking.get(table)
            if asking is None:
                self._asking[table] = asking = {}
                self._spawn(self._follow(table, asking))
            asking.setdefault(number, self._now() + SECONDS)

    async def _follow(self, table: str, asking: dict[int, float]) -> None:
        """Ask until every connection has been shown a table: one at first, as long as in vain."""
        found = False
        try:
            while asking and self._nodes.is_ready:
                some = list(asking)[: AT_ONCE if found else 1]
                over = await asyncio.gather(*(self._ask(number, table) for number in some))
                found = all(over)
                for number, is_over in zip(some, over, strict=True):
                    if is_over:
                        del asking[number]
                if not found:
                    await self._nodes.pause()
                    self._give_up(asking)
        finally:
            del self._asking[table]

    def _give_up(self, asking: dict[int, float]) -> None:
        """Hang up on connections that have asked for too long, unless no node can know yet."""
        now = self._now()
        if self._nodes.why_away():
            asking.update(dict.fromkeys(asking, now + SECONDS))
            return
        for number in [number for number, end in asking.items() if now >= end]:
            del asking[number]
            connection = self._connections.numbered(number)
            if connection is not None and not connection.closing:
                # Nobody can show it the table, and it cannot be told so.
                connection.close(CLOSE_LOST, "a table was lost")

    async def _ask(self, number: int, table: str) -> bool:
        """Ask the node of a table for one connection; whether it has to ask no more."""
        nodes = self._nodes
        async with self._room:
            for _ in range(HOPS):
                connection = self._watching(number, table)
                if connection is None:
                    return True
                peer = nodes.node_of_table(table, connection.player)
                follow = Follow(nodes.name, number, table)
                try:
                    answer = await ask(nodes.bus, peer, LINKS, follow, SECONDS)
                except BusError:
                    return False
                if isinstance(answer, Done):
                    nodes.note(table, peer)
                    return True
                if not isinstance(answer, Elsewhere):
                    return False
                there = nodes.learn(table, answer.node)
                if there == peer or not nodes.takes(there):
                    return False
        return False

    def _watching(self, number: int, table: str) -> Connection | None:
        """A connection that watches a table; None if it does not, or no node can be asked."""
        connection = self._connections.numbered(number)
        if connection is None or connection.closing or not self._nodes.is_ready:
            return None
        return connection if self._connections.watched.watches(number, table) else None
