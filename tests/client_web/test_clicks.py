"""Clicks while the table changes: each plays the intended card, or nothing."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Page

from protocol.wire_form import WireForm
from tests.chromium import PHONE, Chromium
from tests.client_web.modules import Modules
from tests.client_web.pictures import pictures_of
from tests.client_web.test_hands import acts, middle, show

AT_REST = """() => document.getAnimations().every(({ effect, playState }) =>
    playState !== "running" || !effect.target.matches(".card"))"""
"""Whether no card slides."""
UNDER = "([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.dataset.token ?? null"
NEXT = """(message) => {
    const told = sceneOf(message);
    table.show({ ...told, fresh: false, before: table.scene.view });
}"""
"""Another picture, to which cards slide."""


@pytest.fixture(scope="module")
def shared_desk(chromium: Chromium) -> Iterator[Modules]:
    """An empty desktop page with animations, shared by tests."""
    modules = Modules(chromium, reduced_motion="no-preference")
    yield modules
    modules.close()


@pytest.fixture
def desk(shared_desk: Modules) -> Modules:
    """A desktop page without content."""
    return shared_desk.empty()


@pytest.fixture(scope="module")
def shared_touched(chromium: Chromium) -> Iterator[Modules]:
    """An empty phone page with animations, shared by tests."""
    modules = Modules(chromium, viewport=PHONE, has_touch=True, reduced_motion="no-preference")
    yield modules
    modules.close()


@pytest.fixture
def touched(shared_touched: Modules) -> Modules:
    """A phone page with touch, without content."""
    return shared_touched.empty()


def hand_of(told: WireForm) -> list[str]:
    """The cards of one's own hand."""
    return list(told["view"]["zones"].get("hand/0", {}).get("cards", ()))


def asked(told: WireForm, turn: int, choices: WireForm) -> WireForm:
    """The table with another question."""
    question = {"turn": turn, "to_act": [0], "choices": choices}
    return {**told, "seq": told["seq"] + 1, "question": question}


def leads(gone: str = "", turn: int = 7) -> WireForm:
    """A table where each card of a long hand may be played, without one that is gone."""
    told: Any = next(each for each in pictures_of("whist-4") if len(hand_of(each)) > 8)
    told = json.loads(json.dumps(told))
    cards = [card for card in hand_of(told) if card != gone]
    told["view"]["zones"]["hand/0"]["cards"] = cards
    ways = [{"title": "play", "source": "hand/0", "target": "trick"}]
    plays = [f"play {card}" for card in cards]
    parts = [{"cards": [card]} for card in cards]
    return asked(told, turn, {"actions": plays, "ways": ways, "parts": parts})


def fifth() -> str:
    """A card in the middle of the hand."""
    return hand_of(leads())[4]


async def at_rest(page: Page) -> None:
    """Wait until no card slides, and the card under the mouse is drawn."""
    await page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    )
    await page.wait_for_function(AT_REST)


async def where(page: Page, token: str) -> tuple[float, float]:
    """The visible point of a card of the hand, once the card rests there."""
    await at_rest(page)
    return await middle(page.locator(f".in-hand[data-token='{token}']"))


def test_a_card_can_be_clicked_at_its_lower_edge(desk: Modules) -> None:
    """A card that is lifted under the mouse is still clicked at its lower edge."""

    async def click() -> None:
        page = desk.page
        x, _ = await where(page, fifth())
        box = await page.locator(f".in-hand[data-token='{fifth()}']").bounding_box()
        assert box is not None
        await page.mouse.move(x, box["y"] + box["height"] - 6)
        await at_rest(page)
        await page.mouse.down()
        await page.mouse.up()
        assert await acts(page) == [f"play {fifth()}"]

    show(desk, leads())
    desk.run(click())


def test_a_card_that_lies_still_is_played_though_all_is_drawn_anew(desk: Modules) -> None:
    """A card that lies still is played by a click although the table is redrawn meanwhile."""

    async def click() -> None:
        page = desk.page
        await page.mouse.move(*await where(page, fifth()))
        await at_rest(page)
        await page.mouse.down()
        await page.evaluate(NEXT, leads())
        await page.mouse.up()
        assert await acts(page) == [f"play {fifth()}"]

    for first in (leads(), {**leads(), "question": {"turn": 6, "to_act": [1]}}):
        show(desk, first)
        desk.run(click())


def test_a_hand_that_slides_under_the_mouse_loses_no_other_card(desk: Modules) -> None:
    """A click whose release is over another card plays none, and the next click plays."""

    async def click() -> None:
        page = desk.page
        spot = await where(page, fifth())
        await page.mouse.move(*spot)
        await page.mouse.down()
        await page.evaluate(NEXT, leads(gone=fifth()))
        await at_rest(page)
        under = await page.evaluate(UNDER, spot)
        assert under not in (None, fifth())
        await page.mouse.up()
        assert await acts(page) == []
        await page.mouse.down()
        await page.mouse.up()
        assert await acts(page) == [f"play {under}"]

    show(desk, leads())
    desk.run(click())


def test_the_second_half_of_a_double_click_plays_no_neighbour(desk: Modules) -> None:
    """The second half of a double click plays no card that has slid there."""

    async def click(*, gone: str) -> str | None:
        page = desk.page
        spot = await where(page, fifth())
        await page.mouse.move(*spot)
        await page.mouse.down()
        await page.mouse.up()
        await page.evaluate(NEXT, leads(gone=gone, turn=8))
        await at_rest(page)
        await page.mouse.down(click_count=2)
        await page.mouse.up(click_count=2)
        under: str | None = await page.evaluate(UNDER, spot)
        return under

    show(desk, leads())
    assert desk.run(click(gone=fifth())) not in (None, fifth())
    assert desk.run(acts(desk.page)) == [f"play {fifth()}"]
    show(desk, leads())
    assert desk.run(click(gone="")) == fifth()
    assert desk.run(acts(desk.page)) == [f"play {fifth()}"] * 2


@pytest.mark.parametrize("clicks", [1, 2])
def test_a_click_at_a_button_is_for_what_it_said(desk: Modules, clicks: int) -> None:
    """A click on a button does nothing if the button changed meanwhile."""

    async def click() -> None:
        page = desk.page
        await page.locator(".choice").hover()
        await page.mouse.down()
        if clicks == 2:
            await page.mouse.up()
        await page.evaluate(NEXT, asked(leads(), 8, {"actions": ["b"], "texts": ["Double"]}))
        if clicks == 2:
            await page.mouse.down(click_count=2)
        await page.mouse.up(click_count=clicks)
        assert await acts(page) == ["a"] * (clicks - 1)
        await page.locator(".choice").click()
        assert await acts(page) == [*"a" * (clicks - 1), "b"]

    show(desk, asked(leads(), 7, {"actions": ["a"], "texts": ["Single"]}))
    desk.run(click())


def test_a_key_that_is_held_answers_one_question(desk: Modules) -> None:
    """A held key answers only one question."""

    async def hold(key: str, first: str) -> None:
        page = desk.page
        await page.locator(f".in-hand[data-token='{first}']").focus()
        await page.keyboard.down(key)
        await page.evaluate(NEXT, leads(gone=first, turn=8))
        await page.keyboard.down(key)
        await page.keyboard.up(key)
        assert await acts(page) == [f"play {first}"]

    for key in ("Enter", "1"):
        show(desk, leads())
        desk.run(hold(key, hand_of(leads())[0]))


def test_a_card_is_dropped_for_the_question_at_which_it_was_taken(desk: Modules) -> None:
    """A dragged card returns if another question comes meanwhile."""

    async def drag(turn: int) -> None:
        page = desk.page
        box = await page.locator(".spot[data-zone='played 0']").bounding_box()
        assert box is not None
        await page.mouse.move(*await where(page, fifth()))
        await page.mouse.down()
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        await page.evaluate(NEXT, leads(turn=turn))
        await page.mouse.up()

    show(desk, leads())
    desk.run(drag(8))
    assert desk.run(acts(desk.page)) == []
    desk.run(drag(8))
    assert desk.run(acts(desk.page)) == [f"play {fifth()}"]


def test_a_double_tap_plays_the_card_that_was_tapped(touched: Modules) -> None:
    """A double tap plays the tapped card; another card that slid there is only shown."""

    async def tap(gone: str) -> list[str]:
        page = touched.page
        spot = await where(page, fifth())
        await page.touchscreen.tap(*spot)
        await page.wait_for_function(f"table.enlarged.key?.includes('{fifth()}')")
        await page.evaluate(NEXT, leads(gone=gone))
        await at_rest(page)
        await page.touchscreen.tap(*spot)
        if gone:
            under = await page.evaluate(UNDER, spot)
            assert under not in (None, fifth())
            await page.wait_for_function(f"table.enlarged.key?.includes('{under}')")
        else:
            await page.wait_for_function("acts.length > 0")
        return await acts(page)

    show(touched, leads())
    assert touched.run(tap("")) == [f"play {fifth()}"]
    show(touched, leads())
    assert touched.run(tap(fifth())) == []
