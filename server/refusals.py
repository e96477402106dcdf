"""Refusals: the reason why a command is refused, and its answer.

A refusal consists of a code and a phrase. Clients word the phrase in their own language; its
English text is the reason for logs and programs.
"""

from collections.abc import Mapping

from engine.errors import EngineError
from engine.facts import Value
from engine.phrases import Phrase
from protocol.errors import ERROR_CODES, ErrorCode, ProtocolError
from protocol.isolates import without_isolates
from protocol.texts import speaking, worded
from protocol.wire_form import WireForm, error_message

_PLAIN: Mapping[ErrorCode, str] = {
    "bad_message": "refused_message",
    "bad_action": "refused_action",
    "illegal_action": "refused_illegal",
    "not_your_turn": "not_your_turn",
    "unknown_game": "refused_game",
    "bad_setup": "refused_setup",
    "bad_option": "refused_option",
}
"""Phrases of refusals whose reasons are for those who write programs, by their codes."""
_OTHER = "refused_internal"


def refusal(
    code: ErrorCode,
    phrase: str,
    args: Mapping[str, Value] | None = None,
    *,
    id: int | None = None,
    retry_after: float | None = None,
) -> ProtocolError:
    """Return a refusal with a phrase of the text tables."""
    told = Phrase(phrase, args or {})
    return ProtocolError(code, _in_english(told), id, retry_after, told)


def reworded(code: ErrorCode, reason: str, phrase: Phrase | None) -> ProtocolError:
    """Return a refusal whose reason, for programs, need not be the English of its phrase."""
    return ProtocolError(code, reason, phrase=phrase)


def elsewhere(address: str) -> ProtocolError:
    """Refuse a command about a table at another `address`, for a client without `moved`.

    The refusal is final: such programs would send the command here for ever.
    """
    return refusal("elsewhere", "refused_at_address", {"address": address})


def moved(code: str, address: str) -> WireForm:
    """Return the message to a table's clients once it is at this address."""
    return {"type": "moved", "table": code, "url": address}


def refused(command: int | None, error: ProtocolError | EngineError) -> WireForm:
    """Return the answer to a refused command by its number; engine errors keep their codes."""
    if isinstance(error, ProtocolError):
        code, reason, retry_after = error.code, error.reason, error.retry_after
    else:
        code, reason, retry_after = _code(error), str(error), None
    phrase = error.phrase or Phrase(_PLAIN.get(code, _OTHER), {"why": reason})
    return error_message(command, code, reason, retry_after, phrase)


def _in_english(phrase: Phrase) -> str:
    """Return a phrase for use within a sentence; raise `ValueError` if no text fits it."""
    with speaking("en"):
        said = worded(phrase)
    if said is None:
        raise ValueError(f"there is no text for {phrase}")
    return without_isolates(said[:1].lower() + said[1:].removesuffix("."))


def _code(error: EngineError) -> ErrorCode:
    for code in ERROR_CODES:
        if code == error.code:
            return code
    return "internal"
