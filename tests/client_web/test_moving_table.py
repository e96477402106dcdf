"""A table that another node takes over while somebody uses it."""

import json

from tests.chromium import Chromium
from tests.client_web.pictures import moments_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code
from tests.client_web.whole_page import whole_page

THERE = "ws://page.test/n/b/"
# Lets the table move, welcomes the page at its new address and tells it what a server tells there.
MOVE = """async ([moved, welcome, unchanged]) => {
    const { sent, sockets, settled } = window.played;
    const seen = new Set();
    const watch = () => seen.add(document.documentElement.dataset.connection)
        .add(document.querySelector(".status").checkVisibility());
    const options = { attributes: true, subtree: true };
    new MutationObserver(watch).observe(document.documentElement, options);
    const say = (...frame) => sockets.at(-1).onmessage({ data: JSON.stringify(frame) });
    const hello = () => sent.findLast(({ type }) => type === "hello");
    say(moved);
    while (!hello().resume) await settled();
    await settled();
    watch();
    say({ ...welcome, id: hello().id }, unchanged);
    await settled();
    return [sockets.length, hello().resume, [...seen]];
}"""
KEPT = """() => [
    document.querySelector("[name=chat]").value,
    document.querySelector("dialog").open,
    document.querySelectorAll(".card.is-chosen").length,
    [...document.querySelectorAll(".card")].map((node) => [node.dataset.key, node.className]),
]"""


async def test_nobody_notices_that_a_table_moves(chromium: Chromium) -> None:
    """During a table's move typed text, a dialog and a chosen card stay, and no loss is shown."""
    table = at_the_code(moments_of("hearts-4")[0])
    moved = {"type": "moved", "id": None, "table": CODE, "url": THERE}
    unchanged = {"type": "unchanged", "table": CODE, "info": table["info"]}

    async def story() -> None:
        async with whole_page(chromium, CODE) as page:
            await page.feed([json.dumps([WELCOME]), json.dumps([table])])
            await page.page.locator(".card.is-open").first.click()
            await page.page.locator("[name=chat]").fill("Just a")
            await page.page.get_by_role("button", name="Invite").click()
            await page.page.locator("dialog[open]").wait_for()
            before = await page.page.evaluate(KEPT)
            assert before[:3] == ["Just a", True, 1]
            sockets, resume, seen = await page.page.evaluate(MOVE, [moved, WELCOME, unchanged])
            assert await page.page.evaluate(KEPT) == before
            assert sockets == 2
            assert resume == {CODE: table["seq"]}
            assert set(seen) == {"online", False}

    await chromium.story(story())
