"""Tests the page at a server that has no place for it."""

from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Page, expect

from tests.chromium import DESK, Chromium
from tests.e2e.clicking import come_in
from tests.e2e.processes import Programs
from tests.raw_client import raw_client

pytestmark = pytest.mark.e2e


async def test_the_page_says_why_it_waits_and_comes_in_by_itself(
    programs: Programs, chromium: Chromium
) -> None:
    """A page without a place says why it waits, and connects by itself once there is a place."""
    server = await programs.serve("--plain-bots", "--max-connections", "4")
    stack = AsyncExitStack()

    async def waits() -> Page:
        context = chromium.context(viewport=DESK, locale="en-GB", reduced_motion="reduce")
        page = await (await stack.enter_async_context(context)).new_page()
        await come_in(page, f"{server.url}/", "Ann")
        full = "Too many players are connected from your address; try again later."
        await expect(page.locator("span", has_text=full)).to_be_visible()
        return page

    async def is_in(page: Page) -> None:
        await expect(page.get_by_role("button", name="With people …: Whist")).to_be_visible()

    try:
        async with raw_client(server.url) as other:
            assert other.welcome["type"] == "welcome"
            page = await chromium.story(waits())
        await chromium.story(is_in(page))
    finally:
        await chromium.story(stack.aclose())
    await server.stop()
