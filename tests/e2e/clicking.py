"""Plays the page as a person who has only a mouse: visible elements are clicked."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import TypedDict

from playwright.async_api import Page, TimeoutError, expect

from tests.chromium import DESK, PHONE, SECONDS, Chromium

expect.set_options(timeout=1000 * SECONDS)

# What stands at a table of the page, and where somebody would click.
LOOK = """() => {
    const points = [[0.5, 0.5], [0.12, 0.12], [0.12, 0.5], [0.12, 0.85], [0.5, 0.08], [0.85, 0.5],
        [0.5, 0.92], [0.3, 0.3], [0.05, 0.3], [0.88, 0.12]];
    const spot = (node) => {
        const box = node.getBoundingClientRect();
        for (const [across, down] of points) {
            const [x, y] = [box.x + box.width * across, box.y + box.height * down];
            if (document.elementFromPoint(x, y)?.closest("button") === node) return { x, y };
        }
        return null;
    };
    const shown = (selector) => [...document.querySelectorAll(selector)]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }));
    const target = (node) => ({
        ...spot(node),
        name: node.getAttribute("aria-label") ?? node.textContent,
        kind: node.className.split(" ")[0],
        chosen: node.classList.contains("is-chosen"),
    });
    const table = document.querySelector(".table");
    const moves = shown(
        ".card.is-open, .goal, .choice:not([aria-disabled=true]):not(.is-quiet)").map(target);
    const back = shown(".choice.is-quiet").map(target);
    return {
        over: shown(".over button").length > 0,
        dismiss: shown(".sheet .go-on").map(target),
        moves: moves.filter((each) => each.x !== undefined),
        hidden: moves.filter((each) => each.x === undefined).map((each) => each.name),
        back: back.filter((each) => each.x !== undefined),
        problem: shown(".question.is-problem").map((node) => node.textContent).join(),
        looks: JSON.stringify(
            [table?.dataset.asked, moves.map((each) => [each.name, each.chosen])]),
    };
}"""
WAIT = f"""(before) => {{
    const seen = ({LOOK})();
    const done = seen.over || seen.dismiss.length || seen.problem;
    return (done || (seen.moves.length && seen.looks !== before)) && seen;
}}"""
STANDS = f"""() => [
    ({LOOK})(), document.documentElement.dataset.connection, document.body.innerText]"""
"""What a page shows, for the message of a test that waits for something else."""
MOST_CLICKS = 6
"""To make one move; more would mean that clicks lead nowhere."""


class Target(TypedDict):
    """A clickable element: its position, its name, and whether it is chosen already."""

    x: float
    y: float
    name: str
    kind: str
    chosen: bool


class Seen(TypedDict):
    """What a person sees of a table; `looks` changes if the player's choices change."""

    over: bool
    dismiss: list[Target]
    moves: list[Target]
    hidden: list[str]
    back: list[Target]
    problem: str
    looks: str


async def come_in(page: Page, url: str, name: str) -> list[str]:
    """Open the page as a new player; all errors in the page are added to the list."""
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    await page.goto(url.replace("ws://", "http://"))
    await page.get_by_label("Your name").fill(name)
    await page.keyboard.press("Enter")
    return wrong


async def open_table(page: Page, game: str, options: dict[str, object]) -> None:
    """Open a table for people with these options."""
    await page.get_by_role("button", name=f"With people …: {game}").click()
    await page.get_by_text("Options", exact=True).click()
    for title, value in options.items():
        await page.get_by_label(title).fill(str(value))
    await page.get_by_role("button", name="Open the table").click()
    await expect(page).to_have_url(re.compile("/t/"))


@asynccontextmanager
async def host_and_guest(
    chromium: Chromium, root: str, name: str = "Zoë"
) -> AsyncIterator[tuple[Page, Page]]:
    """Return a host's desktop page at a table of Whist, and a new player's phone."""
    async with chromium.context(viewport=DESK) as desk, chromium.context(viewport=PHONE) as phone:
        host = await desk.new_page()
        await come_in(host, root, name)
        await open_table(host, "Whist", {})
        yield host, await phone.new_page()


async def start_with_bots(page: Page) -> None:
    """Fill the free seats with bots and start the match."""
    await page.get_by_role("button", name="Start; bots take the free seats").click()


async def look(page: Page, before: str = "", seconds: float = SECONDS) -> Seen:
    """Return the view of the table as soon as the player can act and it differs from `before`."""
    try:
        found = await page.wait_for_function(WAIT, arg=before, polling=40, timeout=1000 * seconds)
    except TimeoutError as error:
        raise AssertionError(f"nothing new to do: {await page.evaluate(STANDS)}") from error
    seen: Seen = await found.json_value()
    return seen


async def click(page: Page, target: Target) -> None:
    """Click the middle of the target."""
    await page.mouse.click(target["x"], target["y"])


async def make_move(page: Page, rng: Random, seen: Seen) -> Seen:
    """Make a random move of those offered, and return the view of the table afterwards."""
    asked = await asked_at(page)
    for _ in range(MOST_CLICKS * 4):
        seen = await _after_click(page, _drawn(seen, rng), seen["looks"])
        if seen["over"] or seen["dismiss"] or await asked_at(page) != asked:
            return seen
        assert not seen["problem"], seen
    raise AssertionError(f"clicks lead nowhere: {seen}")


async def _after_click(page: Page, target: Target, before: str) -> Seen:
    """Return the view of the table after a click, once it differs from `before`.

    If the target moved between look and click, it is clicked once more.
    """
    await click(page, target)
    try:
        return await look(page, before, SECONDS / 3)
    except AssertionError:
        seen = await look(page)
        now = [each for each in seen["moves"] if each["name"] == target["name"]]
        if not now or abs(now[0]["x"] - target["x"]) + abs(now[0]["y"] - target["y"]) < 1:
            raise
        await click(page, now[0])
        return await look(page, before)


async def play_by_clicks(page: Page, rng: Random, most: int = 10_000) -> int:
    """Play to the end of the match, or for `most` moves, and return the number of moves made."""
    seen = await look(page)
    made = 0
    while not seen["over"] and made < most:
        if seen["dismiss"]:
            await click(page, seen["dismiss"][0])
            await expect(page.locator(".sheet")).to_be_hidden()
            seen = await look(page)
            continue
        seen = await make_move(page, rng, seen)
        made += 1
    return made


async def asked_at(page: Page) -> str:
    """The number of the question that the page must answer; "" if there is none."""
    return await page.locator(".table").get_attribute("data-asked") or ""


def _drawn(seen: Seen, rng: Random) -> Target:
    """A button if one completes the move that was begun, else a random target not chosen yet."""
    buttons = [each for each in seen["moves"] if each["kind"] == "choice"]
    places = [each for each in seen["moves"] if each["kind"] != "choice" and not each["chosen"]]
    begun = any(each["chosen"] for each in seen["moves"])
    if buttons and (begun or not places or rng.random() < 0.5):
        return rng.choice(buttons)
    return rng.choice(places or seen["back"])
