"""Dialogs: errors while one is open, and questions before what cannot be taken back."""

import json

import pytest
from playwright.async_api import Page, expect

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.pictures import start_of
from tests.client_web.test_before_match import HOST, lobby
from tests.client_web.test_hostile_screens import GAMES, KNOWS_ALL, LOBBY
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code, games_with
from tests.client_web.whole_page import whole_page
from tests.client_web.windows import DESK, PHONE_UPRIGHT, SMALL_PHONE, viewport

REFUSED: WireForm = {"type": "error", "code": "forbidden", "reason": "no"}
AWAY = "history.pushState(null, '', '/'); dispatchEvent(new Event('popstate'))"
IS_ON_TOP = """(node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


async def is_told_in_the_dialog(page: Page, dialogs: int = 1) -> None:
    """Whether the line is in the front dialog, covers nothing, and is announced."""
    told = page.locator("dialog").last.get_by_role("alert")
    await expect(page.locator("dialog")).to_have_count(dialogs)
    await expect(told).to_be_in_viewport(ratio=1)
    await expect(told).not_to_have_text("×")
    assert await told.evaluate(IS_ON_TOP)


@pytest.mark.parametrize("window", [DESK, PHONE_UPRIGHT, SMALL_PHONE])
async def test_why_a_table_is_not_changed_stands_in_the_dialog(
    chromium: Chromium, window: tuple[int, int]
) -> None:
    """A refusal is shown in the open dialog and goes with it; the next line is on the page."""
    table = lobby(HOST)

    async def story() -> None:
        async with whole_page(chromium, CODE, viewport(window)) as shown:
            page, line = shown.page, shown.page.locator(".alert")
            await shown.answer({"games": games_with(table["info"]), "configure": REFUSED})
            await shown.answer({"ready": REFUSED, "start": REFUSED})
            await shown.feed([json.dumps([KNOWS_ALL]), json.dumps([table])])
            await page.locator(".waiting summary").click()
            await page.get_by_role("button", name="Change …").click()
            save = page.locator("dialog").get_by_role("button", name="Save")
            await save.click()
            await is_told_in_the_dialog(page)
            await line.get_by_role("button", name="Close").click()
            await expect(line).to_be_hidden()
            await save.click()
            await is_told_in_the_dialog(page)
            await page.keyboard.press("Escape")
            await expect(page.locator("dialog")).to_have_count(0)
            await expect(line).to_be_hidden()
            await page.locator(".waiting button.main").click()
            await expect(page.locator("body > .alert")).to_be_visible()
            await expect(page.get_by_role("alert")).to_have_count(0)

    await chromium.story(story())


async def test_what_the_own_devices_are_refused_stands_in_their_dialog(chromium: Chromium) -> None:
    """Refusals about one's devices are shown in their dialogs."""
    devices = [{"device": "d1", "name": "phone", "seen": 1.7e9, "this": False, "online": False}]

    async def story() -> None:
        async with whole_page(chromium) as shown:
            page, line = shown.page, shown.page.locator(".alert")
            await shown.answer({"follow_tables": LOBBY, "games": GAMES, "devices": REFUSED})
            await shown.answer({"add_device": REFUSED, "revoke_device": REFUSED})
            await shown.feed([json.dumps([KNOWS_ALL])])
            await page.locator(".who").click()
            await is_told_in_the_dialog(page)
            await page.keyboard.press("Escape")
            await shown.answer({"devices": {"type": "devices", "devices": devices}})
            await page.locator(".who").click()
            await expect(page.locator(".devices li")).to_have_count(1)
            await expect(line).to_be_hidden()
            await page.get_by_role("button", name="Add a device").click()
            await is_told_in_the_dialog(page)
            await line.get_by_role("button", name="Close").click()
            await page.get_by_role("button", name="Remove phone").click()
            await page.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
            await is_told_in_the_dialog(page)

    await chromium.story(story())


async def test_a_device_that_has_come_in_stands_in_the_list(chromium: Chromium) -> None:
    """A new device is listed once the dialog with its link is closed."""
    first = {"device": "d1", "name": "laptop", "seen": 1.7e9, "this": True, "online": True}
    second = {**first, "device": "d2", "name": "phone", "this": False}

    async def story() -> None:
        async with whole_page(chromium) as shown:
            page = shown.page
            made = {"type": "device_code", "code": "abc", "seconds": 600}
            await shown.answer({"follow_tables": LOBBY, "games": GAMES, "add_device": made})
            await shown.answer({"devices": {"type": "devices", "devices": [first]}})
            await shown.feed([json.dumps([KNOWS_ALL])])
            await page.locator(".who").click()
            await expect(page.locator(".devices li")).to_have_count(1)
            await page.get_by_role("button", name="Add a device").click()
            await expect(page.locator("dialog")).to_have_count(2)
            await shown.answer({"devices": {"type": "devices", "devices": [first, second]}})
            await page.keyboard.press("Escape")
            await expect(page.locator(".devices li")).to_have_count(2)

    await chromium.story(story())


async def test_news_that_come_while_a_dialog_is_open_outlive_it(chromium: Chromium) -> None:
    """News during a dialog is shown in the front dialog, and on the page afterwards."""
    table = lobby(HOST)
    outage = {"type": "notice", "kind": "outage"}

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page = shown.page
            await shown.feed([json.dumps([KNOWS_ALL]), json.dumps([table])])
            await page.get_by_role("button", name="Invite").click()
            await expect(page.locator("dialog")).to_be_visible()
            await shown.feed([json.dumps([outage])])
            await is_told_in_the_dialog(page)
            await page.keyboard.press("Escape")
            await expect(page.locator("body > .alert")).to_be_visible()

    await chromium.story(story())


async def test_who_is_called_something_else_now_is_asked_for_a_name(chromium: Chromium) -> None:
    """A player whose name was refused is asked once for another; look-alikes have seat numbers."""
    table = lobby(HOST)
    seats = [
        {**chair, "name": name, "alike": True}
        for chair, name in zip(
            table["info"]["seats"], ("Ana", "An\u0430", "Cid", "Dora"), strict=True
        )
    ]
    table = {**table, "info": {**table["info"], "seats": seats}}

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            renamed = {**KNOWS_ALL, "name": "player", "renamed": True}
            await shown.feed([json.dumps([renamed]), json.dumps([table])])
            dialog = shown.page.locator("dialog")
            await expect(dialog).to_contain_text("Others would take your name for the server")
            await expect(dialog.get_by_label("Your name")).to_have_value("player")
            await shown.page.keyboard.press("Escape")
            await expect(dialog).to_have_count(0)
            await expect(shown.page.locator(".next")).to_contain_text("An\u0430 (2)")

    await chromium.story(story())


async def test_what_cannot_be_taken_back_is_asked_before(chromium: Chromium) -> None:
    """Leaving a match asks in a dialog of the page, which goes with the screen behind it."""
    table = at_the_code(start_of("hearts-4"))

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page, question = shown.page, shown.page.get_by_role("alertdialog")
            await shown.feed([json.dumps([WELCOME]), json.dumps([table])])
            leave = page.get_by_role("button", name="Leave")
            # What asks is loaded when it is used first; whoever is quicker is asked once.
            await leave.evaluate("(node) => { node.focus(); node.click(); node.click(); }")
            await expect(question).to_have_count(1)
            await page.keyboard.press("Enter")
            await expect(question).to_have_count(0)
            await expect(page.get_by_role("button", name="Leave")).to_be_focused()
            await page.get_by_role("button", name="Leave").click()
            await expect(question).to_be_visible()
            await page.evaluate(AWAY)
            await expect(question).to_have_count(0)
            sent = await page.evaluate("window.played.sent.map(({ type }) => type)")
            assert "leave" not in sent

    await chromium.story(story())
