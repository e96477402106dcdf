"""The page's lobby: a table is found there, filled, watched, and joined in mid-match."""

import pytest
from playwright.async_api import Page, expect

from tests.chromium import DESK, PHONE, SECONDS, Chromium
from tests.e2e.clicking import come_in, open_table, start_with_bots
from tests.e2e.processes import Server

pytestmark = pytest.mark.e2e

expect.set_options(timeout=1000 * SECONDS)


async def only_find(page: Page, code: str) -> None:
    """What is typed, the game and the phase each narrow the list of tables down to this one."""
    row = page.locator(".tables li", has_text=code)
    text = page.get_by_label("Name or game")
    await text.fill("nobody is called that")
    await expect(page.get_by_text("No table fits.")).to_be_visible()
    await text.fill("Ottokar")
    await expect(row).to_be_visible()
    game = page.get_by_label("Only tables of this game")
    await game.select_option("Hearts")
    await expect(row).to_be_hidden()
    await game.select_option("Whist")
    await expect(row).to_be_visible()
    await page.get_by_label("Only tables in this phase").select_option("in the middle of a match")
    await expect(row).to_be_hidden()


async def test_people_find_each_other_in_the_lobby(page_server: Server, chromium: Chromium) -> None:
    """A new table appears by itself; its host admits somebody late who has watched before."""

    async def story() -> None:
        async with (
            chromium.context(viewport=DESK) as desk,
            chromium.context(viewport=PHONE) as phone,
            chromium.context(viewport=PHONE) as other,
        ):
            guest = await phone.new_page()
            await come_in(guest, f"{page_server.url}/", "Bea")
            await expect(guest.get_by_role("heading", name="Play")).to_be_visible()
            host = await desk.new_page()
            await come_in(host, f"{page_server.url}/", "Ottokar")
            await open_table(host, "Whist", {})
            code = host.url.rpartition("/")[2]
            await guest.get_by_role("button", name=f"Sit down: Whist {code}").click()
            ready = host.locator(".chairs li", has_text="Bea").get_by_text("not ready yet")
            await expect(ready).to_be_visible()
            await guest.get_by_role("button", name="I am ready").click()
            await expect(ready).to_be_hidden()

            late = await other.new_page()
            await come_in(late, f"{page_server.url}/", "Cid")
            await only_find(late, code)
            await start_with_bots(host)
            # The list is told that the match runs.
            await late.get_by_role("button", name=f"Watch: Whist {code}").click()
            await expect(host.get_by_text("1 person is watching.").first).to_be_visible()
            await expect(late.get_by_role("button", name="Stop watching")).to_be_visible()
            await late.get_by_role("button", name="Stop watching").click()
            await late.get_by_role("button", name=f"Sit down: Whist {code}").click()
            await expect(late.get_by_text("The host is asked to give you")).to_be_visible()
            await host.get_by_role("button", name="Let them in").click()
            await expect(late.get_by_role("button", name="Leave")).to_be_visible()
            await expect(guest.locator(".panel .name", has_text="Cid")).to_be_visible()

    await chromium.story(story())
