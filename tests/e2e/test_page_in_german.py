"""Tests that the German page has no English word on any of its screens."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.async_api import Page, expect

from engine import GAMES
from protocol.texts.catalogue import catalogue
from server.net.page_files import FOLDER
from server.net.page_texts import later_texts, page_texts
from tests.chromium import DESK, Chromium
from tests.e2e.processes import Server
from tests.raw_client import raw_client

pytestmark = pytest.mark.e2e

WORD = re.compile(r"\b[^\W\d_]{2,}\b")
"""A word; the letters of a code with digits, such as 7BY2X, are none."""
SAID = """() => {
    for (const code of document.querySelectorAll("code")) code.style.setProperty("display", "none");
    const texts = [document.body.innerText];
    for (const name of ["aria-label", "title", "placeholder"]) {
        const named = document.querySelectorAll(`[${name}]`);
        for (const node of named) texts.push(node.getAttribute(name));
    }
    for (const node of document.querySelectorAll("option")) texts.push(node.textContent);
    return texts.join("\\n");
}"""
"""Everything that can be read or heard on a screen; code is the same in every language."""
OTHER = "English"
"""The name of the other language, by which it can be chosen."""


def words_of(texts: Any) -> set[str]:
    """Return the words of all texts in a table, without those in braces."""
    if isinstance(texts, str):
        return {word.lower() for word in WORD.findall(re.sub(r"\{[\w!]+|`[^`]*`", " ", texts))}
    if isinstance(texts, dict):
        return set().union(*map(words_of, texts.values()))
    return set().union(*map(words_of, texts)) if isinstance(texts, list | tuple) else set()


def english_words() -> set[str]:
    """Return the words that occur in English texts and not in German ones."""
    german = [page_texts(FOLDER, "de"), later_texts("de"), dict(catalogue("de").rules)]
    english = [page_texts(FOLDER, "en"), later_texts("en"), [info.rules for info in GAMES]]
    titles = [info.title for info in GAMES]
    return words_of(english) - words_of(german) - words_of([*titles, OTHER])


async def words_among(page: Page, words: Iterable[str]) -> list[str]:
    """Return those of these words that can be read or heard on a screen."""
    said = {word.lower() for word in WORD.findall(await page.evaluate(SAID))}
    return sorted(said & set(words))


async def nothing_is_english(page: Page, english: Iterable[str]) -> None:
    assert await words_among(page, english) == []


async def refused_at_tables(page: Page, url: str, english: Iterable[str]) -> None:
    """Follow links to tables that are gone, full, or private, and return to the lobby."""
    root = url.replace("ws://", "http://")

    async def refused(code: str, said: str) -> None:
        await page.goto(f"{root}/t/{code}")
        await expect(page.get_by_text(said).first).to_be_visible()
        await nothing_is_english(page, english)

    await refused("GONE", "Den Tisch GONE gibt es nicht; vielleicht ist er schon geschlossen.")
    async with raw_client(url) as other:
        settings = {"watchable": False, "latecomers": "ask"}
        opened = await other.ask("create_table", game="spades", seats=4, settings=settings)
        table = opened["table"]
        for seat in (1, 2, 3):
            await other.ask("add_bot", table=table, seat=seat, strength=0)
        await refused(table, f"Du bist an den Tisch {table} eingeladen.")
        await page.get_by_role("button", name="Hinsetzen").click()
        await expect(page.get_by_text("Alle Plätze sind besetzt.").first).to_be_visible()
        await nothing_is_english(page, english)
        await page.get_by_role("button", name="Zuschauen").click()
        shut = page.get_by_text("An diesem Tisch darf niemand zusehen.")
        await expect(shut.first).to_be_visible()
        await other.ask("leave", table=table)
    await page.goto(f"{root}/")
    await expect(page.get_by_role("button", name="Gleich spielen: Spades")).to_be_visible()


async def test_no_screen_in_german_has_an_english_word(
    page_server: Server, chromium: Chromium
) -> None:
    """No German screen has an English word: entry, lobby, refusals, tables, help, and all games."""
    english = english_words()
    assert {"the", "players", "tricks", "leave"} <= english

    async def walk(title: str, page: Page) -> None:
        await page.get_by_role("button", name=f"Mit Menschen …: {title}").click()
        await expect(page.get_by_role("button", name="Tisch öffnen")).to_be_visible()
        await page.locator("details").first.evaluate("each => { each.open = true; }")
        await nothing_is_english(page, english)
        await page.get_by_role("button", name="Tisch öffnen").click()
        start = page.get_by_role("button", name="Anfangen; Bots")
        await expect(start).to_be_visible()
        await page.get_by_role("button", name="Regeln").click()
        await expect(page.locator(".rules h3")).to_be_visible()
        for part in await page.locator("details").all():
            await part.evaluate("each => { each.open = true; }")
        await nothing_is_english(page, english)
        await page.keyboard.press("Escape")
        await start.click()
        own = page.get_by_role("listitem").filter(has_text=re.compile(r"^Du: (.*; )?am Zug;"))
        await expect(own).to_have_count(1)
        await page.get_by_role("button", name="Einstellungen").first.click()
        await nothing_is_english(page, english)
        await page.get_by_role("button", name="Schließen").last.click()
        await page.get_by_role("button", name="Verlassen").click()
        await nothing_is_english(page, english)
        await page.get_by_role("alertdialog").get_by_role("button", name="Verlassen").click()
        await expect(page.get_by_role("heading", name="Spielen")).to_be_visible()

    async def story() -> None:
        async with chromium.context(viewport=DESK, locale="de-DE") as context:
            page = await context.new_page()
            await page.goto(page_server.url.replace("ws://", "http://"))
            await expect(page.get_by_label("Dein Name")).to_be_visible()
            await nothing_is_english(page, english)
            await page.get_by_label("Dein Name").fill("Server")
            await page.keyboard.press("Enter")
            await expect(page.locator(".alert")).to_contain_text(
                "Die anderen hielten Server für den Server"
            )
            await nothing_is_english(page, english)
            await page.get_by_label("Dein Name").fill("Zoë")
            await page.keyboard.press("Enter")
            await expect(page.get_by_role("button", name="Gleich spielen: Spades")).to_be_visible()
            await nothing_is_english(page, english)
            await refused_at_tables(page, page_server.url, english)
            for info in GAMES:
                await walk(info.title, page)

    await chromium.story(story())
