"""Every screen of the page as axe-core sees it: names, roles, contrast, landmarks, sizes."""

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.chromium import DESK, PHONE, SECONDS, Chromium
from tests.counts import NIGHT
from tests.e2e.processes import Server

pytestmark = pytest.mark.e2e

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ZOOMED: ViewportSize = {"width": 320, "height": 640}
"""What the smallest phone has, and a desk with everything enlarged fourfold."""
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": DESK, "color_scheme": "light", "locale": "en"},
    "dark German": {"viewport": ZOOMED, "color_scheme": "dark", "locale": "de"},
    "dark": {"viewport": PHONE, "color_scheme": "dark", "locale": "en", "has_touch": True},
    "German": {"viewport": PHONE, "color_scheme": "light", "locale": "de"},
    "zoomed": {"viewport": ZOOMED, "color_scheme": "light", "locale": "en"},
    "dark German desk": {"viewport": DESK, "color_scheme": "dark", "locale": "de"},
}
"""How people see the page; every run looks at the first two, nights at all."""
SHOWN = list(LOOKS) if NIGHT else list(LOOKS)[:2]
expect.set_options(timeout=1000 * SECONDS)

FIND = """async (tags) => {
    const { violations } = await axe.run({ runOnly: tags, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) =>
        `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
}"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def screens(page: Page, url: str) -> AsyncIterator[str]:
    """Go through the page, and stop at each screen that is to be looked at."""
    await page.goto(url.replace("ws://", "http://"))
    name = page.locator(".entry input")
    await expect(name).to_be_visible()
    yield "entry"
    await name.fill("Ann")
    await name.press("Enter")
    await page.locator(".game").first.wait_for()
    yield "lobby"
    await page.locator(".game", has_text="Schnapsen").locator("button").last.click()
    await page.locator(".new button.main").wait_for()
    yield "new table"
    await page.locator(".new button.main").click()
    await page.locator(".chairs li").nth(1).wait_for()
    yield "before the match"
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
    await page.locator(".paper").wait_for()
    yield "settings of the table"
    await page.goto(f"{page.url}/replay")
    await page.locator(".replay .card").first.wait_for()
    yield "replay"


async def test_axe_finds_nothing(page_server: Server, chromium: Chromium) -> None:
    """On no screen, in light and dark, English and German; and nothing is wider than the window."""

    async def walk(look: str) -> list[str]:
        found: list[str] = []
        async with chromium.context(reduced_motion="reduce", **LOOKS[look]) as context:
            page = await context.new_page()
            async for screen in screens(page, f"{page_server.url}/"):
                if await page.evaluate("window.axe === undefined"):
                    await page.evaluate(AXE)
                found += [f"{look}, {screen}: {each}" for each in await page.evaluate(FIND, RULES)]
                if await page.evaluate(TOO_WIDE) > 0:
                    found.append(f"{look}, {screen}: wider than the window")
        return found

    for look in SHOWN:
        assert await chromium.story(walk(look)) == []
