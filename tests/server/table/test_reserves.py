"""The reserves of the server's turn clock: whose they are, and what is taken from them."""

from protocol.to_server import Back, Join, Leave, Rematch, StandIn, Start
from tests.server.table.test_turn_rule import clock, play, playing, time_up


def test_a_slow_turn_takes_from_the_reserve() -> None:
    """A slow turn takes only its excess from its player's reserve."""
    table = playing("bea")
    play(table, "ann")
    table.wait(25)
    assert clock(table) == (0, (60, 55))
    play(table, "bea")
    assert clock(table) == (20, (60, 55))
    table.wait(19)
    play(table, "ann", "bea")
    assert clock(table) == (20, (60, 55))
    table.wait(30)
    play(table, "bea")
    assert clock(table) == (0, (50, 45))
    table.check()


def test_a_new_player_and_a_new_match_have_whole_reserves() -> None:
    """A new player and a new match have whole reserves."""
    table = playing("bea", "cid", seats=3)
    play(table, "ann", "cid")
    table.wait(40)
    play(table, "bea")
    assert clock(table)[1] == (60, 40, 60)
    table.ask("bea", Leave)
    table.ask("dan", Join, seat=1)
    assert clock(table)[1] == (60, 60, 60)
    table.wait(30)
    for _ in range(3):
        play(table, "ann", "cid", "dan")
    assert (table.phase(), table.state.match) == ("finished", 1)
    table.ask("ann", Rematch)
    table.ask("ann", Start)
    assert (table.state.match, clock(table)) == (2, (20, (60, 60, 60)))


def test_who_leaves_and_joins_again_has_what_they_left() -> None:
    """A player who leaves and rejoins has the remaining reserve."""
    table = playing("bea", seats=3)
    play(table, "ann")
    table.wait(40)
    play(table, "bea")
    table.ask("bea", Leave)
    table.ask("bea", Join, seat=1)
    assert clock(table)[1] == (60, 40, 0)
    table.check()


def test_time_is_charged_once_though_a_player_leaves_in_their_turn() -> None:
    """Time is charged once although a player leaves in their turn."""
    table = playing("bea", "cid", seats=3)
    table.wait(25)
    table.ask("bea", Leave)
    table.ask("bea", Join, seat=1)
    assert clock(table) == (20, (55, 55, 55))
    table.wait(25)
    assert clock(table) == (0, (50, 50, 50))
    table.check()


def test_time_spent_alone_is_nobodys_reserve() -> None:
    """Time spent alone with bots is not charged."""
    table = playing()
    table.wait(3600)
    table.ask("bea", Join)
    assert (clock(table), time_up(table)) == ((20, (60, 60)), [])
    assert table.refusal("bea", StandIn, seat=0) == "forbidden"
    seated = playing(seats=3)
    seated.wait(1)
    seated.bot_moves()
    seated.bot_moves()
    seated.wait(3600)
    seated.ask("bea", Join)
    assert (seated.state.to_act, clock(seated), time_up(seated)) == ((0,), (20, (60, 60, 0)), [])


def test_who_is_left_alone_keeps_what_they_took_too_long() -> None:
    """For a player left alone the clock stops, with what was used."""
    table = playing("bea", seats=3)
    table.wait(50)
    table.ask("bea", Leave)
    table.wait(3600)
    table.ask("bea", Join)
    assert clock(table)[1] == (30, 30, 0)


def test_a_turn_that_starts_anew_forgives_nobody() -> None:
    """When a shared turn starts anew used reserves stay used."""
    table = playing("bea", "cid", seats=3)
    play(table, "ann")
    table.wait(80)
    table.ask("ann", StandIn, seat=1)
    table.ask("bea", Back)
    assert clock(table) == (20, (60, 0, 0))
    table.wait(20)
    assert [notice["seats"] for notice in time_up(table)] == [[1, 2], [1, 2]]
    table.check()


def test_a_pause_forgives_nobody() -> None:
    """After a pause the turn has its whole time, and reserves stay used."""
    table = playing("bea")
    play(table, "ann")
    table.wait(15)
    table.disconnect("ann")
    table.disconnect("bea")
    table.wait(500)
    assert table.phase() == "paused"
    table.reconnect("ann")
    table.reconnect("bea")
    assert (table.phase(), clock(table)) == ("playing", (20, (60, 35)))
    table.check()
