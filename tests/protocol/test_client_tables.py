"""The client's session and its tables: events are folded, gaps are filled by snapshots."""

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
)
from protocol.to_server import Act, CreateTable, Games, Hello, Join, Leave, Sync, ToServer, Watch
from tests.protocol.model_server import TABLE, ModelServer, online, resent, seated, types, welcome


def event(seq: int, *facts: Fact) -> Event:
    return Event(table=TABLE, seq=seq, facts=facts)


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

    def test_coming_back_where_nothing_happened(self) -> None:
        """The clock and the reserves are those of now, what was asked stays; changes are told."""
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
        """The server repeats it to who comes back; more time or another turn ends it."""
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
        """Chat is passed on."""
        chat = ChatNotice(table=TABLE, seat=0, name="Ann", text="hello")
        assert online().receive(chat) == [Chatted(chat)]

    def test_chat_that_was_missed(self) -> None:
        """A hello says what was told; an earlier line that was told already is told no more."""
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


class TestLegends:
    LEGEND = Legend(
        digest="d1", legend=FRENCH, labels=(Label("pile", "heap"),), layout=laid_out((), ())
    )

    def test_a_table_has_the_legend_that_it_refers_to(self) -> None:
        """The mirror is whole, although the snapshot was not."""
        session, server = seated()
        assert session.receive(self.LEGEND) == []
        session.receive(server.snapshot().model_copy(update={"digest": "d1"}))
        mirror = session.tables[TABLE]
        assert (mirror.legend, mirror.labels) == (FRENCH, self.LEGEND.labels)
        assert mirror.layout == self.LEGEND.layout

    def test_a_legend_that_came_with_a_game_is_not_awaited_again(self) -> None:
        """The server counts it as sent; a card without a legend, or of an older server, is none."""
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
        """The latest ones, as many as one hello may name, and none with an absurd name."""
        session = ClientSession(wanted=["legend"])
        for number in range(40):
            session.receive(self.LEGEND.model_copy(update={"digest": f"d{number}"}))
        session.receive(self.LEGEND.model_copy(update={"digest": "x" * 65}))
        [hello] = session.connected()
        assert isinstance(hello, Hello)
        assert hello.features == ["legend"]
        assert hello.legends == [f"d{number}" for number in range(8, 40)]
