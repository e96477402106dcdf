"""Logs the messages that one client received, for a comparison with the table's log."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.facts import SPECTATOR, Viewer
from engine.views import fold, for_people
from protocol.client_events import (
    Answer,
    Answered,
    ClientEvent,
    Disconnected,
    Noticed,
    Reconnected,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.mirror import TableMirror
from protocol.to_client import TO_CLIENT, Error, Event, Ok, Snapshot
from protocol.to_server import TO_SERVER, Act, ToServer
from server.table.entries import Acted
from tests.e2e.program import Program
from tests.e2e.stored import StoredTable


@dataclass
class ClientLog:
    """One table as one client saw it. `on_event` is called with the number of every event."""

    on_event: Callable[[int], None] = lambda seq: None
    player: str = ""
    events: list[Event] = field(default_factory=list)
    snapshots: list[TableMirror] = field(default_factory=list)
    answers: list[tuple[ToServer, Ok | Error]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    losses: int = 0
    returns: int = 0
    last: TableMirror | None = None

    def note(self, client_event: ClientEvent) -> None:
        match client_event:
            case Welcomed(welcome):
                self.meet(welcome.player)
            case TableEvent(mirror, event):
                assert self.last is not None, "an event before any snapshot"
                assert event.seq == self.last.seq + 1, "a gap, or the same event twice"
                self.last = mirror
                self.events.append(event)
                self.on_event(event.seq)
            case TableSnapshot(mirror):
                assert mirror.view == fold(mirror.facts), "a snapshot at odds with itself"
                self.snapshots.append(mirror)
                self.last = mirror
            case Answered(command, Ok() | Error() as answer):
                self.answers.append((command, answer))
            case Noticed(notice):
                self.notices.append(notice.code if isinstance(notice, Error) else notice.kind)
            case Disconnected():
                self.losses += 1
            case Reconnected():
                self.returns += 1
            case _:
                pass

    def meet(self, player: str) -> None:
        """Record the welcome, which must name the same player each time once there was a seat."""
        seated = self.last is not None and self.last.seat is not None
        assert player == self.player or not seated, "came back as another player"
        self.player = player

    @property
    def over(self) -> bool:
        return self.last is not None and self.last.info.phase == "finished"

    @property
    def viewer(self) -> Viewer:
        assert self.last is not None
        return SPECTATOR if self.last.seat is None else self.last.seat

    @property
    def verbs(self) -> list[str]:
        """The verbs of all facts that the client received."""
        return [fact.verb for event in self.events for fact in event.facts]

    def check(self, stored: StoredTable, *, internal: bool = True) -> None:
        """Check that the log contains all facts and accepted moves that this client received.

        Without `internal` the client received no internal values, as it did not ask for them.
        """
        assert self.over
        assert self.last is not None
        for event in self.events:
            seen = stored.seen(event.seq, self.viewer)
            told = seen if internal else tuple(map(for_people, seen))
            assert event.facts == told, f"event {event.seq}"
        view = stored.view(self.viewer)
        assert self.last.view == (view if internal else view.for_people())
        effects = {
            entry.key.command: entry
            for entry in stored.entries
            if entry.key is not None and entry.key.player == self.player
        }
        done = {command.id for command, answer in self.answers if isinstance(answer, Ok)}
        assert effects.keys() <= done, "a command had an effect and was not acknowledged"
        for command, answer in self.answers:
            if isinstance(command, Act) and isinstance(answer, Ok):
                entry = effects[command.id]
                moved = Acted(self.viewer, command.action)
                assert (entry.seq, entry.body) == (answer.seq, moved), "a promise was broken"


def read(program: Program) -> ClientLog:
    """Return the log of a program that writes `--json`."""
    client_log = ClientLog()
    for line, record in zip(program.lines, program.records(), strict=True):
        match record["type"]:
            case "welcome":
                client_log.meet(record["player"])
            case "table":
                snapshot = TO_CLIENT.validate_json(line)
                assert isinstance(snapshot, Snapshot)
                client_log.note(TableSnapshot(TableMirror.of(snapshot)))
            case "event":
                event = TO_CLIENT.validate_json(line)
                assert isinstance(event, Event)
                assert client_log.last is not None, "an event before any snapshot"
                client_log.note(TableEvent(client_log.last.follow(event), event, client_log.last))
            case "answer":
                command = TO_SERVER.validate_json(json.dumps(record["command"]))
                answer = TO_CLIENT.validate_json(json.dumps(record["answer"]))
                assert isinstance(answer, Answer | Error)
                client_log.note(Answered(command, answer))
            case "disconnected":
                client_log.note(Disconnected(record["reason"]))
            case "reconnected":
                client_log.note(Reconnected())
    return client_log
