"""Absent players: the stand-in, the pause, and their return."""

from bots import strength_of
from protocol.to_server import Act, Join, Leave, Rematch, Sit, Start, TableSettings
from server.table.effects import Broadcast
from server.table.entries import TakenOver
from server.table.messages import question_for
from tests.server.table.harness import TableHarness
from tests.server.table.test_moves import move, playing


def test_a_bot_takes_over_after_the_grace_period() -> None:
    """A bot takes over an absent player's seat after the grace period, told at once."""
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
    assert table.log[-1].body == TakenOver(1, strength_of("both_at_once", "medium"))
    assert [ask.seat for ask in table.questions] == [1]
    table.bot_moves()
    assert table.last_by() == "stand_in"
    table.check()


def test_a_returning_player_gets_their_seat_back() -> None:
    """A returning player gets their seat back at once."""
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
    """A move by a returning player takes the seat back first."""
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
    """An absence is told once."""
    table = playing()
    table.disconnect("bea")
    told = len(table.effects)
    table.disconnect("bea")
    table.wait(1)
    table.disconnect("bea")
    assert len(table.effects) == told


def test_the_table_pauses_when_all_its_humans_are_away() -> None:
    """The table pauses when all of its people are away."""
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
    """The first player to return resumes a paused table, with stand-ins for the others."""
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
    """The turn clock stops during a pause."""
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
    """A newcomer in a bot's place resumes a paused match."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    table.disconnect("ann")
    table.wait(30)
    assert table.phase() == "paused"
    table.ask("bea", Join)
    assert table.phase() == "playing"
    table.check()


def test_a_player_lost_in_the_lobby_loses_their_seat_after_the_grace_period() -> None:
    """A player absent from a lobby for the grace period loses their seat."""
    table = TableHarness()
    table.ask("bea", Join)
    table.disconnect("ann")
    table.wait(30)
    assert table.state.seat_of("ann") is None
    assert table.state.host_seat == 1
    table.disconnect("bea")
    table.wait(30)
    assert table.phase() == "closed"
    table.check()


def test_nobody_is_put_out_of_a_finished_table_for_being_away() -> None:
    """At a finished table absent players keep their seats until the lobby opens again."""
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
    """In a rematch stand-ins are forgotten."""
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


def test_a_player_who_returns_to_a_finished_table_sits_there_again() -> None:
    """A player who returns to a finished table has their seat back."""
    table = playing(rounds=1)
    table.disconnect("bea")
    table.wait(30)
    table.bot_moves()
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    assert table.phase() == "finished"
    table.reconnect("bea")
    assert table.standing_in() == []


def test_a_match_in_which_only_bots_and_absentees_sit_pauses_at_once() -> None:
    """A match pauses at once when the last present player leaves."""
    table = playing(seats=3)
    table.disconnect("bea")
    table.disconnect("cid")
    table.wait(30)
    assert table.phase() == "playing"
    table.ask("ann", Leave)
    assert table.phase() == "paused"
    table.check()


def test_moving_in_the_lobby_takes_the_absence_along() -> None:
    """An absent player who moves in the lobby stays absent."""
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
