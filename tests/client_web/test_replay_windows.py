"""A replay in windows of every size: the table, and its controls."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.match_logs import CODE, logs_of
from tests.client_web.test_hostile_screens import KNOWS_ALL
from tests.client_web.test_layout import SUBJECTS
from tests.client_web.whole_page import whole_page
from tests.client_web.windows import DESK, FELTS, PHONE_SIDEWAYS, PHONE_UPRIGHT, viewport
from tests.counts import NIGHT

SOME = ("black_queen-8", "schnapsen-2")
"""By day many seats, and few."""
MOMENTS = ("Home", "PageDown", "End")
"""The keys that lead to the beginning, to the second deal and to the end."""
SEEN = """async (focused) => {
    // A window of another size is laid out anew for the next picture on the screen.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const boxOf = (node) => node.getBoundingClientRect();
    const isWithin = (box, of) => box.left >= of.left - 1 && box.right <= of.right + 1
        && box.top >= of.top - 1 && box.bottom <= of.bottom + 1;
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const shown = (which) => [...document.querySelectorAll(which)]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }));
    const named = (nodes) =>
        nodes.map((node) => `${node.localName}.${node.className} ${node.textContent}`);
    const felt = boxOf(document.querySelector(".cardtable"));
    const controls = document.querySelector(".controls");
    const told = {
        cards: shown(".felt .card").length,
        out: named(shown(".felt :is(.card, .panel)")
            .filter((node) => !isWithin(boxOf(node), felt))),
        // What has happened is read beside the controls, on a phone as well.
        unseen: named(shown(".controls :is(button, input, select)")
            .concat(innerWidth > 700 || innerHeight < 620 ? [] : shown(".caption"))
            .filter((node) => !isWithin(boxOf(node), view))),
        // What has to be scrolled is reached by keys.
        unread: named(shown(".caption").filter((node) =>
            node.scrollHeight > node.clientHeight && node.tabIndex !== 0)),
        wide: document.documentElement.scrollWidth > innerWidth,
        cut: named(shown(".replay :is(.head :is(button, h1), .controls button)")
            .filter((node) => node.scrollWidth > node.clientWidth + 1)),
        // The arrow of a menu has a place of its own.
        covered: named(shown(".replay select")
            .filter((node) => parseFloat(getComputedStyle(node).paddingRight) < 24)),
    };
    // What gets the focus comes into view, and not behind the controls.
    told.hidden = [];
    const reached = shown(".replay :is(button, select, input):not([tabindex='-1'])");
    for (const node of focused ? reached : []) {
        node.focus();
        await new Promise(requestAnimationFrame);
        const box = boxOf(node);
        const behind = !controls.contains(node) && box.bottom > boxOf(controls).top + 1
            && box.top < boxOf(controls).bottom;
        if (!isWithin(box, view) || behind) told.hidden.push(...named([node]));
    }
    document.activeElement.blur();
    scrollTo(0, 0);
    return told;
}"""


@pytest.mark.parametrize("subject", SUBJECTS if NIGHT else SOME)
async def test_a_replay_is_seen_and_gone_through_in_every_window(
    chromium: Chromium, subject: str
) -> None:
    """In every window all hands lie on the felt, and the controls hide no focused element."""

    async def story() -> None:
        async with whole_page(chromium, f"{CODE}/replay") as page:
            await page.answer(logs_of(subject))
            await page.feed([json.dumps([KNOWS_ALL])])
            await expect(page.page.locator(".replay .felt .card").first).to_be_attached()
            await page.page.locator(".replay .head select").select_option("all")
            for key in MOMENTS:
                await page.page.keyboard.press(key)
                await page.feed([json.dumps([{"type": "pong"}])])
                for window in FELTS:
                    await page.page.set_viewport_size(viewport(window))
                    seen: Mapping[str, Any] = await page.page.evaluate(
                        SEEN, NIGHT or key == MOMENTS[0]
                    )
                    # At the end all cards of some games lie in piles that nobody may look into.
                    assert seen["cards"] or key == "End", (key, window)
                    assert seen["out"] == [], (key, window)
                    assert seen["unseen"] == [], (key, window)
                    assert seen["unread"] == [], (key, window)
                    assert seen["cut"] == [], (key, window)
                    assert seen["covered"] == [], (key, window)
                    assert seen["hidden"] == [], (key, window)
                    assert not seen["wide"], (key, window)

    await chromium.story(story())


def review_of(subject: str) -> WireForm:
    """A review with more decisions than a window can show."""
    phrase = {"code": "review_best", "args": {"deal": 1, "trick": 1, "nth": 1, "move": "2C"}}
    entries = logs_of(subject)["log"]["entries"][10::5]
    decisions = [
        {
            "entry": each["seq"],
            "deal": 1,
            "phrase": phrase,
            "action": "play 2C",
            "text": None,
            "best": "play 3C",
        }
        for each in entries
    ]
    return {"type": "review", "decisions": decisions, "summary": {"phrases": []}}


@pytest.mark.parametrize("window", [PHONE_UPRIGHT, PHONE_SIDEWAYS, DESK])
async def test_a_decision_of_a_review_shows_the_table(
    chromium: Chromium, window: tuple[int, int]
) -> None:
    """Choosing a decision scrolls to the table only if it is out of sight."""
    subject = "hearts-4"

    async def story() -> None:
        async with whole_page(chromium, f"{CODE}/replay", viewport(window)) as shown:
            page = shown.page
            await shown.answer({**logs_of(subject), "review": review_of(subject)})
            await shown.feed([json.dumps([KNOWS_ALL])])
            await expect(page.locator(".replay .felt .card").first).to_be_attached()
            await page.get_by_role("button", name="Review", exact=True).click()
            decisions = page.locator(".review .decisions button")
            await expect(decisions.nth(20)).to_be_attached()
            where = page.locator(".where")
            told = await where.inner_text()
            await decisions.last.click()
            await expect(where).not_to_have_text(told)
            await expect(page.locator(".replay .table")).to_be_in_viewport(ratio=0.99)
            await expect(page.locator(".controls")).to_be_in_viewport(ratio=0.99)
            # A click from where most of the table is seen: the page stays where it is.
            told = await where.inner_text()
            await page.evaluate(f"scrollBy(0, {window[1] // 8})")
            before = await page.evaluate("scrollY")
            await decisions.first.evaluate("(button) => button.click()")
            await expect(where).not_to_have_text(told)
            assert await page.evaluate("scrollY") == before

    await chromium.story(story())
