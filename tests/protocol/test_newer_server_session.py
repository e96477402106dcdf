"""The client's session with a newer server, and a server with a newer client."""

import json
from typing import Any

import pytest

from protocol.client import SECONDS_BETWEEN_MISFITS, ClientSession
from protocol.client_events import PutOff, TableSnapshot, Welcomed
from protocol.codec import Codec, codec_for
from protocol.connection import connect
from protocol.errors import ProtocolError
from protocol.lines import record
from protocol.to_client import Event, Ok, UnreadEvent
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
from protocol.wire_form import wire_form
from tests.protocol.model_server import INFO, TABLE, ModelServer, welcome
from tests.protocol.model_socket_server import HASTY, ModelSocketServer, running
from tests.protocol.newer_messages import NEWS, as_sent, codecs, heard, reworded


def following(after: int = 3) -> tuple[ClientSession, ModelServer]:
    """A session that follows a table, and its server."""
    session, server = ClientSession(), ModelServer(seat=0, subscribed=True)
    [hello] = session.connected()
    session.receive(welcome(hello.id))
    for _ in range(after):
        server.happens()
    session.receive(server.snapshot())
    return session, server


class TestTheSession:
    def test_an_unknown_change_asks_for_a_snapshot(self) -> None:
        """An unknown change asks for a snapshot at once, and events wait for it."""
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
        """From the second unknown change on, the `sync` is delayed by a second."""
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
        """Messages before the welcome are ignored."""
        session, server = ClientSession(), ModelServer(seat=0)
        session.connected()
        for seq in range(1, 4):
            session.receive(server.snapshot())
            assert session.receive(UnreadEvent(table=TABLE, seq=seq)) == []
        assert session.outbox == []

    def test_a_put_off_snapshot_is_not_asked_for_on_the_next_connection(self) -> None:
        """A delayed `sync` is not sent on the next connection, whose hello resumes the table."""
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
        """A server's features are read from each welcome, and are empty by default."""
        session = ClientSession()
        [hello] = session.connected()
        session.receive(welcome(hello.id).model_copy(update={"features": ("admit", "fly")}))
        assert session.knows("admit")
        [hello] = session.connected()
        session.receive(welcome(hello.id))
        assert not session.knows("admit")

    def test_what_the_server_does_not_know_is_not_sent(self) -> None:
        """A field that the server does not know is refused locally, unless it has its default."""
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
        """A command that the server does not know is refused locally."""
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
        """Changing a setting sends settings unknown to the client back unchanged."""
        told = {**as_sent(INFO), "settings": {"hints": False, "music": "waltz", "bot_delay": 99.0}}
        [event] = heard({"type": "event", "table": TABLE, "seq": 1, "info": told})
        assert isinstance(event, Event)
        assert event.info is not None
        changed = ChangedSettings.of(event.info.settings, private=True)
        assert isinstance(changed, TableSettings)
        assert wire_form(changed) == {
            "private": True,
            "turn_seconds": 0,
            "hints": False,
            "bot_delay": 99.0,
            "music": "waltz",
        }

    @pytest.mark.parametrize("change", [{"turn_seconds": -1}, {"music": "waltz"}])
    def test_what_is_changed_must_be_known(self, change: dict[str, Any]) -> None:
        """A misspelt or out-of-range setting is refused locally."""
        with pytest.raises(ValueError, match=next(iter(change))):
            ChangedSettings.of(INFO.settings, **change)


class TestAtASocket:
    @pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
    async def test_a_session(self, subprotocol: str) -> None:
        """The mirror stays right over a session whose messages all have unknown additions."""
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
        """Unknown notices are passed on as they are, and unknown error codes as `internal`."""
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
        """A server ignores unknown fields of hello only."""
        hello = Hello(id=1, version=1, client="f3a9", name="Ann")
        frame = codec.frame([codec.encode_message(wire_form(hello) | NEWS)])
        # A frame from a client is one message, not a list of them.
        raw = frame[1:] if isinstance(frame, bytes) else frame[1:-1]
        assert codec.decode_command(raw) == hello

    @pytest.mark.parametrize("name", [MSGPACK, JSON])
    def test_other_commands_may_not(self, name: str) -> None:
        """A server refuses unknown fields of other commands, as misspelt options."""
        codec = codec_for(name)
        frame = codec.frame([codec.encode_message({"type": "join", "id": 1, "table": "A"} | NEWS)])
        raw = frame[1:] if isinstance(frame, bytes) else frame[1:-1]
        with pytest.raises(ProtocolError, match="field 'mood' of join is not known"):
            codec.decode_command(raw)
