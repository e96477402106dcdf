"""Options, readiness, the start of a match, and the rematch."""

import json

import pytest

from protocol.to_server import (
    Act,
    AddBot,
    Configure,
    Join,
    Leave,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    Start,
    TableSettings,
)
from server.names import Player
from server.table.decide import Decider
from server.table.entries import Dealt, Entry
from server.table.fold import advance
from server.table.log_format import parse_body
from tests.server.table.harness import CODE, TableHarness


def test_the_host_starts_with_bots_filling_up() -> None:
    """`start` with `fill` seats bots of that strength in all free seats."""
    table = TableHarness("black_queen", seats=4)
    table.ask("bea", Join, seat=2)
    answer = table.ask("ann", Start, fill=1)
    assert table.kinds[3:] == ["bot_added", "bot_added", "started", "dealt"]
    assert answer["seq"] == table.state.seq == 7
    assert [chair.strength for chair in table.state.chairs] == [None, 1, None, 1]
    assert (table.phase(), table.state.match, table.state.turn) == ("playing", 1, 1)
    table.check()


def test_a_start_needs_full_seats_or_bots_for_them() -> None:
    """Without `fill` all seats must be taken; an unknown strength is refused."""
    table = TableHarness()
    assert table.refusal("ann", Start) == "wrong_phase"
    assert table.refusal("ann", Start, fill=5) == "unknown_strength"
    table.ask("bea", Join)
    assert table.ask("ann", Start)["type"] == "ok"
    assert table.refusal("ann", Start) == "wrong_phase"


def test_a_full_table_starts_when_the_last_is_ready() -> None:
    """A full table starts when all people are ready."""
    table = TableHarness(seats=3)
    table.ask("ann", Ready)
    table.ask("bea", Join)
    table.ask("bea", Ready)
    assert table.phase() == "lobby"
    table.ask("ann", AddBot, strength=0)
    table.ask("ann", Ready, ready=False)
    table.ask("bea", Ready)
    assert table.phase() == "lobby"
    table.ask("ann", Ready)
    assert table.kinds[-3:] == ["readied", "started", "dealt"]
    table.check()


def test_during_a_match_the_lobby_is_shut() -> None:
    """During a match the lobby's commands are refused."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    table.ask("ann", Start, fill=0)
    for kind, fields in (
        (Sit, {"seat": 0}),
        (Ready, {}),
        (AddBot, {"strength": 0}),
        (RemoveBot, {"seat": 2}),
        (Configure, {}),
        (Start, {}),
        (Rematch, {}),
    ):
        assert table.refusal("ann", kind, **fields) == "wrong_phase"


def test_moves_wait_for_the_match() -> None:
    """Moves before the match are refused."""
    table = TableHarness()
    assert table.refusal("ann", Act, turn=0, action="lay 2C") == "wrong_phase"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": 14}, "option columns: 14 must be a whole number from 0 to 13"),
        ({"deals": 0}, "option deals: 0 must be a whole number from 1 to 100"),
        ({"deals": True}, "option deals: True must be a whole number from 1 to 100"),
        ({"jokers": 2}, "option jokers: unknown; Black Queen has deals, columns"),
    ],
)
def test_a_wrong_option_is_named_with_its_bounds(options: dict[str, int], words: str) -> None:
    """A wrong option is refused with its name, value and bounds."""
    table = TableHarness("black_queen")
    answer = table.ask("ann", Configure, options=options)
    assert (answer["code"], answer["reason"]) == ("bad_option", words)
    assert len(table.log) == 2


def test_words_are_checked_too() -> None:
    """A wrong word of an option is refused with the right ones."""
    answer = TableHarness().ask("ann", Configure, options={"speed": "warp"})
    assert answer["reason"] == "option speed: 'warp' must be one of slow, quick"


def test_options_are_changed_one_by_one_and_take_back_readiness() -> None:
    """Changing options keeps the others, and takes back readiness."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    table.ask("bea", Ready)
    table.ask("ann", Configure, options={"rounds": 3})
    table.ask("ann", Configure, settings=TableSettings(hints=False))
    assert table.state.options == {"rounds": 3, "speed": "slow"}
    assert not table.state.settings.hints
    assert not table.state.chairs[1].ready
    assert table.refusal("bea", Configure, options={"rounds": 1}) == "forbidden"
    table.check()


def test_bounds_are_checked_again_when_the_match_starts() -> None:
    """Bounds are checked again at the start, which is refused with the option."""
    table = TableHarness("black_queen")
    options = table.state.options
    assert isinstance(options, dict)
    options["columns"] = 99
    answer = table.ask("ann", Start, fill=0)
    assert answer["code"] == "bad_option"
    assert answer["reason"] == "option columns: 99 must be a whole number from 0 to 13"
    assert table.kinds == ["opened", "seated"]


def test_every_match_is_dealt_from_a_fresh_seed() -> None:
    """Every match has a fresh seed."""
    table = TableHarness(options={"rounds": 1})
    table.ask("bea", Join)
    for _ in range(2):
        table.ask("ann", Start)
        for who in ("ann", "bea"):
            seat = table.state.seat_of(who)
            assert seat is not None
            move = table.game.choices(table.state.play, seat).actions[0]
            table.ask(who, Act, turn=table.state.turn, action=move)
        assert table.phase() == "finished"
        table.ask("ann", Rematch)
    dealt = [entry.body for entry in table.log if isinstance(entry.body, Dealt)]
    assert len({seed for body in dealt for seed in (body.seed, body.bots)}) == 4
    table.check()


def test_a_chosen_seed_gives_the_bots_one_of_their_own() -> None:
    """Bots of a table with a chosen seed have a seed of their own."""
    table = TableHarness()
    table.ask("bea", Join)
    decider = Decider(table.game, fresh_seed=lambda: bytes(32))
    start, ann = Start(id=1, table=CODE), Player("ann", "Ann")
    dealt = [
        decider.decide(table.state._replace(seed=seed), start, ann, table.actor.clocks.is_away)[-1]
        for seed in (bytes(32), bytes(32), bytes(31) + b"1")
    ]
    first, again, other = (body for body in dealt if isinstance(body, Dealt))
    assert first == again
    assert first.bots != other.bots
    assert len(first.bots) == len(first.seed) == 64
    assert first.bots != first.seed


def test_bots_of_an_old_log_draw_from_the_seed_of_its_match() -> None:
    """Bots of an old log without their own seed draw from the match's."""
    table = TableHarness()
    table.ask("bea", Join)
    old = Dealt("11" * 32)
    assert parse_body("dealt", json.dumps({"seed": old.seed})) == old
    state = advance(table.game, table.state, (Entry(table.state.seq + 1, 0.0, old),)).state
    assert state.bots_seed == state.match_seed == bytes.fromhex(old.seed)
    new = advance(
        table.game, table.state, (Entry(table.state.seq + 1, 0.0, Dealt(old.seed, "22" * 32)),)
    )
    assert new.state.bots_seed == bytes.fromhex("22" * 32)


def test_a_rematch_keeps_everybody_in_their_seat() -> None:
    """A rematch keeps everybody in their seat, without those who left."""
    table = TableHarness(seats=3, options={"rounds": 1})
    table.ask("bea", Join)
    table.ask("cid", Join)
    table.ask("ann", Start)
    assert table.refusal("dan", Join) == "table_full"
    for who in ("ann", "bea", "cid"):
        seat = table.state.seat_of(who)
        assert seat is not None
        move = table.game.choices(table.state.play, seat).actions[0]
        table.ask(who, Act, turn=table.state.turn, action=move)
    assert table.phase() == "finished"
    assert table.refusal("dan", Join) == "wrong_phase"
    table.ask("cid", Leave)
    assert table.refusal("bea", Rematch) == "forbidden"
    table.ask("ann", Rematch)
    assert (table.phase(), table.state.to_act) == ("lobby", ())
    table.ask("dan", Join)
    table.ask("ann", Start)
    assert table.state.match == 2
    table.check()
