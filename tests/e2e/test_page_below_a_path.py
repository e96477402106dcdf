"""Tests the page below a path of a site that a real proxy serves, from the link to the review."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.chromium import DESK, PHONE, Chromium
from tests.counts import NIGHT
from tests.e2e.clicking import come_in, open_table, play_by_clicks, start_with_bots
from tests.e2e.deployed_proxies import HOST, PROXIES
from tests.e2e.processes import Programs, free_port
from tests.needs import needs

pytestmark = pytest.mark.e2e

ROOT = f"https://{HOST}/play/"


class Site:
    """The proxy's site in a browser, with a record of all requests."""

    def __init__(self, browser: Chromium) -> None:
        self._browser = browser
        self.asked: set[str] = set()
        self.refused: list[str] = []
        self.sockets: set[str] = set()

    @asynccontextmanager
    async def context(self, **options: Any) -> AsyncIterator[BrowserContext]:
        """Open a browser of another person."""
        async with self._browser.context(
            ignore_https_errors=True, reduced_motion="reduce", **options
        ) as context:
            context.on("request", lambda request: self.asked.add(request.url))
            context.on(
                "response",
                lambda answer: self.refused.append(answer.url) if not answer.ok else None,
            )
            yield context

    async def page(self, context: BrowserContext) -> Page:
        """Open a new tab."""
        page = await context.new_page()
        page.on("websocket", lambda socket: self.sockets.add(socket.url))
        return page


@pytest.mark.skipif(not NIGHT, reason="by day test_proxies asks for the page below a path")
@pytest.mark.parametrize("name", PROXIES)
async def test_a_match_is_played_and_reviewed_below_a_path(
    programs: Programs, rng: Random, name: str
) -> None:
    """Below a path, a friend's link, reload, moves, replay, review, and German rules all work.

    Every request of the page lies below the path, and so does the installed app.
    """
    proxy = PROXIES[name]
    needs(*proxy.programs)
    folder, port = programs.folder / "proxy", free_port(rng)
    folder.mkdir()
    server = await programs.serve("--plain-bots", *proxy.settings())
    async with proxy.run(folder, port, server.port):
        browser = Chromium({f"{HOST}:443": f"127.0.0.1:{port}"})
        site = Site(browser)
        try:
            await browser.story(_walk(site, rng))
        finally:
            browser.end()
    await server.stop()
    assert [url for url in site.asked if not url.startswith((ROOT, "blob:"))] == [ROOT[:-1]]
    assert site.refused == []
    assert site.sockets == {ROOT.replace("https", "wss")}


async def _walk(site: Site, rng: Random) -> None:
    async with site.context(viewport=DESK) as desk, site.context(viewport=PHONE) as phone:
        ann, bea = await site.page(desk), await site.page(phone)
        wrong = await come_in(ann, ROOT[:-1], "Ann")
        await open_table(ann, "Whist", {"Cards for each player in the first deal": 1})
        table = ann.url
        assert re.fullmatch(rf"{ROOT}t/[A-Z0-9]+", table)
        await ann.get_by_role("button", name="Invite").click()
        link = await ann.get_by_label("Link", exact=True).input_value()
        assert link == f"{table}#from=Ann&game=Whist+%28Oh+Hell%29"
        await ann.get_by_role("button", name="Close").click()
        wrong += await come_in(bea, link, "Bea")
        await expect(ann.get_by_text("Bea", exact=True)).to_be_visible()
        await bea.get_by_role("button", name="Leave").click()
        await expect(bea).to_have_url(ROOT)
        await _installable(bea)
        await start_with_bots(ann)
        await play_by_clicks(ann, rng, 1)
        await ann.reload()
        await play_by_clicks(ann, rng)
        await ann.get_by_role("button", name="Review", exact=True).click()
        await expect(ann.locator(".review .whole li").first).to_be_visible()
        await expect(ann).to_have_url(re.compile(f"^{table}/replay#step="))
        await ann.reload()
        await expect(ann.locator(".replay .where")).to_have_text(re.compile("^Deal 1 · step"))
        await ann.get_by_role("button", name="To the table").click()
        await ann.get_by_label("Language").select_option("Deutsch")
        await ann.get_by_role("button", name="Regeln").click()
        await expect(ann.locator(".rules")).to_contain_text("Stich")
        assert wrong == []


async def _installable(page: Page) -> None:
    """Check that the installed app opens the server's own root, and that every icon exists."""
    session = await page.context.new_cdp_session(page)
    errors = await session.send("Page.getInstallabilityErrors")
    # This browser is a private one, which installs nothing, and the certificate is our own.
    ours = {"in-incognito", "not-from-secure-origin"}
    assert {error["errorId"] for error in errors["installabilityErrors"]} <= ours
    told = await session.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert urljoin(told["url"], manifest["start_url"]) == ROOT
    assert urljoin(told["url"], manifest["scope"]) == ROOT
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    measured = """async (url) => {
        const answer = await fetch(url);
        const kind = answer.headers.get("content-type");
        if (!kind.endsWith("png")) return [kind, "any"];
        const { width, height } = await createImageBitmap(await answer.blob());
        return [kind, `${width}x${height}`];
    }"""
    for icon in manifest["icons"]:
        found = await page.evaluate(measured, urljoin(told["url"], icon["src"]))
        assert found == [icon["type"], icon["sizes"]]
