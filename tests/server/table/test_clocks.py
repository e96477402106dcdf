"""Time at a table: bots' pauses, turn clocks, and when tables close."""

from typing import Literal

import pytest

from protocol.to_server import Act, Join, Leave, Start, TableSettings
from server.table.effects import AskBot, Unsubscribe
from server.table.entries import Acted, TimedOut
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
    """A bot waits for the server's or the table's delay before it plays."""
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
    """A bot's move is an entry that says so."""
    table = TableHarness()
    table.ask("ann", Start, fill=0)
    table.wait(1)
    table.bot_moves()
    body = table.log[-1].body
    assert isinstance(body, Acted)
    assert (body.seat, body.by) == (1, "bot")
    table.check()


def test_a_bots_move_that_comes_too_late_is_dropped() -> None:
    """A bot's move is dropped if a player has taken its seat."""
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
    """A bot's late answer to an old turn causes no new question."""
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


def test_a_player_whose_clock_runs_out_has_a_move_made_for_them() -> None:
    """When a player's clock runs out a move is made for them, after a timeout entry."""
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
    """A player may move between the bot's question and its answer."""
    table = with_clock(20)
    table.wait(20)
    own = table.ask("ann", Act, turn=1, action=move(table, "ann"))
    assert own["type"] == "ok"
    before = len(table.log)
    table.bot_moves()
    assert len(table.log) == before
    table.check()


def test_each_turn_has_its_own_clock() -> None:
    """Each turn has a new clock, shared by the seats asked together."""
    table = with_clock(20)
    table.wait(15)
    assert question_for(table.actor, 0, table.now)["clock"] == 5
    for who in ("ann", "bea"):
        table.ask(who, Act, turn=1, action=move(table, who))
    assert question_for(table.actor, 0, table.now)["clock"] == 20
    table.wait(19)
    assert not table.questions


def test_without_a_clock_nobody_is_hurried() -> None:
    """Without a clock a present player may think for ever."""
    table = with_clock(0)
    table.wait(100_000)
    assert not table.questions
    assert "clock" not in question_for(table.actor, 0, table.now)
    assert table.actor.due() is None


def test_an_abandoned_table_is_given_up() -> None:
    """A paused table is closed after the set time."""
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
    """A lobby expires after its time without changes."""
    table = TableHarness()
    table.wait(1799)
    table.ask("bea", Join)
    table.wait(1799)
    assert table.phase() == "lobby"
    table.wait(1)
    assert table.phase() == "closed"
    assert table.last(Unsubscribe).reason == "expired"


def test_a_finished_table_waits_for_a_rematch_and_then_closes() -> None:
    """A finished table waits for a rematch, and then closes."""
    table = playing(rounds=1)
    for who in ("ann", "bea"):
        table.ask(who, Act, turn=1, action=move(table, who))
    table.wait(599)
    assert table.phase() == "finished"
    table.wait(1)
    assert table.phase() == "closed"
    assert table.last(Unsubscribe).reason == "finished"


@pytest.mark.parametrize("purpose", ["move", "clock"])
def test_a_bots_answer_after_the_end_is_dropped(purpose: Literal["move", "clock"]) -> None:
    """A bot's answer after the match is dropped."""
    table = with_clock(20)
    table.wait(20)
    ask = table.questions[0]
    assert ask.purpose == "clock"
    table.ask("ann", Leave)
    table.ask("bea", Leave)
    log = list(table.log)
    table.bot_answers(AskBot(ask.seat, ask.turn, 0, purpose), "lay 2C")
    assert table.log == log
