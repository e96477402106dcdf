"""The server's turn clock: where it holds, what it counts, and what follows its end."""

from protocol.to_server import (
    Act,
    AddBot,
    Back,
    Configure,
    Join,
    Leave,
    StandIn,
    Start,
    TableSettings,
)
from protocol.wire_form import WireForm
from server.table.clocks import Timing
from server.table.effects import Broadcast
from server.table.entries import HandedBack, TakenOver
from server.table.messages import info_of, question_for
from server.table.turn_clock import TurnRule
from tests.server.table.harness import TableHarness
from tests.server.table.test_moves import move

TIMING = Timing(bot_delay=0.5, grace=30, rule=TurnRule(seconds=20, reserve=60))


def opened(seats: int = 2, turn_seconds: int | None = None) -> TableHarness:
    settings = TableSettings(turn_seconds=turn_seconds, latecomers="anyone")
    return TableHarness(seats=seats, settings=settings, timing=TIMING, options={"rounds": 4})


def playing(*guests: str, seats: int = 2, turn_seconds: int | None = None) -> TableHarness:
    """Ann is the host; bots sit where nobody of `guests` does."""
    table = opened(seats, turn_seconds)
    for who in guests:
        table.ask(who, Join)
    table.ask("ann", Start, fill=0)
    return table


def play(table: TableHarness, *people: str) -> None:
    for who in people:
        answer = table.ask(who, Act, turn=table.state.turn, action=move(table, who))
        assert answer["type"] == "ok"


def question(table: TableHarness) -> WireForm:
    return question_for(table.actor, 0, table.now)


def clock(table: TableHarness) -> tuple[float | None, tuple[int, ...]]:
    """The clock as everybody is told it: the seconds of the turn, and the reserves by seat."""
    asked = question(table)
    return asked.get("clock"), asked.get("reserve", ())


def told_seconds(table: TableHarness) -> int:
    settings: WireForm = info_of(table.actor)["settings"]
    return int(settings.get("turn_seconds", 0))


def time_up(table: TableHarness) -> list[WireForm]:
    """The notices that somebody's time is up."""
    messages = [effect.message for effect in table.effects if isinstance(effect, Broadcast)]
    return [each for each in messages if each.get("kind") == "time_up"]


def out_of_time() -> TableHarness:
    """A match in which Bea has used up her turn and her reserve."""
    table = playing("bea")
    play(table, "ann")
    table.wait(80)
    return table


def test_several_people_have_a_turn_clock() -> None:
    """Several people have a turn clock, one person among bots has none."""
    assert clock(playing("bea")) == (20, (60, 60))
    assert clock(playing("bea", seats=3)) == (20, (60, 60, 0))
    assert clock(playing()) == (None, ())
    assert clock(playing("bea", turn_seconds=0)) == (None, ())
    assert clock(playing("bea", turn_seconds=7)) == (7, ())


def test_a_table_tells_the_number_in_force() -> None:
    """A table tells the number of seconds in force."""
    table = opened()
    assert told_seconds(table) == 20
    table.ask("ann", AddBot, strength=0)
    assert told_seconds(table) == 0
    joined = playing(seats=2)
    assert told_seconds(joined) == 0
    joined.ask("bea", Join)
    assert (told_seconds(joined), clock(joined)[0]) == (20, 20)
    joined.ask("bea", Leave)
    assert (told_seconds(joined), clock(joined)) == (0, (None, ()))
    assert told_seconds(playing("bea", turn_seconds=7)) == 7


def test_settings_that_are_sent_back_keep_the_rule() -> None:
    """Settings that are sent back keep the server's rule."""
    table = opened()
    for told, kept in ((20, None), (None, None), (0, 0), (0, 0), (20, 20), (None, None)):
        table.ask("ann", Configure, settings=TableSettings(turn_seconds=told, hints=False))
        assert table.state.settings.turn_seconds == kept
    table.check()


def test_no_clock_is_set_where_the_rule_gives_one() -> None:
    """A 0 that is sent back where the rule gives no clock changes nothing."""
    for full, kept in ((True, None), (False, 0)):
        table = opened()
        if full:
            table.ask("ann", AddBot, strength=0)
        table.ask("ann", Configure, settings=TableSettings(turn_seconds=0))
        assert table.state.settings.turn_seconds == kept
        table.check()


def test_nothing_happens_by_itself_when_the_time_is_up() -> None:
    """When the time is up everybody is told once, and the player may still move."""
    table = playing("bea")
    play(table, "ann")
    before = len(table.log)
    table.wait(79)
    assert time_up(table) == []
    table.wait(1000)
    assert [notice["seats"] for notice in time_up(table)] == [[1]]
    assert (len(table.log), table.questions) == (before, [])
    play(table, "bea")
    assert clock(table) == (20, (60, 0))
    table.wait(20)
    assert [notice["seats"] for notice in time_up(table)] == [[1], [1]]
    table.wait(60)
    assert [notice["seats"] for notice in time_up(table)] == [[1], [1], [0]]


def test_the_host_has_a_bot_play() -> None:
    """The host may let a bot play for a player whose time is up."""
    table = out_of_time()
    assert table.ask("ann", StandIn, seat=1)["type"] == "ok"
    assert table.log[-1].body == TakenOver(1, table.state.chairs[1].strength or 0)
    assert table.standing_in() == [1]
    table.wait(1)
    table.bot_moves()
    assert table.last_by() == "stand_in"
    table.wait(1)
    assert [ask.seat for ask in table.questions] == [1]
    # Sent again it changes nothing.
    assert table.ask("ann", StandIn, seat=1)["type"] == "ok"
    table.check()


def test_who_is_back_plays_on() -> None:
    """A player who is back has a turn's whole time, and no reserve."""
    table = out_of_time()
    table.ask("ann", StandIn, seat=1)
    assert table.ask("bea", Back)["type"] == "ok"
    assert table.log[-1].body == HandedBack(1)
    assert (table.standing_in(), clock(table)) == ([], (20, (60, 0)))
    assert table.refusal("ann", StandIn, seat=1) == "forbidden"
    table.wait(20)
    table.ask("ann", StandIn, seat=1)
    assert table.standing_in() == [1]
    before = len(table.log)
    table.ask("bea", Back)
    table.ask("bea", Back)
    assert len(table.log) == before + 1
    table.check()


def test_a_move_or_a_new_connection_takes_the_seat_back_too() -> None:
    """A move or a new connection takes the seat back too."""
    table = out_of_time()
    table.ask("ann", StandIn, seat=1)
    play(table, "bea")
    assert table.standing_in() == []
    for also_gone in (False, True):
        table = out_of_time()
        table.ask("ann", StandIn, seat=1)
        if also_gone:
            table.disconnect("bea")
        table.reconnect("bea")
        assert table.standing_in() == []
        table.check()


def test_not_before_the_time_is_up() -> None:
    """A stand-in is refused before the time is up, and with the table's own clock."""
    table = playing("bea", seats=3)
    assert table.refusal("ann", StandIn, seat=1) == "forbidden"
    assert table.refusal("ann", StandIn, seat=2) == "no_such_seat"
    assert table.refusal("ann", StandIn, seat=9) == "no_such_seat"
    table.wait(80)
    assert table.refusal("bea", StandIn, seat=1) == "no_such_seat"
    play(table, "bea")
    assert table.refusal("ann", StandIn, seat=1) == "forbidden"
    for own in (0, 7):
        table = playing("bea", turn_seconds=own)
        table.wait(1000)
        assert table.refusal("ann", StandIn, seat=1) == "forbidden"
    assert opened().refusal("ann", StandIn, seat=1) == "wrong_phase"


def test_only_the_host_decides_while_they_are_there() -> None:
    """Only a present host may let a bot play; without one anybody may."""
    table = playing("bea", "cid", seats=3)
    play(table, "ann")
    table.wait(80)
    assert table.refusal("cid", StandIn, seat=1) == "forbidden"
    assert table.refusal("dan", StandIn, seat=1) == "not_seated"
    table.disconnect("ann")
    assert table.ask("cid", StandIn, seat=1)["type"] == "ok"
    table = playing("bea")
    play(table, "bea")
    table.wait(80)
    assert table.ask("bea", StandIn, seat=0)["type"] == "ok"
    table.check()


def test_a_lost_connection_keeps_its_own_time() -> None:
    """An absent player's seat is taken over after the grace period."""
    table = playing("bea")
    play(table, "ann")
    table.disconnect("bea")
    table.wait(30)
    assert (table.standing_in(), time_up(table)) == ([1], [])
    table.reconnect("bea")
    assert (table.standing_in(), clock(table)) == ([], (20, (60, 50)))


def test_a_server_without_a_rule_hurries_nobody() -> None:
    """With `--turn-seconds 0` nobody is hurried; without reserves the turn is all."""
    none = TableHarness(timing=Timing(rule=TurnRule(seconds=0)))
    none.ask("bea", Join)
    none.ask("ann", Start)
    none.wait(10_000)
    assert (clock(none), time_up(none)) == ((None, ()), [])
    short = TableHarness(timing=Timing(rule=TurnRule(seconds=20, reserve=0)))
    short.ask("bea", Join)
    short.ask("ann", Start)
    play(short, "ann")
    assert clock(short) == (20, ())
    short.wait(20)
    assert short.ask("ann", StandIn, seat=1)["type"] == "ok"
