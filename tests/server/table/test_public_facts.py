"""What everybody learns from an entry: the public fields of its kind, and no others."""

from typing import get_args

import pytest

from engine.facts import EVERYONE
from protocol.to_server import AddBot, Join, TableSettings
from server.events.narrator import TABLE_FACTS
from server.table.entries import (
    Acted,
    Body,
    BotAdded,
    BotRemoved,
    Closed,
    Configured,
    Dealt,
    HandedBack,
    HostPassed,
    Left,
    Moved,
    Opened,
    Paused,
    Readied,
    Reopened,
    Resumed,
    Seated,
    Started,
    TakenOver,
    TimedOut,
    Undone,
    Watched,
)
from server.table.public_facts import public_facts
from tests.server.table.harness import TableHarness

SETTINGS = TableSettings()
PUBLIC: list[tuple[Body, str, dict[str, object]]] = [
    (Opened("game", 1, 3, {"deals": 2}, SETTINGS, "secret"), "table_opened", {}),
    (Seated(2, "secret", "Cid"), "player_seated", {"seat": 2, "name": "Cid"}),
    (
        Seated(2, "secret", "Cid", "my bot"),
        "player_seated",
        {"seat": 2, "name": "Cid", "program": "my bot"},
    ),
    (Moved(0, 2), "player_moved", {"seat": 0, "to": 2, "name": "Ann"}),
    (Left(0, strength=1, bot="secret"), "player_left", {"seat": 0, "name": "Ann"}),
    (Left(0, kicked=True), "player_kicked", {"seat": 0, "name": "Ann"}),
    (HostPassed("ann"), "host_changed", {"seat": 0}),
    (BotAdded(2, 1, "Ada"), "bot_added", {"seat": 2, "name": "Ada", "strength": 1}),
    (BotRemoved(1), "bot_removed", {"seat": 1, "name": "Blaise"}),
    (Readied(0, True), "player_ready", {"seat": 0, "ready": True}),
    (Configured({"deals": 2}, SETTINGS), "configured", {}),
    (Started(), "match_started", {"match": 5}),
    (TakenOver(0, 2), "taken_over", {"seat": 0, "strength": 2}),
    (HandedBack(0), "handed_back", {"seat": 0}),
    (TimedOut(0), "timed_out", {"seat": 0}),
    (Paused(), "paused", {}),
    (Resumed(), "resumed", {}),
    (Undone(0, 3), "undone", {"seat": 0, "moves": 0}),
    (Reopened(), "rematch_opened", {}),
    (Closed("left"), "table_closed", {"reason": "left"}),
]


@pytest.mark.parametrize(("body", "verb", "args"), PUBLIC, ids=[row[1] for row in PUBLIC])
def test_what_is_public_of_an_entry(body: Body, verb: str, args: dict[str, object]) -> None:
    """The public facts of an entry have exactly these fields."""
    table = TableHarness(seats=3)
    table.ask("ann", AddBot, strength=0, seat=1)
    (fact,) = public_facts(body, table.state._replace(match=4))
    assert (fact.verb, fact.args, fact.changes) == (verb, args, ())
    assert fact.audience == EVERYONE


@pytest.mark.parametrize(
    "body",
    [Dealt("secret", "secret"), Acted(0, "lay A"), Watched()],
    ids=["dealt", "acted", "watched"],
)
def test_the_game_tells_of_deals_and_moves(body: Body) -> None:
    """The table tells neither seed, nor moves, nor that somebody watches."""
    table = TableHarness()
    table.ask("bea", Join)
    assert public_facts(body, table.state) == ()


def test_no_kind_is_left_out() -> None:
    """Every kind of entry is tested here."""
    kinds = set(get_args(get_args(Body)[0]))
    missing = kinds - {type(body) for body, _, _ in PUBLIC} - {Dealt, Acted, Watched}
    assert not missing, f"add a row to PUBLIC for each of {missing}"


def test_public_events_tell_what_the_table_tells() -> None:
    """Public events tell all that a table tells, but not that moves are taken back."""
    missing = {verb for _, verb, _ in PUBLIC} - {"undone"} - TABLE_FACTS
    assert not missing, f"add these to TABLE_FACTS of server/events/narrator.py: {missing}"
