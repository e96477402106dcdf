"""The page before a match: what to do next, in the smallest windows, and the chat."""

import json

import pytest
from playwright.async_api import expect

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.pictures import start_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code, games_with
from tests.client_web.whole_page import whole_page
from tests.client_web.windows import DESK, PHONE_SIDEWAYS, PHONE_UPRIGHT, viewport

GUEST, HOST = (1, 0)
MIDDLES = """() => [...document.querySelectorAll(".chairs li")].map((row) => {
    const { left, top, width, height } = row.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
})"""
"""Where the middle of each seat lies, in the order of the seats."""


def lobby(host: int) -> WireForm:
    """A table of Hearts before its match, at which the page has seat 0."""
    told = at_the_code(start_of("hearts-4"))
    seats = [{"kind": "human", "name": name} for name in ("Ann", "Bob", "Cid", "Dora")]
    info = {**told["info"], "phase": "lobby", "host": host, "seats": seats, "match": 0}
    return {**told, "info": info, "view": {}, "facts": [], "question": {"turn": 0}}


@pytest.mark.parametrize("host", [GUEST, HOST])
@pytest.mark.parametrize("window", [PHONE_SIDEWAYS, PHONE_UPRIGHT, DESK])
async def test_what_to_do_next_is_seen_without_scrolling(
    chromium: Chromium, window: tuple[int, int], host: int
) -> None:
    """What to do next is seen without scrolling, among seats that lie as in the match."""
    table = lobby(host)

    async def story() -> None:
        async with whole_page(chromium, CODE, viewport(window)) as shown:
            await shown.answer({"games": games_with(table["info"])})
            await shown.feed([json.dumps([WELCOME]), json.dumps([table])])
            button = shown.page.locator(".waiting button.main")
            await expect(button).to_be_in_viewport(ratio=1)
            await expect(shown.page.locator(".next")).to_be_in_viewport(ratio=1)
            own, left, top, right = await shown.page.evaluate(MIDDLES)
            assert own[1] > max(left[1], top[1], right[1])
            if window != PHONE_UPRIGHT:
                assert left[0] < min(own[0], top[0]) <= max(own[0], top[0]) < right[0]
                assert top[1] < min(left[1], right[1])

    await chromium.story(story())


async def test_a_chat_in_which_nobody_has_spoken_says_so(chromium: Chromium) -> None:
    """An empty chat says so, has a heading, and is no larger than in a match."""

    async def story() -> None:
        async with whole_page(chromium, CODE, viewport(DESK)) as shown:
            await shown.feed([json.dumps([WELCOME]), json.dumps([lobby(HOST)])])
            page = shown.page
            await expect(page.get_by_role("heading", name="Chat")).to_be_visible()
            lines = page.locator(".said")
            empty = "getComputedStyle(document.querySelector('.said'), '::before').content"
            assert await page.evaluate(empty) == '"Nobody has said anything yet."'
            box = await lines.bounding_box()
            assert box is not None
            assert box["height"] < 300

    await chromium.story(story())
