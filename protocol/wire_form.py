"""Messages as plain dicts in one canonical form, ready to be packed.

The form: a field equal to its default is left out, `type` and `do` never are. `wire_form` brings
any message into it; the builders below do it by hand for what is sent at every move, several times
faster, and equal to `wire_form` by test. Tuples stay tuples: both encodings write them as lists.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from pydantic import BaseModel

from engine.cards import LegendCard
from engine.choices import Choices, MovedCards, Parts, Pick, Way
from engine.facts import Change, Fact, Seat
from engine.labels import Label
from engine.layout import NO_LAYOUT, Layout
from engine.phrases import Phrase
from engine.views import View, Zone
from protocol.errors import ErrorCode
from protocol.safe_text import safe_text

WireForm: TypeAlias = dict[str, Any]
"""What msgpack and JSON can hold: str, int, float, bool, None, and lists and dicts of these."""

_ALWAYS = frozenset({"type", "do"})
_NO_DEFAULT = object()


def wire_form(value: Any) -> Any:
    """Any message, or part of one, in the canonical form."""
    kind: type[Any] = type(value)
    if issubclass(kind, BaseModel) or is_dataclass(kind):
        form = {
            name: wire_form(held)
            for name, default in _defaults(kind)
            if (held := getattr(value, name)) != default or name in _ALWAYS
        }
        # Only what may have been told by a newer server keeps more than its own fields.
        more = getattr(value, "model_extra", None)
        return {**form, **more} if more else form
    if isinstance(value, Mapping):
        return {key: wire_form(held) for key, held in value.items()}
    if isinstance(value, tuple | list):
        return tuple(wire_form(held) for held in value)
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


def ok_message(id: int, table: str | None = None, seq: int | None = None) -> WireForm:
    """The wire form of `ok`, the answer to command number `id`."""
    message: WireForm = {"type": "ok", "id": id}
    if table is not None:
        message["table"] = table
    if seq is not None:
        message["seq"] = seq
    return message


def error_message(
    id: int | None,
    code: ErrorCode,
    reason: str,
    retry_after: float | None = None,
    phrase: Phrase | None = None,
) -> WireForm:
    """The wire form of `error`; `retry_after` in seconds, `id` None if no command caused it."""
    message: WireForm = {"type": "error", "id": id, "code": code, "reason": safe_text(reason)}
    if retry_after is not None:
        message["retry_after"] = retry_after
    if phrase is not None:
        message["phrase"] = _phrase_form(_safe(phrase))
    return message


def _safe(phrase: Phrase) -> Phrase:
    """`phrase` without control characters in texts that may quote the peer."""
    args = {
        name: safe_text(value) if isinstance(value, str) else value
        for name, value in phrase.args.items()
    }
    return Phrase(phrase.code, args)


def event_message(
    table: str,
    seq: int,
    facts: Sequence[WireForm] = (),
    info: WireForm | None = None,
    question: WireForm | None = None,
) -> WireForm:
    """The wire form of `event`; its parts are plain already, as one fact goes to many."""
    message: WireForm = {"type": "event", "table": table, "seq": seq}
    if facts:
        message["facts"] = facts
    if info is not None:
        message["info"] = info
    if question is not None:
        message["question"] = question
    return message


def snapshot_message(
    table: str,
    seq: int,
    seat: Seat | None,
    info: WireForm,
    view: View,
    facts: Sequence[WireForm],
    question: WireForm,
    legend: WireForm,
    earlier: int = 0,
) -> WireForm:
    """The wire form of `table`. `legend` has the fields of a `legend_message`, or its digest alone.

    `earlier` is the number of facts that are left out.
    """
    message: WireForm = {
        "type": "table",
        "table": table,
        "seq": seq,
        "seat": seat,
        "info": info,
        "view": view_form(view),
        "facts": facts,
        "question": question,
        **legend,
    }
    if earlier:
        message["earlier"] = earlier
    return message


class QuestionParts(NamedTuple):
    """What a question has; `clock` and `reserve` are in seconds."""

    turn: int
    to_act: tuple[Seat, ...] = ()
    choices: Choices | None = None
    clock: float | None = None
    reserve: tuple[int, ...] = ()


def question_form(
    turn: int,
    to_act: tuple[Seat, ...] = (),
    choices: Choices | None = None,
    clock: float | None = None,
    reserve: tuple[int, ...] = (),
) -> WireForm:
    """The wire form of a question; `clock` and `reserve` are in seconds."""
    question: WireForm = {"turn": turn}
    if to_act:
        question["to_act"] = to_act
    if choices is not None:
        question["choices"] = choices_form(choices)
    if clock is not None:
        question["clock"] = clock
    if reserve:
        question["reserve"] = reserve
    return question


def choices_form(choices: Choices) -> WireForm:
    """The wire form of choices; empty parts are left out."""
    form: WireForm = {}
    if choices.actions:
        form["actions"] = choices.actions
    if choices.picks:
        form["picks"] = tuple(_pick_form(pick) for pick in choices.picks)
    if choices.texts:
        form["texts"] = choices.texts
    if choices.ways:
        form["ways"] = tuple([_way_form(way) for way in choices.ways])
    if choices.parts:
        form["parts"] = tuple([parts_form(parts) for parts in choices.parts])
    if choices.prompt is not None:
        form["prompt"] = _phrase_form(choices.prompt)
    return form


def _pick_form(pick: Pick) -> WireForm:
    form = {"verb": pick.verb, "cards": pick.cards, "least": pick.least, "most": pick.most}
    return {**form, "way": pick.way} if pick.way else form


def _phrase_form(phrase: Phrase) -> WireForm:
    form: WireForm = {"code": phrase.code}
    if phrase.args:
        form["args"] = phrase.args
    return form


def _way_form(way: Way) -> WireForm:
    form: WireForm = {"title": way.title}
    if way.source:
        form["source"] = way.source
    if way.target:
        form["target"] = way.target
    return form


def parts_form(parts: Parts) -> WireForm:
    """The wire form of the parts of an action; empty ones are left out."""
    form = _moved_form(parts)
    for name in ("seats", "words", "numbers"):
        if held := getattr(parts, name):
            form[name] = held
    if parts.then:
        form["then"] = tuple([_moved_form(moved) for moved in parts.then])
    if parts.nth:
        form["nth"] = parts.nth
    return form


def _moved_form(moved: MovedCards | Parts) -> WireForm:
    form: WireForm = {}
    if moved.way:
        form["way"] = moved.way
    if moved.cards:
        form["cards"] = moved.cards
    if moved.backs:
        form["backs"] = moved.backs
    return form


def fact_form(fact: Fact) -> WireForm:
    """The wire form of a fact; empty parts are left out."""
    form: WireForm = {"verb": fact.verb}
    if fact.args:
        form["args"] = fact.args
    if fact.changes:
        form["changes"] = [change_form(change) for change in fact.changes]
    if fact.words:
        form["words"] = fact.words
    if fact.holds:
        form["holds"] = True
    return form


def facts_form(facts: Iterable[Fact]) -> list[WireForm]:
    """The wire forms of facts, in order."""
    return [fact_form(fact) for fact in facts]


def change_form(change: Change) -> WireForm:
    """The wire form of one change of a fact."""
    if change.do == "set":
        return {"do": "set", "key": change.key, "value": change.value}
    if change.do == "move":
        form: WireForm = {
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


def view_form(view: View) -> WireForm:
    """The wire form of a view; empty parts are left out."""
    form: WireForm = {}
    if view.zones:
        form["zones"] = {name: _zone_form(zone) for name, zone in view.zones.items()}
    if view.values:
        form["values"] = view.values
    return form


def _zone_form(zone: Zone) -> WireForm:
    form: WireForm = {}
    if zone.cards:
        form["cards"] = zone.cards
    if zone.backs:
        form["backs"] = zone.backs
    return form


def legend_form(
    legend: Sequence[LegendCard], labels: Sequence[Label] = (), layout: Layout = NO_LAYOUT
) -> WireForm:
    """The fields of a legend in a snapshot, which are equal in all snapshots of a game."""
    form: WireForm = {"legend": tuple(wire_form(card) for card in legend)}
    if labels:
        form["labels"] = tuple(wire_form(label) for label in labels)
    if layout != NO_LAYOUT:
        form["layout"] = wire_form(layout)
    return form


def legend_message(digest: str, form: WireForm) -> WireForm:
    """A `legend` message, from the digest and the fields of a legend."""
    return {"type": "legend", "digest": digest, **form}
