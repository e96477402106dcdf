"""Nothing lies under a phone's notch or home indicator: every screen, in both orientations."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from playwright.async_api import Page, expect

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.match_logs import CODE as PAST_CODE
from tests.client_web.match_logs import logs_of
from tests.client_web.pictures import moments_of, start_of
from tests.client_web.test_before_match import HOST, lobby
from tests.client_web.test_end_of_match import log_of
from tests.client_web.test_entry import serve
from tests.client_web.test_hostile_screens import KNOWS_ALL, LOBBY
from tests.client_web.test_layout import SUBJECTS
from tests.client_web.test_replay_windows import review_of
from tests.client_web.test_windows import CODE, END, at_the_code, games_with
from tests.client_web.whole_page import ADDRESS, WholePage, whole_page
from tests.client_web.windows import Size, viewport
from tests.counts import NIGHT


class Insets(NamedTuple):
    """How far the screen's corners, notch and home indicator reach into a window, in pixels."""

    top: int = 0
    right: int = 0
    bottom: int = 0
    left: int = 0


PHONES: Mapping[Size, Insets] = {
    (852, 393): Insets(right=59, bottom=21, left=59),
    (393, 852): Insets(top=59, bottom=34),
}
"""A phone with a notch, sideways and upright, where the page is installed as an app."""
TABLET: Size = (1180, 820)
WINDOWS: Mapping[Size, Insets] = {**PHONES, TABLET: Insets(top=24, bottom=20)}
SOME = (("black_queen-8", 1), ("whist-5", 2), ("Golf4", 1))
"""As in `test_windows`: many seats, bids, and places to click in place of a hand."""

# The window's edges, beside which the page may lay nothing.
SAFE = """const boxOf = (node) => node.getBoundingClientRect();
    const safe = { left: insets.left, top: insets.top, right: innerWidth - insets.right,
        bottom: innerHeight - insets.bottom };
    const isBeside = (box) => box.left < safe.left - 1 || box.right > safe.right + 1;
    const isAbove = (box) => box.top < safe.top - 1 || box.bottom > safe.bottom + 1;
    const isSeen = (node) => node.checkVisibility({ visibilityProperty: true })
        && !node.closest(".spoken, .skip, option");
    // A line of text without its padding, everything else as it is.
    const contentOf = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return node.localName === "p" ? range.getBoundingClientRect() : boxOf(node);
    };
    const named = (node) => `${node.localName}.${node.className} ${node.textContent}`;"""
BESIDE = f"""async (insets) => {{
    // A window of another size is laid out anew for the next picture on the screen.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    {SAFE}
    const scrolls = (node) => {{
        const flow = node.parentElement && getComputedStyle(node.parentElement).overflowX;
        return Boolean(flow) && (["auto", "scroll"].includes(flow) || scrolls(node.parentElement));
    }};
    const found = [];
    const text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (text.nextNode()) {{
        const node = text.currentNode.parentElement;
        if (!text.currentNode.data.trim() || !isSeen(node) || scrolls(node)) continue;
        const range = document.createRange();
        range.selectNodeContents(text.currentNode);
        // What is cut off with an ellipsis ends with what cuts it off.
        const [box, around] = [range.getBoundingClientRect(), boxOf(node)];
        const cut = getComputedStyle(node).overflowX !== "visible";
        const right = cut ? Math.min(box.right, around.right) : box.right;
        if (isBeside({{ left: box.left, right }})) found.push(named(node));
    }}
    const parts = "button, input, select, a, .qr, .chart, .card, .panel, dialog, summary";
    for (const node of document.querySelectorAll(parts)) {{
        if (isSeen(node) && !scrolls(node) && isBeside(boxOf(node))) found.push(named(node));
    }}
    return found;
}}"""
"""Text and controls that lie under an edge at the left or right, wherever one scrolls to."""
HIDDEN = f"""async (insets) => {{
    {SAFE}
    const found = [];
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const of = (dialog ?? document).querySelectorAll("button, input, select, a[href], summary");
    for (const node of of) {{
        if (!isSeen(node) || node.tabIndex < 0 || node.disabled) continue;
        // What has the focus already comes into view no more.
        document.activeElement?.blur();
        node.focus();
        if (document.activeElement !== node) continue;
        await new Promise(requestAnimationFrame);
        const box = boxOf(node);
        if (isAbove(box) && box.height < safe.bottom - safe.top) found.push(named(node));
    }}
    document.activeElement.blur();
    scrollTo(0, 0);
    return found;
}}"""
"""Controls that lie under an edge above or below when they have come into view by the focus."""
OWN = f"""async ([insets, which]) => {{
    {SAFE}
    const nodes = [...document.querySelectorAll(which)].filter(isSeen);
    const out = nodes.filter((node) => isAbove(contentOf(node)) || isBeside(contentOf(node)));
    return [nodes.length, out.map(named), scrollY];
}}"""
"""Of what must be seen without scrolling: how many there are, and which of it is not seen."""
FIXED = f"""async (insets) => {{
    {SAFE}
    const found = [];
    for (const at of [0, 1e6]) {{
        scrollTo({{ top: at, behavior: "instant" }});
        await new Promise(requestAnimationFrame);
        for (const node of document.querySelectorAll("body *")) {{
            const {{ position }} = getComputedStyle(node);
            // What sticks leaves with what it belongs to.
            const stays = position === "fixed" || (position === "sticky" && at === 0);
            if (!stays || !isSeen(node)) continue;
            if (node.scrollHeight > node.clientHeight + 1) continue;
            const parts = node.querySelectorAll("button, input, select, p, span");
            for (const part of node.localName === "p" ? [node] : parts) {{
                const isEmpty = ["p", "span"].includes(part.localName) && !part.textContent;
                if (!isEmpty && isSeen(part) && isAbove(contentOf(part))) found.push(named(part));
            }}
        }}
    }}
    scrollTo({{ top: 0, behavior: "instant" }});
    return found;
}}"""
"""What stays in its place while one scrolls, and lies under an edge above or below."""
SEEN_AT_ONCE = (
    ".card.in-hand, .card.is-open, .goal, .question, .choice, .tool, .head button, .panel"
)
"""What of a match is seen without scrolling."""


@asynccontextmanager
async def screen_of(page: Page, window: Size, insets: Insets) -> AsyncIterator[Mapping[str, int]]:
    """A window with these insets, for as long as the block lasts."""
    await page.set_viewport_size(viewport(window))
    told = insets._asdict()
    session = await page.context.new_cdp_session(page)
    act = "Emulation.setSafeAreaInsetsOverride"
    await session.send(act, {"insets": told})
    try:
        yield told
    finally:
        await session.send(act, {"insets": Insets()._asdict()})
        await session.detach()


async def lies_within(page: Page, windows: Mapping[Size, Insets] = WINDOWS) -> None:
    """Check that nothing visible lies under an edge."""
    for window, insets in windows.items():
        async with screen_of(page, window, insets) as told:
            assert await page.evaluate(BESIDE, told) == [], window
            assert await page.evaluate(FIXED, told) == [], window
            assert await page.evaluate(HIDDEN, told) == [], window
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), window


async def opened(shown: WholePage, table: WireForm) -> Page:
    """The page opened at this table."""
    (game,) = games_with(table["info"])["games"]
    games = {"type": "games", "games": [{**game, "rules": "# Rules\n\nFollow suit."}]}
    await shown.answer({"games": games, "log": log_of(table)})
    await shown.feed([json.dumps([KNOWS_ALL]), json.dumps([table])])
    return shown.page


@pytest.mark.parametrize(
    ("subject", "moment"),
    [(subject, moment) for subject in SUBJECTS for moment in range(END)] if NIGHT else SOME,
)
async def test_a_match_is_played_beside_the_notch(
    chromium: Chromium, subject: str, moment: int
) -> None:
    """In a match hand, question and buttons are visible beside the notch without scrolling."""
    table = at_the_code(moments_of(subject)[moment])

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page = await opened(shown, table)
            for window, insets in PHONES.items():
                async with screen_of(page, window, insets) as told:
                    assert await page.evaluate(BESIDE, told) == [], window
                    count, out, scrolled = await page.evaluate(OWN, [told, SEEN_AT_ONCE])
                    assert count, window
                    assert out == [], window
                    assert scrolled == 0, window
            await lies_within(page)

    await chromium.story(story())


async def at_the_sheets(page: Page) -> AsyncIterator[str]:
    """Open the layers that a table's small buttons show, one after the other."""
    for name in ("Last trick", "Scores"):
        button = page.locator(".tool", has_text=name)
        if await button.count():
            await button.first.click()
            yield name
            await page.locator(".sheet .go-on").click()


async def test_what_lies_over_a_table_lies_beside_the_notch(chromium: Chromium) -> None:
    """Sheets, help, invitation, news and the lost connection lie beside the notch."""
    table = at_the_code(moments_of("black_queen-4")[1])
    outage = {"type": "notice", "kind": "outage"}

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page = await opened(shown, table)
            table_edge = "getComputedStyle(document.querySelector('.cardtable')).borderLeftColor"
            plain = await page.evaluate(table_edge)
            async for _ in at_the_sheets(page):
                await lies_within(page)
                # What lies under it is dark as far as the edges of the screen.
                assert await page.evaluate(table_edge) != plain
            assert await page.evaluate(table_edge) == plain
            await shown.feed([json.dumps([outage])])
            await expect(page.locator("body > .alert")).to_be_visible()
            await lies_within(page)
            await page.locator(".alert button").click()
            await page.locator(".head .actions").get_by_role("button", name="Help").click()
            await expect(page.locator(".help")).to_be_visible()
            await lies_within(page)
            await page.locator(".head .actions").get_by_role("button", name="Help").click()
            await page.get_by_role("button", name="Invite").click()
            await expect(page.locator("dialog")).to_be_visible()
            await lies_within(page)
            await page.keyboard.press("Escape")
            await page.evaluate("played.sockets.at(-1).onclose({ code: 1006, reason: '' })")
            await expect(page.locator(".status button")).to_be_visible()
            await lies_within(page)

    await chromium.story(story())


async def test_before_and_after_a_match_nothing_lies_under_the_notch(chromium: Chromium) -> None:
    """The lobby of a table, its dialogs and the result lie beside the notch."""
    end = at_the_code(moments_of("black_queen-4")[END])

    async def story() -> None:
        async with whole_page(chromium, CODE) as shown:
            page = await opened(shown, lobby(HOST))
            await lies_within(page)
            await page.locator(".waiting summary").click()
            await page.get_by_role("button", name="Change …").click()
            await lies_within(page)
        async with whole_page(chromium, CODE) as shown:
            page = await opened(shown, end)
            await expect(page.locator(".chart")).to_be_visible()
            await lies_within(page)

    await chromium.story(story())


async def test_no_screen_without_a_table_lies_under_the_notch(chromium: Chromium) -> None:
    """The lobby, the new table's form and a player's dialog lie beside the notch."""
    game = games_with(start_of("hearts-4")["info"])
    tables = {**LOBBY, "tables": [lobby(HOST)["info"]], "order": [CODE]}

    async def story() -> None:
        async with whole_page(chromium) as shown:
            page = shown.page
            await shown.answer({"follow_tables": tables, "games": game})
            await shown.feed([json.dumps([KNOWS_ALL])], rest=50)
            await shown.feed([json.dumps([{"type": "pong"}])], rest=50)
            await lies_within(page)
            await page.locator(".who").click()
            await expect(page.locator("dialog")).to_be_visible()
            await lies_within(page)
            await page.keyboard.press("Escape")
            await page.locator(".games .game button").last.click()
            await expect(page.locator(".new button.main")).to_be_visible()
            await lies_within(page)

    await chromium.story(story())


async def test_the_first_screen_lies_beside_the_notch(chromium: Chromium) -> None:
    """The first screen with its name field lies beside the notch."""

    async def story() -> None:
        async with chromium.context() as context:
            await context.route(f"{ADDRESS}**", serve)
            page = await context.new_page()
            await page.goto(f"{ADDRESS}t/K7QX#from=Ann&game=Whist")
            await expect(page.locator("input[name=name]")).to_be_visible()
            await lies_within(page)

    await chromium.story(story())


@pytest.mark.parametrize("subject", ["black_queen-8"])
async def test_a_replay_is_gone_through_beside_the_notch(chromium: Chromium, subject: str) -> None:
    """A replay, its controls and its review lie beside the notch."""

    async def story() -> None:
        async with whole_page(chromium, f"{PAST_CODE}/replay") as shown:
            page = shown.page
            await shown.answer({**logs_of(subject), "review": review_of(subject)})
            await shown.feed([json.dumps([KNOWS_ALL])])
            await expect(page.locator(".replay .felt .card").first).to_be_attached()
            await page.locator(".replay .head select").select_option("all")
            await page.keyboard.press("PageDown")
            await shown.feed([json.dumps([{"type": "pong"}])])
            for window, insets in PHONES.items():
                async with screen_of(page, window, insets) as told:
                    # Sideways what has happened stands below the table.
                    caption = "" if window[0] > window[1] else ", .caption"
                    which = f".controls :is(button, input, select){caption}"
                    count, out, _ = await page.evaluate(OWN, [told, which])
                    assert count, window
                    assert out == [], window
            await lies_within(page)
            await page.get_by_role("button", name="Review", exact=True).click()
            await expect(page.locator(".review .decisions button").first).to_be_attached()
            await lies_within(page)

    await chromium.story(story())
