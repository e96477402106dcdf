"""The texts for commands that the server refuses."""

from collections.abc import Mapping
from typing import Any

from client_cli.tell import has_text, tell
from protocol.errors import ErrorCode, ProtocolError
from protocol.mirror import TableMirror
from protocol.texts import advice, worded
from protocol.texts.language import language
from protocol.to_server import Kick, RemoveBot, ToServer

_SEATS: frozenset[ErrorCode] = frozenset({"seat_taken", "no_such_seat"})
_SAY_ALL: frozenset[ErrorCode] = frozenset(
    {
        "rate_limited",
        "hello_first",
        "forbidden",
        "unknown_table",
        "table_full",
        "no_such_seat",
        "already_seated",
        "not_seated",
        "wrong_phase",
        "bad_option",
        "bad_setup",
        "unknown_strength",
        "too_many_tables",
        "not_your_turn",
        "no_hints",
    }
)
"""Errors whose reasons say what to do; the general advice would only repeat them."""


def refusal(
    kind: type[ToServer], fields: Mapping[str, Any], error: ProtocolError, table: TableMirror
) -> str:
    """Why a command was refused, and what to do if the reason does not say it."""
    if told := worded(error.phrase, table.legend, table.names, table.seat):
        return told
    reason = f"{reason_for(kind, fields, error)}."
    if language() != "en" and error.code not in _SEATS:
        # The advice is all there is in this language.
        return reason
    return reason if error.code in _SAY_ALL else f"{reason} {advice(error.code)}"


def reason_for(kind: type[ToServer], fields: Mapping[str, Any], error: ProtocolError) -> str:
    """The server's reason; about a seat in our own words, since people count seats from 1."""
    seat = fields.get("seat")
    if error.phrase is not None or error.code not in _SEATS or seat is None:
        return told_reason(error)
    if error.code == "seat_taken":
        return tell("refused.seat_taken", place=seat)
    if kind is RemoveBot:
        return tell("refused.no_bot", place=seat)
    if kind is Kick:
        return tell("refused.no_player", place=seat)
    return tell("refused.no_seat", place=seat)


def told_reason(error: ProtocolError) -> str:
    """The reason for a refusal, without a full stop.

    A server's own words are English; in another language the advice for the error says more.
    """
    if told := worded(error.phrase):
        return told.rstrip(".")
    if language() == "en":
        return error.reason
    known = f"refused.codes.{error.code}"
    return tell(known) if has_text(known) else advice(error.code).rstrip(".")
