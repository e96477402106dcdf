"""The client's session with several nodes: one rule of the protocol a test."""

import pytest

from protocol.client import ClientSession
from protocol.client_events import (
    Answered,
    Chatted,
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
from protocol.features import FEATURES
from protocol.node_connection import NodeConnection
from protocol.table_nodes import SECONDS_BETWEEN_MOVES
from protocol.table_places import MOST_MOVES
from protocol.to_client import (
    Asked,
    ChatNotice,
    Closed,
    Error,
    Notice,
    Ok,
    Presence,
    Snapshot,
    TableMoved,
    Unchanged,
    Welcome,
)
from protocol.to_server import MAX_RESUMED, Act, Hello, Join, Leave, Ping, Sync, Watch
from tests.protocol.model_server import INFO, TABLE, ModelServer, types, welcome

ENTRY, B, C = "wss://cards.example", "wss://cards.example/n/b/", "wss://cards.example/n/c/"
FAR = "wss://elsewhere.example/"


def told_features(id: int, node: str | None = None) -> Welcome:
    return welcome(id).model_copy(update={"features": FEATURES, "node": node})


def greet(session: ClientSession, at: NodeConnection, node: str | None = None) -> Hello:
    """Open a connection and have the session welcomed on it."""
    [hello] = session.connected(at)
    assert isinstance(hello, Hello)
    session.receive(told_features(hello.id, node), at=at)
    return hello


def at_entry() -> ClientSession:
    """A session that follows a table at the entry, after its event number 1."""
    session = ClientSession(url=ENTRY)
    greet(session, session.first)
    session.receive(snapshot(1))
    return session


def snapshot(seq: int, table: str = TABLE) -> Snapshot:
    server = ModelServer(table, seat=0)
    for _ in range(seq):
        server.happens()
    return server.snapshot()


def moved_to(url: str, session: ClientSession) -> NodeConnection:
    """Move the session's table to an address, and have the session welcomed there."""
    session.receive(TableMoved(table=TABLE, url=url))
    [at] = session.others
    greet(session, at)
    return at


def at_both() -> tuple[ClientSession, NodeConnection]:
    """A session with one table at the entry, and another one at a node."""
    session = at_entry()
    other = moved_to(B, session)
    session.receive(snapshot(1), at=other)
    session.receive(snapshot(1, "PEAR"))
    return session, other


class TestCommands:
    def test_a_command_goes_to_where_its_table_is(self) -> None:
        """A `moved` answer sends the command on with its id, after the welcome there."""
        session = at_entry()
        first, second = (session.command(Act, table=TABLE, turn=0, action="x") for _ in "12")
        ping = session.command(Ping)
        assert session.take_outbox() == [first, second, ping]
        assert session.receive(TableMoved(id=first.id, table=TABLE, url=B)) == []
        [other] = session.others
        assert other.url == B
        [hello] = session.connected(other)
        assert isinstance(hello, Hello)
        assert hello.resume == {TABLE: 1}
        assert session.take_outbox(other) == []
        assert session.receive(told_features(hello.id), at=other) == []
        assert session.take_outbox(other) == [first, second]
        # What the first has still to say about the second is too late.
        session.receive(TableMoved(id=second.id, table=TABLE, url=C))
        assert session.receive(Ok(id=second.id), at=other) == [Answered(second, Ok(id=second.id))]
        assert session.waits(other)
        assert session.waits()

    def test_an_answer_counts_once_wherever_it_comes_from(self) -> None:
        """An answer counts once, from whichever node it comes."""
        session = at_entry()
        act = session.command(Act, table=TABLE, turn=0, action="x")
        other = moved_to(B, session)
        assert types(session.take_outbox(other)) == ["act"]
        assert session.receive(Ok(id=act.id)) == [Answered(act, Ok(id=act.id))]
        assert session.receive(Ok(id=act.id), at=other) == []
        assert session.receive(TableMoved(id=act.id, table=TABLE, url=C)) == []

    def test_what_is_about_no_table_is_not_moved(self) -> None:
        """A `moved` answer to a command without a table is not followed."""
        session = at_entry()
        ping = session.command(Ping)
        assert session.receive(TableMoved(id=ping.id, table=TABLE, url=B)) == []
        assert not session.others

    def test_a_connection_without_a_use_is_let_go(self) -> None:
        """A connection without pending commands or followed tables is closed and ignored."""
        session = ClientSession(url=ENTRY)
        greet(session, session.first)
        join = session.command(Join, table="PEAR")
        session.take_outbox()
        session.receive(TableMoved(id=join.id, table="PEAR", url=B))
        [other] = session.others
        greet(session, other)
        error = Error(id=join.id, code="table_full", reason="no")
        assert session.receive(error, at=other) == [Answered(join, error)]
        assert not session.others
        assert session.receive(snapshot(1, "PEAR"), at=other) == []
        session.unreachable(other)
        assert not session.outbox

    def test_a_command_that_was_put_off_stays_put_off(self) -> None:
        """A postponed command keeps its delay when its table moves."""
        session = at_entry()
        act = session.command(Act, table=TABLE, turn=0, action="x")
        later = Error(id=act.id, code="rate_limited", reason="later")
        assert session.receive(later) == [PutOff(act, later)]
        session.receive(TableMoved(table="PEAR", url=B))
        [other] = session.others
        greet(session, other)
        session.receive(TableMoved(table=TABLE, url=B))
        assert types(session.take_outbox(other)) == ["watch"]
        session.again(act.id)
        assert session.take_outbox(other) == [act]


class TestOtherServers:
    def test_a_command_is_not_followed_there(self) -> None:
        """A command for a table on another server fails and names the address."""
        session = at_entry()
        act = session.command(Act, table=TABLE, turn=0, action="x")
        [told] = session.receive(TableMoved(id=act.id, table=TABLE, url=FAR))
        assert isinstance(told, Answered)
        assert isinstance(told.answer, Error)
        assert (told.answer.code, told.answer.id) == ("elsewhere", act.id)
        assert FAR in told.answer.reason
        assert not session.others

    def test_a_table_is_not_followed_there(self) -> None:
        """A followed table that moves to another server is closed."""
        session = at_entry()
        noticed, closed = session.receive(TableMoved(table=TABLE, url=FAR))
        assert isinstance(noticed, Noticed)
        assert isinstance(closed, TableClosed)
        assert closed.reason == "elsewhere"

    def test_a_session_that_knows_no_address_goes_nowhere(self) -> None:
        """A session without an own address follows no move."""
        session = ClientSession()
        greet(session, session.first)
        session.receive(snapshot(1))
        assert len(session.receive(TableMoved(table=TABLE, url=B))) == 2


class TestWhoIsBelieved:
    def test_only_the_tables_node_tells_of_it(self) -> None:
        """Only frames of the node that has the table count."""
        session, _ = at_both()
        event = ModelServer(subscribed=True)
        event.happens()
        event.happens()
        for message in (
            *event.events(1),
            Closed(table=TABLE, reason="kicked"),
            Presence(table=TABLE, seat=1, away=True),
            Unchanged(table=TABLE, info=INFO),
            ChatNotice(table=TABLE, seat=1, name="Bob", text="hello"),
            Notice(kind="latecomer", table=TABLE, request=1),
            snapshot(1),
        ):
            assert session.receive(message) == []
        [told] = session.receive(ChatNotice(table="PEAR", seat=1, name="Bob", text="hello"))
        assert isinstance(told, Chatted)

    def test_a_newer_snapshot_shows_where_a_table_is(self) -> None:
        """A newer snapshot from another node moves the table and its commands there."""
        session, _ = at_both()
        [told] = session.receive(snapshot(2))
        assert isinstance(told, TableSnapshot)
        session.command(Act, table=TABLE, turn=0, action="x")
        assert types(session.take_outbox()) == ["act"]
        assert not session.others

    def test_a_snapshot_as_new_counts_where_the_other_node_is_gone(self) -> None:
        """A snapshot with an equal number moves the table only if the other node is gone."""
        session, other = at_both()
        session.disconnected(other)
        assert session.receive(snapshot(0)) == []
        [told] = session.receive(snapshot(1))
        assert isinstance(told, TableSnapshot)

    def test_where_a_table_is_says_who_has_it(self) -> None:
        """The entry's `table_moved` counts only once the connection to the table's node is lost."""
        session, other = at_both()
        session.receive(TableMoved(table=TABLE, url=C))
        assert [each.url for each in session.others] == [B]
        session.disconnected(other)
        session.receive(TableMoved(table=TABLE, url=C))
        assert [each.url for each in session.others] == [C]

    def test_what_all_nodes_say_is_told_once(self) -> None:
        """A notice that all nodes send is reported once, from the first open connection."""
        session, other = at_both()
        draining = Notice(kind="draining")
        assert session.receive(draining) == [Noticed(draining)]
        assert session.receive(draining, at=other) == []
        session.disconnected()
        assert session.receive(draining, at=other) == [Noticed(draining)]

    def test_a_node_refuses_what_it_cannot_read(self) -> None:
        """A node's error without an id is reported, and a refused hello there is not."""
        session, other = at_both()
        error = Error(id=None, code="bad_message", reason="what?")
        assert session.receive(error, at=other) == [Noticed(error)]
        [hello] = session.connected(other)
        assert session.receive(error.model_copy(update={"id": hello.id}), at=other) == []
        assert other.refused is not None
        assert session.refused is None


class TestTablesThatMove:
    def test_where_a_connection_stands_a_table_is_watched(self) -> None:
        """On an open connection a moved table is watched by command, as hello is sent once."""
        session, other = at_both()
        pear = ModelServer("PEAR", seat=0, subscribed=True)
        for _ in range(3):
            pear.happens()
        session.receive(*pear.events(2))
        assert types(session.take_outbox()) == ["sync"]
        session.receive(TableMoved(table="PEAR", url=B.rstrip("/")))
        [watch] = session.take_outbox(other)
        assert isinstance(watch, Watch)
        assert (watch.table, watch.failed) == ("PEAR", None)
        told = session.receive(Ok(id=watch.id, table="PEAR"), pear.snapshot(), at=other)
        assert told == [TableSnapshot(pear.truth())]
        pear.happens()
        [event] = session.receive(*pear.events(3), at=other)
        assert isinstance(event, TableEvent)

    def test_a_table_that_comes_during_the_hello_is_watched_after_it(self) -> None:
        """A table that comes during hello is watched after it, unless it left again."""
        session = at_entry()
        session.receive(snapshot(1, "PEAR"), snapshot(1, "FIG"), TableMoved(table=TABLE, url=B))
        [other] = session.others
        [hello] = session.connected(other)
        session.receive(TableMoved(table="PEAR", url=B), TableMoved(table="FIG", url=B))
        session.receive(Closed(table="FIG", reason="kicked"), at=other)
        session.receive(told_features(hello.id), at=other)
        [watch] = session.take_outbox(other)
        assert isinstance(watch, Watch)
        assert watch.table == "PEAR"

    def test_a_seat_elsewhere_is_gone_to(self) -> None:
        """A seat at another node gets a connection there, unless the table is closed."""
        session = ClientSession(url=ENTRY)
        greet(session, session.first)
        session.receive(TableMoved(table=TABLE, url=B))
        [other] = session.others
        assert greet(session, other).resume == {}
        [told] = session.receive(snapshot(1), at=other)
        assert isinstance(told, TableSnapshot)
        session.receive(Closed(table=TABLE, reason="kicked"), at=other)
        assert not session.others

    def test_a_table_that_goes_to_and_fro_is_followed_slowly(self) -> None:
        """Commands for a table that keeps moving are postponed, as if the server asked for it."""
        session, other = at_both()
        session.receive(snapshot(1, "FIG"), at=other)
        act = session.command(Act, table=TABLE, turn=0, action="x")
        sent = other
        for _ in range(MOST_MOVES):
            url = ENTRY if sent is other else B
            assert session.receive(TableMoved(id=act.id, table=TABLE, url=url), at=sent) == []
            sent = session.first if sent is other else other
        url = ENTRY if sent is other else B
        told = session.receive(TableMoved(id=act.id, table=TABLE, url=url), at=sent)
        delays = [each.error.retry_after for each in told if isinstance(each, PutOff)]
        assert delays == [SECONDS_BETWEEN_MOVES] * 2
        assert [each.command.type for each in told if isinstance(each, PutOff)] == ["watch", "act"]

    def test_new_connections_for_such_a_table_are_not_hurried(self) -> None:
        """New connections for a table that keeps moving are delayed."""
        session = at_entry()
        for number in range(MOST_MOVES + 2):
            session.receive(TableMoved(table=TABLE, url=f"{ENTRY}/n/{number}"))
            [other] = session.others
            at_once = other.tries == 0
            assert at_once == (number < MOST_MOVES)
            # The next node tells where it is, in place of the one that never answered.

    def test_a_table_that_did_not_fit_into_the_hello_but_moved_is_not_closed(self) -> None:
        """A moved table that does not fit into hello is resumed elsewhere, and not closed."""
        session = at_entry()
        session.receive(*(snapshot(1, f"T{number}") for number in range(MAX_RESUMED + 1)))
        [hello] = session.connected()
        session.receive(TableMoved(table=TABLE, url=B))
        session.receive(TableMoved(table="T40", url=B))
        told = session.receive(told_features(hello.id))
        assert [each.mirror.table for each in told if isinstance(each, TableClosed)] == ["T0"]
        assert TABLE in session.tables


def test_players_who_follow_their_table_are_not_back() -> None:
    """Players who moved with their table are not reported as back; later news is."""
    session, other = at_both()
    shown = snapshot(2)
    seats = (shown.info.seats[0], shown.info.seats[1].model_copy(update={"away": True}))
    shown = shown.model_copy(update={"info": shown.info.model_copy(update={"seats": seats})})
    session.receive(shown, shown, at=other)
    for away, is_news in ((False, False), (True, True), (False, True)):
        presence = Presence(table=TABLE, seat=1, away=away)
        [told] = session.receive(presence, at=other)
        assert isinstance(told, PresenceChanged)
        assert told.is_news == is_news
        assert told.mirror.info.seats[1].away == away


class TestNodesThatAreLost:
    def test_the_entry_is_asked_where_its_tables_are(self) -> None:
        """After a lost node the entry is asked for its tables, with the failed address."""
        session, other = at_both()
        act = session.command(Act, table=TABLE, turn=0, action="x")
        told = session.lost("it broke", other)
        assert told == [Disconnected("it broke")]
        assert session.take_outbox() == []
        session.unreachable(other)
        session.unreachable(other)
        [watch] = session.take_outbox()
        assert isinstance(watch, Watch)
        assert (watch.table, watch.failed) == (TABLE, B)
        told = session.receive(Ok(id=watch.id, table=TABLE), snapshot(2))
        assert [type(each) for each in told] == [Reconnected, TableSnapshot]
        assert session.take_outbox() == [act]
        assert not session.others

    def test_the_entry_knows_another_address(self) -> None:
        """If the entry names another address, the table and its commands go there."""
        session, other = at_both()
        act = session.command(Act, table=TABLE, turn=0, action="x")
        session.lost("it broke", other)
        session.unreachable(other)
        [watch] = session.take_outbox()
        assert session.receive(TableMoved(id=watch.id, table=TABLE, url=C)) == []
        [next_one] = session.others
        assert next_one.url == C
        [hello] = session.connected(next_one)
        assert session.receive(told_features(hello.id), at=next_one) == [Reconnected()]
        assert session.take_outbox(next_one) == [act]

    def test_the_entry_says_that_the_table_is_no_more(self) -> None:
        """If the entry says that the table is gone, it is closed; its commands go to the entry."""
        session, other = at_both()
        act = session.command(Act, table=TABLE, turn=0, action="x")
        session.lost("it broke", other)
        session.unreachable(other)
        [watch] = session.take_outbox()
        told = session.receive(Error(id=watch.id, code="unknown_table", reason="gone"))
        assert [type(each) for each in told] == [Reconnected, TableClosed]
        assert session.take_outbox() == [act]

    def test_a_node_that_is_back_first_ends_the_question(self) -> None:
        """If the lost node is back first, the entry's answer is ignored."""
        session, other = at_both()
        session.lost("it broke", other)
        session.unreachable(other)
        [watch] = session.take_outbox()
        [hello] = session.connected(other)
        told = session.receive(told_features(hello.id), Unchanged(table=TABLE, info=INFO), at=other)
        assert [type(each) for each in told][:2] == [Reconnected, Welcomed]
        assert session.receive(TableMoved(id=watch.id, table=TABLE, url=C)) == []
        assert [each.url for each in session.others] == [B]

    def test_a_new_entry_is_asked_again(self) -> None:
        """After the entry's connection is replaced, the question is asked again."""
        session, other = at_both()
        session.lost("it broke", other)
        session.unreachable(other)
        session.lost("this too")
        greet(session, session.first)
        assert [each.table for each in session.take_outbox() if isinstance(each, Watch)] == [TABLE]

    def test_an_older_entry_is_asked_in_its_words(self) -> None:
        """An older entry is asked without the failed address, which it does not know."""
        session, other = at_both()
        [hello] = session.connected()
        session.receive(welcome(hello.id))
        session.lost("it broke", other)
        session.unreachable(other)
        [watch] = session.take_outbox()
        assert isinstance(watch, Watch)
        assert watch.failed is None

    def test_a_command_about_a_table_that_is_not_followed_is_asked_at_the_entry(self) -> None:
        """A command for a table that is not followed is sent to the entry again."""
        session = ClientSession(url=ENTRY)
        greet(session, session.first)
        join = session.command(Join, table=TABLE)
        session.take_outbox()
        session.receive(TableMoved(id=join.id, table=TABLE, url=B))
        [other] = session.others
        session.unreachable(session.first)
        session.unreachable(other)
        assert session.take_outbox() == [join]
        assert not session.others

    def test_the_loss_of_the_first_is_not_told_while_tables_go_on(self) -> None:
        """A lost entry connection is not reported while tables go on elsewhere."""
        session = at_entry()
        moved_to(B, session)
        assert session.lost("it broke") == []
        [hello] = session.connected()
        assert session.receive(told_features(hello.id)) == [Welcomed(told_features(hello.id))]
        alone = ClientSession(url=ENTRY)
        greet(alone, alone.first)
        assert alone.lost("it broke") == [Disconnected("it broke")]
        [hello] = alone.connected()
        assert [type(each) for each in alone.receive(told_features(hello.id))] == [
            Reconnected,
            Welcomed,
        ]

    def test_several_losses_are_one(self) -> None:
        """Several lost connections are reported as one loss, until all are back."""
        session, other = at_both()
        assert session.lost("it broke", other) == [Disconnected("it broke")]
        assert session.lost("this too") == []
        [hello] = session.connected(other)
        told = session.receive(told_features(hello.id), at=other)
        assert [type(each) for each in told] == [Welcomed]
        [hello] = session.connected()
        told = session.receive(told_features(hello.id))
        assert [type(each) for each in told] == [Reconnected, Welcomed]

    @pytest.mark.parametrize("end", ["lost", "refused", "withdrawn"])
    def test_a_request_to_be_let_in_keeps_its_connection(self, end: str) -> None:
        """A pending request to join keeps its connection open, and ends with it."""
        session = ClientSession(url=ENTRY)
        greet(session, session.first)
        join = session.command(Join, table=TABLE)
        session.receive(TableMoved(id=join.id, table=TABLE, url=B))
        [other] = session.others
        greet(session, other)
        session.receive(Asked(id=join.id, table=TABLE, request=1, seconds=60), at=other)
        assert [*session.others] == [other]
        if end == "lost":
            told = session.lost("it broke", other)
            assert [type(each) for each in told] == [Disconnected, Reconnected, Welcomed]
        elif end == "refused":
            session.receive(Notice(kind="refused", table=TABLE), at=other)
        else:
            leave = session.command(Leave, table=TABLE)
            session.receive(Ok(id=leave.id), at=other)
        assert not session.others

    def test_somebody_new_has_no_other_connections(self) -> None:
        """A new guest has no connections to other nodes, and watches through the entry."""
        session = ClientSession(url=ENTRY)
        greet(session, session.first)
        session.receive(snapshot(1).model_copy(update={"seat": None}))
        moved_to(B, session)
        assert session.start_afresh()
        assert not session.others
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert (hello.token, hello.resume) == (None, {TABLE: 1})


class TestTheSameNodeTwice:
    def test_a_table_that_comes_to_the_node_of_the_entry_is_watched_there(self) -> None:
        """A table that moves to the entry's node is watched on that connection."""
        session = ClientSession(url=ENTRY)
        greet(session, session.first, node=B.rstrip("/"))
        other = moved_to(C, session)
        act = session.command(Act, table=TABLE, turn=0, action="x")
        session.take_outbox(other)
        session.receive(snapshot(1), TableMoved(id=act.id, table=TABLE, url=B), at=other)
        assert not session.others
        assert types(session.take_outbox()) == ["watch", "act"]
        # Where a new one leads to is not known before its welcome.
        session.lost("it broke")
        session.receive(TableMoved(table="PEAR", url=B))
        assert [each.url for each in session.others] == [B]

    def test_an_entry_that_leads_to_a_known_node_serves_its_tables(self) -> None:
        """If the entry turns out to be a known node, the newer connection serves its tables."""
        session, other = at_both()
        act = session.command(Act, table=TABLE, turn=0, action="x")
        join = session.command(Join, table="FIG")
        session.receive(TableMoved(id=join.id, table="FIG", url=B))
        session.take_outbox(other)
        session.receive(Asked(id=join.id, table="FIG", request=1, seconds=60), at=other)
        assert session.lost("it broke") == [Disconnected("it broke")]
        greet(session, session.first, node=B)
        assert not session.others
        sent = session.take_outbox()
        assert sent.count(act) == 1
        assert [each.table for each in sent if isinstance(each, Watch)] == [TABLE]
        assert session.receive(Notice(kind="replaced"), at=other) == []
        assert session.refused is None

    def test_an_entry_that_has_not_heard_yet_where_it_leads(self) -> None:
        """The entry takes over the tables of a connection that its node has closed."""
        session, other = at_both()
        session.disconnected()
        [hello] = session.connected()
        assert session.receive(Notice(kind="replaced"), at=other) == []
        assert not session.others
        session.receive(told_features(hello.id))
        assert [each.table for each in session.take_outbox() if isinstance(each, Watch)] == [TABLE]

    def test_the_node_may_have_heard_the_newer_hello_first(self) -> None:
        """If the node got the newer hello first, the connection whose hello came first serves."""
        session, other = at_both()
        session.lost("it was closed", session.first)
        session.lost("it was closed", other)
        [first] = session.connected()
        [second] = session.connected(other)
        assert second.id > first.id
        session.receive(told_features(second.id), at=other)
        assert session.receive(Notice(kind="replaced"), at=other) == []
        assert session.refused is None
        session.receive(told_features(first.id))
        assert {each.table for each in session.take_outbox() if isinstance(each, Watch)} == {TABLE}

    def test_the_newer_connection_may_have_been_given_up(self) -> None:
        """The older connection comes back if the newer one that replaced it was given up."""
        session, other = at_both()
        session.lost("it was closed", other)
        session.connected(other)
        session.lost("it was given up", other)
        assert session.receive(Notice(kind="replaced")) == []
        assert session.refused is None
        session.lost("it was closed")
        greet(session, session.first)
        session.receive(Notice(kind="replaced"))
        assert session.refused is not None

    def test_a_hello_that_was_overtaken_is_said_again(self) -> None:
        """A hello replaced by a newer one of its session is sent again; otherwise it is final."""
        session, other = at_both()
        session.lost("it was closed", session.first)
        for expected in ("try_again", "replaced"):
            [hello] = session.connected()
            refused = Error(id=hello.id, code="replaced", reason="it has come in anew")
            session.receive(refused)
            assert session.first.refused is not None
            assert session.first.refused.code == expected
            session.lost("it was closed", other)


def test_a_sync_that_was_given_up_elsewhere() -> None:
    """A sync given up at another node is sent again at the table's next event."""
    session, other = at_both()
    server = ModelServer(seat=0, subscribed=True)
    for _ in range(4):
        server.happens()
    session.receive(*server.events(2), at=other)
    [sync] = session.take_outbox(other)
    assert isinstance(sync, Sync)
    session.forget(sync.id)
    session.receive(*server.events(3), at=other)
    assert types(session.take_outbox(other)) == ["sync"]
