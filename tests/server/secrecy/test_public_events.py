"""Public events tell nothing hidden: they are checked against spectators' knowledge."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots import strengths
from engine import GAMES, SPECTATOR
from server.events import narrator
from tests.counts import count
from tests.games.catalogue import BROKEN, SERVER_SUBJECTS
from tests.server.controllable_store import ControllableStore
from tests.server.harness import open_server
from tests.server.secrecy.leak_checker import Leak, LeakChecker
from tests.server.secrecy.published import PublicWorldsRunner, Subscriber, with_tokens
from tests.server.secrecy.recorded_match import SentMessage, record_matches

MOVES = 60
"""So many are made in worlds that differ."""


async def heard(
    folder: Path, game: str, matches: int, alone: bool = False
) -> list[tuple[LeakChecker, SentMessage]]:
    """Everything published of some matches, each message as one to a spectator."""
    subscriber = Subscriber()
    async with open_server(folder, broker=subscriber, chat_per_minute=1000) as server:
        subscriber.server = server
        opening = SERVER_SUBJECTS[game].opening
        recordings = await record_matches(
            server, Random(matches), range(matches), strengths(game)[:2], opening, alone
        )
    checkers = {each.code: LeakChecker(each, GAMES) for each in recordings}
    return [
        (checkers[message["table"]], SentMessage("", seq, as_event(seq, message)))
        for seq, message in subscriber.heard
        if seq in checkers[message["table"]].seats
    ]


def as_event(seq: int, message: dict[str, Any]) -> dict[str, Any]:
    """A public event in the form of a table's event, the only one with game facts."""
    told = {**message, "text": with_tokens(message.get("text", ""))}
    return {**told, "type": "event", "seq": seq} if message["type"] == "play" else told


@pytest.mark.parametrize("game", SERVER_SUBJECTS)
async def test_no_event_shows_what_spectators_may_not_know(tmp_path: Path, game: str) -> None:
    """No message of any topic shows what spectators may not know."""
    looked_at = Counter[str]()
    for checker, message in await heard(tmp_path, game, 2 * count(1)):
        checker.check(message)
        looked_at[message.message["type"]] += 1
    assert looked_at.keys() >= {"summary", "turn", "started", "event", "deal_result"}


async def test_nothing_that_was_taken_back_is_told(tmp_path: Path) -> None:
    """Alone with bots, moves are published from when somebody watches, and none undone."""
    for checker, message in await heard(tmp_path, "black_queen", 3 * count(1), alone=True):
        checker.check(message)


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
async def test_events_of_a_seat_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, viewer: int
) -> None:
    """The checker finds events with what the first seat sees."""
    monkeypatch.setattr(narrator, "SPECTATOR", viewer)
    leaks = 0
    for checker, message in await heard(tmp_path, "black_queen", 1):
        try:
            checker.check(message)
        except Leak:
            leaks += 1
    assert bool(leaks) == (viewer != SPECTATOR)


@pytest.mark.parametrize("game", BROKEN)
async def test_worlds_that_spectators_cannot_tell_apart_publish_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Worlds alike to spectators publish equal bytes on equal topics."""
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    runner = PublicWorldsRunner(store, tmp_path, monkeypatch)
    await runner.compare(BROKEN[game].subject(None), count(MOVES))
    await store.close()
