"""The end of a match: the result and its chart first, then the old cards."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.facts import seen_by
from protocol.wire_form import WireForm, facts_form
from tests.chromium import Chromium
from tests.client_web.pictures import moments_of, steps_of, table_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, END, at_the_code, games_with
from tests.client_web.whole_page import whole_page
from tests.client_web.windows import DESK, PHONE_UPRIGHT, Size, viewport

SUBJECT = "black_queen-4"
SEEN = """async () => {
    while (!document.querySelector(".chart")) await new Promise(requestAnimationFrame);
    const boxes = [".over h2", ".over button:last-child", ".chart", ".cardtable"].map((which) =>
        document.querySelector(which).getBoundingClientRect());
    const [head, buttons, chart, felt] = boxes.map(({ bottom }) => bottom <= innerHeight);
    return { head, buttons, chart, felt, after: boxes[3].top >= boxes[2].bottom,
        scrolled: scrollY, wide: document.documentElement.scrollWidth > innerWidth };
}"""


def log_of(table: WireForm) -> WireForm:
    """The log of the match, with its scores."""
    game, seats = table_of(SUBJECT)
    told = [fact for step in steps_of(game, seats, 7) for fact in seen_by(step.facts, 0)]
    scores = [fact for fact in told if fact.verb in {"deal_scored", "match_ended"}]
    entries = [{"seq": 1, "facts": facts_form(scores)}]
    return {"type": "log", "info": table["info"], "last": 1, "entries": entries}


@pytest.mark.parametrize(("window", "felt"), [(DESK, True), (PHONE_UPRIGHT, False)])
async def test_result_and_chart_stand_in_the_first_window(
    chromium: Chromium, window: Size, felt: bool
) -> None:
    """The result, chart and next steps are in the first window, and on a desk the cards too."""
    table = at_the_code(moments_of(SUBJECT)[END])

    async def story() -> Mapping[str, Any]:
        async with whole_page(chromium, CODE, viewport(window)) as page:
            await page.answer({"games": games_with(table["info"]), "log": log_of(table)})
            await page.feed([json.dumps([WELCOME]), json.dumps([table])])
            seen: Mapping[str, Any] = await page.page.evaluate(SEEN)
            return seen

    assert await chromium.story(story()) == {
        "head": True,
        "buttons": True,
        "chart": True,
        "felt": felt,
        "after": True,
        "scrolled": 0,
        "wide": False,
    }
