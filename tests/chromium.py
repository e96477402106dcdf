"""A real browser for the tests of the page: Debian's Chromium, driven by Playwright.

One process serves all tests of a run (one for each worker), in a thread with an event loop of its
own, so that tests with a loop can use it as well. A test opens a context, which is independent of
earlier ones.
"""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from playwright.async_api import Browser, BrowserContext, ViewportSize, async_playwright

from tests.needs import needs

SECONDS = 60
"""How long anything may take that a test waits for; a busy machine is slow."""
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}

HOUSE = "house.lan"
"""A name that leads to this machine, but not for browsers: to them it is a server in a network."""

_T = TypeVar("_T")


class Chromium:
    """The browser, which starts with the first test that needs it.

    `names` maps further names to addresses: "name:443" to "127.0.0.1:8443".
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        needs("chromium")
        leads = {HOUSE: "127.0.0.1", **(names or {})}
        self._names = ", ".join(f"MAP {name} {address}" for name, address in leads.items())
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._manager = async_playwright()
        self._browser: Browser = self.run(self._start())

    def run(self, story: Coroutine[Any, Any, _T]) -> _T:
        """The result of a coroutine, run in the thread of the browser."""
        return asyncio.run_coroutine_threadsafe(story, self._loop).result(SECONDS)

    async def story(self, story: Coroutine[Any, Any, _T]) -> _T:
        """The result of a coroutine, for tests with an event loop, which is not blocked."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(story, self._loop))

    @asynccontextmanager
    async def context(self, **options: Any) -> AsyncIterator[BrowserContext]:
        """A new browser context; `options` are Playwright's own."""
        context = await self.lasting_context(**options)
        try:
            yield context
        finally:
            await context.close()

    async def lasting_context(self, **options: Any) -> BrowserContext:
        """A browser context for several tests, closed with the browser."""
        context = await self._browser.new_context(**options)
        context.set_default_timeout(1000 * SECONDS)
        return context

    def end(self) -> None:
        """End the process, and the thread that drove it."""
        self.run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> Browser:
        playwright = await self._manager.start()
        return await playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            # Its sandbox needs rights that a container has not; it opens nothing but our pages.
            args=[
                *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
                f"--host-resolver-rules={self._names}",
            ],
        )

    async def _stop(self) -> None:
        await self._browser.close()
        await self._manager.__aexit__()
