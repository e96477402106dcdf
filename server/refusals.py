"""Refusals: why a command is not done, and its answer.

A refusal is made of a code and a phrase. Clients word the phrase in their own language; its English
is the reason that logs and programs read.
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
    """A refusal for the reason that a phrase of the catalogue gives."""
    told = Phrase(phrase, args or {})
    return ProtocolError(code, _in_english(told), id, retry_after, told)


def reworded(code: ErrorCode, reason: str, phrase: Phrase | None) -> ProtocolError:
    """A refusal whose reason, for programs, need not be the English of its phrase."""
    return ProtocolError(code, reason, phrase=phrase)


def elsewhere(address: str) -> ProtocolError:
    """The refusal of a command about a table at another `address`, for a client without `moved`.

    It is final: their programs would send the same command here for ever.
    """
    return refusal("elsewhere", "refused_at_address", {"address": address})


def moved(code: str, address: str) -> WireForm:
    """What those who follow a table are told once it is at this address."""
    return {"type": "moved", "table": code, "url": address}


def refused(command: int | None, error: ProtocolError | EngineError) -> WireForm:
    """The answer to a refused command by its number; the engine's errors keep their codes."""
    if isinstance(error, ProtocolError):
        code, reason, retry_after = error.code, error.reason, error.retry_after
    else:
        code, reason, retry_after = _code(error), str(error), None
    phrase = error.phrase or Phrase(_PLAIN.get(code, _OTHER), {"why": reason})
    return error_message(command, code, reason, retry_after, phrase)


def _in_english(phrase: Phrase) -> str:
    """A phrase as it stands within a sentence; `ValueError` if there is no text that it fits."""
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
