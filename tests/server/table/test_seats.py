"""Sitting down, moving, leaving; who is host; who may come back."""

import pytest

from protocol.to_server import (
    AddBot,
    Join,
    Kick,
    Leave,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    Start,
)
from server.table.effects import Dismiss, Show
from server.table.entries import BotAdded, Closed, Left, Seated
from tests.server.table.room import Room


def test_the_creator_sits_at_seat_0_and_is_host() -> None:
    """Opening a table seats its creator, in the same commit."""
    room = Room()
    assert room.kinds == ["opened", "seated"]
    assert (room.state.host, room.state.seat_of("ann")) == (0, 0)
    room.check()


def test_one_joins_at_the_first_free_seat_or_at_one_of_his_choice() -> None:
    """`join` without a seat takes the lowest free one, and shows the player the table."""
    room = Room(seats=3)
    assert room.say("bea", Join, seat=2) == {"type": "ok", "id": 2, "table": "TABLE", "seq": 3}
    room.say("cid", Join)
    assert [chair.player for chair in room.state.chairs] == ["ann", "cid", "bea"]
    assert room.last(Show) == Show("cid", 1)
    room.check()


def test_a_join_that_cannot_be_is_refused_with_its_own_code() -> None:
    """Seat taken, no such seat, table full, already seated."""
    room = Room(seats=3)
    assert room.refusal("bea", Join, seat=0) == "seat_taken"
    assert room.refusal("bea", Join, seat=3) == "no_such_seat"
    assert room.refusal("ann", Join) == "already_seated"
    room.say("bea", Join)
    room.say("cid", Join)
    assert room.refusal("dan", Join) == "table_full"


def test_a_player_moves_to_a_free_seat_and_the_host_stays_host() -> None:
    """`sit` moves the player; to one's own seat it is done without an entry."""
    room = Room(seats=3)
    room.say("bea", Join)
    assert room.refusal("ann", Sit, seat=1) == "seat_taken"
    assert room.refusal("ann", Sit, seat=9) == "no_such_seat"
    room.say("ann", Sit, seat=2)
    assert (room.state.host, room.state.seat_of("ann")) == (2, 2)
    assert room.last(Show) == Show("ann", 2)
    before = len(room.log)
    assert room.say("ann", Sit, seat=2)["type"] == "ok"
    assert len(room.log) == before
    room.check()


def test_whoever_has_no_seat_may_do_nothing_at_the_table() -> None:
    """Every command but `join` needs a seat."""
    room = Room()
    for kind, fields in (
        (Sit, {"seat": 1}),
        (Leave, {}),
        (Ready, {}),
        (AddBot, {"strength": 0}),
        (RemoveBot, {"seat": 1}),
        (Kick, {"seat": 0}),
        (Start, {}),
        (Rematch, {}),
    ):
        assert room.refusal("bea", kind, **fields) == "not_seated"


def test_only_the_host_manages_the_table() -> None:
    """Bots, kicks, start and rematch are the host's."""
    room = Room(seats=3)
    room.say("bea", Join)
    for kind, fields in (
        (AddBot, {"strength": 0}),
        (RemoveBot, {"seat": 2}),
        (Kick, {"seat": 0}),
        (Start, {"fill": 0}),
        (Rematch, {}),
    ):
        assert room.refusal("bea", kind, **fields) == "forbidden"


@pytest.mark.parametrize(
    ("host_at", "heir"), [(0, 1), (1, 2), (2, 0)], ids=["next", "next again", "round the table"]
)
def test_the_next_human_is_host_when_the_host_leaves(host_at: int, heir: int) -> None:
    """The host's office goes to the next human in the order of seats, round the table."""
    room = Room(seats=3)
    if host_at:
        room.say("ann", Sit, seat=host_at)
    room.say("bea", Join)
    room.say("cid", Join)
    room.say("ann", Leave)
    assert room.state.host == heir
    assert "host_changed" in room.verbs()
    room.check()


def test_bots_are_passed_over_when_a_host_is_wanted() -> None:
    """A bot is never host."""
    room = Room(seats=3)
    room.say("ann", AddBot, strength=0, seat=1)
    room.say("bea", Join)
    room.say("ann", Leave)
    assert room.state.host == 2


def test_the_table_closes_with_its_last_human() -> None:
    """Bots do not keep a table open; everybody who looked at it is told."""
    room = Room()
    room.say("ann", AddBot, strength=0)
    assert room.say("ann", Leave)["type"] == "ok"
    assert room.kinds[-2:] == ["left", "closed"]
    assert room.log[-1].body == Closed("left")
    assert room.told[-2:] == [Dismiss("ann", "left"), Dismiss(None, "left")]
    assert room.table.due() is None


def test_nothing_is_added_to_a_closed_table() -> None:
    """A command that was under way while the table closed finds no table any more."""
    room = Room(seats=3)
    room.say("bea", Join)
    room.say("bea", Leave)
    room.held = True
    room.send("ann", Leave)
    late = room.send("cid", Join)
    again = room.send("ann", Leave)
    room.commit()
    assert room.kinds[-1] == "closed"
    for key in (late, again):
        assert room.answers[key][0]["code"] == "unknown_table"
    room.held = False
    room.back("ann")
    room.wait(10_000)
    assert room.kinds[-1] == "closed"


def test_the_kicked_is_gone_and_stays_gone() -> None:
    """The host empties another player's seat, who is told and may not come back."""
    room = Room()
    room.say("bea", Join)
    assert room.refusal("ann", Kick, seat=0) == "no_such_seat"
    assert room.refusal("ann", Kick, seat=7) == "no_such_seat"
    room.say("ann", Kick, seat=1)
    assert room.log[-1].body == Left(1, kicked=True)
    assert room.last(Dismiss) == Dismiss("bea", "kicked")
    assert room.refusal("ann", Kick, seat=1) == "no_such_seat"
    assert room.refusal("bea", Join) == "forbidden"
    assert room.say("cid", Join)["type"] == "ok"
    room.check()


def test_who_is_kicked_during_a_match_is_replaced_by_a_bot() -> None:
    """The match goes on with the strongest bot in the seat."""
    room = Room()
    room.say("bea", Join)
    room.say("ann", Start)
    room.say("ann", Kick, seat=1)
    assert room.state.chairs[1].kind == "bot"
    room.wait(1)
    assert [ask.seat for ask in room.asked] == [1]
    room.check()


def test_bots_sit_down_where_they_are_told() -> None:
    """`add_bot` takes strengths the game offers and free seats only."""
    room = Room(seats=3)
    assert room.refusal("ann", AddBot, strength=9) == "unknown_strength"
    assert room.refusal("ann", AddBot, strength=0, seat=0) == "seat_taken"
    assert room.refusal("ann", AddBot, strength=0, seat=3) == "no_such_seat"
    room.say("ann", AddBot, strength=0, seat=2)
    assert isinstance(room.log[-1].body, BotAdded)
    room.say("ann", AddBot, strength=0)
    assert room.refusal("ann", AddBot, strength=0) == "table_full"
    assert room.refusal("ann", RemoveBot, seat=0) == "no_such_seat"
    assert room.refusal("ann", RemoveBot, seat=3) == "no_such_seat"
    room.say("ann", RemoveBot, seat=1)
    assert room.state.free() == (1,)
    room.check()


def test_a_match_is_joined_in_a_bots_place() -> None:
    """A latecomer takes over a bot's cards, from the next question on."""
    room = Room(seats=3)
    room.say("ann", Start, fill=0)
    assert room.refusal("bea", Join, seat=0) == "table_full"
    room.say("bea", Join)
    assert isinstance(room.log[-1].body, Seated)
    assert room.state.seat_of("bea") == 1
    assert room.say("cid", Join, seat=2)["type"] == "ok"
    assert room.refusal("dan", Join) == "table_full"
    room.check()


def test_who_has_seen_a_seats_cards_gets_no_other_in_that_match() -> None:
    """Leaving and joining again does not show a second hand; the old seat may be had back."""
    room = Room(seats=3)
    room.say("bea", Join)
    room.say("ann", Start, fill=0)
    room.say("bea", Leave)
    assert room.refusal("bea", Join, seat=2) == "table_full"
    assert room.say("bea", Join)["type"] == "ok"
    assert room.state.seat_of("bea") == 1
    room.say("bea", Leave)
    room.say("cid", Join, seat=1)
    assert room.refusal("bea", Join) == "table_full"
    room.check()


def test_joining_in_the_middle_counts_as_having_seen() -> None:
    """A player who joined a match late and left is bound to that seat as well."""
    room = Room(seats=3)
    room.say("ann", Start, fill=0)
    room.say("bea", Join, seat=2)
    room.say("bea", Leave)
    assert room.refusal("bea", Join, seat=1) == "table_full"
    assert room.say("bea", Join)["seq"] == len(room.log)
    assert room.state.seat_of("bea") == 2
