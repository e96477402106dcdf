"""Client events as JSON objects, one a line, for scripts: the form of `--json` in all clients.

A line has the message as it came, without the token, beside what a script would otherwise have to
fold itself (its seat, the phase, the counts of the view). docs/playing.md describes the form.
"""

from typing import assert_never

from protocol.client_events import (
    Answered,
    Chatted,
    ClientEvent,
    Disconnected,
    LobbyChanged,
    Noticed,
    PresenceChanged,
    PutOff,
    Reconnected,
    TableClosed,
    TableEvent,
    TableSnapshot,
    TableUnchanged,
    Welcomed,
)
from protocol.message import Message
from protocol.mirror import TableMirror
from protocol.wire_form import WireForm, wire_form


def record(client_event: ClientEvent) -> WireForm:
    """The JSON object of `client_event`."""
    match client_event:
        case Welcomed(welcome):
            return {"type": "welcome", **_some(wire_form(welcome), "player", "name", "server")}
        case Answered(command, answer):
            return {"type": "answer", "command": wire_form(command), "answer": wire_form(answer)}
        case PutOff(command, error):
            return {"type": "put_off", "command": wire_form(command), "error": wire_form(error)}
        case LobbyChanged(lobby):
            return {"type": "lobby", "more": False, **wire_form(lobby)}
        case TableSnapshot(mirror):
            return snapshot_record(mirror)
        case TableEvent(mirror, event):
            return {**wire_form(event), **_folded(mirror)}
        case Chatted(chat):
            return _form(chat)
        case PresenceChanged(_, presence):
            return _form(presence)
        case TableUnchanged(_, unchanged):
            return _form(unchanged)
        case Noticed(notice):
            return _form(notice)
        case TableClosed(mirror, reason):
            return {"type": "closed", "table": mirror.table, "reason": reason}
        case Disconnected(reason):
            return {"type": "disconnected", "reason": reason}
        case Reconnected():
            return {"type": "reconnected"}
        case _:
            assert_never(client_event)


def snapshot_record(mirror: TableMirror) -> WireForm:
    """A whole table: the fields of `table` on the wire, and the folded fields of an event."""
    fields = ("table", "seq", "info", "view", "facts", "question", "legend", "labels", "layout")
    return {"type": "table", **_some(wire_form(mirror), *fields), **_folded(mirror)}


def finished_record(mirror: TableMirror) -> WireForm | None:
    """The result of the match that has ended at the table; None if none has."""
    ended = next((fact for fact in reversed(mirror.facts) if fact.verb == "match_ended"), None)
    if ended is None:
        return None
    result = _some(wire_form(ended.args), "totals", "ranks")
    seeded = {"seeded": True} if mirror.info.seeded else {}
    return {"type": "finished", "table": mirror.table, **result, "names": mirror.names, **seeded}


def _folded(mirror: TableMirror) -> WireForm:
    return {
        "seat": mirror.seat,
        "phase": mirror.info.phase,
        "your_turn": mirror.my_turn,
        "values": wire_form(mirror.view.values),
    }


def _form(message: Message) -> WireForm:
    form: WireForm = wire_form(message)
    return form


def _some(form: WireForm, *names: str) -> WireForm:
    return {name: form[name] for name in names if name in form}
