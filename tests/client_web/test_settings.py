"""What a player sets at a table is seen at once, and kept by the browser."""

import json

from playwright.async_api import Page, expect

from tests.chromium import Chromium
from tests.client_web.pictures import start_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code
from tests.client_web.whole_page import WholePage, whole_page

TABLE = at_the_code(start_of("hearts-4"))
HAND = """() => [...document.querySelectorAll(".card.in-hand")]
    .sort((one, other) => one.style.zIndex - other.style.zIndex)
    .map((node) => node.dataset.token)"""
KEEPS = {**WELCOME, "features": ["preferences"]}
LOOKS = "() => ({ ...document.documentElement.dataset })"
KEPT = "() => JSON.parse(localStorage['blackqueen /'])"
RANKS = "23456789TJQKA"


async def at_the_table(shown: WholePage) -> Page:
    await shown.feed([json.dumps([WELCOME]), json.dumps([TABLE])])
    return shown.page


async def test_what_is_chosen_is_seen_at_once_and_kept(chromium: Chromium) -> None:
    """Felt, backs, scheme, order and hand change under the dialog, and are in the memory."""

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page = await at_the_table(shown)
            before = await page.evaluate(HAND)
            await page.get_by_role("button", name="Settings").click()
            for group, value in (("Felt", "wine"), ("Backs", "black"), ("The page is", "dark")):
                await page.get_by_role("group", name=group).get_by_label(value).check()
            await page.get_by_label("by rank").check()
            await page.get_by_label("For the left hand").check()
            looks = await page.evaluate(LOOKS)
            after = await page.evaluate(HAND)
            await page.keyboard.press("Escape")
            await expect(page.get_by_role("button", name="Settings")).to_be_focused()
            await expect(page.get_by_role("dialog")).to_have_count(0)
            kept = await page.evaluate(KEPT)
        wanted = {"felt": "wine", "back": "black", "light": "dark", "hand": "left"}
        assert wanted.items() <= looks.items()
        assert sorted(before) == sorted(after)
        assert [RANKS.index(card[0]) for card in after] == sorted(
            RANKS.index(card[0]) for card in before
        )
        for name, value in {**wanted, "order": "rank"}.items():
            assert kept[f"table.{name}"] == value

    await chromium.story(story())


async def test_a_card_is_put_in_its_place_by_hand(chromium: Chromium) -> None:
    """A card of the hand moves by Shift and an arrow key, and by being drawn there."""

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page = await at_the_table(shown)
            first, second, third, *others = await page.evaluate(HAND)
            cards = page.locator(".card.in-hand")
            await page.locator(f".card.in-hand[data-token='{first}']").press("Shift+ArrowRight")
            assert await page.evaluate(HAND) == [second, first, third, *others]
            await expect(page.locator(f"[data-token='{first}']")).to_be_focused()
            told = page.locator(".spoken p").last
            await expect(told).to_have_text(f"{await _named(page, first)}: place 2 of 13")
            last = await page.locator(f".card.in-hand[data-token='{others[-1]}']").bounding_box()
            taken = await page.locator(f".card.in-hand[data-token='{second}']").bounding_box()
            assert last is not None
            assert taken is not None
            await page.mouse.move(taken["x"] + 12, taken["y"] + 50)
            await page.mouse.down()
            await page.mouse.move(last["x"] + 60, last["y"] + 50, steps=4)
            await page.mouse.up()
            assert await page.evaluate(HAND) == [first, third, *others, second]
            assert await cards.count() == len(others) + 3
            sent = await page.evaluate("window.played.sent.map(({ type }) => type)")
            assert "act" not in sent

    await chromium.story(story())


async def _named(page: Page, token: str) -> str:
    name = await page.locator(f"[data-token='{token}']").first.get_attribute("aria-label")
    assert name is not None
    return name.partition(":")[0].partition(",")[0]


async def test_what_is_chosen_comes_along_to_another_device(chromium: Chromium) -> None:
    """What the server keeps is put on at the first welcome, and what is set here is left there."""
    kept = {"table.felt": "blue", "table.suits": "two", "table.back": ["no", "text"], "name": "Eve"}
    kept |= {"table.size": "constructor"}
    story_of = "window.played.sent.filter(({ type }) => type === 'preferences')"

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page = shown.page
            told = {"type": "preferences", "kept": json.dumps(kept)}
            await shown.answer({"preferences": told})
            await shown.feed([json.dumps([KEEPS]), json.dumps([TABLE])])
            await expect(page.locator("html[data-felt='blue']")).to_have_count(1)
            await shown.feed([json.dumps([KEEPS]), json.dumps([TABLE])])
            await expect(page.locator("html[data-back]")).to_have_count(0)
            await expect(page.locator(".cardtable.two-colours")).to_have_count(1)
            assert (await page.evaluate(KEPT))["name"] == "Ann"
            await page.get_by_role("button", name="Settings").click()
            await page.get_by_role("group", name="Felt").get_by_label("grey").check()
            await page.evaluate("window.played.advance(1000)")
            asked, left = await page.evaluate(story_of)
        assert "kept" not in asked
        assert json.loads(left["kept"]) == {"table.felt": "grey", "table.suits": "two"}

    await chromium.story(story())
