"""A table during a lost connection: nothing moves."""

import json

import pytest

from tests.chromium import Chromium
from tests.client_web.pictures import moments_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code
from tests.client_web.whole_page import whole_page
from tests.client_web.windows import DESK, PHONE_SIDEWAYS, PHONE_UPRIGHT, SMALL_PHONE, viewport

MOST_CHOICES = 2
STANDS = """async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const boxes = [...document.querySelectorAll(".cardtable, .card, .panel, .pile, .ask")]
        .map((node) => [node.className.split(" ")[0], node.getBoundingClientRect()]);
    const strip = document.querySelector(".status");
    const low = strip.checkVisibility() ? strip.getBoundingClientRect().bottom : 0;
    const own = [...document.querySelectorAll(".ask, .in-hand")];
    return {
        boxes: boxes.map(([kind, { x, y, width, height }]) => [kind, x, y, width, height]),
        told: strip.checkVisibility(),
        covers: own.some((node) => node.getBoundingClientRect().top < low),
    };
}"""
LOSE = """async () => {
    window.played.sockets.at(-1).onclose({ code: 1006, reason: "" });
    await window.played.settled();
}"""


@pytest.mark.parametrize("subject", ["whist-4", "black_queen-4"])
async def test_nothing_of_a_table_moves_for_a_lost_connection(
    chromium: Chromium, subject: str
) -> None:
    """The message about a lost connection lies above cards and question, in every window."""
    table = at_the_code(moments_of(subject)[MOST_CHOICES])
    frames = [json.dumps([WELCOME]), json.dumps([table])]

    async def story() -> None:
        async with whole_page(chromium, CODE) as page:
            await page.feed(frames)
            for window in (DESK, PHONE_UPRIGHT, PHONE_SIDEWAYS, SMALL_PHONE):
                await page.page.set_viewport_size(viewport(window))
                before = await page.page.evaluate(STANDS)
                await page.page.evaluate(LOSE)
                lost = await page.page.evaluate(STANDS)
                await page.feed(frames)
                back = await page.page.evaluate(STANDS)
                assert lost["told"], window
                assert not lost["covers"], window
                assert lost["boxes"] == before["boxes"] == back["boxes"], window

    await chromium.story(story())


async def test_the_words_do_not_flicker_while_attempts_fail(chromium: Chromium) -> None:
    """Reconnection attempts under a second are not shown."""
    table = at_the_code(moments_of("whist-4")[MOST_CHOICES])
    attempts = """async () => {
        const { advance, settled, sockets } = window.played;
        const told = () => document.querySelector(".status span").innerText;
        const fail = async () => {
            sockets.at(-1).onclose({ code: 1006, reason: "" });
            await settled();
        };
        const texts = [];
        for (const wait of [300, 600]) {
            await fail(); texts.push(told());
            const before = sockets.length;
            await advance(wait); texts.push(told(), sockets.length - before);
        }
        await advance(1000); texts.push(told());
        return texts;
    }"""

    async def story() -> None:
        async with whole_page(chromium, CODE) as page:
            await page.feed([json.dumps([WELCOME]), json.dumps([table])])
            lost = "The connection is lost. Trying again …"
            told = await page.page.evaluate(attempts)
            assert told == [lost, lost, 1, lost, lost, 1, "Connecting …"]

    await chromium.story(story())
