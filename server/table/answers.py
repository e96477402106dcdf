"""The answers to commands, as messages."""

from engine.errors import EngineError
from protocol.encode import Plain, error_plain, ok_plain
from protocol.errors import ERROR_CODES, ErrorCode, ProtocolError
from server.table.entries import Key


def ok_answer(command: int, table: str | None = None, seq: int | None = None) -> Plain:
    """The answer to a command that was carried out, with the table and the entry it wrote."""
    return ok_plain(command, table, seq)


def error_answer(key: Key, error: ProtocolError | EngineError) -> Plain:
    """The answer to a refused command; the engine's errors keep their codes."""
    if isinstance(error, ProtocolError):
        return error_plain(key.command, error.code, error.reason, error.retry_after)
    return error_plain(key.command, _code(error), str(error))


def failed_answer(key: Key, reason: str) -> Plain:
    """The answer to a command in which the server or a game's rules failed."""
    return error_plain(key.command, "internal", reason)


def _code(error: EngineError) -> ErrorCode:
    for code in ERROR_CODES:
        if code == error.code:
            return code
    return "internal"
