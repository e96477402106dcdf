"""Converts tables and their entries to rows of the store, and back."""

import json
from collections.abc import Iterable

from protocol.visible_text import shown_name
from protocol.wire_form import WireForm, ok_message, wire_form
from server.games.descriptions import digest_in
from server.names import CommandKey
from server.store import (
    CLOSED,
    AnswerRow,
    DescriptionRow,
    EntryRow,
    ResultRow,
    Seats,
    TableRow,
    Write,
)
from server.table.effects import Persist
from server.table.entries import Acted, Dealt, Entry, Opened
from server.table.errors import BadLog, NewerLog
from server.table.fold import outcome_of
from server.table.log_format import body_text, parse_body
from server.table.messages import info_at
from server.table.settings import settings_json, stored_settings, told_settings
from server.table.state import TableState
from server.table.table import Table
from server.table.turn_clock import TurnRule

NOBODY = (None, None, None)
"""Whom an entry without a command is stored for."""


def entry_rows(code: str, entries: Iterable[Entry]) -> tuple[EntryRow, ...]:
    """Return the rows of a table's entries."""
    return tuple(
        EntryRow(code, seq, body.kind, at, body_text(body), *(key or NOBODY))
        for seq, at, body, key in entries
    )


def entry_of(row: EntryRow) -> Entry:
    """Return the entry of a row; raise `BadLog` if it is none."""
    key = None
    if row.player is not None and row.client is not None and row.command is not None:
        key = CommandKey(row.player, row.client, row.command)
    try:
        body = parse_body(row.kind, row.body)
    except NewerLog as error:
        raise NewerLog(f"entry {row.seq} of table {row.table}: {error}") from None
    except ValueError:
        raise BadLog(f"entry {row.seq} of table {row.table} cannot be read") from None
    return Entry(row.seq, row.time, body, key)


def write_of(table: Table, effect: Persist, entries: tuple[EntryRow, ...], now: float) -> Write:
    """Return the write of entries that change more than the state of a game."""
    return Write(
        entries=entries,
        answers=answer_rows(table, effect, now),
        tables=(table_row(table, effect.state, now),),
        seats=seat_rows(table, effect.state),
        results=result_rows(table, effect, now),
        descriptions=description_rows(table, effect),
    )


def table_row(table: Table, state: TableState, now: float) -> TableRow:
    """Return the row of a table at `state`, for the directory after a restart."""
    info = info_at(table, state, present=False)
    return TableRow(
        code=table.code,
        game=state.game,
        version=state.version,
        private=state.settings.private,
        phase=state.phase,
        due=table.clocks.sleep_until(state, now),
        seq=state.seq,
        created=state.opened_at,
        summary=json.dumps(
            {
                "info": info,
                "settings": settings_json(state.settings),
                "players": players_of(state),
            }
        ),
    )


def listed(row: TableRow, rule: TurnRule) -> tuple[WireForm, list[str]]:
    """Return a stored table's details and its players' ids for the directory, from any version.

    Messages leave out settings with the default value, which may change, so the row has the log's
    settings as well; `rule` gives the turn clock in force. Names are shown as today's rules allow.
    """
    summary = json.loads(row.summary)
    info = summary["info"]
    settings = stored_settings(summary["settings"])
    kinds = [seat["kind"] for seat in info["seats"]]
    info["settings"] = wire_form(told_settings(settings, rule.told(settings, info["phase"], kinds)))
    for seat in info["seats"]:
        if seat.get("name"):
            seat["name"] = shown_name(seat["name"])
    return info, summary["players"]


def seat_rows(table: Table, state: TableState) -> tuple[Seats, ...]:
    """Return the seats of a table from `state` on, if they have changed."""
    before, after = _seated(table.state), _seated(state)
    return () if before == after else (Seats(table.code, after),)


def _seated(state: TableState) -> frozenset[str]:
    return frozenset(() if state.phase == CLOSED else players_of(state))


def result_rows(table: Table, effect: Persist, now: float) -> tuple[ResultRow, ...]:
    """Return the result of a match, in the write of the move (or the deal) that ended it.

    A practice match has none.
    """
    state = effect.state
    if state.practice or not isinstance(effect.entries[-1].body, Acted | Dealt):
        return ()
    outcome = outcome_of(table.game, state)
    if outcome is None:
        return ()
    body = {
        "names": [chair.name for chair in state.chairs],
        "totals": outcome.scores,
        "ranks": outcome.ranks,
    }
    return (ResultRow(table.code, state.match, state.game, now, json.dumps(body)),)


def answer_rows(table: Table, effect: Persist, now: float) -> tuple[AnswerRow, ...]:
    """Return the answer to the command that opens a table, in the write of its first entries.

    No table shows that the command was sent before, to another node, and was refused there.
    """
    key = effect.entries[-1].key
    if key is None or not isinstance(effect.entries[0].body, Opened):
        return ()
    message = ok_message(key.command, table.code, effect.state.seq)
    return (AnswerRow(*key, json.dumps(message), now),)


def description_rows(table: Table, effect: Persist) -> tuple[DescriptionRow, ...]:
    """Return the description of a table's game, in the write that opens the table."""
    if table.described is None or not isinstance(effect.entries[0].body, Opened):
        return ()
    source = table.described.source
    digest = digest_in(source.game)
    assert digest is not None, "or the game would not be described"
    return (DescriptionRow(digest, source.text),)


def players_of(state: TableState) -> list[str]:
    """Return the ids of the players who have a seat."""
    return [chair.player for chair in state.chairs if chair.kind == "human"]
