"""Tests how soon the page notices a dead connection that nobody closed, and what it shows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, expect

from tests.chromium import PHONE, Chromium
from tests.counts import some
from tests.e2e.clicking import asked_at, click, come_in, look, open_table, start_with_bots
from tests.e2e.processes import Server
from tests.e2e.proxy import Proxy, proxy

pytestmark = pytest.mark.e2e

SHORT_WAITS = """() => {
    const later = window.setTimeout;
    window.setTimeout = (call, wait, ...given) => (wait > 3000 ? 0 : later(call, wait, ...given));
}"""
"""From now on the page waits for nothing that takes longer than three seconds."""
MOMENTS = {
    "shown": "document.dispatchEvent(new Event('visibilitychange'))",
    "online": "dispatchEvent(new Event('online'))",
    "offline": "dispatchEvent(new Event('offline'))",
    "put aside": "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
}
CHECKING = "No answer from the server. Checking the connection …"
ON_ITS_WAY = "Your move is on its way …"


@asynccontextmanager
async def at_a_table(chromium: Chromium, between: Proxy) -> AsyncIterator[Page]:
    """Open a page at a table of Whist with bots, where its player is to move."""
    async with chromium.context(viewport=PHONE) as context:
        page = await context.new_page()
        await come_in(page, f"{between.url}/", "Ann")
        await open_table(page, "Whist", {"Cards for each player in the first deal": 3})
        await start_with_bots(page)
        await expect(page.locator(".is-mine")).to_be_visible()
        await page.evaluate(SHORT_WAITS)
        yield page


async def play_on(page: Page) -> None:
    """Wait until the page can move, make a move, and check that the server received it."""
    await expect(page.locator("html")).to_have_attribute("data-connection", "online")
    await expect(page.locator(".is-mine")).to_be_visible()
    asked = await asked_at(page)
    await click(page, (await look(page))["moves"][0])
    await expect(page.locator(".table")).not_to_have_attribute("data-asked", asked)


@pytest.mark.parametrize("moment", some(MOMENTS))
async def test_a_dead_connection_is_noticed_when_somebody_comes_back(
    page_server: Server, chromium: Chromium, moment: str
) -> None:
    """A page that becomes visible notices a dead connection in three seconds, and says so."""
    async with proxy(page_server.port) as between:

        async def story() -> None:
            async with at_a_table(chromium, between) as page:
                between.freeze()
                await page.evaluate(MOMENTS[moment])
                await expect(page.locator(".status", has_text=CHECKING)).to_be_visible()
                await play_on(page)
                await expect(page.locator(".status", has_text=CHECKING)).to_be_hidden()

        await chromium.story(story())


async def test_a_move_without_an_answer_has_a_dead_connection_noticed(
    page_server: Server, chromium: Chromium
) -> None:
    """A move without an answer reveals a dead connection, and is made once over the next one."""
    async with proxy(page_server.port) as between:

        async def story() -> None:
            async with at_a_table(chromium, between) as page:
                asked = await asked_at(page)
                move = (await look(page))["moves"][0]
                between.freeze()
                await click(page, move)
                await expect(page.locator(".question", has_text=ON_ITS_WAY)).to_be_visible()
                await expect(page.locator(".table")).not_to_have_attribute("data-asked", asked)
                await expect(page.locator(".question", has_text=ON_ITS_WAY)).to_be_hidden()
                await play_on(page)

        await chromium.story(story())


async def test_a_page_without_a_network_says_so_and_goes_on(
    page_server: Server, chromium: Chromium
) -> None:
    """Without a network no card can be played, and the table says why until it is back."""
    async with proxy(page_server.port) as between:

        async def story() -> None:
            async with at_a_table(chromium, between) as page:
                await page.context.set_offline(True)
                between.drop()
                await page.evaluate(MOMENTS["offline"])
                await expect(page.locator(".status", has_text="You are offline.")).to_be_visible()
                await expect(
                    page.locator(".question", has_text="No connection: you")
                ).to_be_visible()
                await expect(page.locator(".is-mine")).to_have_count(0)
                between.reopen()
                await page.context.set_offline(False)
                await play_on(page)
                await expect(page.locator(".status", has_text="You are offline.")).to_be_hidden()

        await chromium.story(story())
