"""Time at a table: bots' pauses, turn clocks, absence, the stand-in, pause, and the end."""

from typing import Literal

import pytest

from bots import strengths
from protocol.to_server import Act, Join, Leave, Rematch, Sit, Start, TableSettings
from server.table.effects import AskBot, Broadcast, Unsubscribe
from server.table.entries import Acted, TakenOver, TimedOut
from server.table.messages import question_for
from tests.server.table.harness import TableHarness
from tests.server.table.test_moves import move, playing


def with_clock(seconds: int = 20, seats: int = 2) -> TableHarness:
    table = TableHarness(seats=seats, settings=TableSettings(turn_seconds=seconds))
    for who in ("bea", "cid")[: seats - 1]:
        table.ask(who, Join)
    table.ask("ann", Start)
    return table


def test_a_bot_waits_a_moment_before_it_plays() -> None:
    """The server's delay, or the table's own if it has one."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    table.wait(0.4)
    assert not table.questions
    table.wait(0.1)
    assert [(ask.seat, ask.strength, ask.purpose) for ask in table.questions] == [
        (1, 0, "move"),
        (2, 0, "move"),
    ]
    hasty = TableHarness(settings=TableSettings(bot_delay=0))
    hasty.ask("ann", Start, fill=0)
    assert [ask.seat for ask in hasty.questions] == [1]


def test_a_bots_move_is_an_entry_that_says_so() -> None:
    """The log says who made a move."""
    table = TableHarness()
    table.ask("ann", Start, fill=0)
    table.wait(1)
    table.bot_moves()
    body = table.log[-1].body
    assert isinstance(body, Acted)
    assert (body.seat, body.by) == (1, "bot")
    table.check()


def test_a_bots_move_that_comes_too_late_is_dropped() -> None:
    """If somebody has taken the bot's seat in the meantime, they choose themselves."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    table.wait(1)
    table.ask("bea", Join, seat=1)
    before = len(table.log)
    table.bot_moves()
    assert len(table.log) == before
    assert table.ask("bea", Act, turn=1, action=move(table, "bea"))["type"] == "ok"
    table.check()


def test_a_late_answer_to_an_old_question_asks_no_new_one() -> None:
    """Bots are asked once a turn even if an answer to an earlier turn arrives in it."""
    table = with_clock(20)
    table.disconnect("bea")
    table.wait(20)
    (first,) = [ask for ask in table.questions if ask.seat == 1]
    table.reconnect("bea")
    for who in ("ann", "bea"):
        table.ask(who, Act, turn=1, action=move(table, who))
    assert table.state.turn == 2
    table.wait(20)
    asked = sum(isinstance(effect, AskBot) and effect.turn == 2 for effect in table.effects)
    table.bot_answers(first, "lay 2C")
    again = sum(isinstance(effect, AskBot) and effect.turn == 2 for effect in table.effects)
    assert again == asked == 2


def test_who_lets_his_clock_run_out_has_a_move_made_for_him() -> None:
    """The log has the timeout, then the move; the player stays in their seat."""
    table = with_clock(20)
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    table.wait(19.9)
    assert not table.questions
    table.wait(0.1)
    assert [(ask.seat, ask.purpose) for ask in table.questions] == [(1, "clock")]
    table.bot_moves()
    assert [type(entry.body) for entry in table.log[-2:]] == [TimedOut, Acted]
    assert table.last_by() == "clock"
    assert table.standing_in() == []
    assert (table.state.turn, table.state.chairs[1].kind) == (2, "human")
    table.check()


def test_a_move_made_in_the_last_moment_counts() -> None:
    """Between the bot's request and its answer the player may still move themselves."""
    table = with_clock(20)
    table.wait(20)
    own = table.ask("ann", Act, turn=1, action=move(table, "ann"))
    assert own["type"] == "ok"
    before = len(table.log)
    table.bot_moves()
    assert len(table.log) == before
    table.check()


def test_each_turn_has_its_own_clock() -> None:
    """A new turn starts the clock again; seats asked at the same time share one clock."""
    table = with_clock(20)
    table.wait(15)
    assert question_for(table.actor, 0, table.now)["clock"] == 5
    for who in ("ann", "bea"):
        table.ask(who, Act, turn=1, action=move(table, who))
    assert question_for(table.actor, 0, table.now)["clock"] == 20
    table.wait(19)
    assert not table.questions


def test_without_a_clock_nobody_is_hurried() -> None:
    """A player who is present may think as long as they like."""
    table = playing()
    table.wait(100_000)
    assert not table.questions
    assert "clock" not in question_for(table.actor, 0, table.now)
    assert table.actor.due() is None


def test_a_bot_takes_over_after_the_grace_period() -> None:
    """Until then the seat waits; the others learn of the absence at once."""
    table = playing()
    table.disconnect("bea")
    assert table.last(Broadcast).message == {
        "type": "presence",
        "table": "TABLE",
        "seat": 1,
        "away": True,
    }
    table.wait(29)
    assert table.standing_in() == []
    table.wait(1)
    assert table.log[-1].body == TakenOver(1, strengths("both_at_once")[-1])
    assert [ask.seat for ask in table.questions] == [1]
    table.bot_moves()
    assert table.last_by() == "stand_in"
    table.check()


def test_who_comes_back_gets_his_seat_back() -> None:
    """The stand-in gives way at once, even if it had been asked already."""
    table = playing()
    table.disconnect("bea")
    table.wait(30)
    table.reconnect("bea")
    assert table.kinds[-1] == "handed_back"
    assert table.last(Broadcast).message["away"] is False
    before = len(table.log)
    table.bot_moves()
    assert len(table.log) == before
    assert table.ask("bea", Act, turn=1, action=move(table, "bea"))["type"] == "ok"
    table.check()


def test_who_comes_back_in_time_finds_nothing_changed() -> None:
    """A short absence leaves no trace in the log."""
    table = playing()
    log = list(table.log)
    table.disconnect("bea")
    table.wait(29)
    table.reconnect("bea")
    table.wait(1000)
    assert table.log == log


def test_a_move_takes_back_the_seat_as_well() -> None:
    """A player who moves before their return is written has the seat back before the move."""
    table = playing()
    table.disconnect("bea")
    table.wait(30)
    table.broken = True
    table.reconnect("bea")
    table.broken = False
    assert table.standing_in() == [1]
    table.ask("bea", Act, turn=1, action=move(table, "bea"))
    assert table.kinds[-2:] == ["handed_back", "act"]
    table.check()


def test_an_absence_is_told_once() -> None:
    """The end of a second connection reports nothing new."""
    table = playing()
    table.disconnect("bea")
    told = len(table.effects)
    table.disconnect("bea")
    table.wait(1)
    table.disconnect("bea")
    assert len(table.effects) == told


def test_the_table_pauses_when_all_its_humans_are_away() -> None:
    """Bots do not play on among themselves."""
    table = playing(seats=3)
    for who in ("ann", "bea", "cid"):
        table.disconnect(who)
        table.wait(10)
    table.wait(19)
    assert table.phase() == "playing"
    table.wait(1)
    assert table.phase() == "paused"
    assert table.kinds[-3:] == ["taken_over", "taken_over", "paused"]
    table.check()


def test_the_first_to_come_back_resumes_a_paused_table() -> None:
    """The player plays on with stand-ins for those who are still away."""
    table = playing()
    table.disconnect("ann")
    table.wait(1)
    table.disconnect("bea")
    table.wait(30)
    assert table.phase() == "paused"
    assert table.standing_in() == [0]
    table.reconnect("ann")
    assert table.phase() == "playing"
    assert table.standing_in() in ([], [1])
    table.wait(1)
    assert table.standing_in() == [1]
    table.check()


def test_the_turn_clock_stands_still_during_a_pause() -> None:
    """A player who comes back to a paused table has their whole time to think."""
    table = TableHarness(settings=TableSettings(turn_seconds=60))
    table.ask("ann", Start, fill=0)
    table.wait(0.5)
    table.bot_moves()
    table.disconnect("ann")
    table.wait(30)
    assert table.phase() == "paused"
    assert "clock" not in question_for(table.actor, 0, table.now)
    table.wait(600)
    table.reconnect("ann")
    assert question_for(table.actor, 0, table.now)["clock"] == 60
    table.wait(59)
    assert not table.questions
    table.check()


def test_a_newcomer_wakes_a_paused_table() -> None:
    """A player who joins a paused match in a bot's place is present, so the match goes on."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    table.disconnect("ann")
    table.wait(30)
    assert table.phase() == "paused"
    table.ask("bea", Join)
    assert table.phase() == "playing"
    table.check()


def test_an_abandoned_table_is_given_up() -> None:
    """After the set time a paused table closes for good."""
    table = playing()
    table.disconnect("ann")
    table.disconnect("bea")
    table.wait(30 + 3599)
    assert table.phase() == "paused"
    table.wait(1)
    assert table.phase() == "closed"
    assert table.last(Unsubscribe) == Unsubscribe(None, "abandoned")
    table.reconnect("ann")
    assert table.kinds[-1] == "closed"
    table.check()


def test_a_lobby_that_nobody_starts_expires() -> None:
    """Every change of the lobby gives it its whole time again."""
    table = TableHarness()
    table.wait(1799)
    table.ask("bea", Join)
    table.wait(1799)
    assert table.phase() == "lobby"
    table.wait(1)
    assert table.phase() == "closed"
    assert table.last(Unsubscribe).reason == "expired"


def test_who_leaves_a_lobby_without_a_word_loses_his_seat_after_the_grace_period() -> None:
    """A seat in the lobby is not kept for an absent player, and another player becomes host."""
    table = TableHarness()
    table.ask("bea", Join)
    table.disconnect("ann")
    table.wait(30)
    assert table.state.seat_of("ann") is None
    assert table.state.host == 1
    table.disconnect("bea")
    table.wait(30)
    assert table.phase() == "closed"
    table.check()


def test_a_finished_table_waits_for_a_rematch_and_then_closes() -> None:
    """There is time to ask for another match, and no more than that."""
    table = playing(rounds=1)
    for who in ("ann", "bea"):
        table.ask(who, Act, turn=1, action=move(table, who))
    table.wait(599)
    assert table.phase() == "finished"
    table.wait(1)
    assert table.phase() == "closed"
    assert table.last(Unsubscribe).reason == "finished"


def test_nobody_is_put_out_of_a_finished_table_for_being_away() -> None:
    """An absence counts again when the lobby is open again."""
    table = playing(rounds=1)
    for who in ("ann", "bea"):
        table.ask(who, Act, turn=1, action=move(table, who))
    table.disconnect("bea")
    table.wait(300)
    assert table.state.seat_of("bea") == 1
    table.ask("ann", Rematch)
    assert table.state.seat_of("bea") is None
    table.check()


def test_a_rematch_forgets_the_stand_ins() -> None:
    """A player for whom a bot stood in is a player again, with their own clock and no strength."""
    table = TableHarness(settings=TableSettings(turn_seconds=60), options={"rounds": 1})
    table.ask("bea", Join)
    table.ask("ann", Start)
    table.disconnect("bea")
    table.wait(30)
    table.bot_moves()
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    assert table.phase() == "finished"
    table.held = True
    table.send("ann", Rematch)
    table.reconnect("bea")
    table.held = False
    table.commit()
    chair = table.state.chairs[1]
    assert (chair.kind, chair.strength, chair.stand_in) == ("human", None, False)
    table.ask("ann", Start)
    table.wait(60)
    assert {ask.purpose for ask in table.questions} == {"clock"}
    table.check()


def test_who_comes_back_to_a_finished_table_sits_there_himself() -> None:
    """A stand-in gives way after the match as well."""
    table = playing(rounds=1)
    table.disconnect("bea")
    table.wait(30)
    table.bot_moves()
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    assert table.phase() == "finished"
    table.reconnect("bea")
    assert table.standing_in() == []


def test_a_match_in_which_only_bots_and_absentees_sit_pauses_at_once() -> None:
    """When the last present player leaves, absent players do not keep the match going."""
    table = playing(seats=3)
    table.disconnect("bea")
    table.disconnect("cid")
    table.wait(30)
    assert table.phase() == "playing"
    table.ask("ann", Leave)
    assert table.phase() == "paused"
    table.check()


def test_moving_in_the_lobby_takes_the_absence_along() -> None:
    """Absence belongs to the player, not to the chair."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    table.held = True
    table.send("bea", Sit, seat=2)
    table.disconnect("bea")
    table.repair()
    assert table.state.seat_of("bea") == 2
    assert table.actor.clocks.is_away(2)
    assert not table.actor.clocks.is_away(1)
    table.ask("cid", Join)
    table.wait(30)
    assert table.state.seat_of("bea") is None
    assert table.state.seat_of("cid") == 1


@pytest.mark.parametrize("purpose", ["move", "clock"])
def test_a_bots_answer_after_the_end_is_dropped(purpose: Literal["move", "clock"]) -> None:
    """What a bot chose for a match that is over changes nothing."""
    table = with_clock(20)
    table.wait(20)
    ask = table.questions[0]
    assert ask.purpose == "clock"
    table.ask("ann", Leave)
    table.ask("bea", Leave)
    log = list(table.log)
    table.bot_answers(AskBot(ask.seat, ask.turn, 0, purpose), "lay 2C")
    assert table.log == log
