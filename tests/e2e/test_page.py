"""Tests the page in a real browser at a real server: from the link to the end of a match."""

import asyncio
import re
import signal
from contextlib import AsyncExitStack
from random import Random
from time import monotonic

import pytest
from playwright.async_api import BrowserContext, Page, Request, expect

from protocol.version import VERSION
from tests.chromium import DESK, PHONE, SECONDS, Chromium
from tests.counts import NIGHT
from tests.e2e.clicking import (
    asked_at,
    click,
    come_in,
    look,
    open_table,
    play_by_clicks,
    start_with_bots,
)
from tests.e2e.page_wire import PageWire, check
from tests.e2e.processes import Programs, Server
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at
from tests.raw_client import raw_socket

pytestmark = pytest.mark.e2e

CARDS = """[...document.querySelectorAll(".table .card")].map((card) =>
    [card.dataset.key, card.dataset.token, card.getAttribute("aria-label")].join()).sort().join()"""
"""What lies on the table; a table that was seen longer has drawn it in another order."""


LONG_WAITS = """() => {
    const later = window.setTimeout;
    window.setTimeout = (call, wait, ...given) => (wait > 100 ? 0 : later(call, wait, ...given));
    window.waitAgain = () => { window.setTimeout = later; };
}"""
"""From now on the page comes back to nothing by itself."""
TOKEN = "JSON.parse(localStorage.getItem('blackqueen /')).token"
BACK_SECONDS = 3.0
LINES = 1_000
LINE = 500
"""So many lines of so many characters are more than a narrow path holds back."""
CHARACTERS = [chr(code) for code in range(0x4E00, 0x9F00)]


async def test_a_match_is_played_to_its_end_over_a_bad_connection(
    page_server: Server, chromium: Chromium, rng: Random
) -> None:
    """A match played by clicks alone ends, although the connection is cut twice.

    Three tabs are three connections: none of them reads for a while, then each gets the current
    table, once. All show the end of the match, and every acknowledged move was made once.
    """
    stack = AsyncExitStack()
    async with proxy(page_server.port, narrow=True) as between:
        try:
            tabs = Tabs(
                await chromium.story(stack.enter_async_context(chromium.context(viewport=DESK)))
            )
            await chromium.story(tabs.begin(f"{between.url}/"))
            between.close()
            await chromium.story(tabs.lost())
            between.reopen()
            before, now = tabs.wires[0].connections, monotonic()
            await chromium.story(tabs.back())
            await chromium.story(tabs.right_again())
            # The waits between attempts are bounded, and of these no more are needed.
            assert tabs.wires[0].connections <= before + 2
            assert not NIGHT or monotonic() - now < BACK_SECONDS
            await chromium.story(tabs.page.evaluate(LONG_WAITS))
            between.close()
            await chromium.story(tabs.lost())
            between.reopen()
            token = await chromium.story(tabs.connect_now())
            await chromium.story(tabs.open_two_more(f"{between.url}/"))
            between.freeze()
            await chromium.story(tabs.move_unheard())
            await talk(page_server, token, tabs.code, rng)
            now = monotonic()
            between.thaw()
            await chromium.story(tabs.caught_up(now))
            await chromium.story(tabs.play_to_the_end(rng))
        finally:
            await chromium.story(stack.aclose())
    check(table_at(page_server.data, tabs.code), 0, tabs.wires)
    # What a browser itself says of a connection that is cut.
    cut = ("WebSocket", "net::ERR_")
    assert [line for line in tabs.wrong if not any(word in line for word in cut)] == []


async def talk(server: Server, token: str, table: str, rng: Random) -> None:
    """Chat as this player with more text than a client that does not read can be sent."""
    async with raw_socket(server.url) as again:
        await again.ask("hello", version=VERSION, client="talk", token=token, alongside=True)
        for number in range(2, 2 + LINES):
            text = "".join(rng.choices(CHARACTERS, k=LINE))
            said = {"type": "chat", "id": number, "table": table, "text": text}
            await again.send_message(said)
        assert (await again.ask("ping", 2 + LINES))["type"] == "pong"


class Tabs:
    """A player's tabs at a table of Whist; the first tab is there from the beginning."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.all: list[Page] = []
        self.wires: list[PageWire] = []
        self.wrong: list[str] = []

    @property
    def page(self) -> Page:
        return self.all[0]

    @property
    def code(self) -> str:
        return self.page.url.rpartition("/")[2]

    async def _open(self) -> Page:
        page = await self.context.new_page()
        self.all.append(page)
        self.wires.append(PageWire(page))
        return page

    async def begin(self, url: str) -> None:
        page = await self._open()
        self.wrong = await come_in(page, url, "Ann")
        await open_table(page, "Whist", {"Cards for each player in the first deal": 1})
        await start_with_bots(page)
        await expect(page.locator(".is-mine")).to_be_visible()
        await page.keyboard.press("?")
        await expect(page.get_by_role("region", name="Help")).to_be_focused()
        await page.keyboard.press("?")
        await expect(page.get_by_role("region", name="Help")).to_be_hidden()
        seen = await look(page)
        self.asked = await asked_at(page)
        await click(page, seen["moves"][0])

    async def right_again(self) -> None:
        """Wait until the table shows the question after that first move, with its answers."""
        table = self.page.locator(".table")
        await expect(table).not_to_have_attribute("data-asked", self.asked)
        await expect(table).to_have_attribute("data-asked", re.compile("[0-9]"))
        assert (await look(self.page))["moves"]

    async def lost(self) -> None:
        await expect(self.page.get_by_text("The connection is lost.")).to_be_visible()

    async def back(self) -> None:
        await expect(self.page.get_by_text("The connection is lost.")).to_be_hidden()
        await expect(self.page.locator("html")).to_have_attribute("data-connection", "online")

    async def connect_now(self) -> str:
        """Connect now instead of waiting, and return the player's token."""
        await self.page.get_by_role("button", name="Connect now").click()
        await self.back()
        await self.page.evaluate("window.waitAgain()")
        token: str = await self.page.evaluate(TOKEN)
        return token

    async def open_two_more(self, url: str) -> None:
        for _ in range(2):
            await (await self._open()).goto(self.page.url)
        await self._same_table()

    async def move_unheard(self) -> None:
        """Make a move in the last tab; the connections are frozen, and no tab checks its own."""
        for page in self.all:
            await page.evaluate(LONG_WAITS.replace("100", "1500"))
        self.asked = await asked_at(self.all[-1])
        await click(self.all[-1], (await look(self.all[-1]))["moves"][0])

    async def caught_up(self, since: float) -> None:
        """Wait until every tab was told that it lagged, and shows a question after that move.

        At night that must be soon after the connection is thawed (`since`).
        """
        for page, wire in zip(self.all, self.wires, strict=True):
            await expect(page.locator(".table")).not_to_have_attribute("data-asked", self.asked)
            async with asyncio.timeout(SECONDS):
                # What came over the wire is heard on another way than what the page shows.
                while not wire.lagged:
                    await page.wait_for_timeout(50)
            await page.evaluate("window.waitAgain()")
        assert not NIGHT or monotonic() - since < BACK_SECONDS
        await self._same_table()

    async def play_to_the_end(self, rng: Random) -> None:
        for page in reversed(self.all):
            await play_by_clicks(page, rng)
            await expect(page.get_by_role("button", name="Play again")).to_be_visible()
        # On a slow machine they may fall behind again; each time they are shown the table once.
        assert all(set(wire.lagged) == {1} for wire in self.wires)

    async def _same_table(self) -> None:
        """Wait until all tabs show one question and equal cards."""
        await expect(self.all[-1].locator(".table")).to_have_attribute(
            "data-asked", re.compile("[0-9]")
        )
        asked = await asked_at(self.all[-1])
        for page in self.all:
            await expect(page.locator(".table")).to_have_attribute("data-asked", asked)
        async with asyncio.timeout(SECONDS):
            # A complete trick rests for a while, in each tab by its own clock.
            while len({await page.evaluate(CARDS) for page in self.all}) > 1:
                await self.page.wait_for_timeout(50)


async def test_play_opens_a_browser_at_a_private_table(
    programs: Programs, chromium: Chromium
) -> None:
    """`play` opens a browser in which the first card can be played without a name or a click."""
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
            # Before there is a connection a part that does not come is loaded again, too.
            await page.route("**/lobby/launch.js", lambda route: route.abort(), times=1)
            await page.goto(opened.read_text().strip())
            await expect(page.locator(".is-mine")).to_be_visible()
            await expect(page.get_by_role("button", name="Zoë")).to_be_visible()
            assert re.search(r"/t/[A-Z0-9]+$", page.url)

    await chromium.story(look())
    program.signal(signal.SIGINT)
    assert await program.ended() == 130


FIRST_WIRE = 60_000
FIRST_REQUESTS = 7
TABLE_BYTES = 90_000
TABLE_REQUESTS = 12
"""What a browser may load until the lobby is there, or until a link asks for a name; and then.

In every language `FIRST_WIRE` is all that comes over the wire, with the pictures of the games and
the headers of the answers; `TABLE_BYTES`
is the files alone that a table loads beyond, packed as they come, with what it loads right behind
its first picture; `TABLE_REQUESTS` are those of both.
"""
TABLE_IS_NAMED = "document.querySelectorAll('head > link[href$=\"/room/room.js\"]').length"


class Loaded:
    """The files that a page requested, in a browser without a cache."""

    def __init__(self, page: Page) -> None:
        self.requests: list[Request] = []
        page.on("requestfinished", lambda request: self.requests.append(request))

    async def is_small(self) -> None:
        """Assert that all loaded files are within the limits of a first screen."""
        bodies, wire = await self.bytes()
        assert bodies < wire <= FIRST_WIRE
        assert len(self.requests) <= FIRST_REQUESTS

    async def bytes(self) -> tuple[int, int]:
        """Return the compressed size of all bodies, and that size with headers."""
        sizes = [await request.sizes() for request in self.requests]
        bodies = sum(size["responseBodySize"] for size in sizes)
        return bodies, bodies + sum(size["responseHeadersSize"] for size in sizes)


async def lobby_is_small(chromium: Chromium, server: Server, locale: str, name: str) -> None:
    """Assert that the lobby with its pictures is small for somebody of this language."""
    async with chromium.context(viewport=PHONE, locale=locale) as context:
        page = await context.new_page()
        loaded = Loaded(page)
        await page.goto(f"{server.url}/".replace("ws://", "http://"))
        await page.get_by_label(name).fill("Ann")
        await page.keyboard.press("Enter")
        await expect(page.locator(".picture svg").first).to_be_visible()
        await loaded.is_small()


HOSTILE = '<img src=x onerror="document.title=1">'


async def test_a_link_leads_to_the_first_card_and_back(
    page_server: Server, chromium: Chromium
) -> None:
    """A link needs a name and one click until the first card; a reloaded page keeps its seat.

    Names and chat are shown as text, whatever they contain. All that a browser loads until it shows
    the lobby, or asks for a name behind a link, is small; the table's files come with the first
    letter, or at once for a player who has a name there.
    """

    async def story() -> None:
        async with (
            chromium.context(viewport=DESK) as desk,
            chromium.context(viewport=PHONE) as phone,
        ):
            host, guest = await desk.new_page(), await phone.new_page()
            table = Loaded(guest)
            await lobby_is_small(chromium, page_server, "de-DE", "Dein Name")
            lobby = Loaded(host)
            await come_in(host, f"{page_server.url}/", HOSTILE[:24])
            await expect(host.locator(".picture svg").first).to_be_visible()
            await lobby.is_small()
            await open_table(host, "Hearts", {})
            await expect(host).to_have_url(re.compile("/t/"))
            await host.get_by_label("Say something").fill(HOSTILE)
            await guest.goto(host.url, wait_until="networkidle")
            await expect(guest.get_by_label("Your name")).to_be_focused()
            await table.is_small()
            first, _ = await table.bytes()
            async with guest.expect_request_finished(lambda each: "/room/room.js" in each.url):
                await guest.keyboard.type("Bea")
            await guest.keyboard.press("Enter")
            await expect(guest.get_by_text(HOSTILE[:24]).first).to_be_visible()
            await host.keyboard.press("Enter")
            await expect(guest.get_by_text(HOSTILE, exact=True).first).to_be_visible()
            assert await guest.locator("img").count() == 0
            await start_with_bots(host)
            await expect(guest.locator(".is-mine")).to_be_visible()
            assert (await table.bytes())[0] - first <= TABLE_BYTES
            assert len(table.requests) <= TABLE_REQUESTS
            await guest.reload()
            await expect(guest.locator(".is-mine")).to_be_visible()
            assert await guest.evaluate(TABLE_IS_NAMED) == 1

    await chromium.story(story())


async def test_a_part_that_did_not_come_is_loaded_again(
    page_server: Server, chromium: Chromium
) -> None:
    """A page whose table file failed to load reloads itself once, and keeps its seat."""

    async def story() -> None:
        async with chromium.context(viewport=DESK) as context:
            page = await context.new_page()
            await come_in(page, f"{page_server.url}/", "Ann")
            await page.route("**/table/sheets.js", lambda route: route.abort(), times=1)
            begun: list[Page] = []
            page.on("load", lambda _: begun.append(page))
            await open_table(page, "Hearts", {})
            await start_with_bots(page)
            await page.locator(".tools").get_by_role("button", name="Hint").click()
            await expect(page.locator(".card.is-hint").first).to_be_visible()
            assert len(begun) == 1

    await chromium.story(story())
