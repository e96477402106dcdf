"""Answers to messages that failed, and their lines in the log."""

import structlog

from engine.errors import EngineError
from protocol.errors import ProtocolError
from protocol.to_server import ToServer
from protocol.wire_form import WireForm
from server.refusals import refusal, refused
from server.sessions.connection import Connection
from server.sessions.session import Flooded
from server.store import StoreError

log = structlog.get_logger()

CLOSE_FLOOD = 1008


def answer_to(command: ToServer, error: Exception) -> WireForm:
    """Return the answer to a command that raised; errors other than refusals are logged."""
    match error:
        case ProtocolError() | EngineError():
            return refused(command.id, error)
        case StoreError():
            log.error("store_failed", exc_info=error)
            return refused(command.id, refusal("try_again", "refused_store"))
        case _:
            # Our own fault: the player gets a clear answer, the log gets the traceback.
            log.error("command_failed", message_type=command.type, exc_info=error)
            return refused(command.id, refusal("internal", "refused_mistake"))


def refuse_message(connection: Connection, error: Exception) -> None:
    """Answer a message that is no player's command yet, or hang up, without storing anything."""
    if isinstance(error, ProtocolError):
        log.debug("message_refused", code=error.code, address=connection.address)
        connection.put(refused(error.id, error))
    elif isinstance(error, Flooded):
        connection.close(CLOSE_FLOOD, "too many messages")
    else:
        connection.fail(error)
