"""Two worlds that are equal in what a viewer may know are drawn equally: no difference in the page.

The servers of `tests/server/secrecy` play both worlds, for a client that asks for what the page
asks for; then the whole page is told the frames of each.
"""

from collections.abc import AsyncIterator, Mapping
from itertools import count as numbers
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from engine.choices import Action
from protocol.version import JSON
from tests.chromium import Chromium
from tests.client_web.whole_page import Shown, whole_page
from tests.counts import NIGHT, count
from tests.games.catalogue import BROKEN
from tests.server.controllable_store import ControllableStore
from tests.server.secrecy.two_worlds import (
    FrameRecorder,
    ScriptedPair,
    TwoWorldsRunner,
    pair_of,
)

GAMES = list(BROKEN) if NIGHT else ["whist"]
SHORTEST = 12
"""Moves of a pair that is looked at: enough to see something happen."""


class PageRecorder(FrameRecorder):
    """A client that asks for what the page asks for."""

    asked: ClassVar[Mapping[str, Any]] = {}

    async def hello(self, **fields: Any) -> Any:
        return await super().hello(**self.asked, **fields)


class PageRunner(TwoWorldsRunner):
    """Plays both worlds for the page: the same, in the encoding that it speaks."""

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
    """What the page asks for."""
    async with whole_page(chromium) as page:
        return await page.hello()


async def shown(chromium: Chromium, frames: list[bytes | str]) -> Shown:
    """What the page makes of all that one viewer was sent."""

    async def story() -> Shown:
        async with whole_page(chromium, "TABLE") as page:
            return await page.feed([str(frame) for frame in frames], rest=20)

    return await chromium.story(story())


def difference(one: Shown, two: Shown) -> str:
    """Where two pages first differ, for whoever has to find out why."""
    for at, (this, that) in enumerate(zip(one["shows"], two["shows"], strict=True)):
        for place in range(min(len(this), len(that))):
            if this[place] != that[place]:
                around = slice(max(0, place - 80), place + 80)
                return f"after frame {at}: {this[around]!r}, in the other world {that[around]!r}"
    return ""


def pairs(game: str, *, watching: bool, wanted: int) -> list[ScriptedPair]:
    """Pairs whose worlds differ, seen from a seat or by a spectator."""
    subject = BROKEN[game].subject(None)
    found: list[ScriptedPair] = []
    for number in numbers():
        pair = pair_of(subject, number)
        if len(pair.script) >= SHORTEST and (pair.viewer < 0) == watching and pair.differ:
            found.append(pair)
        if len(found) == wanted:
            return found
    raise AssertionError("unreachable")


@pytest.mark.parametrize("watching", [False, True], ids=["opponent", "spectator"])
@pytest.mark.parametrize("game", GAMES)
async def test_worlds_that_look_alike_are_drawn_alike(
    runner: PageRunner, chromium: Chromium, game: str, watching: bool
) -> None:
    """The same bytes, and after each frame the same document, address and memory."""
    for pair in pairs(game, watching=watching, wanted=count(1)):
        one, two = await runner.both(pair)
        assert one == two
        first, second = await shown(chromium, one), await shown(chromium, two)
        assert difference(first, second) == ""
        assert first == second
        # The page has drawn a match, not a message that it could not.
        assert "cardtable" in first["shows"][-1]
        assert len(set(first["shows"])) > len(pair.script) / 2


async def test_a_game_that_leaks_is_drawn_differently(
    runner: PageRunner, chromium: Chromium
) -> None:
    """The comparison is not blind: what a careless game shows, some pair shows in the page."""
    faults = BROKEN["black_queen"]
    subject = faults.subject(faults.leaky[0]())
    drawn = (pair_of(subject, number) for number in numbers())
    for pair in filter(attrgetter("betrayed"), drawn):
        one, two = await runner.both(pair)
        if one != two and await shown(chromium, one) != await shown(chromium, two):
            return
