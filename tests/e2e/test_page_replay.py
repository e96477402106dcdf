"""Tests the replay in the page at a real server, by its button and by link."""

import asyncio
import json
import re
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.chromium import DESK, PHONE, Chromium
from tests.e2e.clicking import come_in, open_table, play_by_clicks, start_with_bots
from tests.e2e.processes import Server

pytestmark = pytest.mark.e2e

WHIST: dict[str, object] = {"Cards for each player in the first deal": 1}


def without_legend(frame: str | bytes) -> list[Any]:
    """Return the messages of a frame without the parts that are equal at all tables of a game."""
    same = ("legend", "labels", "layout")
    return [
        {name: part for name, part in message.items() if name not in same}
        for message in json.loads(frame)
        if message["type"] not in ("legend", "games")
    ]


async def cards_in_hand(page: Page) -> set[str]:
    """Return the cards of the player's own hand on the screen."""
    cards = page.locator(".card.in-hand")
    return {await card.get_attribute("data-token") or "" for card in await cards.all()}


async def test_a_match_is_replayed_by_its_button_and_by_link(
    page_server: Server, chromium: Chromium, rng: Random
) -> None:
    """The replay's link shows a stranger that moment with all hands, and changes nothing."""

    async def story() -> None:
        async with AsyncExitStack() as stack:
            contexts = [
                await stack.enter_async_context(
                    chromium.context(viewport=size, reduced_motion="reduce")
                )
                for size in (DESK, PHONE)
            ]
            ann, zoe = [await context.new_page() for context in contexts]
            wrong = await come_in(ann, page_server.url, "Ann")
            await open_table(ann, "Whist", WHIST)
            await start_with_bots(ann)
            await play_by_clicks(ann, rng)
            await ann.get_by_text("Scores by deal").click()
            await ann.get_by_role("link", name="Replay from deal 2").click()
            where = ann.locator(".replay .where")
            await expect(where).to_have_text(re.compile("^Deal 2 · step"))
            await ann.keyboard.press("ArrowUp")
            await expect(where).to_have_text(re.compile("^Deal 2, trick 1 · step"))
            await expect(ann.locator(".caption")).to_have_text(re.compile("plays? "))
            await ann.get_by_label("As whom you look").select_option("All hands")
            await expect(ann).to_have_url(re.compile(r"/replay#step=\d+&view=all$"))
            assert not re.search("[CDHS]", ann.url.partition("#")[2])
            there = await where.inner_text()
            async with ann.expect_download() as downloading:
                await ann.get_by_role("button", name="Download").click()
            download = await downloading.value
            assert re.fullmatch(r"blackqueen-[A-Z0-9]+\.json", download.suggested_filename)
            saved = await asyncio.to_thread((await download.path()).read_text)
            logs = json.loads(saved)["logs"]
            assert len(logs) > 2
            assert all(len(log["entries"]) == log["last"] for log in logs)
            # Somebody else follows the link.
            wrong += await come_in(zoe, ann.url, "Zoe")
            await expect(zoe.locator(".replay .where")).to_have_text(there)
            await expect(zoe.locator(".panel .name", has_text="Ann")).to_be_visible()
            await zoe.get_by_label("Moment of the match").press("End")
            await expect(zoe.locator(".replay .caption")).to_have_text(re.compile(r"1\. "))
            # The table stays as it was: nobody sat down by looking.
            await ann.get_by_role("button", name="To the table").click()
            await ann.locator(".over").get_by_role("button", name="Replay").click()
            await expect(where).to_have_text(re.compile("^Deal 1 · step 1 of"))
            await ann.go_back()
            await ann.get_by_role("button", name="Play again").click()
            await expect(ann.locator(".card.in-hand").first).to_be_visible()
            await ann.get_by_role("link", name="Black Queen").click()
            past = ann.locator(".past")
            await expect(past.get_by_role("heading", name="Your last matches")).to_be_visible()
            # Whoever opens the lobby comes before its welcome, and finds the review as well.
            await ann.reload()
            await past.get_by_role("button", name=re.compile("^Review: Whist")).click()
            await expect(ann.locator(".review .whole li").first).to_be_visible()
            await ann.go_back()
            await past.get_by_role("button", name=re.compile("^Replay: Whist")).click()
            await expect(where).to_have_text(re.compile("^Deal 1 · step 1 of"))
            await expect(ann.get_by_label("As whom you look")).to_have_value("all")
            assert wrong == []

    await chromium.story(story())


async def test_a_replay_holds_nothing_that_its_player_may_not_know(
    page_server: Server, chromium: Chromium
) -> None:
    """During a match no replay link sends or shows a player a card of another player's hand.

    A person without a seat is refused in a sentence if the table admits no spectators.
    """

    async def story() -> None:
        async with AsyncExitStack() as stack:
            pages = []
            for _ in range(3):
                context = await stack.enter_async_context(chromium.context(viewport=DESK))
                pages.append(await context.new_page())
            ann, bea, zoe = pages
            await come_in(ann, page_server.url, "Ann")
            await ann.get_by_role("button", name="With people …: Hearts").click()
            await ann.get_by_text("Options", exact=True).click()
            await ann.get_by_label("Spectators may watch").uncheck()
            await ann.get_by_role("button", name="Open the table").click()
            await expect(ann).to_have_url(re.compile("/t/"))
            await come_in(bea, ann.url, "Bea")
            await expect(ann.get_by_text("Bea").first).to_be_visible()
            await start_with_bots(ann)
            for page in (ann, bea):
                await expect(page.locator(".card.in-hand").first).to_be_visible()
            hidden = await cards_in_hand(bea)
            assert len(hidden) == 13
            told: list[Any] = []
            context = await stack.enter_async_context(
                chromium.context(storage_state=await ann.context.storage_state())
            )
            again = await context.new_page()
            again.on(
                "websocket",
                lambda socket: socket.on(
                    "framereceived", lambda frame: told.extend(without_legend(frame))
                ),
            )
            await again.goto(f"{ann.url}/replay#step=99&view=2")
            await expect(again.locator(".card.in-hand").first).to_be_visible()
            assert await cards_in_hand(again) == await cards_in_hand(ann)
            assert [message for message in told if message["type"] == "log"]
            words = set(re.findall(r"\w+", json.dumps(told)))
            assert words & await cards_in_hand(ann)
            assert not words & hidden
            shown = await again.locator(".replay").evaluate("(node) => node.outerHTML")
            tokens = set(re.findall(r'data-token="(\w+)"', shown))
            assert tokens
            assert not tokens & hidden
            await come_in(zoe, f"{ann.url}/replay", "Zoe")
            await expect(zoe.locator(".replay > p")).to_have_text(
                "You may not see what happened here: nobody could watch this table, "
                "and you did not sit at it."
            )
            await expect(zoe.locator(".replay .body")).to_be_hidden()

    await chromium.story(story())
