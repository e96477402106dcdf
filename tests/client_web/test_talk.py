"""The chat of a table: quick phrases, and muted players."""

import json
from collections.abc import Mapping
from typing import Any

from playwright.async_api import expect

from protocol.wire_form import WireForm
from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.chromium import PHONE, Chromium
from tests.client_web.modules import Modules
from tests.client_web.pictures import start_of
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.test_windows import CODE, at_the_code
from tests.client_web.whole_page import whole_page

BEGIN = """
const { Talk } = await import("/room/talk.js");
const { Said } = await import("/memory.js");
const { Speaker } = await import("/words.js");
const words = new Speaker(texts);
const asked = [], said = [];
const app = {
    t: (key, args) => words.page(key, args), say: (text) => said.push(text),
    ask: async (type, { text, phrase = null }) => {
        asked.push([type, text, phrase]);
        return { type: "ok" };
    },
    session: { name: "Ann", knows: () => true },
};
app.said = new Said(() => app.session.name);
const hear = (to, line) => {
    const chat = { table: "PLUM", seat: 1, ...line };
    app.said.add(chat);
    to.chat(chat);
};
sessionStorage.clear();
const make = () => {
    const talk = new Talk(app, { code: "PLUM", picture: null });
    document.body.replaceChildren(talk.element);
    return talk;
};
const talk = make();
const lines = () => [...document.querySelectorAll(".chat bdi")].map((each) => each.textContent);
const press = (text) => {
    const all = [...document.querySelectorAll("button")];
    all.find((each) => each.textContent === text).click();
};
"""

HEARD = """() => {
    const node = document.querySelector(".chat-preview"), box = node.getBoundingClientRect();
    const covers = [...document.querySelectorAll(".card, .question, .choice, .panel, .tool")]
        .filter((each) => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        });
    return { text: node.innerText, covers: covers.map((each) => each.className),
        heard: [...document.querySelectorAll(".spoken p")].slice(-3).map((p) => p.innerText) };
}"""


def chat(name: str, text: str) -> WireForm:
    """A line of chat at the table."""
    return {"type": "chat", "table": CODE, "name": name, "seat": 1, "text": text}


def story(modules: Modules, script: str) -> Any:
    """The result of a script after `BEGIN`."""
    texts = page_texts(FOLDER, "en")
    return modules.evaluate(f"async (texts) => {{ {BEGIN} {script} }}", texts)


def test_a_quick_phrase_is_said_at_one_click(modules: Modules) -> None:
    """One click says a quick phrase and keeps the typed text."""
    told = story(
        modules,
        """const input = document.querySelector("input");
        input.value = "I was";
        press("Well played!");
        await new Promise((resolve) => setTimeout(resolve));
        return [asked, input.value];""",
    )
    assert told == [[["chat", "Well played!", "well"]], "I was"]


def test_a_phrase_is_read_in_the_language_of_the_page(modules: Modules) -> None:
    """A phrase is shown in the page's language, or as written if it is unknown.

    A server that does not know names of phrases is sent the words alone.
    """
    asked, read, heard, loaded = story(
        modules,
        """app.session.knows = () => false;
        make(); press("Good luck!");
        const chat = (text, phrase) => hear(talk, { name: "Bob", text, phrase });
        document.body.replaceChildren(talk.element);
        chat("Viel Glück!", "luck"); chat("Bonjour !", "of_tomorrow"); chat("Hallo!");
        const read = lines();
        make();
        return [asked, read, said, lines()];""",
    )
    assert asked == [["chat", "Good luck!", None]]
    assert read == loaded == ["Good luck!", "Bonjour !", "Hallo!"]
    assert heard == [f"Bob: {text}" for text in read]


def test_somebody_who_is_muted_is_read_no_more(modules: Modules) -> None:
    """A muted player's lines are hidden, also after a reload, until unmuted."""
    before, muted, loaded, again, heard = story(
        modules,
        """const chat = (to, name, text) => hear(to, { name, text });
        chat(talk, "Bob", "one"); chat(talk, "Cid", "two"); chat(talk, "Ann", "mine");
        const before = [lines(), document.querySelectorAll(".chat button").length];
        press("Mute"); chat(talk, "Bob", "three");
        const muted = lines();
        const next = make(); chat(next, "Bob", "four"); chat(next, "Cid", "five");
        const loaded = lines();
        press("Hear Bob again"); chat(next, "Bob", "six");
        return [before, muted, loaded, lines(), said];""",
    )
    assert before == [["one", "two", "mine"], 2]
    assert muted == ["two", "mine"]
    assert loaded == ["two", "mine", "five"]
    assert again == ["two", "mine", "five", "six"]
    assert heard == ["Bob: one", "Cid: two", "Ann: mine", "Cid: five", "Bob: six"]


def test_spectators_read_and_write_apart_where_they_may(modules: Modules) -> None:
    """Spectators' lines are marked; they can type only if the table allows it."""
    told = story(
        modules,
        """const form = document.querySelector(".talk form");
        const seen = [{ seat: null, info: { settings: {} } },
            { seat: null, info: { settings: { spectator_chat: true } } },
            { seat: 1, info: { settings: {} } }].map((picture) => {
                talk.allow(picture);
                return [form.hidden, form.querySelector("input").placeholder];
            });
        hear(talk, { name: "Server", seat: null, text: "no news", apart: true });
        return [seen, said];""",
    )
    assert told == [
        [
            [True, "Say something to the other spectators"],
            [False, "Say something to the other spectators"],
            [False, "Say something"],
        ],
        ["Server (spectators): no news"],
    ]


def test_what_people_said_outlives_deals_and_reloads(modules: Modules) -> None:
    """The chat is kept over deals and reloads, until one leaves or mutes the player.

    Typed text is kept too.
    """
    draft, stays, loaded, muted, other, left = story(
        modules,
        """app.wordsFor = () => words;
        const picture = { info: { seats: [] }, facts: [], earlier: 0 };
        const begun = { verb: "deal_started", args: { deal: 1 } };
        hear(talk, { name: "Bob", text: "hello" });
        hear(talk, { name: "Cid", text: "<b>hi</b>" });
        talk.happened({ picture, before: picture, facts: [begun] });
        talk.shown([begun]);
        const input = document.querySelector("input");
        input.value = "I was"; input.focus(); talk.snapshot(picture);
        const draft = [document.activeElement === input, input.value];
        const stays = lines();
        make().snapshot(picture); const loaded = lines();
        press("Mute"); make(); const muted = lines();
        app.session.name = "Dan"; make(); const other = lines();
        app.session.name = "Ann"; app.said.forget("PLUM"); make();
        return [draft, stays, loaded, muted, other, lines()];""",
    )
    assert draft == [True, "I was"]
    assert stays == loaded == ["hello", "<b>hi</b>"]
    assert muted == ["<b>hi</b>"]
    assert other == left == []


def test_what_was_missed_is_marked_and_kept_with_its_numbers(modules: Modules) -> None:
    """Missed lines are marked and stored with their numbers, muted players with their state."""
    who, kept, heard, others = story(
        modules,
        """const names = () => [...document.querySelectorAll(".chat strong")]
            .map((each) => each.textContent);
        hear(talk, { name: "Bob", text: "one", number: 7 });
        hear(talk, { name: "Bob", text: "two", number: 9, earlier: true });
        hear(talk, { name: "Cid", text: "aside", seat: null, number: 4, apart: true,
            earlier: true });
        hear(talk, { name: "Server", text: "we stop at ten", seat: null });
        const told = names();
        make(); const kept = names();
        press("Mute");
        app.said.add({ table: "PLUM", name: "Bob", seat: 1, text: "three", number: 11 });
        const heard = [...app.said.heard("Ann")];
        return [told, kept, heard, [...app.said.heard("Dan")]];""",
    )
    assert who == kept == ["Bob: ", "Bob (earlier): ", "Cid (spectators, earlier): "]
    assert heard == [["PLUM", [0, 4]]]
    assert others == []


async def test_what_is_said_out_of_sight_is_seen_on_a_phone(chromium: Chromium) -> None:
    """On a phone new lines are shown briefly, then counted, with a link to the chat.

    A screen reader announces them once.
    """
    table = at_the_code(start_of("hearts-4"))
    said = [chat("Bob", "Good luck!"), chat("Ann", "Hello"), chat("Bob", "Ready?")]

    async def story() -> Mapping[str, Any]:
        async with whole_page(chromium, CODE, PHONE) as shown:
            page = shown.page
            await shown.feed([json.dumps([WELCOME]), json.dumps([table])])
            await shown.feed([json.dumps(said[:1]), json.dumps(said[1:])])
            seen: dict[str, Any] = await page.evaluate(HEARD)
            await page.evaluate("window.played.advance(7000)")
            seen["later"] = await page.locator(".chat-preview").inner_text()
            await page.locator(".chat-preview").click()
            await expect(page.locator(".chat-preview")).to_be_hidden()
            await expect(page.locator(".said")).to_be_in_viewport()
            await shown.feed([json.dumps([chat("Bob", "Here")])])
            seen["beside"] = await page.locator(".chat-preview").is_visible()
            return seen

    assert await chromium.story(story()) == {
        "text": "Bob: Ready?",
        "covers": [],
        "heard": ["Bob: Good luck!", "Ann: Hello", "Bob: Ready?"],
        "later": "Chat (2)",
        "beside": False,
    }


async def test_a_muted_player_is_not_heard_above_the_cards_either(chromium: Chromium) -> None:
    """A muted player's lines are neither shown above the cards nor counted.

    A shown line of a player disappears when they are muted.
    """
    table = at_the_code(start_of("hearts-4"))

    async def story() -> None:
        async with whole_page(chromium, CODE, PHONE) as shown:
            page, heard = shown.page, shown.page.locator(".chat-preview")
            await shown.feed([json.dumps([WELCOME]), json.dumps([table])])
            await shown.feed([json.dumps([chat("Bob", "Hurry")])])
            await expect(heard).to_have_text("Bob: Hurry")
            # As a screen reader presses it, wherever the page is scrolled to.
            await page.get_by_label("Mute Bob").evaluate("(button) => button.click()")
            await page.evaluate("scrollTo(0, 0)")
            await expect(page.locator(".said")).not_to_be_in_viewport()
            await expect(heard).to_be_hidden()
            await shown.feed([json.dumps([chat("Bob", "Hurry up")])])
            await expect(heard).to_be_hidden()
            assert "Hurry up" not in await page.locator("body").inner_text()
            await shown.feed([json.dumps([{**chat("Cid", "Calm down"), "seat": 2}])])
            await expect(heard).to_have_text("Cid: Calm down")
            await page.evaluate("window.played.advance(7000)")
            await expect(heard).to_have_text("Chat (1)")
            await page.get_by_role("button", name="Hear Bob again").evaluate("(b) => b.click()")
            await page.evaluate("scrollTo(0, 0)")
            await expect(page.locator(".said")).not_to_be_in_viewport()
            await shown.feed([json.dumps([chat("Bob", "Sorry")])])
            await expect(heard).to_have_text("Bob: Sorry")

    await chromium.story(story())


async def test_what_is_unread_is_in_sight_when_one_goes_to_the_chat(chromium: Chromium) -> None:
    """Opening the chat scrolls to the first unread line."""
    table = at_the_code(start_of("hearts-4"))

    async def story() -> None:
        async with whole_page(chromium, CODE, PHONE) as shown:
            page, heard = shown.page, shown.page.locator(".chat-preview")
            await shown.feed([json.dumps([WELCOME]), json.dumps([table])])
            await shown.feed([json.dumps([chat("Bob", "Good luck!")])])
            # What is told without anybody's saying it counts as nothing unread, as moves do.
            away = {"type": "presence", "table": CODE, "seat": 1}
            frames = [json.dumps([{**away, "away": at % 2 == 0}]) for at in range(20)]
            await shown.feed(frames)
            line = page.locator(".said .chat")
            await expect(page.locator(".course li.news")).to_have_count(20)
            await heard.click()
            await expect(page.locator(".said")).to_be_in_viewport()
            box = await line.bounding_box()
            lines = await page.locator(".said").bounding_box()
            assert box
            assert lines
            assert lines["y"] - 1 <= box["y"] < lines["y"] + lines["height"] - box["height"]

    await chromium.story(story())
