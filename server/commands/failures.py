"""Messages that were not carried out: what their senders are told."""

import structlog

from protocol.errors import ProtocolError
from server.connections.connection import Connection
from server.connections.registry import ConnectionRegistry
from server.connections.session import Flooded
from server.crossing.refusals import refused

log = structlog.get_logger()

CLOSE_FLOOD = 1008


class FailedMessages:
    """Refuses messages that raised, or closes their connections."""

    def __init__(self, connections: ConnectionRegistry) -> None:
        self._connections = connections

    def answer(self, connection: Connection, error: Exception) -> None:
        """Answer a message that no table has heard of."""
        if isinstance(error, ProtocolError):
            log.debug("message_refused", code=error.code, address=connection.address)
            self.refuse(connection, error.id, error)
        elif isinstance(error, Flooded):
            connection.close(CLOSE_FLOOD, "too many messages")
        else:
            connection.fail(error)

    def refuse(self, connection: Connection, id: int | None, error: ProtocolError) -> None:
        """Refuse a message that is no command of a player: nothing of it is remembered."""
        self._connections.put(connection, refused(id, error))
