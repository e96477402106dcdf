"""Whether a person finds each move of a game by key presses alone, in a real browser."""

import json
from collections.abc import Iterator, Sequence
from typing import TypedDict

import pytest
from playwright.async_api import Page

from engine.recycle.games import names
from protocol.wire_form import WireForm
from tests.chromium import PHONE, Chromium
from tests.client_web.modules import Modules
from tests.client_web.pictures import match, table_of
from tests.client_web.test_choices import NATIVE, STEPS, asked
from tests.client_web.test_hands import show
from tests.counts import NIGHT

SOME = ("whist", "Golf4")
POSITIONS = 4 if NIGHT else 2
"""So many questions of a match, those with most choices first."""
MOST_STOPS = 80
"""So many things can have the focus at one table."""
DIGITS = "1234567890"
Keys = tuple[str, ...]

LOOK = """() => ({
    at: document.activeElement?.dataset.key ?? "",
    picked: JSON.stringify(table.picked),
    acts: acts.splice(0),
})"""
BEGIN = "() => { table.keys.focusFirst(); return null; }"
"""Comes to the table, as the tab key does."""


class Looks(TypedDict):
    """The focus, the chosen parts of a move, and the moves since the last look."""

    at: str
    picked: str
    acts: list[str]


@pytest.fixture(scope="module")
def shared_phone(chromium: Chromium) -> Iterator[Modules]:
    """An empty phone page with a keyboard, shared by tests."""
    modules = Modules(chromium, viewport=PHONE, reduced_motion="reduce")
    yield modules
    modules.close()


@pytest.fixture
def phone(shared_phone: Modules) -> Modules:
    """A phone page without content."""
    return shared_phone.empty()


async def pressed(page: Page, *keys: str) -> Looks:
    """The state of the table after these keys."""
    for key in keys:
        await page.keyboard.press(key)
    looks: Looks = await page.evaluate(LOOK)
    return looks


async def begin(page: Page, keys: Keys = ()) -> Looks:
    """Reset the choice, then press these keys from the first thing that can be chosen."""
    await page.evaluate(BEGIN)
    await page.keyboard.press("Escape")
    await page.evaluate(BEGIN)
    return await pressed(page, *keys)


async def entered(page: Page, wanted: set[str]) -> dict[str, int]:
    """The number of Enter presses for each action, reached by arrow keys."""
    found: dict[str, int] = {}
    known = {"[]"}
    paths: list[Keys] = [()]
    for steps in range(1, STEPS + 1):
        further: list[Keys] = []
        for path in paths:
            before = await begin(page, path)
            for stops in range(MOST_STOPS):
                after = await pressed(page, "Enter")
                found |= {act: steps for act in after["acts"] if act not in found}
                if after["picked"] != before["picked"]:
                    arrows = ("ArrowRight",) * stops
                    if after["picked"] not in known:
                        known.add(after["picked"])
                        further.append((*path, *arrows, "Enter"))
                    await begin(page, (*path, *arrows))
                if (await pressed(page, "ArrowRight"))["at"] == before["at"]:
                    break
            else:
                raise AssertionError("the arrow keys never come back to where they began")
            if wanted <= found.keys():
                return found
        paths = further
    return found


async def by_digits(page: Page) -> dict[str, str]:
    """The move that each digit makes at once."""
    made = {}
    for digit in DIGITS:
        await begin(page)
        for act in (await pressed(page, digit))["acts"]:
            made[digit] = act
    return made


def positions(game: str) -> Sequence[WireForm]:
    """The tables at which a player has most actions."""
    some = [each for each in asked(game, 1) if each["question"]["choices"].get("actions")]
    return sorted(some, key=lambda each: -len(each["question"]["choices"]["actions"]))[:POSITIONS]


@pytest.mark.parametrize("game", [*NATIVE, *names()] if NIGHT else SOME)
def test_each_move_is_made_by_key_presses(phone: Modules, game: str) -> None:
    """Arrows and Enter make every move in at most three steps, and a digit its own move."""
    for told in positions(game):
        actions = set(told["question"]["choices"]["actions"])
        show(phone, told)
        found = phone.run(entered(phone.page, actions))
        assert actions - found.keys() == set()
        digits = phone.run(by_digits(phone.page))
        at_once = {action for action in actions if found[action] == 1}
        assert set(digits.values()) <= at_once
        assert digits or not at_once
        amounts = {each for each in actions if each.split(" ")[-1] in DIGITS}
        if amounts == actions:
            assert {each.split(" ")[-1]: each for each in actions} == digits


def test_several_cards_are_chosen_by_key_presses(phone: Modules) -> None:
    """Several cards are chosen by Enter on each, and sent by the button."""
    game, seats = table_of("hearts-4")
    told = next(each for each in match(game, seats, 7) if "picks" in str(each["question"]))
    (pick,) = told["question"]["choices"]["picks"]
    show(phone, told)

    async def choose() -> list[str]:
        page = phone.page
        looks = await begin(page)
        for _ in range(pick["least"]):
            await pressed(page, "Enter")
            looks = await pressed(page, "ArrowRight")
        assert len(json.loads(looks["picked"])) == pick["least"]
        for _ in range(MOST_STOPS):
            if looks["at"].startswith("choice"):
                break
            looks = await pressed(page, "ArrowRight")
        return (await pressed(page, "Enter"))["acts"]

    (act,) = phone.run(choose())
    verb, *cards = act.split(" ")
    assert verb == pick["verb"]
    assert len(set(cards)) == pick["least"]
    assert set(cards) <= set(pick["cards"])
