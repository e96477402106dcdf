"""The client's session, one rule of the protocol a test."""

import pytest

from protocol.client import ClientSession
from protocol.client_events import Answered, Noticed, PutOff, TableClosed, Welcomed
from protocol.errors import PASSING, ErrorCode, ProtocolError
from protocol.to_client import Error, Pong
from protocol.to_server import MAX_RESUMED, CreateTable, Hello, Join, Ping, TableSettings
from tests.protocol.model_server import TABLE, ModelServer, online, resent, seated, types, welcome


class TestHello:
    def test_it_is_the_first_word(self) -> None:
        """Commands wait for the welcome; hello does not."""
        session = ClientSession(name="Ann", token="t")
        session.command(Ping)
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert (hello.name, hello.token, hello.client) == ("Ann", "t", session.client)
        assert session.take_outbox() == []
        assert session.receive(welcome(hello.id)) == [Welcomed(welcome(hello.id))]
        assert types(session.take_outbox()) == ["ping"]

    def test_the_token_is_kept(self) -> None:
        """Once welcomed, a client comes back as the same player under the same client id."""
        session = online(name="Ann")
        assert (session.player, session.token) == ("p1", "secret")
        [again] = session.connected()
        assert isinstance(again, Hello)
        assert (again.token, again.client) == ("secret", session.client)

    def test_who_has_no_seat_can_start_afresh(self) -> None:
        """A guest whose token is forgotten says hello without one; who has a seat keeps theirs."""
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
        """By what was last seen; not at a table that is watched or unknown."""
        session, server = seated()
        assert session.sits_at(TABLE)
        assert not session.sits_at("OTHER")
        server.seat = None
        session.receive(server.snapshot())
        assert not session.sits_at(TABLE)

    def test_clients_have_different_ids(self) -> None:
        """Two sessions of one player do not share their commands' names."""
        assert ClientSession().client != ClientSession().client

    def test_a_welcome_of_an_earlier_connection_does_not_count(self) -> None:
        """Only the answer to the hello under way opens the session."""
        session = ClientSession()
        [first] = session.connected()
        session.connected()
        assert session.receive(welcome(first.id)) == []
        assert not session.online

    def test_a_wrong_answer_to_hello_is_ignored(self) -> None:
        """What answers hello with anything but welcome or error says nothing."""
        session = ClientSession()
        [hello] = session.connected()
        assert session.receive(Pong(id=hello.id)) == []
        assert session.greeting

    @pytest.mark.parametrize("code", ["unauthorized", "draining"])
    def test_refusal(self, code: ErrorCode) -> None:
        """An error in answer to hello is why we are not welcome, until we try again."""
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
        """Hello tells the last event of every table that is followed."""
        session, server = seated(after=2)
        server.happens()
        session.receive(*server.events(2))
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert hello.resume == {TABLE: 3}

    def test_more_tables_than_hello_can_resume(self) -> None:
        """Tables that do not fit into hello are closed, for the server forgets them."""
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
        """Every command of a session, hellos too, has an id of its own."""
        session = online()
        commands = [session.command(Ping), session.command(Ping), *session.connected()]
        assert len({command.id for command in commands}) == 3

    def test_the_answer_is_told_with_the_command(self) -> None:
        """An answer comes together with what was asked."""
        session = online()
        ping = session.command(Ping)
        assert session.receive(Pong(id=ping.id)) == [Answered(ping, Pong(id=ping.id))]

    def test_a_second_answer_is_not_told(self) -> None:
        """An answer that comes twice, after sending twice, is reported once."""
        session = online()
        ping = session.command(Ping)
        session.receive(Pong(id=ping.id))
        assert session.receive(Pong(id=ping.id)) == []

    def test_an_error_is_an_answer(self) -> None:
        """A refused command is done with."""
        session = online()
        join = session.command(Join, table=TABLE)
        error = Error(id=join.id, code="table_full", reason="all seats are taken")
        assert session.receive(error) == [Answered(join, error)]
        assert resent(session) == []

    def test_errors_without_an_id(self) -> None:
        """An error that answers nothing is reported as such."""
        session = online()
        error = Error(id=None, code="bad_message", reason="what?")
        assert session.receive(error) == [Noticed(error)]

    def test_an_administrator_disconnects_us(self) -> None:
        """`forbidden` that answers nothing is the server's last word: coming back is no use."""
        session = online()
        error = Error(id=None, code="forbidden", reason="an administrator removed you: spam")
        assert session.receive(error) == [Noticed(error)]
        assert session.refused is not None
        assert session.refused.reason == "an administrator removed you: spam"

    def test_wrong_fields(self) -> None:
        """A command that the server would not read is refused before it is sent."""
        session = online()
        with pytest.raises(ProtocolError, match="field 'table' of join"):
            session.command(Join, table="X" * 99)
        assert session.take_outbox() == []

    def test_settings_are_given_as_a_model(self) -> None:
        """Nested parts of a command may be built beforehand."""
        settings = TableSettings(private=True)
        command = online().command(CreateTable, game="black_queen", settings=settings)
        assert isinstance(command, CreateTable)
        assert command.settings.private

    def test_unanswered_commands_are_sent_again_in_order(self) -> None:
        """After a new connection what is unanswered goes out again, under the same ids."""
        session = online()
        first, answered, second = (session.command(Ping) for _ in range(3))
        session.receive(Pong(id=answered.id))
        assert resent(session) == [first, second]

    def test_nothing_is_left_over_from_a_dead_connection(self) -> None:
        """What was to be sent on the old connection is not sent twice on the new one."""
        session = online()
        ping = session.command(Ping)
        session.disconnected()
        assert session.outbox == []
        assert resent(session) == [ping]

    @pytest.mark.parametrize("code", ["try_again", "rate_limited"])
    def test_put_off(self, code: ErrorCode) -> None:
        """A command that is put off goes out again when its owner says so, with its id."""
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
        """A command that was sent again by reconnecting is not sent once more."""
        session = online()
        ping = session.command(Ping)
        session.receive(Error(id=ping.id, code="try_again", reason="later"))
        assert resent(session) == [ping]
        session.again(ping.id)
        assert session.outbox == []

    def test_forgotten_commands(self) -> None:
        """A command that was given up is neither sent again nor told about."""
        session = online()
        ping = session.command(Ping)
        session.forget(ping.id)
        session.forget(ping.id)
        assert session.receive(Pong(id=ping.id)) == []
        assert resent(session) == []
