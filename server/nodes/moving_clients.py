"""Tells the clients at a table that changes hands its new node."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import structlog

from protocol.features import MOVED
from server.commands.resume import Resume
from server.nodes.other_nodes import OtherNodes
from server.ops.isolation import Spawn
from server.players.identities import Identities
from server.refusals import moved
from server.sessions.registry import ConnectionRegistry
from server.sessions.subscriber import Subscriber
from server.sessions.subscribers import Subscribers
from server.store import StoreError

log = structlog.get_logger()

IsAt: TypeAlias = Callable[[str], None]
"""Is told the name of the node that has the table."""


class MovingClients:
    """The clients of this node at moving tables, which then connect to the next node.

    `name` is that of this node; a table that stays is sent to them again.
    """

    def __init__(
        self,
        name: str,
        connections: ConnectionRegistry,
        others: OtherNodes,
        players: Identities,
        subscribers: Subscribers,
        resume: Resume,
        spawn: Spawn,
    ) -> None:
        self._name = name
        self._connections = connections
        self._others = others
        self._players = players
        self._subscribers = subscribers
        self._resume = resume
        self._spawn = spawn

    def of(self, code: str) -> IsAt:
        """Return a function that tells the present clients of a table its new node."""
        connections = [connection for connection, _ in self._subscribers.of(code)]

        def is_at(node: str) -> None:
            self._spawn(self._tell(code, connections, node))

        return is_at

    async def _tell(self, code: str, connections: Sequence[Subscriber], node: str) -> None:
        if node == self._name:
            for connection in connections:
                try:
                    await self._resume.follow(connection, code)
                except Exception as error:
                    connection.fail(error)
        else:
            # The next node knows those whom the database knows.
            try:
                await self._players.store(*{connection.player.id for connection in connections})
            except StoreError as error:
                log.warning("followers_not_told", table=code, reason=str(error))
                # They are told when they come in again, and would wait here for nothing.
                for connection in connections:
                    if MOVED in connection.features:
                        connection.fail()
                return
            message = moved(code, self._others.address(node))
            for connection in connections:
                if MOVED in connection.features:
                    connection.tell(message)
        self._connections.flush()
