"""Lets connections go on watching tables whose nodes were lost, or gave them away.

A table's next node knows the players who have seats there, but not who watched it.
"""

from collections.abc import Callable, Iterable

from server.bus.bus import BusError, ask
from server.connections.registry import ConnectionRegistry
from server.connections.tables_nodes import CLOSE_LOST, TablesNodes
from server.crossing.names import TABLES, peer_name
from server.crossing.requests import LINKS, SECONDS, Done, Elsewhere, Follow
from server.ops.isolation import Spawn


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
        self._under_way: set[tuple[int, str]] = set()
        nodes.listeners.append(self)

    def lost(self, peer: str) -> None:
        """A node is gone: whoever watches a table that was there, or may have been, asks again."""
        self.go_on(
            (number, table)
            for number, table in self._connections.watched.each()
            if self._nodes.route(table) in (None, peer)
        )

    def moved(self, table: str) -> None:
        """A table is at another node."""
        self.go_on(each for each in self._connections.watched.each() if each[1] == table)

    def go_on(self, watched: Iterable[tuple[int, str]]) -> None:
        """Ask the nodes of tables to show them to connections, until one has done so."""
        for each in watched:
            if each not in self._under_way:
                self._under_way.add(each)
                self._spawn(self._follow(*each))

    async def _follow(self, number: int, table: str) -> None:
        try:
            await self._ask(number, table)
        finally:
            self._under_way.discard((number, table))

    async def _ask(self, number: int, table: str) -> None:
        nodes, end = self._nodes, self._now() + SECONDS
        while self._connections.watched.watches(number, table):
            connection = self._connections.numbered(number)
            if connection is None or connection.closing or not nodes.is_ready:
                return
            if self._now() >= end:
                # Nobody can show it the table, and it cannot be told so.
                connection.close(CLOSE_LOST, "a table was lost")
                return
            peer = nodes.node_of_table(table, connection.player)
            try:
                answer = await ask(
                    nodes.bus, peer, LINKS, Follow(nodes.name, number, table), SECONDS
                )
            except BusError:
                answer = None
            if isinstance(answer, Done):
                nodes.note(table, peer)
                return
            if isinstance(answer, Elsewhere):
                there = peer_name(TABLES, answer.node) if answer.node else ""
                nodes.note(table, there)
                if there != peer and nodes.takes(there):
                    continue
            await nodes.pause()
