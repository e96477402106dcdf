"""The page in a real browser: how it loads, what an event costs it, and how large it grows.

A match of Black Queen against bots is played in Chromium by clicking the first card that may be
played. The browser itself counts the processor time of script, style and layout: what the page
needs, not how long it waits for other programs. The measurement looks at the page to find that
card, which is script and makes the browser work out styles, too; what is counted while it looks is
left out. It looks once everything has been quiet for a while, so nothing of the page's own waits to
be done then. A fixed loop in the same page says how fast the machine is at that moment: a limit in
milliseconds grows with it.
"""

import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, Request, sync_playwright

from bench.figures import Figure, Unmeasured, at_most
from bench.processes import listening

GAME = "Black Queen"
LOADS = 7
MOVES = 26
"""So many of the player's moves are measured: two deals."""
EVENT_MS = 8.0
TASK_MS = 50.0
LOOP_MS = 6.4
"""The fixed loop on the machine of `docs/figures.md`, when it does nothing else."""
NODES = 4_000
ACTIONS = 3
LOAD_RATIO = 3.0
FIRST_KB = 60
FIRST_REQUESTS = 7
LINK = "t/PLUM"
"""A table's address, which asks somebody new for a name before anything is said of the table."""

_LOOP = """() => {
    const times = [];
    for (let run = 0; run < 9; run++) {
        const begun = performance.now();
        let sum = 0;
        for (let at = 0; at < 6e6; at++) sum = (sum * 31 + at) | 0;
        times.push(performance.now() - begun + (sum === 1 ? 1 : 0));
    }
    return times.sort((one, other) => one - other)[4];
}"""
_WATCH = """(() => {
    window.tasks = [];
    const noted = (list) => window.tasks.push(...list.getEntries().map((each) => each.duration));
    new PerformanceObserver(noted).observe({ type: "longtask", buffered: true });
})();"""
_ELEMENTS = "document.querySelectorAll('*').length"
# What a player clicks next, or null while there is nothing to do.
_NEXT = """() => {
    const table = document.querySelector(".table");
    const shown = (any) =>
        [...table.querySelectorAll(any)].filter((each) => each.checkVisibility());
    const chosen = shown(".is-chosen").length;
    const wanted = chosen ? ".choice:not(.is-quiet), .goal" : ".card.is-open";
    return shown(".sheet .go-on")[0] ?? shown(wanted)[0] ?? null;
}"""
_CLICK = """(node) => {
    node.click();
    return !node.matches(".go-on");
}"""
PAUSE_MS = 300
"""Between two looks at the page: longer than a card slides."""


def measure() -> Iterator[Figure | Unmeasured]:
    """Loading, actions until the first card, time for each event, the longest task, nodes."""
    chromium = shutil.which("chromium")
    if chromium is None:
        yield Unmeasured("page", "there is no Chromium here (apt-get install chromium)")
        return
    serve = [str(Path(sys.executable).with_name("blackqueen")), "serve", "--port", "0"]
    flags = ["--bot-delay", "0.1", "--plain-bots"]
    with TemporaryDirectory() as data, listening([*serve, *flags, "--data", data]) as server:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
            url = server.url.replace("ws://", "http://") + "/"
            yield from _loading(browser, url)
            yield from _playing(browser, url)
            browser.close()


def _loading(browser: Browser, url: str) -> Iterator[Figure]:
    """How long the page takes to show its first screen, beside a blank page of as many bytes."""
    size, with_headers, requests = _transferred(browser, url)
    _, behind_link, requests_behind_link = _transferred(browser, url + LINK)
    page, blank = [], []
    with _blank_page(size) as other:
        # In turns, so that a busy moment of the machine affects both; each with an empty cache.
        for _ in range(LOADS):
            blank.append(_load_seconds(browser, other, "p"))
            page.append(_load_seconds(browser, url, ".entry input"))
    yield Figure("page.bytes", size / 1000, "kB")
    yield Figure("page.wire", with_headers / 1000, "kB", at_most(FIRST_KB))
    yield Figure("page.requests", requests, "files", at_most(FIRST_REQUESTS))
    yield Figure("page.link.wire", behind_link / 1000, "kB", at_most(FIRST_KB))
    yield Figure("page.link.requests", requests_behind_link, "files", at_most(FIRST_REQUESTS))
    yield Figure("page.blank", 1000 * median(blank), "ms")
    yield Figure("page.load", 1000 * median(page), "ms", at_most(1000 * LOAD_RATIO * median(blank)))


def _load_seconds(browser: Browser, url: str, wanted: str) -> float:
    context = browser.new_context()
    page = context.new_page()
    begun = perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector(wanted)
    seconds = perf_counter() - begun
    context.close()
    return seconds


def _transferred(browser: Browser, url: str) -> tuple[int, int, int]:
    """Bytes of all files that the first screen loads, as they come, with headers; and how many."""
    context = browser.new_context()
    page = context.new_page()
    loaded: list[Request] = []
    page.on("requestfinished", lambda request: loaded.append(request))
    page.goto(url, wait_until="networkidle")
    sizes = [each.sizes() for each in loaded]
    context.close()
    bodies = sum(each["responseBodySize"] for each in sizes)
    return bodies, bodies + sum(each["responseHeadersSize"] for each in sizes), len(loaded)


@contextmanager
def _blank_page(size: int) -> Iterator[str]:
    """The address of a page that shows one word and is so many bytes long."""
    content = b"<!doctype html><title>blank</title><p>blank</p><!--" + b" " * size + b"-->"

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            # The browser closes a page before it has read all of it.
            with suppress(ConnectionError):
                self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _playing(browser: Browser, url: str) -> Iterator[Figure]:
    """Two deals, from the link on."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(_WATCH)
    events = 0

    def heard(frame: str | bytes) -> None:
        nonlocal events
        events += str(frame).count('"type":"event"')

    page.on("websocket", lambda socket: socket.on("framereceived", heard))
    page.goto(url)
    page.wait_for_selector(".entry input")
    loading = _longest_task(page)
    loop = page.evaluate(_LOOP)
    slower = max(1.0, loop / LOOP_MS)
    # The loop itself is a long task.
    _longest_task(page)
    yield Figure("page.loop", loop, "ms")
    yield Figure("page.actions", _come_to_the_table(page), "to the first card", at_most(ACTIONS))
    page.wait_for_load_state("networkidle")
    loading = max(loading, _longest_task(page))
    meter = _Meter(context.new_cdp_session(page))
    before, events = meter.busy_ms(), 0
    nodes, moves = 0, 0
    spans: list[tuple[float, int]] = []
    while moves < MOVES:
        page.wait_for_timeout(PAUSE_MS)
        with meter.looking():
            nodes = max(nodes, page.evaluate(_ELEMENTS))
            found = page.evaluate_handle(_NEXT).as_element()
        if found:
            # All that came of the move before has been drawn.
            spans.append((meter.busy_ms(), events))
            moves += found.evaluate(_CLICK)
    page.wait_for_timeout(PAUSE_MS)
    spans.append((meter.busy_ms(), events))
    longest = _longest_task(page)
    loop_after = page.evaluate(_LOOP)
    slower = max(slower, loop_after / LOOP_MS)
    by_event = sorted(
        (after - begin) / (more - fewer)
        for (begin, fewer), (after, more) in pairwise(spans)
        if more > fewer
    )
    busy = spans[-1][0] - before
    yield Figure("page.event", busy / events, "ms", at_most(EVENT_MS * slower))
    yield Figure("page.event.p95", by_event[int(0.95 * len(by_event))], "ms")
    yield Figure("page.event.worst", by_event[-1], "ms")
    yield Figure("page.task", longest, "ms", at_most(TASK_MS * slower))
    yield Figure("page.task.load", loading, "ms", at_most(TASK_MS * slower))
    yield Figure("page.nodes", nodes, "elements", at_most(NODES))
    context.close()


def _longest_task(page: Page) -> float:
    """Milliseconds of the longest task since this was asked last; 0 if none was worth a report."""
    # A task is reported a little after its end.
    page.wait_for_timeout(PAUSE_MS)
    tasks: list[float] = page.evaluate("window.tasks.splice(0)")
    return max(tasks, default=0.0)


def _come_to_the_table(page: Page) -> float:
    """How often somebody must type or click from the link to the first card that they may play."""

    def give_a_name() -> None:
        page.get_by_label("Your name").fill("Ann")
        page.keyboard.press("Enter")

    actions = (give_a_name, page.get_by_role("button", name=f"Play now: {GAME}").click)
    for action in actions:
        action()
    page.wait_for_selector(".card.is-open")
    return len(actions)


class _Meter:
    """What the browser counts of the page's script, style and layout."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._looked = 0.0
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy_ms(self) -> float:
        """Milliseconds so far, without those of the measurement itself."""
        return self._counted_ms() - self._looked

    @contextmanager
    def looking(self) -> Iterator[None]:
        """What happens here is not the page's doing."""
        before = self._counted_ms()
        yield
        self._looked += self._counted_ms() - before

    def _counted_ms(self) -> float:
        told = self._session.send("Performance.getMetrics")["metrics"]
        seconds = {each["name"]: each["value"] for each in told}
        parts = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
        return 1000.0 * float(sum(seconds[part] for part in parts))
