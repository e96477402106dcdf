"""Commands that raised: what their senders are told, and what the log is."""

import structlog

from engine.errors import EngineError
from protocol.errors import ProtocolError
from protocol.to_server import ToServer
from protocol.wire_form import WireForm, error_message
from server.crossing.names import Key
from server.store import StoreError
from server.table.answers import error_answer
from server.table.rules import RulesFailed

log = structlog.get_logger()


def answer_to(command: ToServer, key: Key, error: Exception) -> WireForm:
    """What a player is told of an exception in carrying out a command."""
    match error:
        case ProtocolError() | EngineError():
            return error_answer(key, error)
        case StoreError():
            log.error("store_failed", exc_info=error)
            reason = "the store does not answer; send this again"
            return error_message(command.id, "try_again", reason)
        case RulesFailed():
            # The table has reported it, and is being closed if nobody can go on.
            return error_message(command.id, "internal", "the rules of this game failed at it")
        case _:
            # Our own fault: the player gets a clear answer, the log gets the traceback.
            log.error("command_failed", message_type=command.type, exc_info=error)
            reason = "the server made a mistake; nothing has changed, send this again"
            return error_message(command.id, "internal", reason)
