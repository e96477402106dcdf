"""The modules of the page, called from Python in a real browser: no server, no socket."""

import json
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from playwright.async_api import BrowserContext, Page, Route

from server.net.page_files import FOLDER, KINDS
from server.net.page_source import as_sent
from server.net.page_texts import later_texts
from tests.chromium import Chromium

ADDRESS = "http://page.test"
T = TypeVar("T")
_CALL = """async ([address, name, given]) => {
    const module = await import(address);
    return module[name](...given);
}"""
# As text, because Playwright takes long over large values: each object in them crosses by itself.
_AS_TEXT = """async ([script, given]) => {
    const made = (0, eval)(`(${script})`);
    return JSON.stringify(await (typeof made === "function" ? made(JSON.parse(given)) : made));
}"""

# Remembers what a page is when it opens, and the listeners that are added, which nothing lists.
_BEGIN = """
    const listeners = [];
    for (const target of [window, document]) {
        const add = target.addEventListener;
        target.addEventListener = (...given) => {
            listeners.push([target, ...given]);
            add.apply(target, given);
        };
    }
    const replaced = [window, document, Date, Math, URL, performance];
    const own = replaced.map((object) => Object.getOwnPropertyDescriptors(object));
    let timer = setTimeout(() => {}), frame = requestAnimationFrame(() => {});
    const emptied = () => {
        for (const [target, ...given] of listeners.splice(0)) target.removeEventListener(...given);
        replaced.forEach((object, index) => {
            for (const [name, now] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
                const before = own[index][name];
                const changed = now.value !== before?.value || now.get !== before?.get;
                if (!changed || !now.configurable) continue;
                if (before) Object.defineProperty(object, name, before);
                else delete object[name];
            }
        });
        const [lastTimer, lastFrame] = [setTimeout(() => {}), requestAnimationFrame(() => {})];
        for (; timer <= lastTimer; timer += 1) clearTimeout(timer);
        for (; frame <= lastFrame; frame += 1) cancelAnimationFrame(frame);
        for (const element of [document.documentElement, document.body]) {
            for (const { name } of [...element.attributes]) element.removeAttribute(name);
        }
        document.body.replaceChildren();
        document.head.replaceChildren();
        for (const kept of [localStorage, sessionStorage]) kept.clear();
        history.replaceState(null, "", "/");
    };
    // A name that no test can replace.
    Object.defineProperty(window, "emptied", { value: emptied });
"""


class Modules:
    """An empty page that can import every file of `client_web/`; `options` are Playwright's own."""

    def __init__(self, chromium: Chromium, **options: Any) -> None:
        self._chromium = chromium
        self._manager = chromium.context(**options)
        self._options = options
        self._touched = False
        self._page: Page = chromium.run(self._open())
        self._size = self._page.viewport_size

    @property
    def page(self) -> Page:
        """The page itself, for tests that change its window or point at its contents."""
        self._touched = True
        return self._page

    def empty(self) -> Self:
        """Remove whatever a test left, so that the next test does not see it.

        Only the modules stay loaded, because loading them takes longer than most tests.
        """
        self._chromium.run(self._empty())
        return self

    def call(self, module: str, function: str, *given: Any) -> Any:
        """The result of a module's function; arguments and result are JSON values."""
        return self.evaluate(_CALL, [f"{ADDRESS}/{module}", function, list(given)])

    def evaluate(self, script: str, given: Any = None) -> Any:
        """The result of a JavaScript function or expression, which may import ``/words.js``."""
        told = self._chromium.run(self._page.evaluate(_AS_TEXT, [script, json.dumps(given)]))
        return None if told is None else json.loads(told)

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        """The result of a script that uses the page as a person does."""
        return self._chromium.run(story)

    def close(self) -> None:
        """Leave the page."""
        self._chromium.run(self._manager.__aexit__(None, None, None))

    async def _open(self) -> Page:
        context: BrowserContext = await self._manager.__aenter__()
        await context.route(f"{ADDRESS}/**", _serve)
        page = await context.new_page()
        await page.goto(f"{ADDRESS}/")
        await page.evaluate(f"() => {{ {_BEGIN} }}")
        return page

    async def _empty(self) -> None:
        await self._page.evaluate("emptied()")
        if not self._touched:
            return
        self._touched = False
        if self._size and self._page.viewport_size != self._size:
            await self._page.set_viewport_size(self._size)
        motion = self._options.get("reduced_motion", "null")
        await self._page.emulate_media(reduced_motion=motion)
        await self._page.mouse.move(0, 0)


async def _serve(route: Route) -> None:
    path = route.request.url.removeprefix(f"{ADDRESS}/")
    if not path:
        await route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")
        return
    if path.endswith(".more.json"):
        texts = later_texts(path.removeprefix("texts/").removesuffix(".more.json"))
        await route.fulfill(body=json.dumps(texts), content_type=KINDS[".json"])
        return
    file = FOLDER / path
    body = as_sent(file.suffix, file.read_bytes())
    await route.fulfill(body=body, content_type=KINDS[file.suffix])
