"""Two worlds that are equal in what a viewer may know are drawn equally by the page.

The servers of `tests/server/secrecy` play both worlds, for a client that asks for the page's
features; then the whole page gets the frames of each, or shows a replay from the log of each.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from itertools import count as numbers
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from engine.choices import Action
from protocol.codec import codec_for
from protocol.to_server import Log
from protocol.version import JSON
from protocol.wire_form import WireForm
from server.names import Player
from server.table.log_view import LogView
from server.tables.table_logs import TableLogs
from tests.chromium import Chromium
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.whole_page import Shown, whole_page
from tests.conformance.described_subjects import SUBJECTS
from tests.counts import NIGHT, count
from tests.games.catalogue import BROKEN
from tests.server.controllable_store import ControllableStore
from tests.server.secrecy.test_log import log_view_of, reader
from tests.server.secrecy.two_worlds import (
    AnySubject,
    FrameRecorder,
    ScriptedPair,
    TwoWorldsRunner,
    pair_of,
)

DESCRIBED = {subject.name: subject for subject in SUBJECTS}
EVERY = [(game, watching) for game in (*BROKEN, *DESCRIBED) for watching in (False, True)]
DRAWN = EVERY if NIGHT else [("whist", False), ("agram3", True)]
REPLAYED = EVERY if NIGHT else [("whist", True), ("agram3", False)]
"""Games in which hands are hidden, native and described, and whether a spectator looks at them."""
ANSWERED = json.dumps([{"type": "pong"}])
KEYS = ("End", "PageUp", "ArrowLeft", "Home", *(6 * ["ArrowRight"]), *(3 * ["PageDown"]))
"""Where somebody goes in a replay."""
FEW = max(1, count(1) // 4)
"""Pairs of a game whose replays are looked at, or that is played from a file."""
SHORTEST = 12
"""Moves of a pair that is looked at: enough to see something happen."""


class PageRecorder(FrameRecorder):
    """A client that asks for the page's features."""

    asked: ClassVar[Mapping[str, Any]] = {}

    async def hello(self, **fields: Any) -> Any:
        return await super().hello(**self.asked, **fields)


class PageRunner(TwoWorldsRunner):
    """Plays both worlds for the page, in its encoding."""

    clients = PageRecorder

    def _server(self, pair: ScriptedPair, at: int, **more: Any) -> Any:
        server, _ = super()._server(pair, at, **more)
        return server, JSON

    async def _probe(self, observer: FrameRecorder, rng: Random, attempt: Action) -> None:
        # No hints: strong bots think in real time. The server's own tests compare them.
        drawn = rng.getstate()
        if rng.randrange(8):
            rng.setstate(drawn)
            await super()._probe(observer, rng, attempt)


@pytest.fixture
async def runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Chromium
) -> AsyncIterator[PageRunner]:
    monkeypatch.setattr(PageRecorder, "asked", await chromium.story(page_hello(chromium)))
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    yield PageRunner(store, tmp_path, monkeypatch)
    await store.close()


async def page_hello(chromium: Chromium) -> Mapping[str, Any]:
    """The page's hello."""
    async with whole_page(chromium) as page:
        return await page.hello()


async def shown(chromium: Chromium, frames: list[bytes | str]) -> Shown:
    """What the page shows of all that one viewer was sent."""

    async def story() -> Shown:
        async with whole_page(chromium, "TABLE") as page:
            return await page.feed([str(frame) for frame in frames], rest=20)

    return await chromium.story(story())


def difference(one: Shown, two: Shown) -> str:
    """The first difference between two pages, for finding its cause."""
    for at, (this, that) in enumerate(zip(one["shows"], two["shows"], strict=True)):
        for place in range(min(len(this), len(that))):
            if this[place] != that[place]:
                around = slice(max(0, place - 80), place + 80)
                return f"after frame {at}: {this[around]!r}, in the other world {that[around]!r}"
    return ""


def subject_of(game: str) -> AnySubject:
    """A native game, or a described one."""
    return DESCRIBED[game] if game in DESCRIBED else BROKEN[game].subject(None)


def pairs(game: str, *, watching: bool, wanted: int, on: bool = False) -> list[ScriptedPair]:
    """Pairs of different worlds for a seat or a spectator; or of matches in play."""
    subject = subject_of(game)
    found: list[ScriptedPair] = []
    for number in numbers():
        pair = pair_of(subject, number)
        if len(pair.script) < SHORTEST or (pair.viewer < 0) != watching or not pair.differ:
            continue
        if not on or log_view_of(pair, 0).state.phase == "playing":
            found.append(pair)
        if len(found) == wanted:
            return found
    raise AssertionError("unreachable")


@pytest.mark.parametrize(("game", "watching"), DRAWN)
async def test_worlds_that_look_alike_are_drawn_alike(
    runner: PageRunner, chromium: Chromium, game: str, watching: bool
) -> None:
    """Worlds that look alike give equal documents, addresses and storage after each frame."""
    wanted = FEW if game in DESCRIBED else count(1)
    for pair in pairs(game, watching=watching, wanted=wanted):
        one, two = await runner.both(pair)
        assert one == two
        first, second = await shown(chromium, one), await shown(chromium, two)
        assert difference(first, second) == ""
        assert first == second
        # The page has drawn a match, not a message that it could not.
        assert "cardtable" in first["shows"][-1]
        assert len(set(first["shows"])) > len(pair.script) / 2


class KnownLog(TableLogs):
    """Answers `log` for a table whose past is known already."""

    def __init__(self, past: LogView) -> None:
        self._known = past
        self._turn = asyncio.Lock()
        self._waiting = {}
        self._rested_at = 0.0

    async def _log_view(self, code: str) -> LogView:
        return self._known


async def told_log(pair: ScriptedPair, at: int) -> WireForm:
    """The log of one world as its viewer is told it, on one page."""
    who = reader(pair)
    asked = Log(id=1, table="TABLE", after=0, size=256)
    wanted = frozenset(PageRecorder.asked["features"])
    told = await KnownLog(log_view_of(pair, at)).log(asked, Player(who, who), wanted)
    assert len(told["entries"]) == told["last"]
    plain: WireForm = json.loads(codec_for(JSON).encode_message(told))
    return plain


async def replayed(chromium: Chromium, welcome: str, log: WireForm) -> list[Shown]:
    """What the page shows of a replay, at several moments."""

    async def story() -> list[Shown]:
        async with whole_page(chromium, "TABLE/replay") as page:
            await page.answer({"log": log})
            await page.feed([welcome, ANSWERED], rest=50)
            # Comes after the first picture; from then on nothing depends on the network.
            await page.page.locator(".peek").wait_for(state="attached")
            shown = [await page.feed([ANSWERED], rest=50)]
            for key in KEYS:
                await page.page.keyboard.press(key)
                shown.append(await page.feed([ANSWERED], rest=50))
            return shown

    return await chromium.story(story())


@pytest.mark.parametrize(("game", "watching"), REPLAYED)
async def test_worlds_that_look_alike_are_replayed_alike(
    runner: PageRunner, chromium: Chromium, game: str, watching: bool
) -> None:
    """Replays of worlds that look alike are equal at each moment."""
    for pair in pairs(game, watching=watching, wanted=FEW, on=True):
        logs = [await told_log(pair, at) for at in (0, 1)]
        assert logs[0] == logs[1]
        welcome = json.dumps([WELCOME])
        first, second = [await replayed(chromium, welcome, log) for log in logs]
        assert [difference(*both) for both in zip(first, second, strict=True)] == [""] * len(first)
        assert first == second
        # It was a replay, and one could go through it.
        shows = [shown["shows"][-1] for shown in first]
        assert all('class="replay"' in each and "cardtable" in each for each in shows)
        assert len(set(shows)) > len(KEYS) / 2


async def test_a_game_that_leaks_is_drawn_differently(
    runner: PageRunner, chromium: Chromium
) -> None:
    """A game that leaks is drawn differently for some pair of worlds."""
    faults = BROKEN["black_queen"]
    subject = faults.subject(faults.leaky[0]())
    drawn = (pair_of(subject, number) for number in numbers())
    for pair in filter(attrgetter("betrayed"), drawn):
        one, two = await runner.both(pair)
        if one != two and await shown(chromium, one) != await shown(chromium, two):
            return
