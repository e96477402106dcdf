"""Scrolling, and what covers what: nothing leaves the window by itself."""

import json
from typing import Any

import pytest

from protocol.texts.catalogue import LANGUAGES
from protocol.wire_form import WireForm
from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.chromium import Chromium
from tests.client_web.pictures import moments_of, start_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code
from tests.client_web.whole_page import WholePage, whole_page
from tests.client_web.windows import PHONE_SIDEWAYS, PHONE_UPRIGHT, SMALL_PHONE, viewport

SCROLL = "async () => { scrollTo(0, 1e6); await played.settled(); return scrollY; }"
HAND = """() => Math.max(...[...document.querySelectorAll(".card.in-hand")]
    .map((card) => card.getBoundingClientRect().bottom)) - innerHeight"""


def in_the_lobby(told: WireForm) -> WireForm:
    """The table before its match."""
    view = {**told["view"], "zones": {}, "values": {}}
    return {**told, "info": {**told["info"], "phase": "lobby"}, "view": view, "facts": []}


async def arrives(page: WholePage, *messages: WireForm) -> None:
    """Deliver these messages in one frame."""
    await page.feed([json.dumps(messages)])


async def test_a_match_begins_at_the_top_of_the_page(chromium: Chromium) -> None:
    """A match begins at the top of the page, wherever it was scrolled.

    A snapshot in the middle of a match does not scroll.
    """
    told = at_the_code(start_of("black_queen-4"))

    async def story() -> list[Any]:
        async with whole_page(chromium, CODE, viewport(PHONE_SIDEWAYS)) as page:
            await arrives(page, WELCOME)
            await arrives(page, in_the_lobby(told))
            found = [await page.page.evaluate(SCROLL)]
            await arrives(page, told)
            found.append(await page.page.evaluate("scrollY"))
            found.append(await page.page.evaluate(SCROLL))
            await arrives(page, {**told, "seq": told["seq"] + 1})
            found.append(await page.page.evaluate("scrollY"))
            await page.page.evaluate("document.querySelector('.home').click()")
            found.append(await page.page.evaluate("scrollY"))
            return found

    ready, began, reading, again, lobby = await chromium.story(story())
    assert ready > 0
    assert began == 0
    assert again == reading > 0
    assert lobby == 0


@pytest.mark.parametrize("window", [PHONE_UPRIGHT, PHONE_SIDEWAYS])
async def test_who_asks_to_join_moves_no_card(chromium: Chromium, window: tuple[int, int]) -> None:
    """A request to join lies over the top of the table, and the hand does not move."""
    told = at_the_code(moments_of("black_queen-4")[0])

    async def story() -> list[Any]:
        async with whole_page(chromium, CODE, viewport(window)) as page:
            await arrives(page, WELCOME)
            await arrives(page, told)
            before = await page.page.evaluate(HAND)
            asks = {"type": "notice", "table": CODE, "kind": "latecomer"}
            await arrives(page, {**asks, "request": 1, "name": "Ben"})
            await page.page.locator(".asking button").first.click(trial=True)
            return [before, await page.page.evaluate(HAND)]

    before, after = await chromium.story(story())
    assert before == after <= 0


async def seen_at_the_start(
    chromium: Chromium, look: str, window: tuple[int, int] = PHONE_UPRIGHT
) -> Any:
    """The result of a script on a phone at the start of Black Queen for four."""
    told = at_the_code(start_of("black_queen-4"))

    async def story() -> Any:
        async with whole_page(chromium, CODE, viewport(window)) as page:
            await arrives(page, WELCOME)
            await arrives(page, told)
            return await page.page.evaluate(look)

    return await chromium.story(story())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("window", [PHONE_UPRIGHT, SMALL_PHONE])
async def test_buttons_and_title_above_a_match_are_seen_whole_on_a_phone(
    chromium: Chromium, window: tuple[int, int], language: str
) -> None:
    """On a phone the title and one line of buttons above a match are shown whole."""
    told = page_texts(FOLDER, language)["page"]
    words = [told["room"]["bot"], told["share"]["invite"], "?", told["room"]["leave"]]
    found = await seen_at_the_start(
        chromium,
        f"""() => {{
            const words = {json.dumps(words)};
            const heading = document.querySelector(".head h1");
            const buttons = [...document.querySelectorAll(".head button")]
                .filter((button) => button.checkVisibility());
            buttons.forEach((button, at) => {{
                (button.querySelector(".brief") ?? button).textContent = words[at];
            }});
            const size = heading.offsetHeight - buttons[1].offsetHeight;
            const cut = (node) => Math.max(node.scrollWidth - node.clientWidth,
                node.scrollHeight - node.clientHeight);
            const boxes = buttons.map((button) => button.getBoundingClientRect());
            return {{
                shown: buttons.map((button) => button.innerText.replace(/\\s+/g, " ")),
                cut: Math.max(...[heading, ...buttons].map(cut), size),
                tops: new Set(boxes.map(({{ top }}) => top)).size,
                heights: new Set(boxes.map(({{ height }}) => height)).size,
                narrow: boxes.filter(({{ width }}) => width < 24).length,
                right: boxes.at(-1).right <= innerWidth,
                left: boxes[0].left >= heading.getBoundingClientRect().right,
                wide: document.documentElement.scrollWidth > innerWidth,
            }};
        }}""",
        window,
    )
    assert found == {
        "shown": words,
        "cut": 0,
        "tops": 1,
        "heights": 1,
        "narrow": 0,
        "right": True,
        "left": True,
        "wide": False,
    }


async def test_the_number_of_cards_in_a_hand_is_seen_whole(chromium: Chromium) -> None:
    """The number of cards in a hand is shown whole, for ten and more too."""
    badges = await seen_at_the_start(
        chromium,
        """() => [...document.querySelectorAll(".is-badge")].map((badge) => {
            const range = document.createRange();
            range.selectNodeContents(badge.querySelector(".count"));
            const [text, edge] = [range, badge].map((each) => each.getBoundingClientRect());
            return [badge.textContent, text.left - edge.left, edge.right - text.right];
        })""",
    )
    assert "10" in [number for number, _, _ in badges]
    assert all(min(left, right) >= 2 for _, left, right in badges)
