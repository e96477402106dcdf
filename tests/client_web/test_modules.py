"""The page that tests share: each test finds it empty."""

from typing import Any

from playwright.async_api import Page

from tests.chromium import PHONE, Chromium
from tests.client_web.modules import Modules

LOOK = """async () => {
    const timer = await new Promise((done) => setTimeout(() => done(true)));
    window.heard = 0;
    document.dispatchEvent(new Event("click"));
    return [document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, heard,
        location.href, innerWidth, matchMedia("(prefers-reduced-motion: reduce)").matches, timer,
        Date.now() > 1, performance.now() > 1, typeof confirm("?"), window.made ?? null];
}"""
LEAVE = """() => {
    document.documentElement.lang = "ar";
    document.body.style.paddingBottom = "3000px";
    document.body.innerHTML = "<section class=help></section>";
    document.head.innerHTML = "<link rel=stylesheet href=/page.css>";
    localStorage.kept = sessionStorage.kept = "it";
    history.replaceState(null, "", "/t/PLUM#deal=1.2");
    document.addEventListener("click", () => { window.heard += 1; });
    setInterval(() => { document.body.append("late"); });
    Date.now = performance.now = () => 0;
    window.confirm = () => 7;
    window.setTimeout = () => {};
    window.made = 1;
}"""


def look(modules: Modules) -> Any:
    return modules.evaluate(LOOK)


async def change(page: Page) -> None:
    await page.set_viewport_size(PHONE)
    await page.emulate_media(reduced_motion="reduce")


def test_a_test_finds_nothing_that_another_left(chromium: Chromium) -> None:
    """A test finds no element, attribute, listener, timer, stub or stored value of another."""
    modules = Modules(chromium)
    try:
        before = look(modules.empty())
        modules.evaluate(LEAVE)
        modules.run(change(modules.page))
        assert look(modules.empty()) == before
    finally:
        modules.close()
