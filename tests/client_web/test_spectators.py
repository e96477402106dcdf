"""The number of a table's spectators is shown to everybody, on phones too."""

import json
from typing import Any

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.pictures import moments_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code, games_with
from tests.client_web.whole_page import WholePage, whole_page
from tests.client_web.windows import PHONE_SIDEWAYS, PHONE_UPRIGHT, SMALL_PHONE, viewport

SAID = """(words) => {
    const node = [...document.querySelectorAll(".room .head, .room .fact")]
        .find((each) => each.textContent.includes(words));
    const box = node?.getBoundingClientRect();
    const fits = box && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    return Boolean(fits && box.width);
}"""


def watched_by(count: int) -> str:
    """The server's message for this number of spectators."""
    return json.dumps([{"type": "notice", "table": CODE, "kind": "spectators", "count": count}])


def before_the_match(table: WireForm) -> WireForm:
    """The table before its match."""
    return {**table, "info": {**table["info"], "phase": "lobby", "match": 0}}


async def seen(page: WholePage, words: str) -> list[bool]:
    """Whether these words are visible in each phone window without scrolling."""
    found = []
    for window in (PHONE_UPRIGHT, SMALL_PHONE, PHONE_SIDEWAYS):
        await page.page.set_viewport_size(viewport(window))
        found.append(await page.page.evaluate(SAID, words))
    return found


async def test_those_at_a_table_see_how_many_watch(chromium: Chromium) -> None:
    """The number of spectators is shown before and in a match, unless it is 0.

    After a lost connection it is unknown until the server tells it again.
    """
    playing: dict[str, Any] = at_the_code(moments_of("whist-5")[1])

    async def story() -> None:
        async with whole_page(chromium, CODE) as page:
            await page.answer({"games": games_with(playing["info"])})
            await page.feed([json.dumps([WELCOME]), json.dumps([before_the_match(playing)])])
            assert not any(await seen(page, "watching"))
            await page.feed([watched_by(1)])
            assert all(await seen(page, "1 watching"))
            await page.feed([json.dumps([playing]), watched_by(3)])
            assert all(await seen(page, "watching3"))
            await page.feed([watched_by(0)])
            assert not any(await seen(page, "watching"))
            await page.feed([watched_by(2), json.dumps([WELCOME]), json.dumps([playing])])
            assert not any(await seen(page, "watching"))

    await chromium.story(story())
