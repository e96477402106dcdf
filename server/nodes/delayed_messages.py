"""Holds messages of tables back while the lease of their node is uncertain.

After the lease another node may have these tables, and their players may get messages from there.
"""

from server.sessions.registry import ConnectionRegistry
from server.sessions.subscriber import Subscriber
from server.store import LeaseState
from server.store.membership import Membership

MOST_HELD = 10_000
"""Messages that wait; after more of them those that they are for have to reconnect."""
MOST_HELD_BYTES = 16 * 1024 * 1024
"""The same for all that these messages have together."""


class DelayedMessages:
    """Holds the messages of tables to `connections` back while the lease of `node` is uncertain."""

    def __init__(self, node: Membership, connections: ConnectionRegistry) -> None:
        self._node = node
        self._connections = connections
        self._held: list[tuple[Subscriber, bytes, bool]] = []
        self._bytes = 0
        connections.outboxes.hold_back = self._hold_back

    def go_on(self) -> None:
        """Send the held messages, as the lease is sure again."""
        self._tell()
        self._connections.flush()

    def _tell(self) -> None:
        held, self._held = self._held, []
        self._bytes = 0
        for connection, message, passing in held:
            connection.tell_encoded(message, passing=passing)

    def end(self) -> None:
        """Drop the held messages and all further ones, as the lease has ended."""
        self._held.clear()

    def _hold_back(self, connection: Subscriber, message: bytes, passing: bool) -> bool:
        while self._held and self._node.state is LeaseState.HELD:
            # It is sure again, and nobody has said so yet.
            self._tell()
        state = self._node.state
        if state is LeaseState.HELD and not self._held:
            return False
        if state is not LeaseState.OVER:
            self._held.append((connection, message, passing))
            self._bytes += len(message)
            if len(self._held) > MOST_HELD or self._bytes > MOST_HELD_BYTES:
                self._give_up()
        return True

    def _give_up(self) -> None:
        held, self._held = self._held, []
        self._bytes = 0
        for connection in {connection for connection, _, _ in held}:
            connection.fail()
