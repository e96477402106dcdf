"""Checks every screen of the page with axe-core: names, roles, contrast, landmarks, sizes."""

from collections.abc import AsyncIterator
from importlib.resources import files
from random import Random
from typing import Any

import pytest
from playwright.async_api import Page, StorageState, ViewportSize, expect

from tests.chromium import DESK, PHONE, SECONDS, Chromium
from tests.counts import NIGHT
from tests.e2e.clicking import come_in, open_table, play_by_clicks, start_with_bots
from tests.e2e.processes import Server
from tests.e2e.test_page_in_german import english_words, words_among

pytestmark = pytest.mark.e2e

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ZOOMED: ViewportSize = {"width": 320, "height": 640}
"""What the smallest phone has, and a desk with everything enlarged fourfold."""
DOUBLED: ViewportSize = {"width": DESK["width"] // 2, "height": DESK["height"] // 2}
"""What a desk has with everything twice as large."""
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": DOUBLED, "color_scheme": "light", "locale": "en"},
    "dark German": {"viewport": ZOOMED, "color_scheme": "dark", "locale": "de"},
    "dark": {"viewport": PHONE, "color_scheme": "dark", "locale": "en", "has_touch": True},
    "German": {"viewport": PHONE, "color_scheme": "light", "locale": "de"},
    "light desk": {"viewport": DESK, "color_scheme": "light", "locale": "en"},
    "zoomed": {"viewport": ZOOMED, "color_scheme": "light", "locale": "en"},
    "dark German desk": {"viewport": DESK, "color_scheme": "dark", "locale": "de"},
}
"""How people see the page; every run looks at the first two, nights at all."""
SHOWN = list(LOOKS) if NIGHT else list(LOOKS)[:2]
expect.set_options(timeout=1000 * SECONDS)

FIND = """async (tags) => {
    // Who steers by voice says what a button shows; axe counts this rule among its experiments.
    const rules = { "label-content-name-mismatch": { enabled: true } };
    const { violations } = await axe.run({ runOnly: tags, rules, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) =>
        `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
}"""
# Lines of text that lie outside of the window, or of what cuts them off and cannot be scrolled.
CUT = """() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const node = text.parentElement;
        if (!text.data.trim() || !node.checkVisibility({ visibilityProperty: true })) continue;
        if (node.closest(".spoken, .skip, option, svg")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        let box = range.getBoundingClientRect();
        let inside = true;
        for (let each = node; each && each !== document.body; each = each.parentElement) {
            const style = getComputedStyle(each);
            // Of what can be scrolled the frame has to be seen.
            if (["auto", "scroll"].includes(style.overflowX)) box = each.getBoundingClientRect();
            if (style.overflowX === "visible" || style.textOverflow === "ellipsis") continue;
            const edge = each.getBoundingClientRect();
            // What only screen readers shall find is one pixel large.
            if (edge.width < 2) { box = edge; break; }
            inside &&= box.left >= edge.left - 1 && box.right <= edge.right + 1;
        }
        inside &&= box.left >= -1 && box.right <= innerWidth + 1;
        if (!inside) found.push(`cut off: ${text.data.trim().slice(0, 60)} in ${node.className}`);
    }
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push("wider than the window");
    return found;
}"""

# Cards in a replay that its controls lie over, or that are out of sight, while they have the focus.
HIDDEN = """() => {
    const cards = [...document.querySelectorAll(".replay .table button.card")];
    if (!cards.length) return ["no cards"];
    const over = (node) => {
        const [box, bar] = [node, document.querySelector(".controls")]
            .map((each) => each.getBoundingClientRect());
        return box.bottom > Math.min(bar.top, innerHeight) + 1 || box.top < -1;
    };
    const focused = (node) => { node.focus(); return over(node); };
    const pressed = (key) => (node) => {
        node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        return over(document.activeElement);
    };
    return [focused, pressed("ArrowRight")].flatMap((way) => cards.filter(way))
        .map((node) => node.getAttribute("aria-label"));
}"""


async def screens(page: Page, url: str) -> AsyncIterator[str]:
    """Walk through the page, and yield at each screen to be checked."""
    await page.goto(url.replace("ws://", "http://"))
    name = page.locator(".entry input[name=name]")
    await expect(name).to_be_visible()
    yield "entry"
    await name.fill("Ann")
    await name.press("Enter")
    await page.locator(".game").first.wait_for()
    yield "lobby"
    await page.locator(".who").click()
    await page.locator("dialog li").first.wait_for()
    await page.locator("dialog section .actions button").first.click()
    await page.locator("dialog svg").wait_for()
    yield "devices"
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.locator(".game", has_text="Schnapsen").locator("button").last.click()
    await page.locator(".new button.main").wait_for()
    yield "new table"
    await page.locator(".new button.main").click()
    await page.locator(".chairs li").nth(1).wait_for()
    yield "before the match"
    await page.locator(".room .head button").first.click()
    await page.locator("dialog svg").wait_for()
    yield "invitation"
    await page.keyboard.press("Escape")
    await page.locator(".waiting button.main").click()
    await page.locator(".card.is-open").first.wait_for()
    yield "table"
    await page.keyboard.press("?")
    await page.locator(".help details").first.wait_for()
    await page.evaluate(
        "for (const part of document.querySelectorAll('.help details')) part.open = true"
    )
    yield "help"
    await page.keyboard.press("?")
    await page.locator(".tool").last.click()
    await page.locator(".looks fieldset").first.wait_for()
    yield "settings of the table"
    await page.locator(".looks input").last.check()
    await page.keyboard.press("Escape")
    await page.locator(".room > .head button").last.click()
    await page.get_by_role("alertdialog").wait_for()
    yield "a question before leaving"
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    await expect(page.locator(".help")).to_be_hidden()


async def screens_after(page: Page, url: str) -> AsyncIterator[str]:
    """Yield each screen of a match that this page's player has ended at `url`."""
    await page.goto(url)
    await page.locator(".results summary").first.wait_for()
    await page.locator(".results summary").first.click()
    yield "after the match"
    await page.goto(f"{url}/replay")
    await page.locator(".replay .card").first.wait_for()
    assert await page.evaluate(HIDDEN) == []
    # Its controls stay in a small window and lie over what one scrolls to: that is no small target.
    await page.locator(".controls").evaluate(
        "(node) => node.style.setProperty('position', 'static')"
    )
    yield "replay"
    await page.locator(".replay .head button").nth(0).click()
    await page.locator(".review .whole li").first.wait_for()
    assert await page.locator(".review .decisions button").count()
    yield "review"
    await page.goto(url.partition("/t/")[0])
    await page.locator(".past li").first.wait_for()
    yield "last matches"


async def ended_match(page: Page, url: str, rng: Random) -> str:
    """Play a short match of Whist to its end, and return its address."""
    await come_in(page, url, "Ann")
    await open_table(page, "Whist", {"Cards for each player in the first deal": 1})
    await start_with_bots(page)
    await play_by_clicks(page, rng)
    await expect(page.get_by_role("button", name="Play again")).to_be_visible()
    return page.url


LIVE = "document.querySelectorAll('[aria-live], [role=status], [role=alert], output').length"
"""How many elements read out what changes in them."""


async def test_axe_finds_nothing(page_server: Server, chromium: Chromium, rng: Random) -> None:
    """Axe-core finds nothing on any screen in light and dark; nothing is cut off or too wide.

    This holds in English and German, in a window of 320 pixels, and on a desk where everything is
    twice as large. The German screens have no English word.
    """
    english = english_words()

    async def wrong(page: Page, where: AsyncIterator[str]) -> list[str]:
        found: list[str] = []
        async for screen in where:
            if await page.evaluate("window.axe === undefined"):
                await page.evaluate(AXE)
            told = [*await page.evaluate(FIND, RULES), *await page.evaluate(CUT)]
            told += ["not one live region"] * (await page.evaluate(LIVE) != 1)
            if await page.evaluate("document.documentElement.lang") == "de":
                told += await words_among(page, english)
            found += [f"{screen}: {each}" for each in told]
        return found

    async def walk(look: str, ended: str, known: StorageState) -> list[str]:
        found: list[str] = []
        options = {"reduced_motion": "reduce", **LOOKS[look]}
        async with chromium.context(**options) as context:
            page = await context.new_page()
            found += await wrong(page, screens(page, f"{page_server.url}/"))
        async with chromium.context(**options, storage_state=known) as context:
            page = await context.new_page()
            found += await wrong(page, screens_after(page, ended))
        return [f"{look}, {each}" for each in found]

    async def story() -> tuple[str, StorageState]:
        async with chromium.context(viewport=DESK, reduced_motion="reduce") as context:
            ended = await ended_match(await context.new_page(), f"{page_server.url}/", rng)
            return ended, await context.storage_state()

    ended, known = await chromium.story(story())
    for look in SHOWN:
        found = await chromium.story(walk(look, ended, known))
        assert not found, "\n".join(found)
