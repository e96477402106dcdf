"""Happenings as JSON objects, one a line, for scripts: the form of `--json` in all clients.

Messages stand in them as they came, less the token; what a script would have to fold itself (its
seat, the phase, the counts of the view) stands beside them. docs/playing.md describes the form.
"""

from typing import assert_never

from protocol.client_events import (
    Answered,
    Chatted,
    ClientEvent,
    Disconnected,
    Noticed,
    PresenceChanged,
    PutOff,
    Reconnected,
    TableClosed,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.encode import Plain, plain
from protocol.mirror import TableMirror
from protocol.to_client import Message


def record(client_event: ClientEvent) -> Plain:
    """The line that tells of `client_event`."""
    match client_event:
        case Welcomed(welcome):
            return {"type": "welcome", **_some(plain(welcome), "player", "name", "server")}
        case Answered(command, answer):
            return {"type": "answer", "command": plain(command), "answer": plain(answer)}
        case PutOff(command, error):
            return {"type": "put_off", "command": plain(command), "error": plain(error)}
        case TableSnapshot(mirror):
            return snapshot_record(mirror)
        case TableEvent(mirror, event):
            return {**plain(event), **_folded(mirror)}
        case Chatted(chat):
            return _plain(chat)
        case PresenceChanged(_, presence):
            return _plain(presence)
        case Noticed(notice):
            return _plain(notice)
        case TableClosed(mirror, reason):
            return {"type": "closed", "table": mirror.table, "reason": reason}
        case Disconnected(reason):
            return {"type": "disconnected", "reason": reason}
        case Reconnected():
            return {"type": "reconnected"}
        case _:
            assert_never(client_event)


def snapshot_record(mirror: TableMirror) -> Plain:
    """A whole table: what `table` says on the wire, with the same folded fields as an event."""
    fields = ("table", "seq", "info", "view", "facts", "question", "legend")
    return {"type": "table", **_some(plain(mirror), *fields), **_folded(mirror)}


def finished_record(mirror: TableMirror) -> Plain | None:
    """The result of the match that has ended at the table; None while none has."""
    ended = next((fact for fact in reversed(mirror.facts) if fact.verb == "match_ended"), None)
    if ended is None:
        return None
    result = _some(plain(ended.args), "totals", "ranks")
    return {"type": "finished", "table": mirror.table, **result, "names": mirror.names}


def _folded(mirror: TableMirror) -> Plain:
    return {
        "seat": mirror.seat,
        "phase": mirror.info.phase,
        "your_turn": mirror.my_turn,
        "values": plain(mirror.view.values),
    }


def _plain(message: Message) -> Plain:
    form: Plain = plain(message)
    return form


def _some(form: Plain, *names: str) -> Plain:
    return {name: form[name] for name in names if name in form}
