"""A player who comes during a match waits until the host admits them."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.wire_form import WireForm
from tests.chromium import DESK, PHONE, Chromium
from tests.client_web.pictures import start_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code
from tests.client_web.whole_page import WholePage, whole_page

TABLE = at_the_code(start_of("hearts-4"))
ASKED: WireForm = {"type": "asked", "table": CODE, "request": 3, "seconds": 60}
SITTING = "At the table: Ann, Bob, Cid, Dora."
WAITS = "#main p:visible:has-text('The host is asked')"


async def accept(page: WholePage) -> None:
    """Follow a link and ask to sit down."""
    await page.answer({"sync": {"type": "error", "code": "not_seated", "reason": "no"}})
    await page.feed([json.dumps([WELCOME])])
    await page.page.get_by_role("button", name="Sit down").click()
    await page.page.evaluate("window.played.advance(0)")


async def wait(page: WholePage, tables: list[WireForm]) -> None:
    """Ask the host for admission; `tables` is the server's answer for the code."""
    forbidden = {"type": "error", "code": "forbidden", "reason": "no"}
    await page.answer({"join": ASKED, "list_tables": {"type": "tables", "tables": tables}})
    await page.answer({"watch": forbidden, "leave": {"type": "ok", "table": CODE}})
    await accept(page)
    await expect(page.page.locator(WAITS)).to_be_visible()


def sent(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]


@pytest.mark.parametrize("size", [DESK, PHONE])
async def test_who_waits_sees_for_what_and_can_go(chromium: Chromium, size: Any) -> None:
    """A waiting player sees the game and players, no chat, no invitation, and can leave."""

    async def story() -> None:
        async with whole_page(chromium, CODE, size) as shown:
            page = shown.page
            await wait(shown, [TABLE["info"]])
            await expect(page.get_by_role("heading", name="Hearts")).to_be_visible()
            await expect(page.get_by_text(SITTING)).to_be_visible()
            await expect(page.get_by_label("Say something")).to_be_hidden()
            await expect(page.get_by_role("button", name="Invite")).to_have_count(0)
            await page.get_by_role("button", name="Cancel").click()
            await page.wait_for_url("http://page.test/")
            assert "leave" in sent(await page.evaluate("window.played.sent"))

    await chromium.story(story())


async def test_what_was_refused_outside_is_gone_once_one_is_in(chromium: Chromium) -> None:
    """A refusal to watch disappears once the host has admitted the player."""

    async def story() -> None:
        async with whole_page(chromium, CODE, DESK) as shown:
            page = shown.page
            await wait(shown, [])
            await page.get_by_role("button", name="Watch meanwhile").click()
            await expect(page.locator(".alert")).to_be_visible()
            await expect(page.locator(WAITS)).to_be_visible()
            await shown.feed([json.dumps([TABLE])])
            await expect(page.locator(".alert")).to_be_hidden()
            await expect(page.locator(WAITS)).to_have_count(0)
            await expect(page.get_by_label("Say something")).to_be_visible()
            await expect(page.get_by_role("button", name="Invite")).to_be_visible()

    await chromium.story(story())


async def test_a_request_that_ended_with_the_connection_is_made_again(chromium: Chromium) -> None:
    """A request that ended with the connection is made again, by spectators too."""

    async def story() -> None:
        async with whole_page(chromium, CODE, DESK) as shown:
            page = shown.page
            await wait(shown, [TABLE["info"]])
            info = {**TABLE["info"], "host": 1}
            watched = {**TABLE, "seat": None, "info": info}
            await shown.feed([json.dumps([watched])])
            same = {"type": "unchanged", "table": CODE, "info": info}
            found = await shown.feed([json.dumps([WELCOME, same])])
            await expect(page.locator(WAITS)).to_be_visible()
            await expect(page.locator(".cardtable")).to_be_visible()
            assert sent(found["sent"]).count("join") == 2
            full = {"type": "error", "code": "table_full", "reason": "full"}
            await shown.answer({"join": full})
            await shown.feed([json.dumps([WELCOME, same])])
            await expect(page.locator(".alert")).to_be_visible()
            await expect(page.locator(WAITS)).to_have_count(0)
            await expect(page.locator(".cardtable")).to_be_visible()

    await chromium.story(story())


async def test_who_watches_meanwhile_still_reads_that_they_wait(chromium: Chromium) -> None:
    """A spectator who waits still sees so, until the host answers; a refusal is shown."""
    refused = {"type": "notice", "kind": "refused", "table": CODE, "request": 3}

    async def story() -> None:
        async with whole_page(chromium, CODE, DESK) as shown:
            page = shown.page
            await wait(shown, [TABLE["info"]])
            info = {**TABLE["info"], "host": 1}
            await shown.feed([json.dumps([{**TABLE, "seat": None, "info": info}])])
            await expect(page.locator(".over")).to_be_hidden()
            await expect(page.locator(WAITS)).to_be_visible()
            await shown.feed([json.dumps([{**refused, "reason": "refused"}])])
            await expect(page.locator(".alert")).to_be_visible()
            await expect(page.locator(WAITS)).to_have_count(0)
            await expect(page.locator(".cardtable")).to_be_visible()

    await chromium.story(story())


async def test_where_a_seed_was_chosen_one_is_asked_before_sitting_down(chromium: Chromium) -> None:
    """A chosen seed must be confirmed before sitting down, and is shown at the table."""
    phrase = {"code": "refused_seeded", "args": {}}
    refused: WireForm = {"type": "error", "code": "forbidden", "reason": "no", "phrase": phrase}
    info = {**TABLE["info"], "seeded": True}

    async def story() -> None:
        async with whole_page(chromium, CODE, DESK) as shown:
            page = shown.page
            await shown.answer({"join": refused, "watch": refused})
            await accept(shown)
            question = page.get_by_role("alertdialog")
            await expect(question).to_have_accessible_name(re.compile("Sit down all the same.$"))
            await expect(question.get_by_role("button", name="Cancel")).to_be_focused()
            await page.keyboard.press("Enter")
            await expect(page.get_by_text("may know every hand").first).to_be_visible()
            joins = "window.played.sent.filter(({ type }) => type === 'join')"
            assert [each.get("seeded") for each in await page.evaluate(joins)] == [None]
            await shown.feed([json.dumps([{**TABLE, "info": info}])])
            await expect(page.locator(".head").first).to_contain_text("chosen cards")

    await chromium.story(story())
