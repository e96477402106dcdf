"""Commands that were not carried out: what their players are told."""

import structlog

from engine.errors import EngineError
from protocol.errors import ProtocolError
from protocol.to_server import ToServer
from protocol.wire_form import WireForm, error_message
from server.connections.connection import Connection
from server.connections.registry import TRANSIENT, ConnectionRegistry
from server.connections.session import READS, Flooded
from server.store import StoreError
from server.table.answers import error_answer
from server.table.entries import Key
from server.table.rules import RulesFailed
from server.tables.effect_runner import EffectRunner

log = structlog.get_logger()

CLOSE_FLOOD = 1008


class FailedCommands:
    """Answers commands that raised, or closes their connections."""

    def __init__(self, connections: ConnectionRegistry, effects: EffectRunner) -> None:
        self._connections = connections
        self._effects = effects

    def answer(
        self,
        connection: Connection,
        command: ToServer | None,
        key: Key | None,
        error: Exception,
        arrived: float,
    ) -> None:
        """Answer a message that was not carried out; without a `key` its command was not begun."""
        if command is None or key is None:
            if isinstance(error, ProtocolError):
                log.debug("message_refused", code=error.code, address=connection.address)
                self.refuse(connection, error.id, error)
            elif isinstance(error, Flooded):
                connection.close(CLOSE_FLOOD, "too many messages")
            else:
                connection.fail(error)
            return
        try:
            answer = _answer_to(command, key, error)
            if isinstance(command, READS):
                self._connections.count(command, answer["code"], arrived, connection, key.player)
            self._answer_once(command, key, answer)
        except Exception as mistake:
            connection.fail(mistake)

    def refuse(self, connection: Connection, id: int | None, error: ProtocolError) -> None:
        """Refuse a message that is no command of a player: nothing of it is remembered."""
        answer = error_message(id, error.code, error.reason, error.retry_after, error.phrase)
        self._connections.put(connection, answer)

    def _answer_once(self, command: ToServer, key: Key, answer: WireForm) -> None:
        lasting = not isinstance(command, READS) and answer["code"] not in TRANSIENT
        try:
            self._effects.answer(key, answer, record=lasting)
        except Exception:
            log.exception("command_failed", message_type=command.type)
            reason = "the server made a mistake; nothing has changed, send this again"
            self._connections.answer(key, error_message(command.id, "internal", reason))


def _answer_to(command: ToServer, key: Key, error: Exception) -> WireForm:
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
