"""Tests the page's lobby: finding, filling, watching, and joining tables."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.chromium import DESK, PHONE, SECONDS, Chromium
from tests.e2e.clicking import come_in, open_table, start_with_bots
from tests.e2e.processes import Server

pytestmark = pytest.mark.e2e

expect.set_options(timeout=1000 * SECONDS)


async def only_find(page: Page, code: str) -> None:
    """Check that text, game and phase each filter the list of tables down to this one."""
    row = page.locator(".tables li", has_text=code)
    text = page.get_by_label("Search games and tables")
    await text.fill("nobody is called that")
    await expect(page.get_by_text("No table fits.")).to_be_visible()
    await text.fill("Ottokar")
    await expect(row).to_be_visible()
    game = page.get_by_label("Only tables of this game")
    await game.select_option("Hearts")
    await expect(row).to_be_hidden()
    await game.select_option("Whist (Oh Hell)")
    await expect(row).to_be_visible()
    await page.get_by_label("Only tables in this phase").select_option("playing")
    await expect(row).to_be_hidden()


async def set_up(host: Page, guest: Page, third: Page) -> None:
    """By clicks on chairs, remove a stranger, seat and remove a bot, and change seats.

    The host changes an option, and all players see the change.
    """
    await come_in(third, host.url, "Dan")
    await host.get_by_role("button", name="Remove Dan from the table").click()
    await host.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
    await expect(third.get_by_text("The host removed you from the table.").first).to_be_visible()
    last = guest.locator(".chairs li").last
    await host.locator(".chairs li").last.get_by_role("combobox").select_option("1")
    await expect(last).to_contain_text("easy bot")
    await expect(last.get_by_role("button")).to_have_count(0)
    await host.locator(".chairs li").last.get_by_role("button", name="Remove").click()
    await last.get_by_role("button", name="Sit here").click()
    await expect(host.locator(".chairs li").last).to_contain_text("Bea")
    await host.locator(".waiting summary").click()
    await host.get_by_role("button", name="Change …").click()
    await host.get_by_label("Cards for each player in the first deal").fill("3")
    await host.get_by_role("button", name="Save").click()
    await expect(host.get_by_role("dialog")).to_be_hidden()
    await guest.locator(".waiting summary").click()
    shown = guest.locator("dt", has_text="Cards for each player in the first deal")
    await expect(shown.locator("+ dd")).to_have_text("3")


async def test_people_find_each_other_in_the_lobby(page_server: Server, chromium: Chromium) -> None:
    """A new table appears by itself; its host admits a late player who has watched before.

    Before the match players choose their seats, and the host chooses the players and the rules.
    """

    async def story() -> None:
        async with (
            chromium.context(viewport=DESK) as desk,
            chromium.context(viewport=PHONE) as phone,
            chromium.context(viewport=PHONE) as other,
            chromium.context(viewport=PHONE) as stranger,
        ):
            guest = await phone.new_page()
            await come_in(guest, f"{page_server.url}/", "Bea")
            await expect(guest.get_by_role("heading", name="Play")).to_be_visible()
            host = await desk.new_page()
            await come_in(host, f"{page_server.url}/", "Ottokar")
            await open_table(host, "Whist", {})
            code = host.url.rpartition("/")[2]
            await guest.get_by_role("button", name=f"Sit down: Whist (Oh Hell) {code}").click()
            await set_up(host, guest, await stranger.new_page())
            ready = host.locator(".chairs li", has_text="Bea").get_by_text("not ready yet")
            await expect(ready).to_be_visible()
            await guest.get_by_role("button", name="I am ready").click()
            await expect(ready).to_be_hidden()

            late = await other.new_page()
            await come_in(late, f"{page_server.url}/", "Cid")
            await only_find(late, code)
            await start_with_bots(host)
            # The list is told that the match runs.
            await late.get_by_role("button", name=f"Watch: Whist (Oh Hell) {code}").click()
            await expect(host.get_by_text("1 person is watching.").first).to_be_visible()
            await expect(late.get_by_role("button", name="Stop watching")).to_be_visible()
            await late.get_by_role("button", name="Stop watching").click()
            # Counts are told once a second.
            heard = host.locator(".course li.news")
            await expect(heard.filter(has_text="Nobody is watching.")).to_have_count(1)
            # The browser's own buttons lead there and away as well.
            await late.go_back()
            await expect(heard.filter(has_text="1 person is watching.")).to_have_count(2)
            await late.go_forward()
            await expect(heard.filter(has_text="Nobody is watching.")).to_have_count(2)
            await late.get_by_role("button", name=f"Sit down: Whist (Oh Hell) {code}").click()
            await expect(
                late.get_by_text("The host is asked whether you may play").first
            ).to_be_visible()
            # Who watches while they wait is counted until they have their seat.
            await late.get_by_role("button", name="Watch meanwhile").click()
            await expect(heard.filter(has_text="1 person is watching.")).to_have_count(3)
            await host.get_by_role("button", name="Let them in").click()
            await expect(heard.filter(has_text="Nobody is watching.")).to_have_count(3)
            await expect(late.get_by_role("button", name="Leave")).to_be_visible()
            await expect(guest.locator(".panel .name", has_text="Cid")).to_be_visible()

    await chromium.story(story())


async def test_a_wrong_code_is_said_before_a_name_is_asked_for(
    page_server: Server, chromium: Chromium
) -> None:
    """Whoever has no name here yet reads that there is no such table, and finds the right one."""

    async def story() -> None:
        async with chromium.context(viewport=PHONE) as phone, chromium.context() as desk:
            host, page = await desk.new_page(), await phone.new_page()
            await come_in(host, f"{page_server.url}/", "Ann")
            await open_table(host, "Whist", {})
            code = host.url.rpartition("/")[2]
            root = page_server.url.replace("ws://", "http://")
            # Links to a table and to a replay, and what somebody types.
            for path in ("t/ZZZZZ", "t/ZZZZZ/replay"):
                await page.goto(f"{root}/{path}")
                await expect(page.locator(".entry")).to_contain_text("There is no table 'ZZZZZ'")
                await expect(page).to_have_url(f"{root}/")
            await page.goto(f"{root}/")
            field = page.get_by_label("Have you got a code?")
            await field.fill("zz zzz")
            await field.press("Enter")
            await expect(page.locator(".entry")).to_contain_text("There is no table 'ZZZZZ'")
            await field.fill(f"the code is {code}!")
            await field.press("Enter")
            invited = page.get_by_text(f"You are invited to table {code}.")
            await expect(invited).to_be_visible()
            await page.get_by_label("Your name").fill("Bea")
            await page.keyboard.press("Enter")
            await expect(host.locator(".chairs li", has_text="Bea")).to_be_visible()

    await chromium.story(story())


async def test_a_link_to_a_full_table_says_so_and_lets_one_watch(
    page_server: Server, chromium: Chromium
) -> None:
    """A link to a full table, also a private one, says that it is full and offers to watch."""

    async def story() -> None:
        async with (
            chromium.context(viewport=DESK) as desk,
            chromium.context(viewport=PHONE) as phone,
            chromium.context(viewport=PHONE) as other,
        ):
            host, guest, third = [await each.new_page() for each in (desk, phone, other)]
            await come_in(host, f"{page_server.url}/", "Ann")
            await host.get_by_role("button", name="With people …: Schnapsen").click()
            await host.get_by_label("Private table").check()
            await host.get_by_role("button", name="Open the table").click()
            await expect(host).to_have_url(re.compile("/t/"))
            await come_in(guest, host.url, "Bea")
            await expect(host.locator(".chairs li", has_text="Bea")).to_be_visible()
            await come_in(third, host.url, "Cid")
            why = third.locator(".over").get_by_text(
                "Every seat is taken. You can watch this table."
            )
            await expect(why).to_be_visible()
            await third.get_by_role("button", name="Watch", exact=True).click()
            await expect(why).to_be_hidden()
            await expect(third.locator(".chairs li", has_text="Bea")).to_be_visible()

    await chromium.story(story())
