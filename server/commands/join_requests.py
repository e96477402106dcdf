"""Players who ask to be let into a match whose node is lost: none of them waits for ever.

Requests are kept in a node's memory. Those of a lost one are sent again, as if answered before:
the next node says of each that it is over.
"""

from collections.abc import Callable
from typing import NamedTuple

from protocol.to_server import Join, ToServer
from server.bus.bus import BusError, ask
from server.connections.registry import ConnectionRegistry
from server.connections.tables_nodes import TablesNodes
from server.crossing.names import Key
from server.crossing.requests import COMMANDS, SECONDS, Asked, Done, Elsewhere
from server.ops.isolation import Spawn

REMEMBERED_SECONDS = 60.0
"""A host has no longer to answer."""


class Waiting(NamedTuple):
    """A request: how it was asked, of which node as far as that is known, and until when."""

    key: Key
    command: Join
    peer: str | None
    until: float


class JoinRequests:
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
        # By connection and table: who asks again has heard what became of the request before.
        self._waiting: dict[tuple[int, str], Waiting] = {}
        connections.on_asked = self._note
        nodes.listeners.append(self)

    def lost(self, peer: str) -> None:
        """A node is gone: what it was asked is over, and the next one says so."""
        now, all_ = self._now(), self._waiting
        gone = {at: each for at, each in all_.items() if each.peer in (None, peer)}
        self._waiting = {at: each for at, each in all_.items() if at not in gone}
        for (number, _), waiting in gone.items():
            if waiting.until > now:
                self._spawn(self._ask_again(number, waiting, now + SECONDS))

    def _note(self, number: int, key: Key, command: ToServer) -> None:
        now = self._now()
        self._waiting = {at: each for at, each in self._waiting.items() if each.until > now}
        if isinstance(command, Join):
            peer = self._nodes.only or self._nodes.route(command.table)
            waiting = Waiting(key, command, peer, now + REMEMBERED_SECONDS)
            self._waiting[number, command.table] = waiting

    async def _ask_again(self, number: int, waiting: Waiting, end: float) -> None:
        nodes, key, table = self._nodes, waiting.key, waiting.command.table
        asked = Asked(nodes.name, number, key, waiting.command, fresh=False)
        while self._connections.numbered(number) and nodes.is_ready and self._now() < end:
            peer = nodes.node_of_table(table, key.player)
            try:
                answer = await ask(nodes.bus, peer, COMMANDS, asked, SECONDS)
            except BusError:
                answer = None
            if isinstance(answer, Done):
                return
            if isinstance(answer, Elsewhere):
                nodes.learn(table, answer.node)
            await nodes.pause()
