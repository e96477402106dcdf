"""Tests the page at a server of several nodes: the page follows its table unnoticed."""

import asyncio
import signal
from random import Random

import pytest
from playwright.async_api import expect

from tests.chromium import DESK, SECONDS, Chromium
from tests.counts import some
from tests.e2e.clicking import come_in, look, play_by_clicks, start_with_bots
from tests.e2e.databases import on_postgresql
from tests.e2e.processes import Programs
from tests.e2e.whole_nodes import Nodes

pytestmark = [pytest.mark.e2e, on_postgresql]

WATCH = """() => {
    window.seen = new Set();
    const look = () => seen.add(document.documentElement.dataset.connection)
        .add(document.querySelector(".status").checkVisibility());
    look();
    new MutationObserver(look).observe(document, { attributes: true, subtree: true });
}"""
"""Notes from now on how the connection stands, and whether anything is told of it."""


@pytest.mark.parametrize("sign", some([signal.SIGKILL, signal.SIGTERM]))
async def test_a_page_follows_its_table_to_other_nodes(
    programs: Programs, chromium: Chromium, rng: Random, sign: signal.Signals
) -> None:
    """A page keeps working when its player sits at another node's table and that node ends.

    The table then goes on at the page's node. Typed text stays, and if the node was told to stop,
    the page does not show a lost connection.
    """
    nodes = Nodes(programs, rng)
    await nodes.begin("a", "b")
    async with nodes.player("Bea", "a") as bea:
        code = await bea.opens_table()

    async def story() -> None:
        async with chromium.context(viewport=DESK, reduced_motion="reduce") as context:
            page = await context.new_page()
            url = f"http://127.0.0.1:{nodes.servers['b'].port}/t/{code}"
            wrong = await come_in(page, url, "Ann")
            await expect(page.locator(".chairs li.own")).to_contain_text("Ann")
            async with nodes.player("Bea", "a") as bea:
                assert (await bea.ask("leave", 40, table=code))["type"] == "ok"
            await start_with_bots(page)
            await look(page)
            await page.evaluate(WATCH)
            await page.get_by_label("Say something").fill("Just a")
            nodes.servers["a"].program.signal(sign)
            if sign is signal.SIGKILL:
                # Meanwhile no card can be played.
                await page.wait_for_function("() => seen.has('waiting')")
                await expect(page.locator("html")).to_have_attribute("data-connection", "online")
            else:
                # One move while the table is given away; each takes as long as a trick lies there.
                await play_by_clicks(page, rng, most=1)
                async with asyncio.timeout(SECONDS):
                    while not await nodes.has("b", code):
                        pass
            await play_by_clicks(page, rng, most=1)
            assert await nodes.has("b", code)
            if sign is signal.SIGTERM:
                assert await page.evaluate("[...seen]") == ["online", False]
            assert await page.get_by_label("Say something").input_value() == "Just a"
            assert [each for each in wrong if "ERR_CONNECTION_REFUSED" not in each] == []

    await chromium.story(story())
    assert await nodes.servers["a"].program.ended() == (0 if sign is signal.SIGTERM else -sign)
