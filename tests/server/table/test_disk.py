"""The disk: nothing is published before it is written, and a failed write changes nothing."""

from protocol.to_server import Act, Join, Leave, Ready, Start
from server.table.effects import Answer, AskBot, Persist, Publish, SendSnapshot, Unsubscribe
from tests.server.table.harness import TableHarness
from tests.server.table.test_moves import move, playing


def test_nothing_is_answered_or_published_before_the_commit() -> None:
    """While a write is under way it is the only effect."""
    table = TableHarness()
    table.held = True
    told = len(table.effects)
    key = table.send("bea", Join)
    assert [type(effect) for effect in table.effects[told:]] == [Persist]
    assert not table.answers[key]
    assert table.state.seat_of("bea") is None
    table.commit()
    assert [type(effect) for effect in table.effects[told + 1 :]] == [Answer, Publish, SendSnapshot]
    assert table.state.seat_of("bea") == 1


def test_a_failed_commit_leaves_the_state_before_it() -> None:
    """After a failed write the answer is `try_again`, and nothing has changed."""
    table = playing()
    state, log = table.state, list(table.log)
    table.broken = True
    told = len(table.effects)
    answer = table.ask("ann", Act, turn=1, action=move(table, "ann"))
    assert answer["code"] == "try_again"
    assert [type(effect) for effect in table.effects[told:]] == [Persist, Answer]
    assert table.state is state
    assert table.log == log
    table.broken = False
    assert table.ask("ann", Act, turn=1, action=move(table, "ann"))["seq"] == len(log) + 1
    table.check()


def test_a_table_that_was_never_written_is_none() -> None:
    """A table whose first entries are lost does not exist, and its creator gets `try_again`."""
    table = TableHarness(broken=True)
    ((answer,),) = table.answers.values()
    assert answer["code"] == "try_again"
    assert (table.state.seq, table.log) == (0, [])


def test_what_comes_during_a_write_is_done_after_it_in_order() -> None:
    """Commands that come during a write are carried out after it, in order."""
    table = TableHarness(seats=3)
    table.held = True
    keys = [table.send(who, Join) for who in ("bea", "cid", "dan")]
    assert len(table.log) == 2
    for _ in range(2):
        table.commit()
    assert [table.answers[key][0].get("seq") for key in keys] == [3, 4, None]
    assert table.answers[keys[2]][0]["code"] == "table_full"
    table.check()


def test_the_mailbox_goes_on_after_a_failed_write() -> None:
    """After a failed write the next command meets the old state."""
    table = TableHarness(seats=3)
    table.held = True
    lost, kept = table.send("bea", Join), table.send("cid", Join)
    table.fail()
    table.commit()
    assert table.answers[lost][0]["code"] == "try_again"
    assert table.answers[kept][0]["seq"] == 3
    assert table.state.seat_of("cid") == 1
    table.check()


def test_several_entries_of_one_command_are_written_together() -> None:
    """The entries of one command are one write."""
    table = TableHarness(seats=3)
    table.broken = True
    assert table.ask("ann", Start, fill=0)["code"] == "try_again"
    assert table.kinds == ["opened", "seated"]
    table.broken = False
    table.ask("ann", Start, fill=0)
    assert len(table.last(Persist).entries) == 4
    assert table.last(Persist).entries[-1].key is not None
    table.check()


def test_a_bots_lost_move_is_asked_for_again_after_a_rest() -> None:
    """A bot's lost move is asked for again once a second."""
    table = TableHarness()
    table.ask("ann", Start, fill=0)
    table.wait(0.5)
    table.broken = True
    table.bot_moves()
    assert [ask.seat for ask in table.questions] == []
    writes = sum(isinstance(effect, Persist) for effect in table.effects)
    for _ in range(10):
        table.wait(1)
        while table.questions:
            table.bot_moves()
    assert sum(isinstance(effect, Persist) for effect in table.effects) - writes == 10
    table.broken = False
    table.wait(1)
    table.bot_moves()
    assert table.kinds[-1] == "act"
    table.check()


def test_a_closing_that_could_not_be_written_is_tried_again() -> None:
    """A closing that could not be written is tried again."""
    table = TableHarness()
    table.broken = True
    table.wait(1900)
    assert table.phase() == "lobby"
    table.broken = False
    table.wait(1)
    assert table.phase() == "closed"
    assert table.last(Unsubscribe).reason == "expired"


def test_a_return_that_could_not_be_written_is_not_forgotten() -> None:
    """A return that could not be written is carried out when the disk works."""
    table = playing()
    table.disconnect("bea")
    table.wait(30)
    assert table.standing_in() == [1]
    table.broken = True
    table.reconnect("bea")
    assert table.standing_in() == [1]
    table.broken = False
    table.wait(1)
    assert table.standing_in() == []
    table.check()


def test_a_paused_table_resumes_though_the_first_attempt_was_lost() -> None:
    """A paused table resumes although the first attempt was lost."""
    table = TableHarness()
    table.ask("ann", Start, fill=0)
    table.disconnect("ann")
    table.wait(30)
    assert table.phase() == "paused"
    table.broken = True
    table.reconnect("ann")
    assert table.phase() == "paused"
    table.broken = False
    table.wait(1)
    assert table.phase() == "playing"
    table.check()


def test_a_connection_lost_during_a_write_is_not_taken_for_a_present_one() -> None:
    """A player who came and left again while the disk was busy is absent."""
    table = playing()
    table.disconnect("bea")
    table.held = True
    key = table.send("ann", Act, turn=1, action=move(table, "ann"))
    table.reconnect("bea")
    table.disconnect("bea")
    table.commit()
    table.held = False
    assert table.answers[key][0]["type"] == "ok"
    assert table.actor.clocks.is_away(1)
    table.wait(30)
    assert table.standing_in() == [1]


def test_readiness_counts_as_it_was_written() -> None:
    """A match starts once although both said ready while the disk was busy."""
    table = TableHarness()
    table.ask("bea", Join)
    table.held = True
    first, second = table.send("ann", Ready), table.send("bea", Ready)
    table.commit()
    table.commit()
    table.held = False
    assert [table.answers[key][0]["type"] for key in (first, second)] == ["ok", "ok"]
    assert (table.phase(), table.state.match) == ("playing", 1)
    table.check()


def test_a_question_is_asked_once_a_turn() -> None:
    """A bot has one question a turn, however often the table is woken."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    for _ in range(5):
        table.wait(1)
    asks = [effect for effect in table.effects if isinstance(effect, AskBot)]
    assert [ask.seat for ask in asks] == [1, 2]


def test_leaving_twice_is_answered_twice() -> None:
    """The second of two leaves is refused."""
    table = playing(seats=3)
    table.held = True
    first, second = table.send("cid", Leave), table.send("cid", Leave)
    table.commit()
    table.held = False
    assert table.answers[first][0]["type"] == "ok"
    assert table.answers[second][0]["code"] == "not_seated"
