"""Sitting down, moving, leaving; who is host; who may come back."""

import pytest

from bots import Level, strength_of
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
from server.table.effects import SendSnapshot, Unsubscribe
from server.table.entries import BotAdded, Closed, Left, Seated
from tests.server.table.harness import TableHarness


def test_the_creator_sits_at_seat_0_and_is_host() -> None:
    """The creator of a table sits at seat 0 as host, in one commit."""
    table = TableHarness()
    assert table.kinds == ["opened", "seated"]
    assert (table.state.host_seat, table.state.seat_of("ann")) == (0, 0)
    table.check()


def test_a_player_joins_at_the_first_free_seat_or_at_one_of_their_choice() -> None:
    """`join` takes the given or the lowest free seat, and sends a snapshot."""
    table = TableHarness(seats=3)
    assert table.ask("bea", Join, seat=2) == {"type": "ok", "id": 2, "table": "TABLE", "seq": 3}
    table.ask("cid", Join)
    assert [chair.player for chair in table.state.chairs] == ["ann", "cid", "bea"]
    assert table.last(SendSnapshot) == SendSnapshot("cid", 1)
    table.check()


def test_a_join_that_cannot_be_is_refused_with_its_own_code() -> None:
    """A join that is impossible is refused with a code of its own."""
    table = TableHarness(seats=3)
    assert table.refusal("bea", Join, seat=0) == "seat_taken"
    assert table.refusal("bea", Join, seat=3) == "no_such_seat"
    assert table.refusal("ann", Join) == "already_seated"
    table.ask("bea", Join)
    table.ask("cid", Join)
    assert table.refusal("dan", Join) == "table_full"


def test_a_player_moves_to_a_free_seat_and_the_host_stays_host() -> None:
    """`sit` moves a player, who stays host; to the own seat it has no entry."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    assert table.refusal("ann", Sit, seat=1) == "seat_taken"
    assert table.refusal("ann", Sit, seat=9) == "no_such_seat"
    table.ask("ann", Sit, seat=2)
    assert (table.state.host_seat, table.state.seat_of("ann")) == (2, 2)
    assert table.last(SendSnapshot) == SendSnapshot("ann", 2)
    before = len(table.log)
    assert table.ask("ann", Sit, seat=2)["type"] == "ok"
    assert len(table.log) == before
    table.check()


def test_whoever_has_no_seat_may_do_nothing_at_the_table() -> None:
    """Every command except `join` needs a seat."""
    table = TableHarness()
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
        assert table.refusal("bea", kind, **fields) == "not_seated"


def test_only_the_host_manages_the_table() -> None:
    """Only the host may handle bots, kicks, start and rematch."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    for kind, fields in (
        (AddBot, {"strength": 0}),
        (RemoveBot, {"seat": 2}),
        (Kick, {"seat": 0}),
        (Start, {"fill": 0}),
        (Rematch, {}),
    ):
        assert table.refusal("bea", kind, **fields) == "forbidden"


def test_the_table_closes_with_its_last_human() -> None:
    """A table closes with its last person, and everybody there is told."""
    table = TableHarness()
    table.ask("ann", AddBot, strength=0)
    assert table.ask("ann", Leave)["type"] == "ok"
    assert table.kinds[-2:] == ["left", "closed"]
    assert table.log[-1].body == Closed("left")
    assert table.effects[-2:] == [Unsubscribe("ann", "left"), Unsubscribe(None, "left")]
    assert table.actor.due() is None


def test_nothing_is_added_to_a_closed_table() -> None:
    """A command under way while the table closes is refused."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    table.ask("bea", Leave)
    table.held = True
    table.send("ann", Leave)
    late = table.send("cid", Join)
    again = table.send("ann", Leave)
    table.commit()
    assert table.kinds[-1] == "closed"
    for key in (late, again):
        assert table.answers[key][0]["code"] == "unknown_table"
    table.held = False
    table.reconnect("ann")
    table.wait(10_000)
    assert table.kinds[-1] == "closed"


def test_the_kicked_is_gone_and_stays_gone() -> None:
    """A kicked player is told, and may not come back."""
    table = TableHarness()
    table.ask("bea", Join)
    assert table.refusal("ann", Kick, seat=0) == "no_such_seat"
    assert table.refusal("ann", Kick, seat=7) == "no_such_seat"
    table.ask("ann", Kick, seat=1)
    assert table.log[-1].body == Left(1, kicked=True)
    assert table.last(Unsubscribe) == Unsubscribe("bea", "kicked")
    assert table.refusal("ann", Kick, seat=1) == "no_such_seat"
    assert table.refusal("bea", Join) == "forbidden"
    assert table.ask("cid", Join)["type"] == "ok"
    table.check()


def test_who_is_kicked_during_a_match_is_replaced_by_a_bot() -> None:
    """A player kicked during a match is replaced by a bot."""
    table = TableHarness()
    table.ask("bea", Join)
    table.ask("ann", Start)
    table.ask("ann", Kick, seat=1)
    assert table.state.chairs[1].kind == "bot"
    table.wait(1)
    assert [ask.seat for ask in table.questions] == [1]
    table.check()


@pytest.mark.parametrize(
    ("bots", "strength"), [((), "medium"), ((1, 1), 1), ((0, 1), "medium"), ((0, 0), 0)]
)
def test_the_bot_for_a_player_who_leaves_is_like_the_others(
    bots: tuple[int, ...], strength: int | Level
) -> None:
    """The bot for a player who leaves has the strength of the others, else medium."""
    table = TableHarness(game="black_queen", seats=2 + len(bots))
    for bot in bots:
        table.ask("ann", AddBot, strength=bot)
    table.ask("bea", Join)
    table.ask("ann", Start)
    seat = table.state.seat_of("bea")
    assert seat is not None
    table.ask("bea", Leave)
    number = strength if isinstance(strength, int) else strength_of("black_queen", strength)
    assert table.state.chairs[seat].strength == number
    table.check()


def test_bots_sit_down_where_they_are_told() -> None:
    """`add_bot` accepts offered strengths and free seats only."""
    table = TableHarness(seats=3)
    assert table.refusal("ann", AddBot, strength=9) == "unknown_strength"
    assert table.refusal("ann", AddBot, strength=0, seat=0) == "seat_taken"
    assert table.refusal("ann", AddBot, strength=0, seat=3) == "no_such_seat"
    table.ask("ann", AddBot, strength=0, seat=2)
    assert isinstance(table.log[-1].body, BotAdded)
    table.ask("ann", AddBot, strength=0)
    assert table.refusal("ann", AddBot, strength=0) == "table_full"
    assert table.refusal("ann", RemoveBot, seat=0) == "no_such_seat"
    assert table.refusal("ann", RemoveBot, seat=3) == "no_such_seat"
    table.ask("ann", RemoveBot, seat=1)
    assert table.state.free() == (1,)
    table.check()


def test_a_match_is_joined_in_a_bots_place() -> None:
    """A latecomer takes over a bot's cards from the next question on."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    assert table.refusal("bea", Join, seat=0) == "table_full"
    table.ask("bea", Join)
    assert isinstance(table.log[-1].body, Seated)
    assert table.state.seat_of("bea") == 1
    assert table.ask("cid", Join, seat=2)["type"] == "ok"
    assert table.refusal("dan", Join) == "table_full"
    table.check()


def test_who_has_seen_a_seats_cards_gets_no_other_in_that_match() -> None:
    """A player who has seen a seat's cards may rejoin that seat only."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    table.ask("ann", Start, fill=0)
    table.ask("bea", Leave)
    assert table.refusal("bea", Join, seat=2) == "table_full"
    assert table.ask("bea", Join)["type"] == "ok"
    assert table.state.seat_of("bea") == 1
    table.ask("bea", Leave)
    table.ask("cid", Join, seat=1)
    assert table.refusal("bea", Join) == "table_full"
    table.check()


def test_joining_in_the_middle_counts_as_having_seen() -> None:
    """A latecomer who left may rejoin only their seat."""
    table = TableHarness(seats=3)
    table.ask("ann", Start, fill=0)
    table.ask("bea", Join, seat=2)
    table.ask("bea", Leave)
    assert table.refusal("bea", Join, seat=1) == "table_full"
    assert table.ask("bea", Join)["seq"] == len(table.log)
    assert table.state.seat_of("bea") == 2
