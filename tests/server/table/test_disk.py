"""The disk: nothing is published before it is written, and a failed write changes nothing."""

from protocol.to_server import Act, Join, Leave, Ready, Start
from server.table.effects import Answer, Ask, Dismiss, Persist, Publish, Show
from tests.server.table.room import Room
from tests.server.table.test_moves import move, playing


def test_nothing_is_answered_or_published_before_the_commit() -> None:
    """While a write is under way the write is the only effect."""
    room = Room()
    room.held = True
    told = len(room.told)
    key = room.send("bea", Join)
    assert [type(effect) for effect in room.told[told:]] == [Persist]
    assert not room.answers[key]
    assert room.state.seat_of("bea") is None
    room.commit()
    assert [type(effect) for effect in room.told[told + 1 :]] == [Answer, Publish, Show]
    assert room.state.seat_of("bea") == 1


def test_a_failed_commit_leaves_the_state_before_it() -> None:
    """The answer is `try_again`, the frozen state stands, nothing was published."""
    room = playing()
    state, log = room.state, list(room.log)
    room.broken = True
    told = len(room.told)
    answer = room.say("ann", Act, turn=1, action=move(room, "ann"))
    assert answer["code"] == "try_again"
    assert [type(effect) for effect in room.told[told:]] == [Persist, Answer]
    assert room.state is state
    assert room.log == log
    room.broken = False
    assert room.say("ann", Act, turn=1, action=move(room, "ann"))["seq"] == len(log) + 1
    room.check()


def test_a_table_that_was_never_written_is_none() -> None:
    """If its first entries are lost the table has no number, and its creator hears `try_again`."""
    room = Room(broken=True)
    ((answer,),) = room.answers.values()
    assert answer["code"] == "try_again"
    assert (room.state.seq, room.log) == (0, [])


def test_what_comes_during_a_write_is_done_after_it_in_order() -> None:
    """The mailbox keeps the order, and each command meets the state its predecessor left."""
    room = Room(seats=3)
    room.held = True
    keys = [room.send(who, Join) for who in ("bea", "cid", "dan")]
    assert len(room.log) == 2
    for _ in range(2):
        room.commit()
    assert [room.answers[key][0].get("seq") for key in keys] == [3, 4, None]
    assert room.answers[keys[2]][0]["code"] == "table_full"
    room.check()


def test_the_mailbox_goes_on_after_a_failed_write() -> None:
    """One lost write costs one command; the next is decided on the state that stands."""
    room = Room(seats=3)
    room.held = True
    lost, kept = room.send("bea", Join), room.send("cid", Join)
    room.fail()
    room.commit()
    assert room.answers[lost][0]["code"] == "try_again"
    assert room.answers[kept][0]["seq"] == 3
    assert room.state.seat_of("cid") == 1
    room.check()


def test_several_entries_of_one_command_are_written_together() -> None:
    """Starting with bots is one write: all of it or nothing."""
    room = Room(seats=3)
    room.broken = True
    assert room.say("ann", Start, fill=0)["code"] == "try_again"
    assert room.kinds == ["opened", "seated"]
    room.broken = False
    room.say("ann", Start, fill=0)
    assert len(room.last(Persist).entries) == 4
    assert room.last(Persist).entries[-1].key is not None
    room.check()


def test_a_bots_lost_move_is_asked_for_again_after_a_rest() -> None:
    """A full disk gets one attempt per second, not more."""
    room = Room()
    room.say("ann", Start, fill=0)
    room.wait(0.5)
    room.broken = True
    room.think()
    assert [ask.seat for ask in room.asked] == []
    writes = sum(isinstance(effect, Persist) for effect in room.told)
    for _ in range(10):
        room.wait(1)
        while room.asked:
            room.think()
    assert sum(isinstance(effect, Persist) for effect in room.told) - writes == 10
    room.broken = False
    room.wait(1)
    room.think()
    assert room.kinds[-1] == "act"
    room.check()


def test_a_closing_that_could_not_be_written_is_tried_again() -> None:
    """An expired table on a full disk closes when the disk has room again."""
    room = Room()
    room.broken = True
    room.wait(1900)
    assert room.phase() == "lobby"
    room.broken = False
    room.wait(1)
    assert room.phase() == "closed"
    assert room.last(Dismiss).reason == "expired"


def test_a_return_that_could_not_be_written_is_not_forgotten() -> None:
    """A returning player gets the seat back, if not at once then when the disk works again."""
    room = playing()
    room.lose("bea")
    room.wait(30)
    assert room.standing_in() == [1]
    room.broken = True
    room.back("bea")
    assert room.standing_in() == [1]
    room.broken = False
    room.wait(1)
    assert room.standing_in() == []
    room.check()


def test_a_paused_table_resumes_though_the_first_attempt_was_lost() -> None:
    """The table does not stay paused with its player sitting there."""
    room = Room()
    room.say("ann", Start, fill=0)
    room.lose("ann")
    room.wait(30)
    assert room.phase() == "paused"
    room.broken = True
    room.back("ann")
    assert room.phase() == "paused"
    room.broken = False
    room.wait(1)
    assert room.phase() == "playing"
    room.check()


def test_a_connection_lost_during_a_write_is_not_taken_for_a_present_one() -> None:
    """A player who came back and left again while the disk was busy counts as away."""
    room = playing()
    room.lose("bea")
    room.held = True
    key = room.send("ann", Act, turn=1, action=move(room, "ann"))
    room.back("bea")
    room.lose("bea")
    room.commit()
    room.held = False
    assert room.answers[key][0]["type"] == "ok"
    assert room.table.clocks.is_away(1)
    room.wait(30)
    assert room.standing_in() == [1]


def test_readiness_counts_as_it_was_written() -> None:
    """A match starts once although both said ready while the disk was busy."""
    room = Room()
    room.say("bea", Join)
    room.held = True
    first, second = room.send("ann", Ready), room.send("bea", Ready)
    room.commit()
    room.commit()
    room.held = False
    assert [room.answers[key][0]["type"] for key in (first, second)] == ["ok", "ok"]
    assert (room.phase(), room.state.match) == ("playing", 1)
    room.check()


def test_a_question_is_asked_once_a_turn() -> None:
    """However often the table is woken, a bot has one request at a time."""
    room = Room(seats=3)
    room.say("ann", Start, fill=0)
    for _ in range(5):
        room.wait(1)
    asks = [effect for effect in room.told if isinstance(effect, Ask)]
    assert [ask.seat for ask in asks] == [1, 2]


def test_leaving_twice_is_answered_twice() -> None:
    """The second of two commands in the mailbox sees that there is no seat any more."""
    room = playing(seats=3)
    room.held = True
    first, second = room.send("cid", Leave), room.send("cid", Leave)
    room.commit()
    room.held = False
    assert room.answers[first][0]["type"] == "ok"
    assert room.answers[second][0]["code"] == "not_seated"
