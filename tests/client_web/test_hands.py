"""A drawn table used by mouse, finger and keyboard; no server, no socket."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from playwright.async_api import Locator, Page, TimeoutError, expect

from protocol.wire_form import WireForm
from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.chromium import PHONE, SECONDS, Chromium
from tests.client_web.modules import Modules
from tests.client_web.pictures import moments_of, pictures_of
from tests.client_web.test_layout import SUBJECTS
from tests.counts import NIGHT

DRAW = """async ([message, texts]) => {
    const { TableView } = await import("/table/table.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    const { Speaker } = await import("/words.js");
    window.table?.end();
    document.body.replaceChildren();
    for (const href of ["/page.css", "/table/table.css"]) {
        if (document.head.querySelector(`[href="${href}"]`)) continue;
        const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
        await new Promise((resolve) => { sheet.onload = resolve; document.head.append(sheet); });
    }
    const element = document.createElement("div");
    element.style.setProperty("width", "390px");
    element.style.setProperty("height", "700px");
    const input = document.createElement("input");
    document.body.append(element, input);
    window.acts = [];
    window.said = [];
    window.sceneOf = (message) => {
        const picture = pictureOf(message);
        const names = namesOf(picture.info);
        return { ...picture, code: picture.table, fresh: true, before: null, facts: [], game: null,
            deal: picture.facts, names, clocks: null, online: true,
            words: new Speaker(texts, names, picture.legend, picture.seat) };
    };
    window.table = new TableView(element, {
        setting: (name) => window.kept?.[name] ?? null, set: () => null,
        say: (text) => said.push(text),
        act: async (action) => {
            acts.push(action);
            return "You must follow suit.";
        },
    });
    table.show(sceneOf(message));
    await table.loaded;
}"""
expect.set_options(timeout=1000 * SECONDS)
SOME = ("whist-4", "black_queen-4", "schnapsen-2", "Rummy2")
TAPS = 4
TAP_SECONDS = 10
TAP = 0.2
"""Where a card is tapped, of its width: others overlap the rest."""


@pytest.fixture(scope="module")
def shared_phone(chromium: Chromium) -> Iterator[Modules]:
    """An empty phone page, shared by tests."""
    modules = Modules(chromium, viewport=PHONE, has_touch=True, reduced_motion="reduce")
    yield modules
    modules.close()


@pytest.fixture
def phone(shared_phone: Modules) -> Modules:
    """A phone page without content."""
    return shared_phone.empty()


def show(phone: Modules, told: WireForm) -> None:
    """Draw a new table, assigned to `table`; `acts` records its moves."""
    phone.evaluate(DRAW, [told, page_texts(FOLDER, "en")])


def must_follow() -> WireForm:
    """A table where some cards may be played and some may not."""
    for each in pictures_of("whist-4"):
        actions = each["question"].get("choices", {}).get("actions", ())
        held = each["view"]["zones"].get("hand/0", {}).get("cards", ())
        plays = [action for action in actions if action.split(" ")[-1] in held]
        if plays and len(plays) < len(held):
            return each
    raise AssertionError("nobody ever had to follow suit")


async def middle(card: Locator) -> tuple[float, float]:
    """The visible middle of a card."""
    box = await card.bounding_box()
    assert box is not None
    return box["x"] + box["width"] * TAP, box["y"] + box["height"] * 0.4


async def tap_card(page: Page, kind: str, done: str) -> None:
    """Tap the first card of a kind, again if a busy browser took it for a long press."""
    for _ in range(TAPS):
        await page.touchscreen.tap(*await middle(page.locator(kind).first))
        try:
            await page.wait_for_function(done, timeout=TAP_SECONDS * 1000)
        except TimeoutError:
            continue
        return
    raise AssertionError(f"{TAPS} taps did nothing: {done}")


async def acts(page: Page) -> list[str]:
    """The moves that were made."""
    made: list[str] = await page.evaluate("acts")
    return made


def test_a_tap_enlarges_and_another_plays(phone: Modules) -> None:
    """A first tap enlarges a card, and a second plays it; an illegal card says why.

    Nothing moves under the finger, and after a new question a card must be tapped twice again.
    """

    async def tap() -> None:
        page = phone.page
        peek, question = page.locator(".peek"), page.locator(".question")
        kind = ".in-hand.is-open"
        lies = await middle(page.locator(kind).first)
        asked = await question.text_content()
        await tap_card(page, kind, "!document.querySelector('.peek').hidden")
        label = await page.evaluate(
            f"table.words().label(document.querySelector('{kind}').dataset.token)"
        )
        await expect(question).to_have_text(f"Tap again to play {label}.")
        assert await page.evaluate("said.at(-1)") == f"Tap again to play {label}."
        assert await middle(page.locator(kind).first) == lies
        assert await acts(page) == []
        await tap_card(page, kind, "acts.length === 1")
        await expect(peek).to_be_hidden()
        assert asked != await question.text_content() == "You must follow suit."
        await tap_card(page, ".in-hand.is-forbidden", "acts.length === 2")
        await expect(page.locator(".question.is-problem")).to_have_text("You must follow suit.")
        await expect(peek).to_be_visible()
        assert await page.evaluate("said.at(-1)") == "You must follow suit."

    told = must_follow()
    show(phone, told)
    phone.run(tap())
    played, refused = phone.evaluate("acts")
    assert played in told["question"]["choices"]["actions"]
    assert refused not in told["question"]["choices"]["actions"]


def test_a_tap_in_a_pick_chooses_and_enlarges(phone: Modules) -> None:
    """In a pick a tap chooses and enlarges a card, arrows enlarge it; an illegal one says why."""

    async def choose() -> tuple[str, str]:
        page = phone.page
        peek, chosen = page.locator(".peek"), page.locator(".card.is-chosen")
        await tap_card(page, ".in-hand.is-open", "!document.querySelector('.peek').hidden")
        await expect(chosen).to_have_count(1)
        assert await acts(page) == []
        await page.keyboard.press("ArrowRight")
        await expect(peek).to_be_visible()
        large = await peek.locator("[data-face]").first.get_attribute("data-face") or ""
        there = await page.evaluate("document.activeElement.dataset.token")
        assert there in large
        await page.keyboard.press("Escape")
        await expect(peek).to_be_hidden()
        await expect(chosen).to_have_count(0)
        problem = page.locator(".question.is-problem")
        await expect(problem).to_have_count(0)
        await page.evaluate(f"document.querySelector('[data-token=\"{shut}\"]').click()")
        other = await problem.text_content() or ""
        for token in cards[:4]:
            await page.evaluate(f"document.querySelector('[data-token=\"{token}\"]').click()")
        full = await problem.text_content() or ""
        await page.keyboard.press("Escape")
        await expect(problem).to_have_count(0)
        return other, full

    told = next(each for each in pictures_of("hearts-4") if picks_of(each))
    (pick,) = picks_of(told)
    *cards, shut = pick["cards"]
    show(
        phone,
        {
            **told,
            "question": {**told["question"], "choices": {"picks": [{**pick, "cards": cards}]}},
        },
    )
    other, full = phone.run(choose())
    assert other.startswith("This card is not among those to choose from: ")
    assert full == "You have chosen 3 cards. Take one back first."
    assert phone.evaluate("[acts, said.at(-1)]") == [[], full]


def picks_of(told: WireForm) -> Any:
    """A pick of several cards."""
    return told["question"].get("choices", {}).get("picks", ())


Draw = Callable[[Page, tuple[float, float], tuple[float, float]], AsyncIterator[None]]


async def by_mouse(
    page: Page, start: tuple[float, float], end: tuple[float, float]
) -> AsyncIterator[None]:
    """Drag with the mouse; `between` runs before the button is released."""
    await page.mouse.move(*start)
    await page.mouse.down()
    await page.mouse.move(*end, steps=4)
    yield
    await page.mouse.up()


async def by_finger(
    page: Page, start: tuple[float, float], end: tuple[float, float]
) -> AsyncIterator[None]:
    """Drag with a finger on a touch screen."""
    session = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        told = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        await session.send("Input.dispatchTouchEvent", told)

    await touch("touchStart", start)
    for part in range(1, 5):
        x, y = ((a * (4 - part) + b * part) / 4 for a, b in zip(start, end, strict=True))
        await touch("touchMove", (x, y))
    yield
    await touch("touchEnd")


@pytest.mark.parametrize("draw", [by_mouse, by_finger])
def test_a_card_is_drawn_to_its_place(phone: Modules, draw: Draw) -> None:
    """A dragged card shows where it may go, and stays if it is dropped where it lay."""

    async def drag(far: bool) -> None:
        page = phone.page
        start = await middle(page.locator(".in-hand.is-open").first)
        targets = page.locator(".spot.is-target")
        box = await page.locator(".spot[data-zone='played 0']").bounding_box()
        assert box is not None
        there = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        async for _ in draw(page, start, there if far else (start[0] + 20, start[1] - 20)):
            await expect(targets).to_have_count(1)
        await expect(targets).to_have_count(0)
        await page.wait_for_function("!table.dragging.drag")
        await page.wait_for_function(f"acts.length === {int(far)}")

    told = must_follow()
    show(phone, told)
    phone.run(drag(far=False))
    phone.run(drag(far=True))
    assert phone.evaluate("acts")[0] in told["question"]["choices"]["actions"]


@pytest.mark.parametrize("moment", range(4) if NIGHT else (2,))
@pytest.mark.parametrize("subject", SUBJECTS if NIGHT else SOME)
def test_arrows_reach_every_card_and_button(phone: Modules, subject: str, moment: int) -> None:
    """Arrow keys reach every card and button, each with a name, and groups have one tab stop."""
    show(phone, moments_of(subject)[moment])
    missing, unnamed, stops = phone.evaluate(
        """() => {
            const all = [...document.querySelectorAll(".felt button, .choice")];
            const reached = new Set(all.slice(0, 1));
            for (const node of reached) {
                for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
                    node.focus();
                    node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                    reached.add(document.activeElement);
                }
            }
            const names = (node) => node.getAttribute("aria-label") ?? node.textContent;
            const groups = new Map();
            for (const node of document.querySelectorAll(".felt button")) {
                const { group } = node.dataset;
                groups.set(group, (groups.get(group) ?? 0) + (node.tabIndex === 0));
            }
            return [all.filter((node) => !reached.has(node)).map(names),
                all.filter((node) => !names(node)).length, [...groups.values()]];
        }"""
    )
    assert missing == []
    assert unnamed == 0
    assert set(stops) <= {1}


async def press(page: Page, *keys: str) -> list[str]:
    """The moves after these further keys."""
    for key in keys:
        await page.keyboard.press(key)
    return await acts(page)


def test_a_digit_plays_a_card(phone: Modules) -> None:
    """A digit plays that one of the legal cards, and Enter the focused one.

    Single-key shortcuts can be switched off.
    """
    told = must_follow()
    show(phone, told)
    names = phone.evaluate(
        """() => {
            table.keys.focusFirst();
            const cards = [...document.querySelectorAll(".card.is-open")];
            return cards.map((node) => node.dataset.token);
        }"""
    )
    made = phone.run(press(phone.page, "1", "Enter"))
    assert [action.split(" ")[-1] for action in made] == [names[0]] * 2
    phone.evaluate("table.element.nextSibling.focus()")
    assert phone.run(press(phone.page, "1", "2")) == made
    phone.evaluate("() => { window.kept = { keys: 'off' }; table.keys.focusFirst(); }")
    assert phone.run(press(phone.page, "1", "2")) == made
    phone.evaluate("() => { window.kept = {}; }")
    assert len(phone.run(press(phone.page, "1"))) == len(made) + 1


def test_the_focus_is_not_lost_when_a_table_is_drawn_anew(phone: Modules) -> None:
    """The focus survives a redraw: it rests on a card, and then goes to the first legal one.

    A text field keeps the focus.
    """
    told = must_follow()
    show(phone, told)
    waiting = {**told, "question": {**told["question"], "to_act": [1], "choices": None}}
    found = phone.evaluate(
        """([told, waiting]) => {
            const cards = sceneOf(told).view.zones["hand/0"].cards;
            const open = () => document.activeElement.matches(".card.is-open");
            table.keys.focusFirst();
            const played = document.activeElement.dataset.token;
            const found = [open()];
            const left = structuredClone(waiting);
            left.view.zones["hand/0"].cards = cards.filter((token) => token !== played);
            table.show(sceneOf(left));
            found.push(document.activeElement.matches(".in-hand"), open());
            table.show(sceneOf(told));
            found.push(open());
            document.querySelector("input").focus();
            table.show(sceneOf(left));
            found.push(document.activeElement.matches("input"));
            return found;
        }""",
        [told, waiting],
    )
    assert found == [True, True, False, True, True]


def test_a_table_is_told_in_words(phone: Modules) -> None:
    """Every seat has a description with its score, cards and counts, for screen readers."""
    show(phone, moments_of("black_queen-4")[0])
    heading, lines = phone.evaluate(
        """() => [document.querySelector(".in-words h2").textContent,
            [...document.querySelectorAll(".in-words li")].map((node) => node.textContent)]"""
    )
    assert heading == "The table in words"
    assert [line.split(":")[0] for line in lines[-4:]] == ["You", "Bob", "Cid", "Dora"]
    assert "Score" in lines[-1]
    assert "cards face down" in lines[-1]
    assert " of spades" in " ".join(lines)


def test_a_card_says_what_a_click_does(phone: Modules) -> None:
    """The accessible name of a card has the move, the card and its place; illegal ones say so."""
    show(phone, must_follow())
    names, disabled = phone.evaluate(
        """() => [[...document.querySelectorAll(".in-hand.is-open")].map((node) => node.ariaLabel),
            [...document.querySelectorAll(".is-forbidden")].map((node) => node.ariaDisabled)]"""
    )
    assert all(name.startswith("play ") and " of " in name for name in names)
    assert set(disabled) == {"true"}
    show(phone, moments_of("black_queen-4")[2])
    slots = phone.evaluate(
        """() => [...document.querySelectorAll("button.card")].map((node) => node.ariaLabel)
            .filter((name) => name.includes("column"))"""
    )
    assert slots
    assert all(name.split("column ")[1][0].isdigit() for name in slots)
