"""The page in a real browser at a real server: from the link to the end of a match."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.chromium import DESK, SECONDS, Chromium
from tests.e2e.processes import Programs
from tests.e2e.proxy import Proxy, proxy

pytestmark = pytest.mark.e2e

SERVER = ("--bot-delay", "0", "--plain-bots")
expect.set_options(timeout=1000 * SECONDS)


async def come_in(page: Page, url: str, name: str) -> list[str]:
    """Open the page as somebody new; everything that goes wrong in it is kept in the list."""
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    await page.goto(url.replace("ws://", "http://"))
    await page.get_by_label("Your name").fill(name)
    await page.keyboard.press("Enter")
    return wrong


async def open_table(page: Page, game: str, options: dict[str, object]) -> None:
    """A table for people, with these options."""
    await page.get_by_role("button", name=f"Open a table of {game} for people").click()
    for title, value in options.items():
        await page.get_by_label(title).fill(str(value))
    await page.get_by_role("button", name="Open the table").click()


async def play_on(page: Page, until: str) -> None:
    """Make the first move that is offered, again and again, until this text is seen."""
    over = page.get_by_text(until)
    move = page.locator(".choices button:enabled").first
    while True:
        await expect(over.or_(move).first).to_be_visible()
        if await over.first.is_visible():
            return
        asked = await page.locator(".table").get_attribute("data-asked") or ""
        await move.click()
        await expect(page.locator(".table")).not_to_have_attribute("data-asked", asked)


async def test_a_match_is_played_to_its_end_over_a_cut_connection(
    programs: Programs, chromium: Chromium
) -> None:
    """A name, a table with bots, every move by a click; the connection is cut in the middle."""
    server = await programs.serve(*SERVER)
    async with proxy(server.port) as between:
        loop = asyncio.get_running_loop()
        await chromium.story(whole_match(chromium, between, loop))
    await server.stop()


async def whole_match(chromium: Chromium, between: Proxy, loop: asyncio.AbstractEventLoop) -> None:
    async with chromium.context(viewport=DESK) as context:
        page = await context.new_page()
        wrong = await come_in(page, f"{between.url}/", "Ann")
        await open_table(page, "Black Queen", {"Deals in a match": 1, "Face-down cards": 0})
        await page.get_by_role("button", name="Start; bots take the free seats").click()
        await expect(page.get_by_text("It is your turn.")).to_be_visible()
        await page.locator(".choices button").first.click()
        loop.call_soon_threadsafe(between.close)
        await expect(page.get_by_text("The connection is lost.")).to_be_visible()
        loop.call_soon_threadsafe(between.reopen)
        await page.get_by_role("button", name="Connect now").click()
        await expect(page.get_by_text("The connection is lost.")).to_be_hidden()
        await play_on(page, "the match.")
        await expect(page.get_by_role("button", name="Play again")).to_be_visible()
        assert [line for line in wrong if "WebSocket" not in line] == []
