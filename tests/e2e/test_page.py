"""The page in a real browser at a real server: from the link to the end of a match."""

import asyncio
import re
import signal
from contextlib import AsyncExitStack
from random import Random

import pytest
from playwright.async_api import Page, Route, expect

from tests.chromium import DESK, PHONE, Chromium
from tests.e2e.clicking import click, come_in, look, open_table, play_by_clicks, start_with_bots
from tests.e2e.page_wire import PageWire, check
from tests.e2e.processes import Programs, free_port
from tests.e2e.proxy import Proxy, proxy
from tests.e2e.stored import only_table

pytestmark = pytest.mark.e2e

SERVER = ("--bot-delay", "0", "--plain-bots")


async def test_a_match_is_played_to_its_end_over_a_cut_connection(
    programs: Programs, chromium: Chromium, rng: Random
) -> None:
    """A name, a table with bots, every move by a click; the connection is cut in the middle.

    A second tab is a second connection: both see the match to its end, and every move that either
    was promised was made once.
    """
    server = await programs.serve(*SERVER)
    async with proxy(server.port) as between:
        loop = asyncio.get_running_loop()
        wires = await chromium.story(whole_match(chromium, between, loop, rng))
    await server.stop()
    check(only_table(programs.data), 0, wires)


async def same_question(one: Page, other: Page) -> None:
    """Wait until two tabs of a player show that the same question is open."""
    asked = re.compile("[0-9]")
    await expect(one.locator(".table")).to_have_attribute("data-asked", asked)
    turn = await one.locator(".table").get_attribute("data-asked")
    await expect(other.locator(".table")).to_have_attribute("data-asked", turn or "")


async def whole_match(
    chromium: Chromium, between: Proxy, loop: asyncio.AbstractEventLoop, rng: Random
) -> list[PageWire]:
    async with chromium.context(viewport=DESK) as context:
        page, second = await context.new_page(), await context.new_page()
        wires = [PageWire(page), PageWire(second)]
        wrong = await come_in(page, f"{between.url}/", "Ann")
        await open_table(page, "Whist", {"Cards for each player in the first deal": 1})
        await start_with_bots(page)
        await expect(page.get_by_text("It is your turn.")).to_be_visible()
        await page.keyboard.press("?")
        await expect(page.get_by_role("region", name="Help")).to_be_focused()
        await page.keyboard.press("?")
        await expect(page.get_by_role("region", name="Help")).to_be_hidden()
        await click(page, (await look(page))["moves"][0])
        loop.call_soon_threadsafe(between.close)
        await expect(page.get_by_text("The connection is lost.")).to_be_visible()
        loop.call_soon_threadsafe(between.reopen)
        await expect(page.get_by_text("The connection is lost.")).to_be_hidden()
        await second.goto(page.url)
        await same_question(page, second)
        await play_by_clicks(second, rng)
        await expect(page.get_by_role("button", name="Play again")).to_be_visible()
        assert [line for line in wrong if "WebSocket" not in line] == []
        return wires


async def test_play_opens_a_browser_at_a_private_table(
    programs: Programs, chromium: Chromium
) -> None:
    """The address needs no name and no click: the first card can be played at once."""
    opened = programs.folder / "opened"
    browser = programs.folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    words = ("play", "whist", "--browser", "--bots", "easy", "--seats", "3", "--name", "Zoë")
    program = await programs.run(*words, environment={"BROWSER": f"{browser} %s"})
    await program.line(lambda text: text.startswith("Ctrl-C stops the server"))

    async def look() -> None:
        async with chromium.context(viewport=DESK) as context:
            page = await context.new_page()
            await page.goto(opened.read_text().strip())
            await expect(page.get_by_text("It is your turn.")).to_be_visible()
            await expect(page.get_by_role("button", name="Zoë")).to_be_visible()
            assert re.search(r"/t/[A-Z0-9]+$", page.url)

    await chromium.story(look())
    program.signal(signal.SIGINT)
    assert await program.ended() == 130


async def gone(route: Route) -> None:
    """Answer as a server that has another version of the page than the one that asks."""
    if route.request.method == "HEAD":
        await route.fulfill(status=404)
    else:
        await route.continue_()


HOSTILE = '<img src=x onerror="document.title=1">'


async def test_a_link_leads_to_the_first_card_and_back_after_a_restart(
    programs: Programs, chromium: Chromium, rng: Random
) -> None:
    """A name and one click; a page that is loaded anew keeps its seat, also one of a new server.

    Names and chat are text, whatever they look like.
    """
    port = free_port(rng)
    first = await programs.serve(*SERVER, port=port)
    stack = AsyncExitStack()
    try:

        async def friends() -> Page:
            pages = []
            for size in (DESK, PHONE):
                context = await stack.enter_async_context(chromium.context(viewport=size))
                pages.append(await context.new_page())
            host, guest = pages
            await come_in(host, f"{first.url}/", HOSTILE[:24])
            await open_table(host, "Hearts", {})
            await expect(host).to_have_url(re.compile("/t/"))
            await host.get_by_label("Say something").fill(HOSTILE)
            await come_in(guest, host.url, "Bea")
            await expect(guest.get_by_text(HOSTILE[:24]).first).to_be_visible()
            await host.keyboard.press("Enter")
            await expect(guest.get_by_text(HOSTILE, exact=True)).to_be_visible()
            assert await guest.locator("img").count() == 0
            await start_with_bots(host)
            await expect(guest.get_by_text("It is your turn.")).to_be_visible()
            await guest.reload()
            await expect(guest.get_by_text("It is your turn.")).to_be_visible()
            # The next server has another version of the page.
            await guest.route("**/main.js", gone)
            await guest.evaluate("document.documentElement.dataset.age = 'old'")
            return guest

        guest = await chromium.story(friends())
        await first.stop()
        second = await programs.serve(*SERVER, port=port)

        async def back() -> None:
            await expect(guest.locator("html")).not_to_have_attribute("data-age", "old")
            await expect(guest.get_by_text("It is your turn.")).to_be_visible()
            assert await guest.locator("html").get_attribute("data-connection") == "online"

        await chromium.story(back())
    finally:
        await chromium.story(stack.aclose())
    await second.stop()
