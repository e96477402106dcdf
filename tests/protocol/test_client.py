"""The client's session, one rule of the protocol a test."""

import pytest

from engine.facts import Fact, Move, Set
from protocol.client import ClientSession
from protocol.client_events import (
    Answered,
    Chatted,
    Noticed,
    PresenceChanged,
    PutOff,
    TableClosed,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.errors import PASSING, ErrorCode, ProtocolError
from protocol.to_client import (
    ChatNotice,
    Closed,
    Error,
    Event,
    Notice,
    Ok,
    Pong,
    Presence,
)
from protocol.to_server import (
    MAX_RESUMED,
    Act,
    CreateTable,
    Hello,
    Join,
    Leave,
    Ping,
    Sync,
    TableSettings,
    ToServer,
    Watch,
)
from tests.protocol.model_server import TABLE, ModelServer, welcome


def online(**who: str) -> ClientSession:
    """A session that has been welcomed."""
    session = ClientSession(**who)
    [hello] = session.connected()
    session.receive(welcome(hello.id))
    return session


def seated(after: int = 0) -> tuple[ClientSession, ModelServer]:
    """A session that follows a table after its event number `after`, and the server."""
    session, server = online(), ModelServer(seat=0, subscribed=True)
    for _ in range(after):
        server.happens()
    session.receive(server.snapshot())
    return session, server


def event(seq: int, *facts: Fact) -> Event:
    return Event(table=TABLE, seq=seq, facts=facts)


def types(messages: list[ToServer]) -> list[str]:
    return [message.type for message in messages]


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
        assert session.start_afresh()
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


class TestTables:
    def test_events_are_folded_into_the_mirror(self) -> None:
        """An event changes its table, and both pictures are reported."""
        session, server = seated(after=1)
        before = session.tables[TABLE]
        server.happens()
        [told] = session.receive(*server.events(1))
        assert isinstance(told, TableEvent)
        assert told.before == before
        assert told.mirror == session.tables[TABLE] == server.truth()

    def test_old_events_are_dropped(self) -> None:
        """A number that was seen is no news and no gap."""
        session, server = seated(after=2)
        assert session.receive(*server.events(0)) == []
        assert session.outbox == []

    def test_events_of_other_tables_are_dropped(self) -> None:
        """Events of a table that is not followed mean nothing."""
        session = online()
        assert session.receive(event(1)) == []
        assert session.tables == {}

    @pytest.mark.parametrize(
        "bad", [event(4), event(3, Fact("x", {}, (Move("nowhere", "pile", 1),)))]
    )
    def test_lost_threads_ask_for_a_snapshot_once(self, bad: Event) -> None:
        """A gap, or an event that does not fit, asks for a snapshot; until it comes, one waits."""
        session, server = seated(after=2)
        assert session.receive(bad) == []
        [sync] = session.take_outbox()
        assert isinstance(sync, Sync)
        assert session.receive(event(5), event(6)) == []
        assert session.outbox == []
        server.happens()
        told = session.receive(Ok(id=sync.id, table=TABLE), server.snapshot())
        assert told == [TableSnapshot(server.truth())]
        [followed] = session.receive(event(4, Fact("x", {}, (Set("a", 1),))))
        assert isinstance(followed, TableEvent)

    def test_a_new_connection_needs_no_sync(self) -> None:
        """A client that is behind says so in hello; the sync under way is not sent again."""
        session, server = seated(after=2)
        session.receive(event(9))
        assert types(session.take_outbox()) == ["sync"]
        assert resent(session) == []
        server.happens()
        [told] = session.receive(*server.events(2))
        assert isinstance(told, TableEvent)

    def test_a_refused_sync_closes_the_table(self) -> None:
        """Where no snapshot is to be had, there is no place at the table any more."""
        session, _ = seated(after=2)
        mirror = session.tables[TABLE]
        session.receive(event(9))
        [sync] = session.take_outbox()
        told = session.receive(Error(id=sync.id, code="unknown_table", reason="gone"))
        assert told == [TableClosed(mirror, "unknown_table")]
        assert session.tables == {}

    def test_a_sync_that_was_given_up_is_tried_at_the_next_event(self) -> None:
        """Giving up our own sync does not leave the table deaf for ever."""
        session, _ = seated(after=2)
        session.receive(event(9))
        [sync] = session.take_outbox()
        assert isinstance(
            session.receive(Error(id=sync.id, code="try_again", reason=""))[0], PutOff
        )
        session.forget(sync.id)
        session.receive(event(10))
        assert types(session.take_outbox()) == ["sync"]

    @pytest.mark.parametrize("kind", [Join, Watch])
    def test_entering_without_a_snapshot(self, kind: type[ToServer]) -> None:
        """Where the answer is a repetition and the snapshot was lost, it is asked for."""
        session = online()
        command = session.command(kind, table=TABLE)
        session.take_outbox()
        session.receive(Ok(id=command.id, table=TABLE))
        assert types(session.take_outbox()) == ["sync"]

    def test_entering_with_a_snapshot(self) -> None:
        """Where the snapshot comes in the same frame as the answer, nothing is asked."""
        session, server = online(), ModelServer(seat=0)
        command = session.command(CreateTable, game="pile")
        session.take_outbox()
        told = session.receive(Ok(id=command.id, table=TABLE), server.snapshot())
        assert [type(client_event) for client_event in told] == [Answered, TableSnapshot]
        assert session.outbox == []

    def test_other_answers_enter_nothing(self) -> None:
        """An answer that names a table does not make the client follow it."""
        session = online()
        act = session.command(Act, table=TABLE, turn=1, action="play QS")
        create = session.command(CreateTable, game="pile")
        session.take_outbox()
        session.receive(Ok(id=act.id, table=TABLE), Ok(id=create.id))
        assert session.outbox == []

    @pytest.mark.parametrize("closed_first", [True, False])
    def test_leaving_closes_the_table_once(self, closed_first: bool) -> None:
        """The answer to leave and the closing message together tell one end."""
        session, _ = seated()
        leave = session.command(Leave, table=TABLE)
        both: list[Ok | Closed] = [Ok(id=leave.id), Closed(table=TABLE, reason="left")]
        told = session.receive(*(reversed(both) if closed_first else both))
        closings = [client_event for client_event in told if isinstance(client_event, TableClosed)]
        assert [closing.reason for closing in closings] == ["left"]
        assert session.tables == {}

    def test_presence(self) -> None:
        """The mirror shows who is away, though that is no event."""
        session, _ = seated()
        presence = Presence(table=TABLE, seat=1, away=True)
        [told] = session.receive(presence)
        assert told == PresenceChanged(session.tables[TABLE], presence)
        assert [seat.away for seat in session.tables[TABLE].info.seats] == [False, True, False]
        assert session.receive(Presence(table="OTHER", seat=1, away=True)) == []

    def test_chat(self) -> None:
        """Chat is passed on."""
        chat = ChatNotice(table=TABLE, seat=0, name="Ann", text="hello")
        assert online().receive(chat) == [Chatted(chat)]


class TestNotices:
    def test_most_are_passed_on(self) -> None:
        """A notice changes nothing by itself."""
        session, _ = seated()
        notice = Notice(kind="draining")
        assert session.receive(notice) == [Noticed(notice)]
        assert session.refused is None

    def test_replaced_as_a_whole(self) -> None:
        """A replaced client must not come back, or the two would keep replacing each other."""
        session, _ = seated()
        notice = Notice(kind="replaced")
        assert session.receive(notice) == [Noticed(notice)]
        assert session.refused is not None
        assert session.refused.code == "replaced"

    def test_replaced_at_a_table(self) -> None:
        """Replaced at one table means having no place at that one."""
        session, server = seated()
        notice = Notice(kind="replaced", table=TABLE)
        told = session.receive(notice)
        assert told == [Noticed(notice), TableClosed(server.truth(), "replaced")]
        assert session.refused is None
        assert session.tables == {}


def resent(session: ClientSession) -> list[ToServer]:
    """What a session sends after it has been welcomed again."""
    [hello] = session.connected()
    session.receive(welcome(hello.id))
    return session.take_outbox()
