"""The host is present: a new one follows in every phase, or is chosen by the host."""

from collections.abc import Callable

import pytest

from engine.facts import public
from protocol.to_server import (
    Act,
    AddBot,
    Admit,
    Join,
    Kick,
    Leave,
    MakeHost,
    Rematch,
    Sit,
    Start,
    TableSettings,
)
from server.table.effects import Notify
from server.table.entries import Entry, HostPassed, Left
from server.table.fold import replay
from tests.server.table.harness import GAMES, TableHarness

GRACE = 30


def table_of_three(rounds: int = 4) -> TableHarness:
    """Ann's table, where Bea sat down before Cid, though in a later seat."""
    table = TableHarness(seats=3, options={"rounds": rounds})
    table.ask("bea", Join, seat=2)
    table.ask("cid", Join, seat=1)
    return table


def lobby() -> TableHarness:
    return table_of_three()


def match() -> TableHarness:
    table = table_of_three()
    table.ask("ann", Start)
    return table


def after_match() -> TableHarness:
    table = table_of_three(rounds=1)
    table.ask("ann", Start)
    while table.phase() == "playing":
        seat = table.state.to_act[0]
        action = table.game.choices(table.state.play, seat).actions[0]
        who = table.state.chairs[seat].player
        table.ask(who, Act, turn=table.state.turn, action=action)
    assert table.phase() == "finished"
    return table


PHASES = pytest.mark.parametrize(
    "open_table", [lobby, match, after_match], ids=["lobby", "match", "after the match"]
)
IN_PLACE = pytest.mark.parametrize(
    "open_table", [match, after_match], ids=["match", "after the match"]
)
Open = Callable[[], TableHarness]


def passes(table: TableHarness) -> list[str]:
    """The players who became hosts, in order."""
    return [each.body.player for each in table.log if isinstance(each.body, HostPassed)]


@PHASES
def test_a_host_whose_connection_is_gone_is_no_longer_the_host_after_the_grace_time(
    open_table: Open,
) -> None:
    """A host absent for the grace period is replaced by the longest seated present player."""
    table = open_table()
    table.disconnect("ann")
    table.wait(GRACE - 1)
    assert table.state.host == "ann"
    table.wait(1)
    assert table.state.host == "bea"
    assert passes(table) == ["bea"]
    passed = next(each.seq for each in table.log if each.body == HostPassed("bea"))
    assert table.facts[passed - 1] == (public("host_changed", {"seat": 2}),)
    table.check()


@PHASES
def test_a_host_who_leaves_hands_the_table_to_who_has_sat_longest(open_table: Open) -> None:
    """A host who leaves is followed by the longest seated player, which all are told."""
    table = open_table()
    table.ask("ann", Leave)
    assert (table.state.host, passes(table)) == ("bea", ["bea"])
    assert list(table.verbs()).count("host_changed") == 1
    assert table.log[-1].key is not None
    table.check()


@IN_PLACE
def test_an_absent_player_is_not_the_heir_while_another_is_present(open_table: Open) -> None:
    """A present player becomes host before an absent one."""
    for leaves in (True, False):
        table = open_table()
        table.disconnect("bea")
        if leaves:
            table.ask("ann", Leave)
        else:
            table.disconnect("ann")
            table.wait(GRACE)
        assert table.state.host == "cid"
        table.check()


@IN_PLACE
def test_the_office_does_not_come_back_by_itself(open_table: Open) -> None:
    """A former host who returns is an ordinary player."""
    table = open_table()
    table.disconnect("ann")
    table.wait(GRACE)
    table.reconnect("ann")
    table.wait(1000)
    assert table.state.host == "bea"
    table.check()


@IN_PLACE
def test_an_absent_heir_is_replaced_as_soon_as_somebody_comes(open_table: Open) -> None:
    """If nobody is present, the first to come after the grace period becomes host."""
    table = open_table()
    table.disconnect("bea")
    table.disconnect("cid")
    table.ask("ann", Leave)
    assert table.state.host == "bea"
    table.wait(GRACE)
    assert table.state.host == "bea"
    table.reconnect("cid")
    assert table.state.host == "cid"
    table.reconnect("bea")
    table.wait(GRACE)
    assert table.state.host == "cid"
    table.check()


@IN_PLACE
@pytest.mark.parametrize("first", ["ann", "bea", "cid"])
def test_whoever_comes_first_after_all_were_away_is_the_host(open_table: Open, first: str) -> None:
    """After everybody was away the first to come is host, in a paused match too."""
    table = open_table()
    for who in ("ann", "bea", "cid"):
        table.disconnect(who)
    table.wait(GRACE + 10)
    assert table.state.host == "ann"
    table.reconnect(first)
    assert table.state.host == first
    table.check()


@IN_PLACE
def test_after_a_restart_the_host_has_the_grace_time_to_come_back(open_table: Open) -> None:
    """After a restart the host has the grace period to come back."""
    table = open_table()
    for who in ("ann", "bea", "cid"):
        table.connected.discard(who)
    table.actor.clocks.loaded(table.state, table.now, table.now)
    table.reconnect("cid")
    table.wait(GRACE - 1)
    assert table.state.host == "ann"
    table.wait(1)
    assert table.state.host == "cid"


def test_a_host_alone_with_bots_stays_the_host() -> None:
    """A host alone with bots stays the host."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    table.disconnect("ann")
    table.wait(100)
    assert table.state.host == "ann"
    assert "host_passed" not in table.kinds
    table.check()


def test_bots_are_passed_over_when_a_host_is_wanted() -> None:
    """Bots never become hosts."""
    table = TableHarness(seats=3)
    table.ask("ann", AddBot, strength=0, seat=1)
    table.ask("bea", Join)
    table.ask("ann", Leave)
    assert table.state.host_seat == 2


def test_a_new_seat_does_not_make_a_new_player() -> None:
    """How long a player has sat counts from when they came, in whatever seat."""
    table = TableHarness("hearts", seats=4)
    table.ask("bea", Join)
    table.ask("cid", Join)
    table.ask("bea", Sit, seat=3)
    table.ask("ann", Leave)
    assert table.state.host == "bea"


def test_who_comes_back_to_the_table_sits_there_anew() -> None:
    """A player who left and came back has sat only since then."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    table.ask("cid", Join)
    table.ask("bea", Leave)
    table.ask("bea", Join)
    table.ask("ann", Leave)
    assert table.state.host == "cid"


def test_a_host_who_moves_stays_the_host() -> None:
    table = TableHarness(seats=3)
    table.ask("ann", Sit, seat=2)
    assert (table.state.host, table.state.host_seat) == ("ann", 2)


@PHASES
def test_a_host_hands_the_table_over(open_table: Open) -> None:
    """A host hands the table over, and has no host's rights any more."""
    table = open_table()
    answer = table.ask("ann", MakeHost, seat=1)
    assert (answer["type"], answer["seq"]) == ("ok", len(table.log))
    assert table.state.host == "cid"
    assert table.refusal("ann", MakeHost, seat=2) == "forbidden"
    assert table.ask("cid", Kick, seat=0)["type"] == "ok"
    table.check()


def test_a_table_is_handed_to_no_other_than_a_present_player() -> None:
    """A table can be handed only to another present player."""
    table = TableHarness("hearts", seats=4)
    table.ask("bea", Join)
    table.ask("ann", AddBot, strength=0, seat=2)
    for seat in (0, 2, 3, 4):
        assert table.refusal("ann", MakeHost, seat=seat) == "no_such_seat"
    assert table.refusal("bea", MakeHost, seat=0) == "forbidden"
    table.disconnect("bea")
    answer = table.ask("ann", MakeHost, seat=1)
    assert answer["phrase"]["code"] == "player_is_away"


def test_the_next_host_may_open_the_next_match() -> None:
    """The next host may open the next match."""
    table = after_match()
    table.disconnect("ann")
    assert table.refusal("bea", Rematch) == "forbidden"
    table.wait(GRACE)
    assert table.ask("bea", Rematch)["type"] == "ok"
    table.check()


def test_who_waits_to_be_let_in_is_told_that_the_host_is_another() -> None:
    """A player who waits for admission is told of a new host, and asks again."""
    table = TableHarness(seats=3, settings=TableSettings(latecomers="ask"))
    table.ask("bea", Join)
    table.ask("ann", Start, fill=0)
    table.ask("cid", Join)
    table.ask("ann", MakeHost, seat=1)
    told = [each.message for each in table.effects if isinstance(each, Notify)]
    assert (told[-2]["kind"], told[-2]["reason"]) == ("refused", "over")
    table.wait(10)
    again = table.ask("cid", Join)
    assert table.ask("bea", Admit, request=again["request"])["type"] == "ok"


def test_in_an_older_log_the_next_human_by_seat_is_the_heir() -> None:
    """In an older log without a named heir the next person by seat is host."""
    table = table_of_three()
    left = Entry(len(table.log) + 1, table.now, Left(0))
    *_, (_, last) = replay(GAMES, [*table.log, left])
    assert last.state.host == "cid"
    assert last.facts[-1] == public("host_changed", {"seat": 1})
