"""The answer to a refused command, at the gateway as at the tables; without I/O."""

from engine.errors import EngineError
from protocol.errors import ERROR_CODES, ErrorCode, ProtocolError
from protocol.wire_form import WireForm, error_message


def refused(command: int | None, error: ProtocolError | EngineError) -> WireForm:
    """The answer to a refused command by its number; the engine's errors keep their codes."""
    if isinstance(error, ProtocolError):
        code, reason = error.code, error.reason
        return error_message(command, code, reason, error.retry_after, error.phrase)
    return error_message(command, _code(error), str(error), phrase=error.phrase)


def _code(error: EngineError) -> ErrorCode:
    for code in ERROR_CODES:
        if code == error.code:
            return code
    return "internal"
