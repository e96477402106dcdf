"""The first screen: cards on felt, and a field for a name."""

import pytest
from playwright.async_api import Page, Route, expect

from server.net.page_files import page_files
from tests.chromium import Chromium
from tests.client_web.whole_page import ADDRESS
from tests.client_web.windows import DESK, PHONE_SIDEWAYS, PHONE_UPRIGHT, SMALL_PHONE, viewport

FAN = 2_000
"""So many bytes a picture of the first load may have."""
GREETINGS = {
    "en": ("Ann invites you to a game of Whist, at table K7QX.", "Sit down"),
    "de": ("Ann lädt dich zu Whist ein, an Tisch K7QX.", "Hinsetzen"),
}
LINES = """() => [...document.querySelectorAll(".entry > div:not(.face) > *")].map((line) => {
    const { left, top, bottom } = line.getBoundingClientRect();
    return [left, top, bottom];
})"""
"""Where the greeting, the form for a name and that for a code lie."""


async def serve(route: Route) -> None:
    path = route.request.url.removeprefix(ADDRESS.rstrip("/")).partition("?")[0]
    files = page_files()
    file = files.index("/", "page.test") if files.is_document(path) else files.find(path)
    await (route.fulfill(body=file.plain, content_type=file.kind) if file else route.abort())


async def look(page: Page, language: str) -> None:
    """The page of a visitor with an invitation, in a window of any size."""
    greeting, sit = GREETINGS[language]
    async with page.expect_response("**/fan.svg") as fan:
        await page.goto(f"{ADDRESS}t/K7QX#from=Ann&game=Whist")
    assert len(await (await fan.value).body()) <= FAN
    await expect(page.get_by_text(greeting)).to_be_visible()
    for window in (DESK, PHONE_UPRIGHT, PHONE_SIDEWAYS, SMALL_PHONE):
        await page.set_viewport_size(viewport(window))
        await expect(page.get_by_role("heading", name="Black Queen")).to_be_in_viewport(ratio=1)
        await expect(page.locator("input[name=name]")).to_be_focused()
        await expect(page.locator("input[name=name]")).to_be_in_viewport(ratio=1)
        await expect(page.get_by_role("button", name=sit)).to_be_in_viewport(ratio=1)
        # The title is seen once.
        await expect(page.locator(".home")).to_be_hidden()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def look_without_invitation(page: Page) -> None:
    """The page of a visitor without an invitation: what it says and asks lies below each other."""
    await page.goto(ADDRESS)
    for window in (DESK, PHONE_UPRIGHT, PHONE_SIDEWAYS, SMALL_PHONE):
        await page.set_viewport_size(viewport(window))
        await expect(page.locator(".entry .code")).to_be_visible()
        greeting, name, code = await page.evaluate(LINES)
        assert greeting[0] == name[0] == code[0]
        assert greeting[2] <= name[1]
        assert name[2] <= code[1]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_first_screen_shows_cards_and_asks_for_a_name(
    chromium: Chromium, language: str
) -> None:
    """The first screen has a small picture and a focused field for the name, in every window."""

    async def story() -> None:
        async with chromium.context(locale=language) as context:
            await context.route(f"{ADDRESS}**", serve)
            page = await context.new_page()
            await look(page, language)
            await look_without_invitation(page)

    await chromium.story(story())
