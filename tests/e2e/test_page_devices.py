"""Tests invitations and further devices of a player, in a page over plain HTTP."""

import asyncio
import json
import re
from random import Random
from urllib.parse import quote

import pytest
from playwright.async_api import Page, expect

from tests.chromium import DESK, HOUSE, PHONE, Chromium
from tests.e2e.clicking import come_in, host_and_guest, open_table, play_by_clicks, start_with_bots
from tests.e2e.processes import Server

pytestmark = pytest.mark.e2e


# What a browser says of a policy that it obeys on HTTPS only.
NOT_ON_HTTP = "The Cross-Origin-Opener-Policy header has been ignored"


async def test_a_link_invites_and_another_makes_a_device(
    page_server: Server, chromium: Chromium, rng: Random
) -> None:
    """An invitation seats a friend; a device link makes a phone the player until it is revoked.

    The link of a device works once, and nobody who plays here becomes another player unasked. All
    this works in a network without TLS, where a browser copies nothing by itself. The player's own
    tables stand first in the lobby, and without a table there is no chat field.
    """
    root = f"http://{HOUSE}:{page_server.port}/"

    async def story() -> None:
        async with (
            chromium.context(viewport=DESK, reduced_motion="reduce") as desk,
            chromium.context(viewport=PHONE) as phone,
            chromium.context(viewport=PHONE, reduced_motion="reduce") as other,
        ):
            host = await desk.new_page()
            wrong = await come_in(host, root, "Zoë")
            assert await host.evaluate("[isSecureContext, navigator.clipboard]") == [False, None]
            await open_table(host, "Whist", {"Cards for each player in the first deal": 1})
            assert host.url.startswith(f"{root}t/")
            await host.get_by_role("button", name="Invite").click()
            await host.get_by_role("button", name="Copy the link").click()
            await expect(host.get_by_text("Copy the link that is selected now")).to_be_visible()
            selected = await host.evaluate("getSelection().toString()")
            invitation = await host.get_by_label("Link", exact=True).input_value()
            assert selected == invitation == f"{host.url}#from=Zo%C3%AB&game=Whist+%28Oh+Hell%29"
            await expect(host.get_by_role("img", name="The link as a QR code")).to_be_visible()
            await host.get_by_role("button", name="Close").click()

            await host.get_by_role("button", name="Zoë").click()
            await expect(host.get_by_text("browser, Linux")).to_be_visible()
            await expect(host.get_by_text("this one")).to_be_visible()
            await host.get_by_role("button", name="Add a device").click()
            link = await host.get_by_label("Link", exact=True).input_value()
            assert re.search(r"/#device=[\w-]{20,}$", link)
            await host.get_by_role("button", name="Close").last.click()

            second = await phone.new_page()
            await second.goto(link)
            await second.get_by_role("button", name="Become Zoë").click()
            await expect(second.get_by_role("button", name="Zoë")).to_be_visible()
            await expect(second.get_by_role("heading", name="Your tables")).to_be_visible()
            assert "#" not in second.url

            third = await other.new_page()
            await third.goto(link)
            await expect(third.get_by_text("This link has been used").first).to_be_visible()
            await third.goto("about:blank")
            await third.goto(invitation)
            await expect(third.get_by_text("Zoë invites you to a game of Whist")).to_be_visible()
            wrong += await come_in(third, invitation, "Bea")
            await expect(third).to_have_url(host.url)
            await expect(host.get_by_text("Bea", exact=True)).to_be_visible()
            await third.goto("about:blank")
            await third.goto(link)
            await expect(third.get_by_text("This link has been used").first).to_be_visible()
            await expect(third.get_by_role("button", name="Bea")).to_be_visible()

            await host.get_by_role("button", name="Close").click()
            await host.get_by_role("button", name="Zoë").click()
            await host.get_by_role("button", name="Remove browser").click()
            await host.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
            await expect(host.get_by_role("button", name="Remove browser")).to_have_count(0)
            await expect(second.locator("html")).not_to_have_attribute("data-connection", "online")
            await host.get_by_role("button", name="Close").click()
            await third.goto(f"{root}t/NOPE")
            await expect(third.get_by_role("button", name="All tables")).to_be_visible()
            await expect(third.get_by_role("button", name="Send")).to_be_hidden()
            await third.get_by_role("button", name="All tables").click()
            table = third.get_by_role("button", name=re.compile("^Go on: Whist"))
            await expect(table).to_be_in_viewport()
            await table.click()
            await expect(third.get_by_role("button", name="Send")).to_be_visible()
            await start_with_bots(host)
            made = await asyncio.gather(*(play_by_clicks(each, rng) for each in (host, third)))
            assert all(made)
            assert [each for each in wrong if not each.startswith(NOT_ON_HTTP)] == []

    await chromium.story(story())


async def device_link(page: Page) -> str:
    """Return the link that this page's player makes for another device."""
    await page.locator(".who").click()
    await page.get_by_role("button", name="Add a device").click()
    link = await page.get_by_label("Link", exact=True).input_value()
    for _ in range(2):
        await page.get_by_role("button", name="Close").last.click()
    return link


async def test_a_link_makes_nobody_another_player_unasked(
    page_server: Server, chromium: Chromium
) -> None:
    """A device link names its player, and Enter and Escape refuse it, for new and known players.

    A player who refuses stays unchanged, and the code stays valid.
    """
    root = f"http://{HOUSE}:{page_server.port}/"

    async def story() -> None:
        async with host_and_guest(chromium, root, "Mallory") as (mallory, victim):
            code = (await device_link(mallory)).partition("#device=")[2]
            trap = f"{mallory.url.partition('#')[0]}#device=%20{code}"

            await victim.goto(trap)
            question = victim.get_by_role("dialog", name="Become Mallory?")
            await expect(question).to_contain_text("whoever has sent you the link sees your cards")
            await victim.keyboard.press("Enter")
            await expect(question).to_have_count(0)
            await victim.get_by_label("Your name").fill("Vic")
            await victim.keyboard.press("Enter")
            await expect(victim.locator(".who")).to_have_text("Vic")

            # In the same tab, where only what stands behind the # is another.
            await victim.goto(f"{root}#device={code}")
            await expect(question).to_contain_text("Who you are here now, Vic, is forgotten.")
            await expect(question.get_by_role("button", name="Stay Vic")).to_be_focused()
            await victim.keyboard.press("Escape")
            await expect(question).to_have_count(0)
            await expect(victim.locator(".who")).to_have_text("Vic")
            await victim.reload()
            await expect(victim.locator(".who")).to_have_text("Vic")

            await victim.goto(f"{root}#device={code}")
            await question.get_by_role("button", name="Become Mallory").click()
            await expect(victim.locator(".who")).to_have_text("Mallory")
            await expect(victim.get_by_role("heading", name="Your tables")).to_be_visible()

    await chromium.story(story())


async def test_a_link_opens_no_table(page_server: Server, chromium: Chromium) -> None:
    """No link opens a table by itself: only a server's own program has the key for that."""
    root = f"http://{HOUSE}:{page_server.port}/"
    wanted = {"name": "Mallory", "table": {"game": "black_queen"}, "bots": ["easy"]}
    said = json.dumps(wanted)

    async def story() -> None:
        async with chromium.context(viewport=DESK) as desk:
            page = await desk.new_page()
            for name in ("", "Vic"):
                if name:
                    await come_in(page, root, name)
                for trap in (f"#play={quote(said)}", f"#open={quote(said)}", f"#open={'x' * 43}"):
                    await page.goto("about:blank")
                    await page.goto(f"{root}{trap}")
                    shown = page.locator(".who") if name else page.get_by_label("Your name")
                    await expect(shown).to_have_text(name)
            await expect(page.get_by_role("heading", name="Play", exact=True)).to_be_visible()
            await expect(page.get_by_role("heading", name="Your tables")).to_be_hidden()

    await chromium.story(story())
