"""A game that stops: everybody is told, the table closes, the log says why."""

from itertools import count

import pytest

from protocol.to_server import Act, Configure, Join, Ready, Start
from protocol.wire_form import WireForm
from server.names import Player
from server.table.decide import Decider
from server.table.effects import LogError, Unsubscribe
from server.table.entries import Body, Closed
from server.table.fold import outcome_of
from server.table.messages import info_of
from server.table.state import TableState
from tests.server.table.harness import TableHarness
from tests.server.table.test_moves import move, playing


def round_of(table: TableHarness) -> list[WireForm]:
    """Let everybody lay a card; returns the answers."""
    turn = table.state.turn
    return [table.ask(who, Act, turn=turn, action=move(table, who)) for who in ("ann", "bea")]


def test_a_stopped_match_closes_its_table() -> None:
    """A stopped match closes its table after the move was answered."""
    table = playing(game="stops")
    answers = round_of(table)
    assert [answer["type"] for answer in answers] == ["ok", "ok"]
    assert list(table.verbs())[-2:] == ["game_stopped", "table_closed"]
    assert table.kinds[-2:] == ["act", "closed"]
    assert table.log[-1].body == Closed("stopped")
    assert table.last(Unsubscribe) == Unsubscribe(None, "stopped")
    assert table.phase() == "closed"
    table.check_log()


def test_until_it_is_closed_nobody_is_asked() -> None:
    """Until it is closed a stopped table asks nobody, and has no result."""
    table = playing(game="stops")
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    table.held = True
    table.send("bea", Act, turn=1, action=move(table, "bea"))
    table.commit()
    assert (table.phase(), table.state.to_act) == ("stopped", ())
    assert info_of(table.actor)["phase"] == "playing"
    assert outcome_of(table.game, table.state) is None
    table.send("ann", Act, turn=table.state.turn, action="lay 2C")
    table.repair()
    assert table.phase() == "closed"
    table.check_log()


def test_a_table_that_was_stopped_and_not_yet_closed_is_closed_when_it_is_loaded() -> None:
    """A stopped table is closed when it is loaded after a kill."""
    table = playing(game="stops")
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    table.held = True
    table.send("bea", Act, turn=1, action=move(table, "bea"))
    table.commit()
    assert table.actor.clocks.sleep_until(table.state, table.now) == table.now


@pytest.mark.parametrize("game", ["stops_at_once", "never_scores"])
def test_whatever_leaves_nobody_to_go_on_closes_the_table(game: str) -> None:
    """A game that stops while dealing or ends without an outcome closes its table."""
    table = TableHarness(game, options={"rounds": 1})
    table.ask("bea", Join)
    assert table.ask("ann", Start)["type"] == "ok"
    if game == "never_scores":
        round_of(table)
    assert table.log[-1].body == Closed("stopped")
    table.check_log()


def test_a_match_may_be_over_when_it_is_dealt() -> None:
    """A match without any choice has a result at once."""
    table = TableHarness("won_by_dealing")
    table.ask("bea", Join)
    table.ask("ann", Start)
    assert table.phase() == "finished"
    table.check()


def test_rules_that_fail_at_a_bots_move_close_the_table() -> None:
    """Rules that raise at a bot's move close the table, with a log line."""
    table = TableHarness("breaks")
    table.ask("ann", Start, fill=0)
    table.wait(1)
    table.bot_moves()
    assert isinstance(table.last(LogError).error, ZeroDivisionError)
    assert table.log[-1].body == Closed("stopped")
    table.check_log()


@pytest.mark.parametrize("game", ["breaks", "refuses_all", "cannot_ask"])
def test_rules_that_fail_at_a_persons_move_close_the_table(game: str) -> None:
    """Rules that raise at a person's offered move close the table, with `internal`."""
    table = playing(game=game)
    table.held = True
    offered = table.send("ann", Act, turn=1, action=move(table, "ann"))
    behind = table.send("bea", Act, turn=1, action=move(table, "bea"))
    table.repair()
    assert [answer["code"] for answer in table.answers[offered]] == ["internal"]
    assert [answer["code"] for answer in table.answers[behind]] == ["unknown_table"]
    assert table.log[-1].body == Closed("stopped")
    assert table.last(Unsubscribe) == Unsubscribe(None, "stopped")
    assert table.last(LogError).rules
    assert not table.actor.busy
    assert table.actor.due() is None
    table.check_log()


def test_rules_that_fail_at_what_they_never_offered_refuse_it() -> None:
    """Rules that raise at a move they never offered refuse it."""
    table = playing(game="breaks")
    assert table.refusal("ann", Act, turn=1, action="lay 9Z") == "illegal_action"
    assert isinstance(table.last(LogError).error, ZeroDivisionError)
    assert table.phase() == "playing"
    table.check()


def test_a_table_that_cannot_be_closed_now_is_closed_when_the_disk_works() -> None:
    """A stopped table is closed when the disk works again, without repeated alarms."""
    table = playing(game="breaks")
    table.broken = True
    assert table.ask("ann", Act, turn=1, action=move(table, "ann"))["code"] == "internal"
    assert table.phase() == "playing"
    assert table.refusal("bea", Act, turn=1, action=move(table, "bea")) == "wrong_phase"
    table.wait(5)
    table.broken = False
    table.wait(5)
    assert table.log[-1].body == Closed("stopped")
    table.check_log()


def test_rules_that_fail_at_dealing_leave_everybody_in_the_lobby() -> None:
    """Rules that raise at dealing leave the table in the lobby."""
    table = TableHarness("cannot_deal_quickly", options={"speed": "quick"})
    table.ask("bea", Join)
    assert table.refusal("ann", Start) == "internal"
    table.ask("ann", Ready, ready=True)
    assert table.refusal("bea", Ready, ready=True) == "internal"
    assert (table.phase(), len(table.state.humans())) == ("lobby", 2)
    table.ask("ann", Configure, options={"speed": "slow"})
    assert table.ask("ann", Start)["type"] == "ok"
    assert table.phase() == "playing"
    table.check()


def test_a_mistake_of_ours_costs_one_item_of_the_mailbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error costs one command of the mailbox."""
    table = playing(seats=3)
    table.held = True
    keys = [table.send(who, Act, turn=1, action=move(table, who)) for who in ("ann", "bea", "cid")]
    decide, calls = Decider.move, count(1)

    def once(self: Decider, state: TableState, command: Act, player: Player) -> list[Body]:
        if next(calls) == 1:
            raise ZeroDivisionError
        return decide(self, state, command, player)

    monkeypatch.setattr(Decider, "move", once)
    table.repair()
    assert [table.answers[key][0].get("code", "ok") for key in keys] == ["ok", "internal", "ok"]
    assert not table.last(LogError).rules
    table.check()
