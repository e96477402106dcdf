"""Messages as plain dicts in one canonical form, ready to be packed.

The form: a field equal to its default is left out, `type` and `do` never are. `plain` brings any
message into it; the builders below do the same by hand for what is sent at every move, several
times faster, and equal to `plain` by test.
Tuples stay tuples: both encodings write them as lists.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias

from pydantic import BaseModel

from engine.cards import LegendCard
from engine.choices import Choices, Pick
from engine.facts import Change, Fact, Seat
from engine.views import View, Zone
from protocol.errors import ErrorCode
from protocol.safe_text import safe_text

Plain: TypeAlias = dict[str, Any]
"""What msgpack and JSON can hold: str, int, float, bool, None, and lists and dicts of these."""

_ALWAYS = frozenset({"type", "do"})
_NO_DEFAULT = object()


def plain(value: Any) -> Any:
    """Any message, or part of one, in the canonical form."""
    kind: type[Any] = type(value)
    if issubclass(kind, BaseModel) or is_dataclass(kind):
        form = {
            name: plain(held)
            for name, default in _defaults(kind)
            if (held := getattr(value, name)) != default or name in _ALWAYS
        }
        # Only what may have been told by a newer server keeps more than its own fields.
        more = getattr(value, "model_extra", None)
        return {**form, **more} if more else form
    if isinstance(value, Mapping):
        return {key: plain(held) for key, held in value.items()}
    if isinstance(value, tuple | list):
        return tuple(plain(held) for held in value)
    return value


@cache
def _defaults(kind: type[Any]) -> tuple[tuple[str, object], ...]:
    if issubclass(kind, BaseModel):
        models = kind.model_fields.items()
        return tuple((n, _NO_DEFAULT if f.is_required() else f.default) for n, f in models)
    return tuple((f.name, _default(f)) for f in fields(kind))


def _default(field: Field[Any]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return _NO_DEFAULT if field.default is MISSING else field.default


def ok_plain(id: int, table: str | None = None, seq: int | None = None) -> Plain:
    """The wire form of `ok`, the answer to command number `id`."""
    message: Plain = {"type": "ok", "id": id}
    if table is not None:
        message["table"] = table
    if seq is not None:
        message["seq"] = seq
    return message


def error_plain(
    id: int | None, code: ErrorCode, reason: str, retry_after: float | None = None
) -> Plain:
    """The wire form of `error`; `retry_after` in seconds, `id` None if no command caused it."""
    message: Plain = {"type": "error", "id": id, "code": code, "reason": safe_text(reason)}
    if retry_after is not None:
        message["retry_after"] = retry_after
    return message


def event_plain(
    table: str,
    seq: int,
    facts: Sequence[Plain] = (),
    info: Plain | None = None,
    question: Plain | None = None,
) -> Plain:
    """An `event`; its parts are plain already, since one fact goes to many people."""
    message: Plain = {"type": "event", "table": table, "seq": seq}
    if facts:
        message["facts"] = facts
    if info is not None:
        message["info"] = info
    if question is not None:
        message["question"] = question
    return message


def snapshot_plain(
    table: str,
    seq: int,
    seat: Seat | None,
    info: Plain,
    view: View,
    facts: Sequence[Plain],
    question: Plain,
    legend: Sequence[Plain],
) -> Plain:
    """A `table` message."""
    return {
        "type": "table",
        "table": table,
        "seq": seq,
        "seat": seat,
        "info": info,
        "view": view_plain(view),
        "facts": facts,
        "question": question,
        "legend": legend,
    }


def question_plain(
    turn: int,
    to_act: tuple[Seat, ...] = (),
    choices: Choices | None = None,
    clock: float | None = None,
) -> Plain:
    """The wire form of a question; `clock` is in seconds."""
    question: Plain = {"turn": turn}
    if to_act:
        question["to_act"] = to_act
    if choices is not None:
        question["choices"] = choices_plain(choices)
    if clock is not None:
        question["clock"] = clock
    return question


def choices_plain(choices: Choices) -> Plain:
    """The wire form of choices; empty parts are left out."""
    form: Plain = {}
    if choices.actions:
        form["actions"] = choices.actions
    if choices.picks:
        form["picks"] = tuple(_pick_plain(pick) for pick in choices.picks)
    return form


def _pick_plain(pick: Pick) -> Plain:
    return {"verb": pick.verb, "cards": pick.cards, "least": pick.least, "most": pick.most}


def fact_plain(fact: Fact) -> Plain:
    """The wire form of a fact; empty parts are left out."""
    form: Plain = {"verb": fact.verb}
    if fact.args:
        form["args"] = fact.args
    if fact.changes:
        form["changes"] = [change_plain(change) for change in fact.changes]
    return form


def facts_plain(facts: Iterable[Fact]) -> list[Plain]:
    """The wire forms of facts, in order."""
    return [fact_plain(fact) for fact in facts]


def change_plain(change: Change) -> Plain:
    """The wire form of one change of a fact."""
    if change.do == "set":
        return {"do": "set", "key": change.key, "value": change.value}
    if change.do == "move":
        form: Plain = {
            "do": "move",
            "source": change.source,
            "target": change.target,
            "cards": change.cards,
        }
        if change.hidden:
            form["hidden"] = True
        return form
    if change.do == "show":
        return {"do": "show", "zone": change.zone, "cards": change.cards}
    return {"do": "lay", "zones": change.zones}


def view_plain(view: View) -> Plain:
    """The wire form of a view; empty parts are left out."""
    form: Plain = {}
    if view.zones:
        form["zones"] = {name: _zone_plain(zone) for name, zone in view.zones.items()}
    if view.values:
        form["values"] = view.values
    return form


def _zone_plain(zone: Zone) -> Plain:
    form: Plain = {}
    if zone.cards:
        form["cards"] = zone.cards
    if zone.backs:
        form["backs"] = zone.backs
    return form


def legend_plain(legend: Sequence[LegendCard]) -> tuple[Plain, ...]:
    """The deck's legend; worth keeping, since it is the same in every snapshot of a game."""
    return tuple(plain(card) for card in legend)
