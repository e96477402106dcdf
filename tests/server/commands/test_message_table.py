"""The table of messages in ARCHITECTURE.md: the handler, entries and events of each.

Its handlers are read from the router's code. Its entries and events are those of a story of many
tables, which must contain every kind of entry.
"""

import ast
import inspect
import re
from collections import defaultdict
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple, get_args

import server
from engine.facts import Seat
from protocol import to_server
from protocol.to_server import (
    Act,
    AddBot,
    Admit,
    AtTable,
    Back,
    Command,
    Configure,
    Join,
    Kick,
    Leave,
    MakeHost,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    StandIn,
    Start,
    TableSettings,
    ToServer,
    Undo,
)
from server.commands.dispatch import Dispatcher
from server.names import CommandKey
from server.table.effects import Persist
from server.table.log_format import KINDS
from tests.server.table.harness import TableHarness

ARCHITECTURE = Path(server.__file__).parents[1] / "ARCHITECTURE.md"
UNASKED = "none: time, bots"
"""The row of what happens at a table though nobody has sent anything."""
OF_THE_GAME = frozenset({"act", "dealt"})
"""Entries of which the game says what everybody may know."""
ASK = TableSettings(latecomers="ask")


class Row(NamedTuple):
    """A message with its handler, the entries it may write, and their events."""

    handlers: frozenset[str]
    entries: frozenset[str]
    events: frozenset[str]


def documented() -> dict[str, Row]:
    """The table in ARCHITECTURE.md, by message."""
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (.*?) \| (.*?) \|$",
        ARCHITECTURE.read_text(encoding="utf-8").partition("| message |")[2],
        re.MULTILINE,
    )
    found = {}
    for first, *cells in rows:
        names = [frozenset(re.findall(r"`([^`]+)`", cell)) for cell in cells]
        for message in re.findall(r"`([^`]+)`", first) or [first]:
            assert message not in found
            found[message] = Row(*names)
    return found


def messages() -> dict[str, type[Command]]:
    """Every message of clients, by its type."""
    union = get_args(ToServer)[0]
    return {kind.model_fields["type"].default: kind for kind in get_args(union)}


def routes() -> dict[str, frozenset[str]]:
    """The classes that handle each message, by the code."""
    owners = {"_lobby": "LobbyService", "_hints": "Hints", "_logs": "TableLogs"}
    owners["_reviews"] = "Reviews"
    # What nothing else has a case for goes to the table.
    found = {type: {"Table"} for type, kind in messages().items() if issubclass(kind, AtTable)}
    found |= {"hello": {"Handshake"}, "ping": {"CommandRouter"}}
    owners |= {"_devices": "DeviceService", "_preferences": "PreferencesService"}
    cases = [
        case
        for function in (
            Dispatcher._handle,
            Dispatcher._answer_in_lobby,
        )
        for node in ast.walk(ast.parse(dedent(inspect.getsource(function))))
        if isinstance(node, ast.Match)
        for case in node.cases
    ]
    for case in cases:
        if not isinstance(case.pattern, ast.MatchClass):
            continue
        assert isinstance(case.pattern.cls, ast.Name)
        called = set()
        parts = [*case.body, *([ast.Expr(case.guard)] if case.guard else [])]
        for node in ast.walk(ast.Module(parts, [])):
            match node:
                case ast.Call(func=ast.Attribute(ast.Attribute(attr=owner))):
                    called.add(owners.get(owner, ""))
                case ast.Call(func=ast.Attribute(ast.Name("self"), "_to_table")):
                    called.add("Table")
        kind: type[Command] = getattr(to_server, case.pattern.cls.id)
        if case.guard:
            called |= found[kind.model_fields["type"].default]
        found[kind.model_fields["type"].default] = called - {""}
    return {message: frozenset(names) for message, names in found.items()}


class Trace:
    """Rooms in which every kind of thing happens, and what each message has written there."""

    def __init__(self) -> None:
        self.entries: defaultdict[str, set[str]] = defaultdict(set)
        self.events: defaultdict[str, set[str]] = defaultdict(set)

    def table(self, **fields: Any) -> "TracedTable":
        return TracedTable(self, **fields)


class TracedTable(TableHarness):
    """A table that records in its trace what each command has written."""

    def __init__(self, trace: Trace, **fields: Any) -> None:
        self.trace = trace
        self.types: dict[CommandKey, str] = {CommandKey("ann", "laptop", 1): "create_table"}
        self.watches: dict[int, str] = {}
        super().__init__(**fields)

    def send(self, who: str, kind: type[Command], **fields: Any) -> CommandKey:
        self.types[CommandKey(who, "laptop", self._commands + 1)] = kind.model_fields[
            "type"
        ].default
        return super().send(who, kind, **fields)

    def act(self, seat: Seat) -> None:
        """Make the first offered move as the player of a seat."""
        action = self.game.choices(self.state.play, seat).actions[0]
        who = self.state.chairs[seat].player
        assert self.ask(who, Act, turn=self.state.turn, action=action)["type"] == "ok"

    def watched(self, message: str) -> None:
        """Let a client watch by a message."""
        self.watches[self.state.seq + 1] = message
        self.watch("walter")

    def note(self) -> None:
        """Record the written entries, after everything has been sent."""
        self.check()
        for batch in (each for each in self.effects if isinstance(each, Persist)):
            key = batch.entries[-1].key
            unasked = self.watches.get(batch.entries[-1].seq, UNASKED)
            message = unasked if key is None else self.types[key]
            for entry in batch.entries:
                if entry not in self.log:
                    continue
                self.trace.entries[message].add(entry.body.kind)
                if entry.body.kind not in OF_THE_GAME:
                    # After moves are taken back, the game tells the deal from its beginning.
                    told = 1 if entry.body.kind == "undone" else None
                    facts = self.facts[entry.seq - 1][:told]
                    self.trace.events[message] |= {fact.verb for fact, _ in facts}


def told() -> Trace:
    """A story of everything that can happen at a table."""
    trace = Trace()
    _the_lobby(trace)
    _a_match(trace)
    _absences(trace)
    _latecomers(trace)
    _practice(trace)
    return trace


def _the_lobby(trace: Trace) -> None:
    table = trace.table(seats=3)
    table.ask("bea", Join)
    table.ask("cid", Join)
    table.ask("ann", Kick, seat=2)
    table.ask("bea", Sit, seat=2)
    table.ask("ann", AddBot, strength=0)
    table.ask("ann", RemoveBot, seat=1)
    table.ask("ann", Configure, options={})
    table.ask("ann", MakeHost, seat=2)
    table.ask("bea", MakeHost, seat=0)
    table.ask("ann", Leave)
    table.ask("bea", Leave)
    table.note()
    expired = trace.table()
    expired.wait(2000)
    expired.note()
    away = trace.table()
    away.ask("bea", Join)
    away.disconnect("ann")
    away.wait(60)
    away.note()


def _a_match(trace: Trace) -> None:
    table = trace.table()
    table.ask("bea", Join)
    table.ask("ann", Ready)
    table.ask("bea", Ready)
    while table.phase() == "playing":
        table.act(table.state.to_act[0])
    table.ask("ann", Rematch)
    table.ask("ann", Start, fill=0)
    table.ask("ann", Kick, seat=1)
    table.note()
    bots = trace.table(seats=3, settings=TableSettings(turn_seconds=5, latecomers="anyone"))
    bots.ask("ann", Start, fill=0)
    bots.wait(6)
    while bots.questions:
        bots.bot_moves()
    bots.note()


def _absences(trace: Trace) -> None:
    table = trace.table()
    table.ask("bea", Join)
    table.ask("ann", Start)
    table.disconnect("ann")
    table.wait(31)
    # Her seat is to be handed back, which the disk refuses; so her move does it.
    table.broken = True
    table.reconnect("ann")
    table.broken = False
    table.act(0)
    table.disconnect("ann")
    table.disconnect("bea")
    table.wait(61)
    table.reconnect("bea")
    table.wait(5)
    table.reconnect("ann")
    table.wait(5)
    table.ask("ann", Leave)
    table.note()
    idle = trace.table()
    idle.ask("bea", Join)
    idle.ask("ann", Start)
    idle.wait(1000)
    idle.ask("ann", StandIn, seat=1)
    idle.ask("bea", Back)
    idle.note()


def _latecomers(trace: Trace) -> None:
    table = trace.table(seats=3, settings=ASK)
    table.ask("ann", Start, fill=0)
    table.ask("bea", Join)
    table.ask("ann", Admit, request=1)
    table.note()


def _practice(trace: Trace) -> None:
    table = trace.table()
    table.ask("ann", Start, fill=0)
    table.act(0)
    table.ask("ann", Undo)
    table.watched("watch")
    table.note()
    resumed = trace.table()
    resumed.ask("ann", Start, fill=0)
    resumed.watched("hello")
    resumed.note()
    for kind in (Start, Ready):
        seen = trace.table()
        seen.actor.first_spectator.present = lambda: True
        seen.ask("ann", AddBot, strength=0)
        seen.ask("ann", kind)
        seen.note()


def test_every_message_stands_in_the_table() -> None:
    """The table has a row for each message, and one for entries without a message."""
    assert set(documented()) == {*messages(), UNASKED}


def test_the_handlers_are_those_of_the_router() -> None:
    """Each message goes to the handler that the table names."""
    written = {message: row.handlers for message, row in documented().items()}
    written.pop(UNASKED)
    assert written == routes()


def test_the_entries_and_events_are_those_that_happen() -> None:
    """The entries and events of each message are those in the table."""
    trace, rows = told(), documented()
    assert {each for kinds in trace.entries.values() for each in kinds} == KINDS
    assert {message: row.entries for message, row in rows.items() if row.entries} == trace.entries
    assert {message: row.events for message, row in rows.items() if row.events} == {
        message: events for message, events in trace.events.items() if events
    }
