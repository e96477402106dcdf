"""The modules of the page, called from Python in a real browser: no server, no socket."""

import json
from collections.abc import Coroutine
from typing import Any, TypeVar

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


class Modules:
    """An empty page that can import every file of `client_web/`; `options` are Playwright's own."""

    def __init__(self, chromium: Chromium, **options: Any) -> None:
        self._chromium = chromium
        self._manager = chromium.context(**options)
        self.page: Page = chromium.run(self._open())

    def call(self, module: str, function: str, *given: Any) -> Any:
        """What a function of a module returns; both sides are what JSON can hold."""
        return self.evaluate(_CALL, [f"{ADDRESS}/{module}", function, list(given)])

    def evaluate(self, script: str, given: Any = None) -> Any:
        """What a function in JavaScript returns, or an expression; it may import ``/words.js``."""
        told = self._chromium.run(self.page.evaluate(_AS_TEXT, [script, json.dumps(given)]))
        return None if told is None else json.loads(told)

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        """What a story returns that uses the page as a person does."""
        return self._chromium.run(story)

    def close(self) -> None:
        """Leave the page."""
        self._chromium.run(self._manager.__aexit__(None, None, None))

    async def _open(self) -> Page:
        context: BrowserContext = await self._manager.__aenter__()
        await context.route(f"{ADDRESS}/**", _serve)
        page = await context.new_page()
        await page.goto(f"{ADDRESS}/")
        return page


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
