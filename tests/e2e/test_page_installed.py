"""The page can be installed, here where the server lies below a path."""

import json
from random import Random
from urllib.parse import urljoin

import pytest
from playwright.async_api import Page, expect

from tests.chromium import Chromium
from tests.e2e.processes import Programs, free_port

pytestmark = pytest.mark.e2e


async def test_a_browser_finds_nothing_that_keeps_it_from_installing(
    programs: Programs, chromium: Chromium, rng: Random
) -> None:
    """What is installed opens the server's own root, and every icon is there as it is told."""
    port = free_port(rng)
    public = f"http://127.0.0.1:{port}/play"
    program = await programs.serve("--plain-bots", "--public-url", public, port=port)

    async def checked(page: Page, root: str) -> None:
        await page.goto(root)
        await expect(page.get_by_label("Your name")).to_be_visible()
        session = await page.context.new_cdp_session(page)
        errors = await session.send("Page.getInstallabilityErrors")
        # This browser is a private one, and those install nothing.
        wrong = {error["errorId"] for error in errors["installabilityErrors"]}
        assert wrong <= {"in-incognito"}
        told = await session.send("Page.getAppManifest")
        assert told["errors"] == []
        manifest = json.loads(told["data"])
        assert urljoin(told["url"], manifest["start_url"]) == root
        assert urljoin(told["url"], manifest["scope"]) == root
        purposes = {icon.get("purpose", "any") for icon in manifest["icons"]}
        assert purposes == {"any", "maskable"}
        for icon in manifest["icons"]:
            answer = await page.request.get(urljoin(told["url"], icon["src"]))
            assert answer.headers["content-type"] == icon["type"]
            body = await answer.body()
            if icon["type"] == "image/png":
                sides = [int.from_bytes(body[at : at + 4]) for at in (16, 20)]
                assert icon["sizes"] == "{}x{}".format(*sides)

    async def story() -> None:
        async with chromium.context() as context:
            page = await context.new_page()
            await checked(page, f"{public}/")

    await chromium.story(story())
    await program.stop()
