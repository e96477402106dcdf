"""Tests links and codes as people paste them into a browser, at a real server."""

import pytest
from playwright.async_api import expect

from tests.chromium import HOUSE, Chromium
from tests.e2e.clicking import come_in, host_and_guest
from tests.e2e.processes import Server

pytestmark = pytest.mark.e2e


async def test_the_field_for_a_code_takes_what_people_paste(
    page_server: Server, chromium: Chromium
) -> None:
    """The field takes codes with blanks or small letters, invitations, commands and device links.

    For other text the page says that it is no code, and does nothing else.
    """
    root = f"http://{HOUSE}:{page_server.port}/"

    async def story() -> None:
        async with host_and_guest(chromium, root) as (host, guest):
            code = host.url.rpartition("/")[2]
            await host.get_by_role("button", name="Invite").click()
            invitation = await host.get_by_label("Link", exact=True).input_value()
            await come_in(guest, root, "Bea")
            field = guest.get_by_label("Have you got a code?")
            for text in (
                f" {code.lower()} ",
                f"“{code}”.",
                invitation,
                f"blackqueen join ws://192.0.2.7:8765 {code}",
            ):
                await field.fill(text)
                await field.press("Enter")
                await expect(guest).to_have_url(f"{root}t/{code}")
                await guest.get_by_role("link", name="Black Queen").click()
            await field.fill("What is this?")
            await field.press("Enter")
            await expect(guest.get_by_text("That is no code.").first).to_be_visible()
            await expect(guest).to_have_url(root)
            await field.fill(f"{root}#device= {32 * '0'}")
            await field.press("Enter")
            await expect(guest.get_by_text("This link has been used").first).to_be_visible()

    await chromium.story(story())


async def test_a_wrong_link_is_told_before_a_name_is_given(
    page_server: Server, chromium: Chromium
) -> None:
    """A wrong link is reported before a name is asked for; punctuation after a link is ignored."""
    root = f"http://{HOUSE}:{page_server.port}/"

    async def story() -> None:
        async with host_and_guest(chromium, root) as (host, guest):
            await guest.goto(f"{root}t/WRNG")
            await expect(guest.locator(".entry")).to_contain_text("There is no table 'WRNG'")
            await guest.goto(f"{host.url}.#from=Zoë&game=Whist")
            await expect(guest.get_by_text("Zoë invites you to a game").first).to_be_visible()
            await guest.goto(f"{root}t/WRNG")
            await expect(guest.locator(".entry")).to_contain_text("There is no table")
            await guest.get_by_label("Your name").fill(" Be\u200ba\n")
            await guest.get_by_role("button", name="Come in").click()
            await expect(guest.locator(".who")).to_have_text("Bea")
            await expect(guest).to_have_url(root)
            await guest.goto(f"{host.url}).#from=Zoë&game=Whist")
            await expect(guest.get_by_text("Zoë invites you to a game").first).to_be_visible()
            await expect(host.get_by_text("Bea", exact=True)).to_have_count(0)
            await guest.get_by_role("button", name="Sit down").click()
            await expect(host.get_by_text("Bea", exact=True)).to_be_visible()

    await chromium.story(story())
