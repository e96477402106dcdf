"""A game that cannot go on: everybody is told, the table closes, the log says why."""

from itertools import count

import pytest

from protocol.to_server import Act, Configure, Join, Ready, Start
from protocol.wire_form import WireForm
from server.table.decide import CommandHandler, Player
from server.table.effects import Dismiss, Report
from server.table.entries import Body, Closed
from server.table.fold import outcome_of
from server.table.messages import info_of
from server.table.state import TableState
from tests.server.table.room import Room
from tests.server.table.test_moves import move, playing


def round_of(room: Room) -> list[WireForm]:
    """Everybody lays a card; the answers."""
    turn = room.state.turn
    return [room.say(who, Act, turn=turn, action=move(room, who)) for who in ("ann", "bea")]


def test_a_stopped_match_closes_its_table() -> None:
    """The move is in the log and answered, all get the fact, then nobody has a place."""
    room = playing(game="stops")
    answers = round_of(room)
    assert [answer["type"] for answer in answers] == ["ok", "ok"]
    assert list(room.verbs())[-2:] == ["game_stopped", "table_closed"]
    assert room.kinds[-2:] == ["act", "closed"]
    assert room.log[-1].body == Closed("stopped")
    assert room.last(Dismiss) == Dismiss(None, "stopped")
    assert room.phase() == "closed"
    room.check_log()


def test_until_it_is_closed_nobody_is_asked() -> None:
    """While the disk is slow the table still plays for its clients, but has no result."""
    room = playing(game="stops")
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    room.held = True
    room.send("bea", Act, turn=1, action=move(room, "bea"))
    room.commit()
    assert (room.phase(), room.state.to_act) == ("stopped", ())
    assert info_of(room.table)["phase"] == "playing"
    assert outcome_of(room.game, room.state) is None
    room.send("ann", Act, turn=room.state.turn, action="lay 2C")
    room.repair()
    assert room.phase() == "closed"
    room.check_log()


def test_a_table_that_was_stopped_and_not_yet_closed_is_closed_when_it_is_loaded() -> None:
    """A server that was killed in between finds it due at once."""
    room = playing(game="stops")
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    room.held = True
    room.send("bea", Act, turn=1, action=move(room, "bea"))
    room.commit()
    assert room.table.clocks.sleep_until(room.state, room.now) == room.now


@pytest.mark.parametrize("game", ["stops_at_once", "never_scores"])
def test_whatever_leaves_nobody_to_go_on_closes_the_table(game: str) -> None:
    """A game that stops while it deals, and one that ends without an outcome."""
    room = Room(game, options={"rounds": 1})
    room.say("bea", Join)
    assert room.say("ann", Start)["type"] == "ok"
    if game == "never_scores":
        round_of(room)
    assert room.log[-1].body == Closed("stopped")
    room.check_log()


def test_a_match_may_be_over_when_it_is_dealt() -> None:
    """A game without a choice has a result at once, and its table stays for a rematch."""
    room = Room("won_by_dealing")
    room.say("bea", Join)
    room.say("ann", Start)
    assert room.phase() == "finished"
    room.check()


def test_rules_that_fail_at_a_bots_move_close_the_table() -> None:
    """Nobody could move again; the server's operator learns what went wrong."""
    room = Room("breaks")
    room.say("ann", Start, fill=0)
    room.wait(1)
    room.think()
    assert isinstance(room.last(Report).error, ZeroDivisionError)
    assert room.log[-1].body == Closed("stopped")
    room.check_log()


@pytest.mark.parametrize("game", ["breaks", "refuses_all", "cannot_ask"])
def test_rules_that_fail_at_a_persons_move_close_the_table(game: str) -> None:
    """The move had been offered: it is answered `internal`, what waited behind it is refused."""
    room = playing(game=game)
    room.held = True
    offered = room.send("ann", Act, turn=1, action=move(room, "ann"))
    behind = room.send("bea", Act, turn=1, action=move(room, "bea"))
    room.repair()
    assert [answer["code"] for answer in room.answers[offered]] == ["internal"]
    assert [answer["code"] for answer in room.answers[behind]] == ["unknown_table"]
    assert room.log[-1].body == Closed("stopped")
    assert room.last(Dismiss) == Dismiss(None, "stopped")
    assert room.last(Report).rules
    assert not room.table.busy
    assert room.table.due() is None
    room.check_log()


def test_rules_that_fail_at_what_they_never_offered_refuse_it() -> None:
    """Else anybody could end a match with a move that the rules did not think of."""
    room = playing(game="breaks")
    assert room.refusal("ann", Act, turn=1, action="lay 9Z") == "illegal_action"
    assert isinstance(room.last(Report).error, ZeroDivisionError)
    assert room.phase() == "playing"
    room.check()


def test_a_table_that_cannot_be_closed_now_is_closed_when_the_disk_works() -> None:
    """Until then nobody can do anything at it, and the alarm does not ring for ever."""
    room = playing(game="breaks")
    room.broken = True
    assert room.say("ann", Act, turn=1, action=move(room, "ann"))["code"] == "internal"
    assert room.phase() == "playing"
    assert room.refusal("bea", Act, turn=1, action=move(room, "bea")) == "wrong_phase"
    room.wait(5)
    room.broken = False
    room.wait(5)
    assert room.log[-1].body == Closed("stopped")
    room.check_log()


def test_rules_that_fail_at_dealing_leave_everybody_in_the_lobby() -> None:
    """The player who starts the match is told, nothing changes, and other options may work."""
    room = Room("cannot_deal_quickly", options={"speed": "quick"})
    room.say("bea", Join)
    assert room.refusal("ann", Start) == "internal"
    room.say("ann", Ready, ready=True)
    assert room.refusal("bea", Ready, ready=True) == "internal"
    assert (room.phase(), len(room.state.humans())) == ("lobby", 2)
    room.say("ann", Configure, options={"speed": "slow"})
    assert room.say("ann", Start)["type"] == "ok"
    assert room.phase() == "playing"
    room.check()


def test_a_mistake_of_ours_costs_one_item_of_the_mailbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands before it and behind it are done."""
    room = playing(seats=3)
    room.held = True
    keys = [room.send(who, Act, turn=1, action=move(room, who)) for who in ("ann", "bea", "cid")]
    decide, calls = CommandHandler.move, count(1)

    def once(self: CommandHandler, state: TableState, command: Act, player: Player) -> list[Body]:
        if next(calls) == 1:
            raise ZeroDivisionError
        return decide(self, state, command, player)

    monkeypatch.setattr(CommandHandler, "move", once)
    room.repair()
    assert [room.answers[key][0].get("code", "ok") for key in keys] == ["ok", "internal", "ok"]
    assert not room.last(Report).rules
    room.check()
