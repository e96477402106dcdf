"""Plays a whole match in a real browser by the keyboard alone: no mouse, no touch."""

import pytest
from playwright.async_api import Locator, Page, expect

from tests.chromium import DESK, SECONDS, Chromium
from tests.counts import NIGHT
from tests.e2e.processes import Server

pytestmark = pytest.mark.e2e

MOST_TABS = 60
"""So often is the tab key pressed before something counts as out of reach."""
AT_THE_TABLE = "document.activeElement.closest('.felt, .ask, .sheet') !== null"
expect.set_options(timeout=1000 * SECONDS)


async def tab_to(page: Page, wanted: Locator) -> None:
    """Press the tab key until this element has the focus."""
    await wanted.wait_for()
    for _ in range(MOST_TABS):
        if await wanted.evaluate("(node) => node === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"no tab key leads to {wanted}")


async def press_button(page: Page, name: str) -> None:
    """Move the focus to a button, and press it."""
    await tab_to(page, page.get_by_role("button", name=name, exact=True))
    await page.keyboard.press("Enter")


async def open_table(page: Page, url: str) -> None:
    """Enter a name, and open a table of Whist with one card in the first deal."""
    await page.goto(url)
    await expect(page.get_by_label("Your name")).to_be_focused()
    await page.keyboard.type("Ann")
    await page.keyboard.press("Enter")
    await press_button(page, "With people …: Whist (Oh Hell)")
    await tab_to(page, page.get_by_text("Options", exact=True))
    await page.keyboard.press("Enter")
    await tab_to(page, page.get_by_label("Cards for each player in the first deal"))
    await page.keyboard.press("Control+a")
    await page.keyboard.type("1")
    await press_button(page, "Open the table")
    await press_button(page, "Start; bots take the free seats")


async def take_back(page: Page) -> None:
    """Bid and take the bid back; check that the amounts offered are as before."""
    choice = page.locator(".choice")
    await choice.first.wait_for()
    offered = await choice.all_text_contents()
    await choice.first.press("Enter")
    await expect(page.locator(".card.is-open")).to_have_count(1)
    await press_button(page, "Take back")
    await page.get_by_role("alertdialog").get_by_role("button", name="Take back").press("Enter")
    await expect(choice).to_have_text(offered)


async def play_on(page: Page) -> tuple[int, int]:
    """Bid by digits and play by Enter until the match is over; the focus stays at the table.

    Returns the number of moves made in each of these ways.
    """
    again = page.get_by_role("button", name="Play again", exact=True)
    go_on = page.get_by_role("button", name="Go on", exact=True)
    first = page.locator(".card.is-open, .choice").first
    choice = page.locator(".choice")
    by_digit = by_enter = 0
    await first.wait_for()
    await tab_to(page, page.locator('.choice, .card.is-open[tabindex="0"]').first)
    while True:
        await expect(again.or_(go_on).or_(first).first).to_be_visible()
        if await again.is_visible():
            return by_digit, by_enter
        assert await page.evaluate(AT_THE_TABLE)
        if await go_on.is_visible():
            await page.keyboard.press("Escape")
            await expect(go_on).to_be_hidden()
            continue
        asked = await page.locator(".table").get_attribute("data-asked") or ""
        if await page.locator(".choice.is-amount").count():
            await page.keyboard.press("0")
            by_digit += 1
        elif await choice.count() == 1:
            # Of the amounts one alone was left.
            await expect(choice).to_be_focused()
            await page.keyboard.press("Enter")
            by_enter += 1
        else:
            await expect(page.locator(".card.is-open:focus")).to_have_count(1)
            await page.keyboard.press("Enter")
            by_enter += 1
        await expect(page.locator(".table")).not_to_have_attribute("data-asked", asked)


async def let_a_bot_play(page: Page) -> None:
    """Let a bot bid and play for this player, until the player plays again."""
    table = page.locator(".table")
    await press_button(page, "Let a bot play for me")
    back = page.get_by_role("button", name="Play again yourself", exact=True)
    await expect(back).to_be_visible()
    await expect(page.get_by_role("log").get_by_text("A bot plays for you")).to_have_count(1)
    await expect(table.locator(".card.in-hand")).to_have_count(0)
    await press_button(page, "Play again yourself")
    await expect(back).to_be_hidden()


@pytest.mark.skipif(not NIGHT, reason="by day its keys are pressed in tests/client_web")
async def test_a_match_is_played_by_the_keyboard_alone(
    page_server: Server, chromium: Chromium
) -> None:
    """A match and its rematch can be played with tab, Enter, digits, Escape and Take back alone."""

    async def play() -> tuple[int, int]:
        async with chromium.context(viewport=DESK, reduced_motion="reduce") as context:
            page = await context.new_page()
            await open_table(page, page_server.url.replace("ws://", "http://"))
            await take_back(page)
            moves = await play_on(page)
            await press_button(page, "Play again")
            await expect(page.locator(".choice, .card.is-open").first).to_be_visible()
            await let_a_bot_play(page)
            return moves

    by_digit, by_enter = await chromium.story(play())
    assert by_digit
    assert by_enter
