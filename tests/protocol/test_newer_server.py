"""A server of the future and a client of today: nothing that came later ends a session."""

import json
from typing import Any

import pytest
from hypothesis import given

from engine.facts import Fact
from protocol.client import SECONDS_BETWEEN_MISFITS, ClientSession
from protocol.client_events import PutOff, TableSnapshot, Welcomed
from protocol.codec import Codec, codec_for
from protocol.connection import connect
from protocol.errors import ProtocolError
from protocol.lines import record
from protocol.to_client import (
    Event,
    GameList,
    HintAnswer,
    Ok,
    Snapshot,
    TableList,
    ToClient,
    UnreadEvent,
    Welcome,
)
from protocol.to_server import (
    Act,
    Admit,
    ChangedSettings,
    Configure,
    Hello,
    Join,
    ListTables,
    Sync,
    TableSettings,
)
from protocol.version import JSON, MSGPACK, SUBPROTOCOLS
from protocol.wire_form import WireForm, wire_form
from tests.protocol.future import NEWS, STRANGE_CHANGE, STRANGE_VALUES, reworded, with_news
from tests.protocol.model_server import INFO, TABLE, ModelServer, welcome
from tests.protocol.model_socket_server import HASTY, ModelSocketServer, running
from tests.protocol.strategies import instances, messages
from tests.protocol.test_wire_form import without

JSON_CODEC = codec_for(JSON)
codecs = pytest.mark.parametrize("codec", [codec_for(name) for name in SUBPROTOCOLS])


def heard(*frame: Any, codec: Codec = JSON_CODEC) -> list[ToClient]:
    """What a client of today makes of these plain messages."""
    return codec.decode_frame(codec.frame([codec.encode_message(message) for message in frame]))


def as_sent(value: Any) -> Any:
    return json.loads(json.dumps(wire_form(value)))


class TestReading:
    @codecs
    @given(message=messages())
    def test_unknown_fields_change_nothing(self, codec: Codec, message: ToClient) -> None:
        """Wherever in a message they stand."""
        [told] = heard(with_news(wire_form(message)), codec=codec)
        assert type(told) is type(message)
        assert without(as_sent(told), *NEWS) == as_sent(message)

    def test_unknown_types_of_any_kind(self) -> None:
        """A type that is no word is an unknown one too."""
        assert heard({"type": ["x"]}, {"type": None}, {"type": 7}, {}) == []

    @given(snapshot=instances(Snapshot), fact=instances(Fact))
    def test_a_snapshot_without_what_is_unknown(self, snapshot: Snapshot, fact: Fact) -> None:
        """Changes and values of unknown kinds are left out; the view is complete anyway."""
        strange = with_news(wire_form(snapshot))
        told = wire_form(fact)
        more = {
            **told,
            "args": {**told.get("args", {}), **STRANGE_VALUES},
            "changes": [STRANGE_CHANGE, *told.get("changes", ()), {"do": "set"}, 7],
        }
        strange["facts"] = [more, *strange["facts"], "no fact"]
        view = strange["view"]
        strange["view"] = {**view, "values": {**view.get("values", {}), **STRANGE_VALUES}}
        [understood] = heard(strange)
        assert isinstance(understood, Snapshot)
        assert understood.facts == (Fact(fact.verb, fact.args, fact.changes), *snapshot.facts)
        assert understood.view == snapshot.view

    @pytest.mark.parametrize(
        "fact",
        [
            {"verb": "x", "changes": [STRANGE_CHANGE]},
            {"verb": "x", "changes": [{"do": "set", "key": "a", "value": 0.5}]},
            {"verb": ["x"]},
            7,
        ],
    )
    def test_an_event_with_an_unknown_change_is_not_half_read(self, fact: Any) -> None:
        """What would make the picture wrong is not left out: the event counts as not heard."""
        event = {"type": "event", "table": TABLE, "seq": 4, "facts": [{"verb": "y"}, fact]}
        assert heard(event) == [UnreadEvent(table=TABLE, seq=4)]

    @pytest.mark.parametrize("wrong", [{"info": 7}, {"question": {"turn": "x"}}])
    def test_an_event_in_another_form(self, wrong: WireForm) -> None:
        """Nor is it half read where its other parts are not what they were."""
        event = {"type": "event", "table": TABLE, "seq": 4, **wrong}
        assert heard(event) == [UnreadEvent(table=TABLE, seq=4)]

    def test_an_event_with_unknown_words_is_read(self) -> None:
        """Arguments make sentences, not pictures; choices of another kind cannot be offered."""
        choices = {"actions": ["play QS", 7], "picks": [{"verb": "pass"}]}
        told = {"verb": "y", "args": {"seat": 1, **STRANGE_VALUES}}
        question = {"turn": 4, "choices": choices}
        [event] = heard(
            {"type": "event", "table": TABLE, "seq": 4, "facts": [told], "question": question}
        )
        assert isinstance(event, Event)
        assert event.facts == (Fact("y", {"seat": 1}),)
        assert event.question is not None
        assert event.question.choices is not None
        assert event.question.choices.actions == ("play QS",)

    @pytest.mark.parametrize("head", [{"seq": 4}, {"table": TABLE}, {"table": 4, "seq": 4}])
    def test_an_event_of_nothing(self, head: WireForm) -> None:
        """Without table and number it is no event of any server."""
        with pytest.raises(ProtocolError, match="bad_message"):
            heard({"type": "event", **head, "facts": [{"verb": "x", "changes": [STRANGE_CHANGE]}]})

    def test_lists_go_on_without_what_cannot_be_read(self) -> None:
        """One game, table, option or candidate of an unknown form costs nobody the others."""
        game = {
            "id": "pile",
            "version": 1,
            "title": "Pile",
            "seats": [3],
            "usual_seats": 3,
            "strengths": [0, "best"],
            "options": [
                {"name": "deals", "title": "Deals", "default": 2},
                {"name": "pace", "title": "Pace", "default": [1.5]},
            ],
        }
        table = as_sent(INFO)
        hint = {"type": "hint", "id": 3, "table": TABLE, "turn": 1, "action": "x"}
        weighed = {"action": "x", "value": 1.0, "why": {"points": 2.0, "because": "so"}}
        [games, tables, hinted, hello] = heard(
            {"type": "games", "id": 1, "games": [game, {"id": 7}]},
            {"type": "tables", "id": 2, "tables": [{"table": 7}, table]},
            {**hint, "candidates": [weighed, {"action": []}]},
            {**as_sent(welcome(1)), "features": ["a", {"b": 1}]},
        )
        assert isinstance(games, GameList)
        assert [each.id for each in games.games] == ["pile"]
        assert [option.name for option in games.games[0].options] == ["deals"]
        assert games.games[0].strengths == (0,)
        assert isinstance(tables, TableList)
        assert tables.tables == (INFO,)
        assert isinstance(hinted, HintAnswer)
        assert [each.why for each in hinted.candidates] == [{"points": 2.0}]
        assert isinstance(hello, Welcome)
        assert hello.features == ("a",)

    @pytest.mark.parametrize(
        "message",
        [
            {"type": "table", "table": TABLE},
            {"type": "table", "facts": [[[{}]]], "view": {"values": 7}},
            {"type": "ok", "id": "seven"},
            {"type": "chat", "table": TABLE, "seat": 1, "name": ["Ann"], "text": "x"},
        ],
    )
    def test_what_is_no_message_is_refused(self, message: WireForm) -> None:
        """What every server of this version says stays as it is; all else is another server."""
        with pytest.raises(ProtocolError, match="bad_message"):
            heard(message)

    def test_faults_at_several_depths(self) -> None:
        """Each look finds what the one before hid, up to a bound."""
        snapshot = as_sent(ModelServer(seat=0).snapshot())
        [told] = heard({**snapshot, "facts": [{"verb": "x", "args": {"a": [[1]]}, "changes": [7]}]})
        assert isinstance(told, Snapshot)
        assert told.facts == (Fact("x"),)


def following(after: int = 3) -> tuple[ClientSession, ModelServer]:
    """A session that follows a table, and the server."""
    session, server = ClientSession(), ModelServer(seat=0, subscribed=True)
    [hello] = session.connected()
    session.receive(welcome(hello.id))
    for _ in range(after):
        server.happens()
    session.receive(server.snapshot())
    return session, server


class TestTheSession:
    def test_an_unknown_change_asks_for_a_snapshot(self) -> None:
        """At once, and the table's events are ignored until it comes."""
        session, server = following(after=3)
        assert session.receive(UnreadEvent(table=TABLE, seq=4)) == []
        [sync] = session.take_outbox()
        assert isinstance(sync, Sync)
        assert session.receive(UnreadEvent(table=TABLE, seq=5)) == []
        assert session.outbox == []
        server.happens()
        told = session.receive(Ok(id=sync.id, table=TABLE), server.snapshot())
        assert told == [TableSnapshot(server.truth())]

    def test_unknown_changes_again_and_again_do_not_make_a_storm(self) -> None:
        """From the second on the session asks to send its `sync` a second later."""
        session, server = following(after=3)
        syncs = []
        for seq in range(4, 8):
            server.happens()
            told = session.receive(UnreadEvent(table=TABLE, seq=seq))
            for client_event in told:
                assert isinstance(client_event, PutOff)
                assert client_event.error.retry_after == SECONDS_BETWEEN_MISFITS
                assert session.outbox == []
                assert session.receive(UnreadEvent(table=TABLE, seq=seq + 1)) == []
                session.again(client_event.command.id)
            assert len(told) == (0 if seq == 4 else 1)
            [sync] = session.take_outbox()
            syncs.append(sync.id)
            session.receive(Ok(id=sync.id, table=TABLE), server.snapshot())
            assert session.tables[TABLE] == server.truth()
        assert len(set(syncs)) == 4

    def test_a_server_that_does_not_say_welcome_ends_nothing(self) -> None:
        """A snapshot and events that nobody can follow, before the hello was answered."""
        session, server = ClientSession(), ModelServer(seat=0)
        session.connected()
        for seq in range(1, 4):
            session.receive(server.snapshot())
            assert session.receive(UnreadEvent(table=TABLE, seq=seq)) == []
        assert session.outbox == []

    def test_a_put_off_snapshot_is_not_asked_for_on_the_next_connection(self) -> None:
        """The hello says how far the client is; nothing old is sent again."""
        session, _ = following(after=3)
        session.receive(UnreadEvent(table=TABLE, seq=4))
        [sync] = session.take_outbox()
        session.receive(Ok(id=sync.id), ModelServer(seat=0, log=[()] * 4).snapshot())
        [put_off] = session.receive(UnreadEvent(table=TABLE, seq=5))
        assert isinstance(put_off, PutOff)
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert hello.resume == {TABLE: 4}
        session.receive(welcome(hello.id))
        session.again(put_off.command.id)
        assert session.outbox == []

    def test_what_the_server_knows(self) -> None:
        """A server that names no features has none; the next welcome is read afresh."""
        session = ClientSession()
        [hello] = session.connected()
        session.receive(welcome(hello.id).model_copy(update={"features": ("admit", "fly")}))
        assert session.knows("admit")
        [hello] = session.connected()
        session.receive(welcome(hello.id))
        assert not session.knows("admit")

    def test_what_the_server_does_not_know_is_not_sent(self) -> None:
        """A later field is refused here, unless it says what holds without it anyhow."""
        session = ClientSession()
        session.command(ListTables, free=1)
        [hello] = session.connected()
        old = welcome(hello.id)
        session.receive(old.model_copy(update={"features": ("list_tables.free",)}))
        session.command(ListTables, free=1)
        [hello] = session.connected()
        session.receive(old.model_copy(update={"id": hello.id}))
        session.take_outbox()
        session.command(ListTables, free=0)
        with pytest.raises(ProtocolError, match=r"bad_message: .* older than list_tables\.free"):
            session.command(ListTables, free=1)
        assert [command.type for command in session.take_outbox()] == ["list_tables"]
        session.command(Configure, table=TABLE, settings=TableSettings(hints=False))
        assert [command.type for command in session.take_outbox()] == ["configure"]

    def test_a_command_the_server_does_not_know_is_not_sent(self) -> None:
        """A command that came later is refused here, and sent to a server that names it."""
        session = ClientSession()
        [hello] = session.connected()
        session.receive(welcome(hello.id))
        with pytest.raises(ProtocolError, match=r"bad_message: .* older than admit"):
            session.command(Admit, table=TABLE, request=1)
        [hello] = session.connected()
        session.receive(welcome(hello.id).model_copy(update={"features": ("admit",)}))
        session.command(Admit, table=TABLE, request=1)
        assert [command.type for command in session.take_outbox()] == ["admit"]


class TestSettings:
    def test_unknown_settings_go_back_as_they_came(self) -> None:
        """Changing one setting does not reset settings that the client does not know."""
        told = {**as_sent(INFO), "settings": {"hints": False, "music": "waltz", "bot_delay": 99.0}}
        [event] = heard({"type": "event", "table": TABLE, "seq": 1, "info": told})
        assert isinstance(event, Event)
        assert event.info is not None
        changed = ChangedSettings.of(event.info.settings, private=True)
        assert isinstance(changed, TableSettings)
        assert wire_form(changed) == {
            "private": True,
            "hints": False,
            "bot_delay": 99.0,
            "music": "waltz",
        }

    @pytest.mark.parametrize("change", [{"turn_seconds": -1}, {"music": "waltz"}])
    def test_what_is_changed_must_be_known(self, change: dict[str, Any]) -> None:
        """A misspelt setting, or one out of bounds, is refused here already."""
        with pytest.raises(ValueError, match=next(iter(change))):
            ChangedSettings.of(INFO.settings, **change)


class TestAtASocket:
    @pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
    async def test_a_session(self, subprotocol: str) -> None:
        """Joining, moving, and being told in words of the future; the picture stays right."""
        server = ModelSocketServer(reword=reworded)
        async with (
            running(server),
            connect(server.url, subprotocol=subprotocol, patience=HASTY) as client,
        ):
            assert (await client.ask(Join, table=TABLE)).table == TABLE
            for _ in range(3):
                await client.ask(Act, table=TABLE, turn=0, action="do it")
            snapshots = 0
            async for client_event in client.events():
                assert json.dumps(record(client_event))
                snapshots += isinstance(client_event, TableSnapshot)
                if snapshots and client.session.tables[TABLE].seq == 3:
                    break
            mirror = client.session.tables[TABLE]
        assert mirror.view == server.model.truth().view
        assert mirror.info.phase == "breathing_space"

    async def test_all_of_it_is_told(self) -> None:
        """Unknown notices and error codes are passed on, as they are and as `internal`."""
        async with (
            running(ModelSocketServer(reword=reworded)) as server,
            connect(server.url) as client,
        ):
            told = [record(each) async for each in until_welcomed(client.events())]
        assert [line["type"] for line in told] == ["notice", "notice", "error", "welcome"]
        assert told[0] == {"type": "notice", "kind": "new_moon", "table": TABLE, "count": 3}
        assert told[2]["code"] == "internal"


async def until_welcomed(events: Any) -> Any:
    async for client_event in events:
        yield client_event
        if isinstance(client_event, Welcomed):
            return


class TestANewerClient:
    @codecs
    def test_hello_may_say_more(self, codec: Codec) -> None:
        """A server ignores what it does not know of a hello, and of nothing else."""
        hello = Hello(id=1, version=1, client="f3a9", name="Ann")
        frame = codec.frame([codec.encode_message(wire_form(hello) | NEWS)])
        # A frame from a client is one message, not a list of them.
        raw = frame[1:] if isinstance(frame, bytes) else frame[1:-1]
        assert codec.decode_command(raw) == hello

    @pytest.mark.parametrize("name", [MSGPACK, JSON])
    def test_other_commands_may_not(self, name: str) -> None:
        """Or a misspelt option would be ignored silently."""
        codec = codec_for(name)
        frame = codec.frame([codec.encode_message({"type": "join", "id": 1, "table": "A"} | NEWS)])
        raw = frame[1:] if isinstance(frame, bytes) else frame[1:-1]
        with pytest.raises(ProtocolError, match="field 'mood' of join is not known"):
            codec.decode_command(raw)
