"""Time at a table: bots' pauses, turn clocks, absence, the stand-in, pause, and the end."""

from typing import Literal

import pytest

from bots import strengths
from protocol.to_server import Act, Join, Leave, Rematch, Sit, Start, TableSettings
from server.table.effects import Ask, Dismiss, Tell
from server.table.entries import Acted, TakenOver, TimedOut
from server.table.messages import question_for
from tests.server.table.room import Room
from tests.server.table.test_moves import move, playing


def with_clock(seconds: int = 20, seats: int = 2) -> Room:
    room = Room(seats=seats, settings=TableSettings(turn_seconds=seconds))
    for who in ("bea", "cid")[: seats - 1]:
        room.say(who, Join)
    room.say("ann", Start)
    return room


def test_a_bot_waits_a_moment_before_it_plays() -> None:
    """The server's delay, or the table's own if it has one."""
    room = Room(seats=3)
    room.say("ann", Start, fill=0)
    room.wait(0.4)
    assert not room.asked
    room.wait(0.1)
    assert [(ask.seat, ask.strength, ask.purpose) for ask in room.asked] == [
        (1, 0, "move"),
        (2, 0, "move"),
    ]
    hasty = Room(settings=TableSettings(bot_delay=0))
    hasty.say("ann", Start, fill=0)
    assert [ask.seat for ask in hasty.asked] == [1]


def test_a_bots_move_is_an_entry_that_says_so() -> None:
    """The log says who made a move."""
    room = Room()
    room.say("ann", Start, fill=0)
    room.wait(1)
    room.think()
    body = room.log[-1].body
    assert isinstance(body, Acted)
    assert (body.seat, body.by) == (1, "bot")
    room.check()


def test_a_bots_move_that_comes_too_late_is_dropped() -> None:
    """If somebody has taken the bot's seat in the meantime, they choose themselves."""
    room = Room(seats=3)
    room.say("ann", Start, fill=0)
    room.wait(1)
    room.say("bea", Join, seat=1)
    before = len(room.log)
    room.think()
    assert len(room.log) == before
    assert room.say("bea", Act, turn=1, action=move(room, "bea"))["type"] == "ok"
    room.check()


def test_a_late_answer_to_an_old_question_asks_no_new_one() -> None:
    """Bots are asked once a turn even if an answer to an earlier turn arrives in it."""
    room = with_clock(20)
    room.lose("bea")
    room.wait(20)
    (first,) = [ask for ask in room.asked if ask.seat == 1]
    room.back("bea")
    for who in ("ann", "bea"):
        room.say(who, Act, turn=1, action=move(room, who))
    assert room.state.turn == 2
    room.wait(20)
    asked = sum(isinstance(effect, Ask) and effect.turn == 2 for effect in room.told)
    room.chosen(first, "lay 2C")
    again = sum(isinstance(effect, Ask) and effect.turn == 2 for effect in room.told)
    assert again == asked == 2


def test_who_lets_his_clock_run_out_has_a_move_made_for_him() -> None:
    """The log has the timeout, then the move; the player stays in their seat."""
    room = with_clock(20)
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    room.wait(19.9)
    assert not room.asked
    room.wait(0.1)
    assert [(ask.seat, ask.purpose) for ask in room.asked] == [(1, "clock")]
    room.think()
    assert [type(entry.body) for entry in room.log[-2:]] == [TimedOut, Acted]
    assert room.last_by() == "clock"
    assert room.standing_in() == []
    assert (room.state.turn, room.state.chairs[1].kind) == (2, "human")
    room.check()


def test_a_move_made_in_the_last_moment_counts() -> None:
    """Between the bot's request and its answer the player may still move themselves."""
    room = with_clock(20)
    room.wait(20)
    own = room.say("ann", Act, turn=1, action=move(room, "ann"))
    assert own["type"] == "ok"
    before = len(room.log)
    room.think()
    assert len(room.log) == before
    room.check()


def test_each_turn_has_its_own_clock() -> None:
    """A new turn starts the clock again; seats asked at the same time share one clock."""
    room = with_clock(20)
    room.wait(15)
    assert question_for(room.table, 0, room.now)["clock"] == 5
    for who in ("ann", "bea"):
        room.say(who, Act, turn=1, action=move(room, who))
    assert question_for(room.table, 0, room.now)["clock"] == 20
    room.wait(19)
    assert not room.asked


def test_without_a_clock_nobody_is_hurried() -> None:
    """A player who is present may think as long as they like."""
    room = playing()
    room.wait(100_000)
    assert not room.asked
    assert "clock" not in question_for(room.table, 0, room.now)
    assert room.table.due() is None


def test_a_bot_takes_over_after_the_grace_period() -> None:
    """Until then the seat waits; the others learn of the absence at once."""
    room = playing()
    room.lose("bea")
    assert room.last(Tell).message == {
        "type": "presence",
        "table": "TABLE",
        "seat": 1,
        "away": True,
    }
    room.wait(29)
    assert room.standing_in() == []
    room.wait(1)
    assert room.log[-1].body == TakenOver(1, strengths("both_at_once")[-1])
    assert [ask.seat for ask in room.asked] == [1]
    room.think()
    assert room.last_by() == "stand_in"
    room.check()


def test_who_comes_back_gets_his_seat_back() -> None:
    """The stand-in gives way at once, even if it had been asked already."""
    room = playing()
    room.lose("bea")
    room.wait(30)
    room.back("bea")
    assert room.kinds[-1] == "handed_back"
    assert room.last(Tell).message["away"] is False
    before = len(room.log)
    room.think()
    assert len(room.log) == before
    assert room.say("bea", Act, turn=1, action=move(room, "bea"))["type"] == "ok"
    room.check()


def test_who_comes_back_in_time_finds_nothing_changed() -> None:
    """A short absence leaves no trace in the log."""
    room = playing()
    log = list(room.log)
    room.lose("bea")
    room.wait(29)
    room.back("bea")
    room.wait(1000)
    assert room.log == log


def test_a_move_takes_back_the_seat_as_well() -> None:
    """A player who moves before their return is written has the seat back before the move."""
    room = playing()
    room.lose("bea")
    room.wait(30)
    room.broken = True
    room.back("bea")
    room.broken = False
    assert room.standing_in() == [1]
    room.say("bea", Act, turn=1, action=move(room, "bea"))
    assert room.kinds[-2:] == ["handed_back", "act"]
    room.check()


def test_an_absence_is_told_once() -> None:
    """The end of a second connection reports nothing new."""
    room = playing()
    room.lose("bea")
    told = len(room.told)
    room.lose("bea")
    room.wait(1)
    room.lose("bea")
    assert len(room.told) == told


def test_the_table_pauses_when_all_its_humans_are_away() -> None:
    """Bots do not play on among themselves."""
    room = playing(seats=3)
    for who in ("ann", "bea", "cid"):
        room.lose(who)
        room.wait(10)
    room.wait(19)
    assert room.phase() == "playing"
    room.wait(1)
    assert room.phase() == "paused"
    assert room.kinds[-3:] == ["taken_over", "taken_over", "paused"]
    room.check()


def test_the_first_to_come_back_resumes_a_paused_table() -> None:
    """The player plays on with stand-ins for those who are still away."""
    room = playing()
    room.lose("ann")
    room.wait(1)
    room.lose("bea")
    room.wait(30)
    assert room.phase() == "paused"
    assert room.standing_in() == [0]
    room.back("ann")
    assert room.phase() == "playing"
    assert room.standing_in() in ([], [1])
    room.wait(1)
    assert room.standing_in() == [1]
    room.check()


def test_the_turn_clock_stands_still_during_a_pause() -> None:
    """A player who comes back to a paused table has their whole time to think."""
    room = Room(settings=TableSettings(turn_seconds=60))
    room.say("ann", Start, fill=0)
    room.wait(0.5)
    room.think()
    room.lose("ann")
    room.wait(30)
    assert room.phase() == "paused"
    assert "clock" not in question_for(room.table, 0, room.now)
    room.wait(600)
    room.back("ann")
    assert question_for(room.table, 0, room.now)["clock"] == 60
    room.wait(59)
    assert not room.asked
    room.check()


def test_a_newcomer_wakes_a_paused_table() -> None:
    """A player who joins a paused match in a bot's place is present, so the match goes on."""
    room = Room(seats=3)
    room.say("ann", Start, fill=0)
    room.lose("ann")
    room.wait(30)
    assert room.phase() == "paused"
    room.say("bea", Join)
    assert room.phase() == "playing"
    room.check()


def test_an_abandoned_table_is_given_up() -> None:
    """After the set time a paused table closes for good."""
    room = playing()
    room.lose("ann")
    room.lose("bea")
    room.wait(30 + 3599)
    assert room.phase() == "paused"
    room.wait(1)
    assert room.phase() == "closed"
    assert room.last(Dismiss) == Dismiss(None, "abandoned")
    room.back("ann")
    assert room.kinds[-1] == "closed"
    room.check()


def test_a_lobby_that_nobody_starts_expires() -> None:
    """Every change of the lobby gives it its whole time again."""
    room = Room()
    room.wait(1799)
    room.say("bea", Join)
    room.wait(1799)
    assert room.phase() == "lobby"
    room.wait(1)
    assert room.phase() == "closed"
    assert room.last(Dismiss).reason == "expired"


def test_who_leaves_a_lobby_without_a_word_loses_his_seat_after_the_grace_period() -> None:
    """A seat in the lobby is not kept for an absent player, and another player becomes host."""
    room = Room()
    room.say("bea", Join)
    room.lose("ann")
    room.wait(30)
    assert room.state.seat_of("ann") is None
    assert room.state.host == 1
    room.lose("bea")
    room.wait(30)
    assert room.phase() == "closed"
    room.check()


def test_a_finished_table_waits_for_a_rematch_and_then_closes() -> None:
    """There is time to ask for another match, and no more than that."""
    room = playing(rounds=1)
    for who in ("ann", "bea"):
        room.say(who, Act, turn=1, action=move(room, who))
    room.wait(599)
    assert room.phase() == "finished"
    room.wait(1)
    assert room.phase() == "closed"
    assert room.last(Dismiss).reason == "finished"


def test_nobody_is_put_out_of_a_finished_table_for_being_away() -> None:
    """An absence counts again when the lobby is open again."""
    room = playing(rounds=1)
    for who in ("ann", "bea"):
        room.say(who, Act, turn=1, action=move(room, who))
    room.lose("bea")
    room.wait(300)
    assert room.state.seat_of("bea") == 1
    room.say("ann", Rematch)
    assert room.state.seat_of("bea") is None
    room.check()


def test_a_rematch_forgets_the_stand_ins() -> None:
    """A player for whom a bot stood in is a player again, with their own clock and no strength."""
    room = Room(settings=TableSettings(turn_seconds=60), options={"rounds": 1})
    room.say("bea", Join)
    room.say("ann", Start)
    room.lose("bea")
    room.wait(30)
    room.think()
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    assert room.phase() == "finished"
    room.held = True
    room.send("ann", Rematch)
    room.back("bea")
    room.held = False
    room.commit()
    chair = room.state.chairs[1]
    assert (chair.kind, chair.strength, chair.stand_in) == ("human", None, False)
    room.say("ann", Start)
    room.wait(60)
    assert {ask.purpose for ask in room.asked} == {"clock"}
    room.check()


def test_who_comes_back_to_a_finished_table_sits_there_himself() -> None:
    """A stand-in gives way after the match as well."""
    room = playing(rounds=1)
    room.lose("bea")
    room.wait(30)
    room.think()
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    assert room.phase() == "finished"
    room.back("bea")
    assert room.standing_in() == []


def test_a_match_in_which_only_bots_and_absentees_sit_pauses_at_once() -> None:
    """When the last present player leaves, absent players do not keep the match going."""
    room = playing(seats=3)
    room.lose("bea")
    room.lose("cid")
    room.wait(30)
    assert room.phase() == "playing"
    room.say("ann", Leave)
    assert room.phase() == "paused"
    room.check()


def test_moving_in_the_lobby_takes_the_absence_along() -> None:
    """Absence belongs to the player, not to the chair."""
    room = Room(seats=3)
    room.say("bea", Join)
    room.held = True
    room.send("bea", Sit, seat=2)
    room.lose("bea")
    room.repair()
    assert room.state.seat_of("bea") == 2
    assert room.table.clocks.is_away(2)
    assert not room.table.clocks.is_away(1)
    room.say("cid", Join)
    room.wait(30)
    assert room.state.seat_of("bea") is None
    assert room.state.seat_of("cid") == 1


@pytest.mark.parametrize("purpose", ["move", "clock"])
def test_a_bots_answer_after_the_end_is_dropped(purpose: Literal["move", "clock"]) -> None:
    """What a bot chose for a match that is over changes nothing."""
    room = with_clock(20)
    room.wait(20)
    ask = room.asked[0]
    assert ask.purpose == "clock"
    room.say("ann", Leave)
    room.say("bea", Leave)
    log = list(room.log)
    room.chosen(Ask(ask.seat, ask.turn, 0, purpose), "lay 2C")
    assert room.log == log
