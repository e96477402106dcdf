"""Clocks on the page continue while the computer sleeps."""

import json

from tests.chromium import DESK, Chromium
from tests.client_web.modules import Modules
from tests.client_web.pictures import start_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code
from tests.client_web.whole_page import whole_page

TABLE = at_the_code(start_of("hearts-4"))
TABLE["info"]["seats"][1] = {"kind": "human", "name": "Bob"}

# Both clocks of a browser, turned by hand.
CLOCKS = """async (given) => {
    const { now } = await import("/clock.js");
    const own = performance.now, wall = Date.now;
    let [passed, shown] = [own.call(performance), wall()];
    performance.now = () => passed;
    Date.now = () => shown;
    const begun = now();
    const told = given.map(([seconds, further]) => {
        passed += 1000 * seconds;
        shown += 1000 * further;
        return Math.round(10 * (now() - begun)) / 10;
    });
    delete performance.now;
    Date.now = wall;
    return told;
}"""


def test_a_sleep_passes_for_the_clocks_of_a_table(modules: Modules) -> None:
    """A sleep counts for the clocks of a table, and a browser clock set back does not."""
    awake, asleep, set_back = [1, 1], [0.5, 26.5], [2, -3600]
    assert modules.evaluate(CLOCKS, [awake, asleep, set_back, awake]) == [1, 27.5, 29.5, 30.5]


async def test_a_table_shows_the_time_that_is_left_after_a_sleep(chromium: Chromium) -> None:
    """After a sleep a table shows the remaining time at once, or by the server's word."""
    question = {"turn": 1, "to_act": [1], "clock": 120, "reserve": [300, 300, 300, 300]}

    async def story() -> None:
        async with whole_page(chromium, CODE, DESK) as shown:
            page = shown.page
            clock = page.locator('.felt [data-seat="1"] >> text=/^\\d+:\\d\\d$/')

            async def pass_seconds(seconds: int) -> str:
                await page.evaluate("(ms) => window.played.advance(ms)", 1000 * seconds)
                return await clock.inner_text()

            await shown.feed([json.dumps([WELCOME, {**TABLE, "question": question}])])
            assert await pass_seconds(2) == "1:58"
            await page.evaluate("window.played.sleep(26000)")
            assert await pass_seconds(1) == "1:31"
            info = TABLE["info"]
            same = {"type": "unchanged", "table": CODE, "info": info, "clock": 50, "reserve": []}
            await shown.feed([json.dumps([WELCOME, same])])
            assert await pass_seconds(1) == "0:49"

    await chromium.story(story())
