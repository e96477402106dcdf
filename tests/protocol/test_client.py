"""The client's session: one rule of the protocol a test."""

import pytest

from protocol.client import ClientSession
from protocol.client_events import Answered, Noticed, PutOff, TableClosed, Welcomed
from protocol.errors import PASSING, ErrorCode, ProtocolError
from protocol.to_client import Error, Pong
from protocol.to_server import MAX_RESUMED, CreateTable, Hello, Join, Ping, TableSettings
from tests.protocol.model_server import TABLE, ModelServer, online, resent, seated, types, welcome


class TestHello:
    def test_it_is_the_first_word(self) -> None:
        """Hello is the first command, and other commands wait for the welcome."""
        session = ClientSession(name="Ann", token="t")
        session.command(Ping)
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert (hello.name, hello.token, hello.client) == ("Ann", "t", session.client)
        assert session.take_outbox() == []
        assert session.receive(welcome(hello.id)) == [Welcomed(welcome(hello.id))]
        assert types(session.take_outbox()) == ["ping"]

    def test_the_token_is_kept(self) -> None:
        """A reconnecting client sends its token and client id, and is the earlier player."""
        session = online(name="Ann")
        assert (session.player, session.token) == ("p1", "secret")
        [again] = session.connected()
        assert isinstance(again, Hello)
        assert (again.token, again.client) == ("secret", session.client)

    def test_who_has_no_seat_can_start_afresh(self) -> None:
        """A guest without a seat may drop a forgotten token; a seated player keeps theirs."""
        session = online(name="Ann")
        [hello] = session.connected()
        session.receive(Error(id=hello.id, code="unauthorized", reason="who?"))
        assert session.first.refused is not None
        assert session.refused_for_good is None
        assert session.start_afresh()
        assert session.refused is None
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert (hello.token, hello.name) == (None, "Ann")
        assert not session.start_afresh()
        session, _ = seated()
        assert not session.start_afresh()
        assert session.token == "secret"

    def test_it_says_where_one_sits(self) -> None:
        """A session knows from the last snapshot at which tables it has a seat."""
        session, server = seated()
        assert session.sits_at(TABLE)
        assert not session.sits_at("OTHER")
        server.seat = None
        session.receive(server.snapshot())
        assert not session.sits_at(TABLE)

    def test_clients_have_different_ids(self) -> None:
        """Two sessions of one player have different client ids, so command ids do not clash."""
        assert ClientSession().client != ClientSession().client

    def test_a_welcome_of_an_earlier_connection_does_not_count(self) -> None:
        """Only the answer to the current connection's hello opens the session."""
        session = ClientSession()
        [first] = session.connected()
        session.connected()
        assert session.receive(welcome(first.id)) == []
        assert not session.online

    def test_a_wrong_answer_to_hello_is_ignored(self) -> None:
        """An answer to hello other than welcome or error is ignored."""
        session = ClientSession()
        [hello] = session.connected()
        assert session.receive(Pong(id=hello.id)) == []
        assert session.greeting

    @pytest.mark.parametrize("code", ["unauthorized", "draining"])
    def test_refusal(self, code: ErrorCode) -> None:
        """A refused hello is reported as the reason until the next attempt."""
        session = ClientSession()
        [hello] = session.connected()
        error = Error(id=hello.id, code=code, reason="no")
        assert session.receive(error) == [Noticed(error)]
        assert session.refused is not None
        assert session.refused.code == code
        assert (code in PASSING) == (code == "draining")
        assert session.refused_for_good == (None if code in PASSING else session.refused)
        assert not session.greeting
        session.connected()
        assert session.refused is None

    def test_resume_names_what_was_seen(self) -> None:
        """Hello names the last event of every followed table."""
        session, server = seated(after=2)
        server.happens()
        session.receive(*server.events(2))
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert hello.resume == {TABLE: 3}

    def test_more_tables_than_hello_can_resume(self) -> None:
        """Tables that do not fit into hello are closed, since the server forgets them."""
        session, server = online(), ModelServer()
        snapshots = [
            server.snapshot().model_copy(update={"table": f"T{number}"})
            for number in range(MAX_RESUMED + 2)
        ]
        session.receive(*snapshots)
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert len(hello.resume) == MAX_RESUMED
        _, *closings = session.receive(welcome(hello.id))
        left_out = {c.mirror.table: c.reason for c in closings if isinstance(c, TableClosed)}
        assert left_out == {"T0": "not_resumed", "T1": "not_resumed"}
        assert session.tables.keys() == hello.resume.keys()


class TestCommands:
    def test_ids_are_never_used_twice(self) -> None:
        """No two commands of a session share an id, hellos included."""
        session = online()
        commands = [session.command(Ping), session.command(Ping), *session.connected()]
        assert len({command.id for command in commands}) == 3

    def test_the_answer_is_told_with_the_command(self) -> None:
        """An answer is reported together with its command."""
        session = online()
        ping = session.command(Ping)
        assert session.receive(Pong(id=ping.id)) == [Answered(ping, Pong(id=ping.id))]

    def test_a_second_answer_is_not_told(self) -> None:
        """A second answer to a command that was sent twice is not reported."""
        session = online()
        ping = session.command(Ping)
        session.receive(Pong(id=ping.id))
        assert session.receive(Pong(id=ping.id)) == []

    def test_an_error_is_an_answer(self) -> None:
        """An error answers its command, which is then finished."""
        session = online()
        join = session.command(Join, table=TABLE)
        error = Error(id=join.id, code="table_full", reason="all seats are taken")
        assert session.receive(error) == [Answered(join, error)]
        assert resent(session) == []

    def test_errors_without_an_id(self) -> None:
        """An error without a command id is reported as such."""
        session = online()
        error = Error(id=None, code="bad_message", reason="what?")
        assert session.receive(error) == [Noticed(error)]

    def test_an_administrator_disconnects_us(self) -> None:
        """`forbidden` without a command id ends the session for good, without reconnecting."""
        session = online()
        error = Error(id=None, code="forbidden", reason="an administrator removed you: spam")
        assert session.receive(error) == [Noticed(error)]
        assert session.refused is not None
        assert session.refused.reason == "an administrator removed you: spam"

    def test_wrong_fields(self) -> None:
        """A command with wrong fields is refused before it is sent."""
        session = online()
        with pytest.raises(ProtocolError, match="field 'table' of join"):
            session.command(Join, table="X" * 99)
        assert session.take_outbox() == []

    def test_settings_are_given_as_a_model(self) -> None:
        """Nested parts of a command may be given as models."""
        settings = TableSettings(private=True)
        command = online().command(CreateTable, game="black_queen", settings=settings)
        assert isinstance(command, CreateTable)
        assert command.settings.private

    def test_unanswered_commands_are_sent_again_in_order(self) -> None:
        """After reconnecting, unanswered commands are sent again in order with their ids."""
        session = online()
        first, answered, second = (session.command(Ping) for _ in range(3))
        session.receive(Pong(id=answered.id))
        assert resent(session) == [first, second]

    def test_nothing_is_left_over_from_a_dead_connection(self) -> None:
        """Commands queued on a dead connection are sent only once on the new one."""
        session = online()
        ping = session.command(Ping)
        session.disconnected()
        assert session.outbox == []
        assert resent(session) == [ping]

    @pytest.mark.parametrize("code", ["try_again", "rate_limited"])
    def test_put_off(self, code: ErrorCode) -> None:
        """A postponed command is sent again with its id when its owner asks for it."""
        session = online()
        ping = session.command(Ping)
        session.take_outbox()
        error = Error(id=ping.id, code=code, reason="later")
        assert session.receive(error) == [PutOff(ping, error)]
        assert session.outbox == []
        session.again(ping.id)
        session.again(ping.id)
        assert session.take_outbox() == [ping]
        assert session.receive(Pong(id=ping.id)) == [Answered(ping, Pong(id=ping.id))]

    def test_reconnecting_sends_what_was_put_off(self) -> None:
        """A postponed command that reconnecting has sent again is not sent once more."""
        session = online()
        ping = session.command(Ping)
        session.receive(Error(id=ping.id, code="try_again", reason="later"))
        assert resent(session) == [ping]
        session.again(ping.id)
        assert session.outbox == []

    def test_forgotten_commands(self) -> None:
        """A cancelled command is neither sent again nor reported."""
        session = online()
        ping = session.command(Ping)
        session.forget(ping.id)
        session.forget(ping.id)
        assert session.receive(Pong(id=ping.id)) == []
        assert resent(session) == []
