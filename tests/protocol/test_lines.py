"""The lines that `--json` prints for scripts."""

import json

from hypothesis import given

from engine.facts import Fact
from protocol.client_events import (
    Answered,
    Chatted,
    Disconnected,
    Noticed,
    PresenceChanged,
    PutOff,
    Reconnected,
    TableClosed,
    TableSnapshot,
    TableUnchanged,
    Welcomed,
)
from protocol.lines import finished_record, record
from protocol.mirror import TableMirror
from protocol.to_client import (
    ChatNotice,
    Error,
    Limits,
    Notice,
    Ok,
    Presence,
    Snapshot,
    Unchanged,
    Welcome,
)
from protocol.to_server import Ready
from tests.client_cli.tables import ANNS_TURN, CODE, event, played, table
from tests.protocol.strategies import instances

READY = Ready(id=3, table=CODE)


def test_a_welcome_keeps_its_token_to_itself() -> None:
    """A welcome is printed without its token."""
    limits = Limits(message_bytes=1, messages_per_second=1.0, chat_length=1)
    welcome = Welcome(
        id=1, version=1, player="p1", name="Ann", token="secret", server="s", limits=limits
    )
    assert record(Welcomed(welcome)) == {
        "type": "welcome",
        "player": "p1",
        "name": "Ann",
        "server": "s",
    }


def test_an_answer_stands_beside_its_command() -> None:
    """An answer is printed with its command, and so is a notice that the command waits."""
    answer = {"type": "ok", "id": 3, "seq": 9}
    ready = {"type": "ready", "id": 3, "table": CODE}
    assert record(Answered(READY, Ok(id=3, seq=9))) == {
        "type": "answer",
        "command": ready,
        "answer": answer,
    }
    error = Error(id=3, code="try_again", reason="busy")
    told = record(PutOff(READY, error))
    assert (told["type"], told["command"], told["error"]["code"]) == ("put_off", ready, "try_again")


def test_an_event_is_told_with_what_a_script_would_have_to_fold() -> None:
    """An event is printed with its message and the folded seat, phase, turn and counts."""
    told = record(event(ANNS_TURN, played(2, "KC")))
    assert told == {
        "type": "event",
        "table": CODE,
        "seq": 20,
        "facts": (
            {
                "verb": "card_played",
                "args": {"seat": 2, "card": "KC"},
                "changes": (
                    {"do": "move", "source": "hand/2", "target": "trick", "cards": ("KC",)},
                ),
            },
        ),
        "seat": 0,
        "phase": "playing",
        "your_turn": True,
        "values": dict(ANNS_TURN.view.values),
    }


def test_a_snapshot_is_the_whole_table() -> None:
    """A snapshot is printed as the whole table: view, facts, prompt and legend."""
    told = record(TableSnapshot(ANNS_TURN))
    assert told["type"] == "table"
    assert told["view"]["zones"]["trick"] == {"cards": ("4C", "KC")}
    assert told["question"]["choices"] == {"actions": ANNS_TURN.choices.actions}
    assert (told["seat"], told["your_turn"]) == (0, True)


def test_what_others_say_and_do_is_told_as_it_came() -> None:
    """Chat, presence and notices are printed as received."""
    chat = ChatNotice(table=CODE, seat=1, name="Bob", text="hello")
    assert record(Chatted(chat))["text"] == "hello"
    presence = Presence(table=CODE, seat=1, away=True)
    assert record(PresenceChanged(table(), presence))["away"] is True
    unchanged = Unchanged(table=CODE, info=table().info, clock=9.0)
    assert record(TableUnchanged(table(), unchanged))["clock"] == 9.0
    assert record(Noticed(Notice(kind="draining"))) == {"type": "notice", "kind": "draining"}


def test_the_connection_is_told_of() -> None:
    """Lost and regained connections are printed, and so is the end of a place at a table."""
    assert record(Disconnected("gone")) == {"type": "disconnected", "reason": "gone"}
    assert record(Reconnected()) == {"type": "reconnected"}
    assert record(TableClosed(table(), "kicked")) == {
        "type": "closed",
        "table": CODE,
        "reason": "kicked",
    }


def test_the_result_of_a_match() -> None:
    """The result of a match is printed with totals, ranks and names by seat, once it exists."""
    assert finished_record(table()) is None
    ended = Fact("match_ended", {"totals": (1, 2, 3), "ranks": (3, 2, 1)})
    assert finished_record(table(facts=(played(0, "2C"), ended))) == {
        "type": "finished",
        "table": CODE,
        "totals": (1, 2, 3),
        "ranks": (3, 2, 1),
        "names": ("Ann", "Blaise", "Carl"),
    }


@given(instances(Snapshot).map(TableMirror.of))
def test_every_table_is_a_line_of_json(mirror: TableMirror) -> None:
    """Every table a server can send is printed as one line of JSON."""
    assert json.loads(json.dumps(record(TableSnapshot(mirror))))["table"] == mirror.table
