"""The client's session and its tables: events are folded, and snapshots fill gaps."""

import pytest

from engine.cards import FRENCH
from engine.facts import Fact, Move, Set
from engine.labels import Label
from engine.layout import laid_out
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
    TableUnchanged,
)
from protocol.to_client import (
    ChatNotice,
    Closed,
    Error,
    Event,
    GameCard,
    GameList,
    Legend,
    Notice,
    Ok,
    Presence,
    Unchanged,
    Words,
)
from protocol.to_server import Act, CreateTable, Games, Hello, Join, Leave, Sync, ToServer, Watch
from tests.protocol.model_server import TABLE, ModelServer, online, resent, seated, types, welcome


def event(seq: int, *facts: Fact) -> Event:
    return Event(table=TABLE, seq=seq, facts=facts)


class TestTables:
    def test_events_are_folded_into_the_mirror(self) -> None:
        """An event updates its table, and the views before and after are reported."""
        session, server = seated(after=1)
        before = session.tables[TABLE]
        server.happens()
        [told] = session.receive(*server.events(1))
        assert isinstance(told, TableEvent)
        assert told.before == before
        assert told.mirror == session.tables[TABLE] == server.truth()

    def test_old_events_are_dropped(self) -> None:
        """An event whose number was seen already is dropped, and is no gap."""
        session, server = seated(after=2)
        assert session.receive(*server.events(0)) == []
        assert session.outbox == []

    def test_a_list_of_words_that_no_reader_took_is_dropped(self) -> None:
        """A list of words changes nothing in a session, whose events are in the long form."""
        session, server = seated(after=1)
        assert session.receive(Words(number=0, words=("card_played",))) == []
        assert session.tables[TABLE] == server.truth()

    def test_events_of_other_tables_are_dropped(self) -> None:
        """Events of a table that is not followed are dropped."""
        session = online()
        assert session.receive(event(1)) == []
        assert session.tables == {}

    @pytest.mark.parametrize(
        "bad", [event(4), event(3, Fact("x", {}, (Move("nowhere", "pile", 1),)))]
    )
    def test_lost_threads_ask_for_a_snapshot_once(self, bad: Event) -> None:
        """A gap or an unfitting event asks once for a snapshot, and later events wait for it."""
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
        """Hello resumes a table that is behind, so its pending sync is not sent again."""
        session, server = seated(after=2)
        session.receive(event(9))
        assert types(session.take_outbox()) == ["sync"]
        assert resent(session) == []
        server.happens()
        [told] = session.receive(*server.events(2))
        assert isinstance(told, TableEvent)

    def test_a_refused_sync_closes_the_table(self) -> None:
        """A refused sync closes the table."""
        session, _ = seated(after=2)
        mirror = session.tables[TABLE]
        session.receive(event(9))
        [sync] = session.take_outbox()
        told = session.receive(Error(id=sync.id, code="unknown_table", reason="gone"))
        assert told == [TableClosed(mirror, "unknown_table")]
        assert session.tables == {}

    def test_a_sync_that_was_given_up_is_tried_at_the_next_event(self) -> None:
        """A cancelled sync is sent again at the table's next event."""
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
        """If a repeated answer comes without its snapshot, the client asks for one."""
        session = online()
        command = session.command(kind, table=TABLE)
        session.take_outbox()
        session.receive(Ok(id=command.id, table=TABLE))
        assert types(session.take_outbox()) == ["sync"]

    def test_entering_with_a_snapshot(self) -> None:
        """If a snapshot comes with the answer, the client asks for nothing."""
        session, server = online(), ModelServer(seat=0)
        command = session.command(CreateTable, game="pile")
        session.take_outbox()
        told = session.receive(Ok(id=command.id, table=TABLE), server.snapshot())
        assert [type(client_event) for client_event in told] == [Answered, TableSnapshot]
        assert session.outbox == []

    def test_other_answers_enter_nothing(self) -> None:
        """Answers that only name a table do not make the client follow it."""
        session = online()
        act = session.command(Act, table=TABLE, turn=1, action="play QS")
        create = session.command(CreateTable, game="pile")
        session.take_outbox()
        session.receive(Ok(id=act.id, table=TABLE), Ok(id=create.id))
        assert session.outbox == []

    @pytest.mark.parametrize("closed_first", [True, False])
    def test_leaving_closes_the_table_once(self, closed_first: bool) -> None:
        """The answer to `leave` and the closing message are reported as one end."""
        session, _ = seated()
        leave = session.command(Leave, table=TABLE)
        both: list[Ok | Closed] = [Ok(id=leave.id), Closed(table=TABLE, reason="left")]
        told = session.receive(*(reversed(both) if closed_first else both))
        closings = [client_event for client_event in told if isinstance(client_event, TableClosed)]
        assert [closing.reason for closing in closings] == ["left"]
        assert session.tables == {}

    def test_presence(self) -> None:
        """The mirror shows which players are away, although presence is no event."""
        session, _ = seated()
        presence = Presence(table=TABLE, seat=1, away=True)
        [told] = session.receive(presence)
        assert told == PresenceChanged(session.tables[TABLE], presence)
        assert [seat.away for seat in session.tables[TABLE].info.seats] == [False, True, False]
        assert session.receive(Presence(table="OTHER", seat=1, away=True)) == []

    def test_coming_back_where_nothing_happened(self) -> None:
        """Resuming without news updates clocks and reserves, and keeps the prompt."""
        session, server = seated()
        seats = server.truth().info.seats
        gone = seats[1].model_copy(update={"away": True})
        info = server.truth().info.model_copy(update={"seats": (seats[0], gone, *seats[2:])})
        unchanged = Unchanged(table=TABLE, info=info, clock=7.5, reserve=(9, 8, 0))
        before = session.tables[TABLE]
        away, told = session.receive(unchanged)
        mirror = session.tables[TABLE]
        assert told == TableUnchanged(mirror, unchanged)
        assert away == PresenceChanged(mirror, Presence(table=TABLE, seat=1, away=True))
        assert (mirror.question.clock, mirror.question.reserve) == (7.5, (9, 8, 0))
        assert (mirror.choices, mirror.question.turn) == (before.choices, before.question.turn)
        assert session.receive(unchanged) == [TableUnchanged(mirror, unchanged)]
        assert session.receive(Unchanged(table="OTHER", info=info)) == []

    def test_time_that_is_up_is_told_once(self) -> None:
        """Time running out is reported once, until more time or another turn."""
        session, server = seated()

        def times(clock: float) -> Unchanged:
            return Unchanged(table=TABLE, info=server.truth().info, clock=clock)

        notice = Notice(kind="time_up", table=TABLE, seats=(1,))
        session.receive(times(0.0))
        assert len(session.receive(notice)) == 1
        assert session.tables[TABLE].late == {1}
        session.receive(times(0.0))
        assert session.receive(notice) == []
        session.receive(times(12.0))
        assert len(session.receive(notice)) == 1
        session.receive(times(0.0))
        assert len(session.receive(Notice(kind="time_up", table=TABLE, seats=(1, 2)))) == 1
        session.receive(server.snapshot())
        assert session.tables[TABLE].late == set()

    def test_chat(self) -> None:
        """Chat is reported to the client."""
        chat = ChatNotice(table=TABLE, seat=0, name="Ann", text="hello")
        assert online().receive(chat) == [Chatted(chat)]

    def test_chat_that_was_missed(self) -> None:
        """Hello names the last chat line, and an earlier line that comes again is not reported."""
        session, _ = seated()

        def line(number: int, *, earlier: bool = False, apart: bool = False) -> ChatNotice:
            return ChatNotice(
                table=TABLE,
                seat=0,
                name="Ann",
                text="hello",
                number=number,
                earlier=earlier,
                apart=apart,
            )

        assert session.receive(line(9, earlier=True)) == [Chatted(line(9, earlier=True))]
        assert session.receive(line(9, earlier=True), line(8, earlier=True)) == []
        assert session.receive(line(7)) == [Chatted(line(7))]
        assert len(session.receive(line(7, apart=True, earlier=True))) == 1
        session.receive(ChatNotice(table=TABLE, seat=0, name="Ann", text="of an older server"))
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert hello.heard == {TABLE: [7, 7]}
        session.receive(welcome(hello.id), Closed(table=TABLE, reason="kicked"))
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert hello.heard == {}


class TestNotices:
    def test_most_are_passed_on(self) -> None:
        """Other notices are reported and change nothing else."""
        session, _ = seated()
        notice = Notice(kind="draining")
        assert session.receive(notice) == [Noticed(notice)]
        assert session.refused is None

    def test_replaced_as_a_whole(self) -> None:
        """A client replaced as a whole does not reconnect: the two would replace each other."""
        session, _ = seated()
        notice = Notice(kind="replaced")
        assert session.receive(notice) == [Noticed(notice)]
        assert session.refused is not None
        assert session.refused.code == "replaced"

    def test_replaced_at_a_table(self) -> None:
        """A client replaced at one table loses its place only there."""
        session, server = seated()
        notice = Notice(kind="replaced", table=TABLE)
        told = session.receive(notice)
        assert told == [Noticed(notice), TableClosed(server.truth(), "replaced")]
        assert session.refused is None
        assert session.tables == {}


class TestLegends:
    LEGEND = Legend(
        digest="d1", legend=FRENCH, labels=(Label("pile", "heap"),), layout=laid_out((), ())
    )

    def test_a_table_has_the_legend_that_it_refers_to(self) -> None:
        """A mirror has the legend that its snapshot refers to by digest."""
        session, server = seated()
        assert session.receive(self.LEGEND) == []
        session.receive(server.snapshot().model_copy(update={"digest": "d1"}))
        mirror = session.tables[TABLE]
        assert (mirror.legend, mirror.labels) == (FRENCH, self.LEGEND.labels)
        assert mirror.layout == self.LEGEND.layout

    def test_a_legend_that_came_with_a_game_is_not_awaited_again(self) -> None:
        """A legend received with a game is not expected again in a snapshot."""
        session, server = seated()
        asked = session.command(Games, game="solo")
        legend = self.LEGEND
        card = GameCard(
            id="solo", version=1, title="Solo", seats=(4,), usual_seats=4, options=(), strengths=()
        )
        whole = card.model_copy(
            update={"legend": FRENCH, "labels": legend.labels, "layout": legend.layout}
        )
        cards = (card, whole, whole.model_copy(update={"digest": "d1"}))
        session.receive(GameList(id=asked.id, games=cards))
        session.receive(server.snapshot().model_copy(update={"digest": "d1"}))
        mirror = session.tables[TABLE]
        assert (mirror.legend, mirror.labels) == (FRENCH, legend.labels)
        assert mirror.layout == legend.layout

    def test_a_new_connection_says_which_legends_are_there(self) -> None:
        """Hello names the latest legends, up to the limit, and none with an invalid digest."""
        session = ClientSession(wanted=["legend"])
        for number in range(40):
            session.receive(self.LEGEND.model_copy(update={"digest": f"d{number}"}))
        session.receive(self.LEGEND.model_copy(update={"digest": "x" * 65}))
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert hello.features == ["legend"]
        assert hello.legends == [f"d{number}" for number in range(8, 40)]
