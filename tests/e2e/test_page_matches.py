"""Plays matches in the page by clicks to the end, and compares the results with the log."""

from random import Random

import pytest
from playwright.async_api import expect

from engine import GAMES
from engine.recycle import games
from protocol.texts import sentence
from tests.chromium import DESK, Chromium
from tests.counts import NIGHT
from tests.e2e.clicking import come_in, open_table, play_by_clicks, start_with_bots
from tests.e2e.page_wire import PageWire, check
from tests.e2e.processes import Programs
from tests.e2e.stored import StoredTable, only_table

pytestmark = pytest.mark.e2e

SHORT: dict[str, dict[str, object]] = {
    "Black Queen": {"Deals in a match": 1},
    "Whist": {"Cards for each player in the first deal": 2},
    "Schnapsen": {"Game points that win the match": 1},
    "Hearts": {"Points at which the match ends": 1},
    "Spades": {"Points that win the match": 1, "Points at which a team has lost": -1},
}
"""The native games by title, each with the options of a short match."""
DESCRIBED = {
    "Crazy Eights": "CrazyEights4",
    "Golf": "Golf4",
    "Cribbage": "Cribbage2",
    "Go Fish": "GoFish3",
}
"""Described games by title; the last ones have face-down rows, picks, questions to others."""
BY_DAY = ("Crazy Eights",)
"""By day `test_page.py` plays a native game, and these are played here."""


@pytest.mark.parametrize("title", [*SHORT, *DESCRIBED] if NIGHT else BY_DAY)
async def test_a_match_is_played_by_clicking(
    programs: Programs, chromium: Chromium, rng: Random, title: str
) -> None:
    """A match played by clicks on visible elements alone ends with the result of the log.

    The log has every acknowledged move once, and no other.
    """
    folder = programs.folder / "games"
    folder.mkdir()
    for name in DESCRIBED.values():
        folder.joinpath(f"{name}.rcy").write_text(games.description(name))
    server = await programs.serve("--plain-bots", "--games", str(folder))

    async def story() -> tuple[PageWire, list[str], list[str]]:
        async with chromium.context(viewport=DESK, reduced_motion="reduce") as context:
            page = await context.new_page()
            wire = PageWire(page)
            wrong = await come_in(page, server.url, "Ann")
            await open_table(page, title, SHORT.get(title, {}))
            await start_with_bots(page)
            assert await play_by_clicks(page, rng) > 0
            await expect(page.get_by_role("button", name="Play again")).to_be_visible()
            assert wrong == []
            ranking = await page.locator(".ranking td:last-child").all_inner_texts()
            return wire, await page.locator(".course li").all_inner_texts(), ranking

    wire, told, ranking = await chromium.story(story())
    await server.stop()
    stored = only_table(programs.data)
    check(stored, 0, [wire])
    assert result_of(stored, wire) in told
    by_rank = [int(total.replace("−", "-")) for total in ranking]
    assert sorted(by_rank) == sorted(stored.totals)


def result_of(stored: StoredTable, wire: PageWire) -> str | None:
    """Return the match result of the log alone, in the words of the Python client."""
    assert stored.totals
    (end,) = (fact for fact in stored.seen(stored.entries[-1].seq, 0) if fact.verb == "match_ended")
    return sentence(end, wire.names, stored.game.info.legend, 0)


def test_every_native_game_is_played() -> None:
    """Every native game has options for a short match in this file."""
    assert {info.title for info in GAMES} == SHORT.keys()
