"""Names, chat, titles and words of games are text on the page, whatever they contain."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.wire_form import WireForm
from tests.chromium import DESK, PHONE, Chromium
from tests.client_web.pictures import moments_of
from tests.client_web.whole_page import WholePage, whole_page

MARKUP = '<img src=x onerror="window.harmed=1"><b>bold</b><script>window.harmed=1</script>'
HOSTILE = {
    "markup": MARKUP,
    "right to left": "\u202eשלום \u05d0\u05d1\u05d2 مرحبا\u2066",
    "invisible": "a\u200b\u200d\ufeff\u2060\u00ad" * 8,
    "endless": "W" * 300,
    "tall": "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334" * 12,
}
WELCOME: WireForm = {
    "type": "welcome",
    "id": 1,
    "player": "ann",
    "token": "t",
    "name": "Ann",
    "version": 1,
    "server": "0",
    "resumed": [],
    "features": ["follow_tables", "settings.latecomers"],
    "limits": {"message_bytes": 65536, "messages_per_second": 10, "message_burst": 20},
}

# What text must never do: become an element, run, or leave the window.
HARM = """async (texts) => {
    // A window of another size is laid out anew for the next picture on the screen.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const scrolls = (node) => {
        for (let each = node.parentElement; each; each = each.parentElement) {
            if (getComputedStyle(each).overflowX !== "visible") return true;
        }
        return false;
    };
    const out = [...document.body.querySelectorAll("*")].filter((node) => {
        const box = node.getBoundingClientRect();
        return node.checkVisibility() && box.width && (box.right > innerWidth + 1 || box.left < -1)
            && !node.closest(".spoken, .skip, dialog, svg") && !scrolls(node);
    });
    const dialogs = [...document.querySelectorAll("dialog[open]")];
    out.push(...dialogs.filter((each) => each.scrollWidth > each.clientWidth + 1));
    // What is read from the right stands alone, or is kept to itself: it turns nothing beside it.
    const isolate = /[\\u2066-\\u2068][^\\u2066-\\u2069]*\\u2069/g;
    const outside = (text) => isolate.test(text) ? outside(text.replace(isolate, "")) : text;
    const turned = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
        const { data, parentElement: parent } = nodes.currentNode;
        const left = outside(data);
        // A face of a card has nothing beside its word.
        const isFace = parent.closest("symbol");
        if (isFace || !/[\\u0590-\\u08ff\\u202a-\\u202e]/.test(left)) continue;
        const others = texts.reduce((rest, text) => rest.replaceAll(text, ""), left);
        const { display, unicodeBidi } = getComputedStyle(parent);
        const isOpen = display === "inline" && unicodeBidi === "normal"
            && parent.parentElement.childNodes.length > 1 && !parent.closest("svg");
        if (isOpen || /[\\p{L}\\p{N}]/u.test(others))
            turned.push(`${parent.localName}.${parent.className}: ${data}`);
    }
    return {
        turned,
        harmed: window.harmed ?? null,
        elements: document.querySelectorAll("img, b b, body script, iframe").length,
        out: out.map((node) => `${node.localName}.${node.className}`),
        wide: document.documentElement.scrollWidth > innerWidth,
        text: document.body.textContent,
    };
}"""


def poisoned(form: Any, text: str, words: frozenset[str]) -> Any:
    """The form with `text` in every field of these names."""
    match form:
        case dict():
            return {
                name: text
                if name in words and isinstance(value, str)
                else poisoned(value, text, words)
                for name, value in form.items()
            }
        case list() | tuple():
            return [poisoned(each, text, words) for each in form]
        case _:
            return form


CHOICES = 60
"""No question of these tables has more."""
WORDS = frozenset({"title", "text", "holds", "label", "help", "name", "description"})
"""Fields of a table's picture that people, or the authors of a game, fill."""


def hostile_table(subject: str, moment: int, text: str) -> WireForm:
    """A table in the middle of a match in which every text is this one."""
    table: Any = json.loads(json.dumps(moments_of(subject)[moment]))
    table["info"]["title"] = text
    for chair in table["info"]["seats"]:
        chair["name"] = text[:24]
    for key in ("legend", "labels", "layout"):
        table[key] = poisoned(table.get(key), text, WORDS)
    choices = table["question"].get("choices")
    if choices and choices.get("texts"):
        choices["texts"] = [f"{text} {at}" for at, _ in enumerate(choices["texts"])]
    return {"type": "table", **table}


async def shows_no_harm(page: WholePage, texts: Iterable[str]) -> None:
    """Check that nothing ran, was made or overflowed, and that the texts are there."""
    for size in (PHONE, DESK):
        await page.page.set_viewport_size(size)
        told = [f"{text} {at}" for text in HOSTILE.values() for at in range(CHOICES)]
        told += [text[:long] for text in HOSTILE.values() for long in (500, 48, 24)]
        seen: Mapping[str, Any] = await page.page.evaluate(HARM, told)
        assert seen["harmed"] is None
        assert seen["elements"] == 0
        assert not seen["out"], (size, seen["out"])
        assert not seen["wide"], size
        assert not seen["turned"], (size, seen["turned"])
        for text in texts:
            assert text[:24] in seen["text"]


@pytest.mark.parametrize("subject", ["Golf4", "whist-5"])
async def test_a_table_of_hostile_texts_shows_them(chromium: Chromium, subject: str) -> None:
    """A table shows hostile texts harmlessly in all places, on phone and desk."""

    async def story() -> None:
        async with whole_page(chromium, "K7QX") as page:
            await page.feed([json.dumps([WELCOME])])
            for seq, text in enumerate(HOSTILE.values(), 1):
                tables = [hostile_table(subject, moment, text) for moment in (0, 1, 3)]
                chat = {
                    "type": "chat",
                    "table": "K7QX",
                    "seat": 1,
                    "name": text[:24],
                    "text": text[:500],
                }
                for number, table in enumerate(tables):
                    table["seq"] = 10 * seq + number
                    await page.feed([json.dumps([table]), json.dumps([chat])])
                    await shows_no_harm(page, [text])

    await chromium.story(story())


NATIVE = "right to left"
"""The text that in the lobby belongs to a game of ours, and not to one from a file."""


def hostile_game(name: str, text: str) -> WireForm:
    """A described game in which every text is this one."""
    option = {
        "name": "deals",
        "title": text,
        "help": text,
        "default": "a",
        "words": ["a", "b"],
        "titles": {"a": text, "b": text},
    }
    file = "" if name == NATIVE else f".rcy@{sha256(text.encode()).hexdigest()[:32]}"
    return {
        "id": f"{name} {text[:40]}{file}",
        "title": text,
        "about": text,
        "description": text,
        "seats": [2, 3],
        "usual_seats": 3,
        "options": [option],
        "bots": [{"strength": 0, "levels": ["easy"], "title": text}],
        "described": name != NATIVE,
    }


async def test_a_lobby_of_hostile_texts_shows_them(chromium: Chromium) -> None:
    """The lobby shows hostile texts harmlessly as titles, names, options and words."""
    games = {
        "type": "games",
        "games": [hostile_game(name, text) for name, text in HOSTILE.items()],
    }
    codes = [f"PLUM{at}" for at, _ in enumerate(HOSTILE)]
    tables = [
        hostile_table("Golf4", 0, text)["info"] | {"phase": "lobby", "table": code}
        for code, text in zip(codes, HOSTILE.values(), strict=True)
    ]
    lobby = {"type": "lobby", "tables": tables, "order": codes}
    settle = [json.dumps([{"type": "pong"}])]

    async def story() -> None:
        async with whole_page(chromium) as page:
            await page.answer({"games": games, "follow_tables": lobby})
            await page.feed([json.dumps([WELCOME])], rest=50)
            await page.feed(settle, rest=50)
            rows = page.page.locator(".games .game")
            assert await rows.count() == len(HOSTILE)
            # A game that somebody has described for this server is marked as such.
            from_file = rows.filter(has_text="from a file")
            assert await from_file.count() == len(HOSTILE) - 1
            for row in await rows.all():
                await shows_no_harm(page, HOSTILE.values())
                shown = await row.text_content() or ""
                await row.locator("button").last.click()
                await page.feed(settle, rest=50)
                await expect(page.page.locator(".new button.main")).to_be_visible()
                await shows_no_harm(page, [text for text in HOSTILE.values() if text in shown])
                await page.page.evaluate("history.back()")
                await page.feed(settle, rest=50)

    await chromium.story(story())


async def test_a_name_does_not_turn_what_stands_beside_it(chromium: Chromium) -> None:
    """A right-to-left name does not move the text beside it."""

    async def story() -> None:
        async with whole_page(chromium, "K7QX") as page:
            table = hostile_table("whist-5", 0, "Title")
            name = HOSTILE["right to left"][:6]
            chat = {"type": "chat", "table": "K7QX", "seat": 1, "name": name, "text": "12 points"}
            await page.feed([json.dumps([WELCOME]), json.dumps([table]), json.dumps([chat])])
            line = page.page.locator(".lines .chat")
            who = await line.locator("strong").bounding_box()
            what = await line.locator("bdi").bounding_box()
            assert who is not None
            assert what is not None
            assert who["x"] + who["width"] <= what["x"] + 1

    await chromium.story(story())
