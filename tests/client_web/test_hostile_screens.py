"""Hostile texts beside the table: in replay and review, after a match, and among devices."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.match_logs import CODE, logs_of
from tests.client_web.test_hostile_texts import (
    HOSTILE,
    WELCOME,
    WORDS,
    hostile_table,
    poisoned,
    shows_no_harm,
)
from tests.client_web.whole_page import WholePage, whole_page
from tests.counts import NIGHT

SUBJECT = "whist-5"
SUBJECTS = ["schnapsen-2", "Golf4"] if NIGHT else ["schnapsen-2"]
KNOWS_ALL: WireForm = {
    **WELCOME,
    "features": ["follow_tables", "settings.latecomers", "review", "add_device", "devices"],
}
GAMES: WireForm = {"type": "games", "games": []}
LOBBY: WireForm = {"type": "lobby", "tables": [], "order": []}
WHOLE_NAMES = """() => {
    const chart = document.querySelector(".chart").getBoundingClientRect();
    return [...document.querySelectorAll(".chart text.name")].map((name) => {
        const box = name.getBoundingClientRect();
        return [name.textContent.length > 1, box.left >= chart.left && box.right <= chart.right];
    });
}"""
READS_ON = """(all) => all.map((node) => {
    const { firstChild } = node;
    const at = (character) => {
        const range = document.createRange();
        range.setStart(firstChild, character);
        range.setEnd(firstChild, character + 1);
        return range.getBoundingClientRect();
    };
    const start = firstChild.length - firstChild.textContent.trimStart().length;
    const [first, second] = [at(start), at(start + 1)];
    return first.left < second.left;
})"""
"""Whether letters follow each other from the left."""


def hostile_logs(subject: str, text: str) -> dict[str, WireForm]:
    """The logs of a match in which every text is this one."""
    logs: dict[str, Any] = json.loads(json.dumps(logs_of(subject)))
    for log in logs.values():
        for info in [log["info"], *(each["info"] for each in log["entries"] if "info" in each)]:
            info["title"] = text
            for chair in info["seats"]:
                chair["name"] = text[:24]
        for key in ("legend", "labels", "layout"):
            log[key] = poisoned(log.get(key), text, WORDS)
        log["entries"] = poisoned(log["entries"], text, frozenset({"words"}))
    return logs


def hostile_review(text: str) -> WireForm:
    """A review of one move, with this text as its name."""
    move = {"deal": 1, "trick": 1, "nth": 1, "move": text}
    phrase = {"code": "review_worse", "args": {**move, "other": text, "points": "2"}}
    said = {"action": "play 2C", "text": text, "best": text, "best_text": text}
    decision = {"entry": 4, "deal": 1, "given_away": {"points": 2}, "phrase": phrase, **said}
    worst = {"code": "review_worst", "args": {**move, "points": text}}
    summary = {"worst": 0, "phrases": [worst]}
    return {"type": "review", "decisions": [decision], "summary": summary}


async def settled(page: WholePage) -> None:
    """Wait until the requested answers have arrived and are drawn."""
    await page.feed([json.dumps([{"type": "pong"}])] * 2, rest=500)


@pytest.mark.parametrize("subject", SUBJECTS)
async def test_a_replay_of_hostile_texts_shows_them(chromium: Chromium, subject: str) -> None:
    """A replay shows hostile texts harmlessly, at all moments, with all hands, and in reviews."""

    async def story() -> None:
        for text in HOSTILE.values():
            async with whole_page(chromium, f"{CODE}/replay") as page:
                await page.answer({**hostile_logs(subject, text), "review": hostile_review(text)})
                await page.feed([json.dumps([KNOWS_ALL])])
                await expect(page.page.locator(".replay .felt .card").first).to_be_attached()
                await page.page.locator(".replay .head select").select_option("all")
                for key in ("Home", "PageDown", "End", "ArrowLeft"):
                    await page.page.keyboard.press(key)
                    await settled(page)
                    await shows_no_harm(page, [text])
                await page.page.get_by_role("button", name="Review", exact=True).click()
                await expect(page.page.locator(".review .whole li")).to_have_count(1)
                await shows_no_harm(page, [text])
                decision = page.page.locator(".review .decisions button")
                assert text[:24] in (await decision.text_content() or "")

    await chromium.story(story())


async def test_after_a_match_hostile_names_stay_names(chromium: Chromium) -> None:
    """Hostile names stay text after a match: on chart, tables, match list and lobby."""

    async def story() -> None:
        for text in HOSTILE.values():
            async with whole_page(chromium, CODE) as page:
                table = hostile_table(SUBJECT, -1, text)
                table["info"]["match"] = 2
                await page.answer(
                    {"log": two_matches(text), "follow_tables": LOBBY, "games": GAMES}
                )
                await page.feed([json.dumps([KNOWS_ALL])])
                await page.feed([json.dumps([{**table, "type": "table"}])])
                await settled(page)
                await page.page.get_by_text("Scores by deal").click()
                await expect(page.page.locator(".results table")).to_have_count(2)
                await shows_no_harm(page, [text])
                assert await page.page.evaluate(WHOLE_NAMES) == [[True, True]] * 5
                await page.page.get_by_role("button", name="All tables").click()
                await expect(page.page.locator(".past li")).to_have_count(1)
                await settled(page)
                await shows_no_harm(page, [text])
                assert all(await page.page.locator(".past .quiet").evaluate_all(READS_ON))

    await chromium.story(story())


def two_matches(text: str) -> WireForm:
    """A log of two matches of two deals each, with different points for all."""
    table = hostile_table(SUBJECT, -1, text)
    names = [f"{at}{text}"[:24] for at in range(5)]
    chairs = [
        {**chair, "name": name} for chair, name in zip(table["info"]["seats"], names, strict=True)
    ]
    entries = [
        {
            "seq": match,
            "info": {**table["info"], "match": match, "seats": chairs},
            "facts": [
                *(
                    {"verb": "deal_scored", "args": {"deal": deal, **points(deal)}}
                    for deal in (1, 2)
                ),
                {"verb": "match_ended", "args": {"ranks": [1, 2, 3, 4, 5], "totals": []}},
            ],
        }
        for match in (1, 2)
    ]
    return {"type": "log", "table": CODE, "last": 2, "info": table["info"], "entries": entries}


def points(deal: int) -> WireForm:
    """The points of each player in a deal, and their totals after it."""
    return {"scores": list(range(5)), "totals": [deal * each for each in range(5)]}


async def test_devices_of_hostile_names_can_be_told_apart(chromium: Chromium) -> None:
    """Devices with hostile names can be told apart by what stands behind them in the dialog."""
    names: Sequence[str] = list(HOSTILE.values())
    devices = {
        "type": "devices",
        "devices": [
            {"device": str(at), "name": name, "since": 1.6e9, "seen": 1.6e9, "online": True}
            for at, name in enumerate(names)
        ],
    }

    async def story() -> None:
        async with whole_page(chromium) as page:
            await page.answer({"devices": devices, "follow_tables": LOBBY, "games": GAMES})
            await page.feed([json.dumps([KNOWS_ALL])])
            await page.page.locator(".who").click()
            await expect(page.page.locator(".devices li")).to_have_count(len(names))
            await shows_no_harm(page, names)
            assert all(await page.page.locator(".devices .quiet").evaluate_all(READS_ON))

    await chromium.story(story())
