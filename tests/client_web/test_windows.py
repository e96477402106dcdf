"""What is visible of a match without scrolling, on phones in both orientations and desks."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.pictures import moments_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_layout import SUBJECTS
from tests.client_web.whole_page import WholePage, whole_page
from tests.client_web.windows import AFTER, FELTS, SCROLLED, SMALL_PHONE, Size, viewport
from tests.counts import NIGHT

SOME = (("black_queen-8", 1), ("whist-7", 0), ("Golf4", 1))
"""By day many seats, bids at a table of many, and places to click in place of a hand.

Each with the moment that is looked at: when most lies open, or that of most choices.
"""
CODE = "UCDGNHJK"
"""As long as a server's codes are."""
END = 3
"""The moment after a match: what was scored stands above the table."""
ALL = [(subject, moment) for subject in SUBJECTS for moment in range(END)]
ROOM_BUTTONS = 5
"""To let a bot play, to invite, to read the rules, to be helped, to leave."""

SEEN = """async (goesDown) => {
    // A window of another size is laid out anew for the next picture on the screen.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const boxOf = (node) => node.getBoundingClientRect();
    const table = document.querySelector(".cardtable");
    if (goesDown) table.scrollIntoView({ block: "end", behavior: "instant" });
    const felt = boxOf(table);
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const sticksOut = (of) => (node) => {
        const box = boxOf(node);
        return box.left < of.left - 1 || box.right > of.right + 1 ||
            box.top < of.top - 1 || box.bottom > of.bottom + 1;
    };
    const shown = (selector) => [...document.querySelectorAll(`.cardtable :is(${selector})`)]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }));
    const named = (nodes) => nodes.map((node) => `${node.className} ${node.textContent}`);
    const own = shown(".card.in-hand, .card.is-open, .goal, .question, .choice");
    return {
        felt: [felt.width, felt.height],
        own: own.length,
        buttons: document.querySelectorAll(".head .actions button").length,
        unseen: named(own.filter(sticksOut(view))),
        out: named(shown(".card, .choice, .panel").filter(sticksOut(felt))),
        over: [...document.querySelectorAll(".over :is(h2, p, tr, button)")].map((node) =>
            sticksOut(view)(node) ? `unseen: ${node.textContent}` : node.localName),
        wide: document.documentElement.scrollWidth > innerWidth,
        scrolled: scrollY,
    };
}"""


def games_with(info: WireForm) -> WireForm:
    """The game of a table as listed, with rules, so that the room has a button for them."""
    game = {
        "id": info["game"],
        "title": info["title"],
        "description": "",
        "seats": [2, 8],
        "usual_seats": 4,
        "options": [],
        "bots": [],
        "described": False,
        "rules": True,
    }
    return {"type": "games", "games": [game]}


def is_as_high_as_it_needs(window: Size, seen: Mapping[str, Any], table: WireForm) -> None:
    """Check that the felt is as high as `FELTS` says, or higher in a small window.

    After a match it may be as low as `AFTER` says.
    """
    width, height = FELTS[window]
    over = table["info"]["phase"] == "finished"
    least = AFTER.get(window, height) if over else height
    wide, high = (round(each) for each in seen["felt"])
    assert wide == width, window
    assert least <= high <= SCROLLED.get(window, height), window


async def shows_a_match(page: WholePage, table: WireForm) -> None:
    """Check that one's cards and the question are visible, and nothing leaves felt or window.

    Whist is never scrolled on the smallest phone, however many players bid.
    """
    scrolled = SCROLLED.keys() - ({SMALL_PHONE} if table["info"]["game"] == "whist" else set())
    await page.feed([json.dumps([table])])
    for window in FELTS:
        await page.page.set_viewport_size(viewport(window))
        seen: Mapping[str, Any] = await page.page.evaluate(SEEN, window in scrolled)
        is_as_high_as_it_needs(window, seen, table)
        assert seen["own"], window
        assert seen["buttons"] == ROOM_BUTTONS, window
        assert seen["unseen"] == [], window
        assert seen["out"] == [], window
        assert not seen["wide"], window
        assert seen["scrolled"] == 0 or window in scrolled, window


async def shows_an_end(page: WholePage, table: WireForm) -> None:
    """Check that the result and next steps are visible, and nothing leaves the felt.

    A page that was scrolled down to the cards shows them as well.
    """
    await page.feed([json.dumps([table])])
    at_once: Mapping[str, Any] = await page.page.evaluate(SEEN)
    assert set(at_once["over"]) == {"h2", "tr", "button"}
    await page.page.evaluate("scrollTo(0, 0)")
    for window in FELTS:
        await page.page.set_viewport_size(viewport(window))
        seen: Mapping[str, Any] = await page.page.evaluate(SEEN)
        is_as_high_as_it_needs(window, seen, table)
        assert seen["over"][:2] == ["h2", "tr"], window
        assert set(seen["over"]) == {"h2", "tr", "button"}, window
        assert seen["out"] == [], window
        assert not seen["wide"], window
        assert seen["scrolled"] == 0, window


@pytest.mark.parametrize(("subject", "moment"), ALL if NIGHT else SOME)
async def test_a_match_is_played_without_scrolling(
    chromium: Chromium, subject: str, moment: int
) -> None:
    """In every window hand, question, buttons and all cards are visible without scrolling.

    After the last card of the match there is its result instead.
    """
    moments = moments_of(subject)

    async def story() -> None:
        async with whole_page(chromium, CODE) as page:
            await page.answer({"games": games_with(moments[moment]["info"])})
            await page.feed([json.dumps([WELCOME])])
            await shows_a_match(page, at_the_code(moments[moment]))
            await shows_an_end(page, at_the_code(moments[END]))

    await chromium.story(story())


def at_the_code(told: WireForm) -> WireForm:
    """The picture for the table of this page."""
    return {**told, "type": "table", "table": CODE, "info": {**told["info"], "table": CODE}}
