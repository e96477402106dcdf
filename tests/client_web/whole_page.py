"""The whole page without a server: a test delivers frames and sets its clock."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypedDict
from weakref import WeakKeyDictionary

from playwright.async_api import Error, Page, Route, ViewportSize

from protocol.wire_form import WireForm
from server.net.page_files import page_files
from tests.chromium import DESK, Chromium

ADDRESS = "http://page.test/"

# What the page gets in place of the browser's clock, timers, chance and sockets.
STAND_INS = """(() => {
    const later = window.setTimeout.bind(window);
    const timers = new Map();
    let now = 0, asleep = 0, next = 1;
    window.setTimeout = (call, wait = 0, ...given) => {
        timers.set(next, { at: now + (Number(wait) || 0), call: () => call(...given) });
        return next++;
    };
    window.setInterval = (call, wait, ...given) => {
        timers.set(next, { at: now + wait, every: wait, call: () => call(...given) });
        return next++;
    };
    window.clearTimeout = window.clearInterval = (timer) => timers.delete(timer);
    performance.now = () => now;
    Date.now = () => 1.7e12 + now + asleep;
    Math.random = () => 0.5;
    const settled = () => new Promise((resolve) => later(resolve));
    const advance = async (milliseconds) => {
        const end = now + milliseconds;
        await settled();
        for (;;) {
            const due = [...timers].filter(([, timer]) => timer.at <= end)
                .sort(([, one], [, other]) => one.at - other.at)[0];
            if (!due) break;
            const [number, timer] = due;
            now = Math.max(now, timer.at);
            if (timer.every) timer.at += timer.every;
            else timers.delete(number);
            timer.call();
            await settled();
        }
        now = end;
    };
    const sockets = [], answers = { ping: { type: "pong" } };
    window.WebSocket = class {
        constructor() {
            sockets.push(this);
            later(() => this.onopen?.());
        }
        send(text) {
            const message = JSON.parse(text);
            played.sent.push(message);
            const known = answers[`${message.type} ${message.seat}`] ?? answers[message.type];
            if (!known) return;
            const answer = { ...known, id: message.id };
            later(() => this.onmessage?.({ data: JSON.stringify([answer]) }));
        }
        close() {}
    };
    // The browser's own clock stands still, as that of most does while a computer sleeps.
    const sleep = (milliseconds) => { asleep += milliseconds; };
    window.played = { sent: [], answers, advance, settled, sleep, sockets };
})();"""

# Numbers of answers are those of another client: only that to a hello means something to the page.
FEED = """async ([told, rest, modules]) => {
    const frames = JSON.parse(told);
    const { sent, answers, advance, settled, sockets } = window.played;
    const hello = () => sent.findLast((message) => message.type === "hello")?.id;
    const shows = [];
    // What the page loads later is there before the first frame: nothing depends on the network.
    const main = document.querySelector('script[src$="main.js"]').src;
    for (const name of modules) await import(new URL(name, main));
    while (hello() === undefined || !document.querySelector("main > *")) await settled();
    let greeted = window.played.greeted ?? false;
    for (const frame of frames) {
        if (frame[0].type === "welcome" && greeted) {
            const before = sockets.length;
            sockets.at(-1).onclose({ code: 1006, reason: "" });
            await advance(9000);
            while (sockets.length === before) await settled();
        }
        while (hello() === undefined) await settled();
        const known = frame.map((message) => {
            if (message.type === "welcome") return { ...message, id: hello() };
            return "id" in message ? { ...message, id: (message.id ?? 0) + 1e6 } : message;
        });
        greeted ||= frame[0].type === "welcome";
        sockets.at(-1).onmessage({ data: JSON.stringify(known) });
        await advance(rest);
        // What the first picture of a table does without is loaded, but comes a little later.
        const begun = () => document.querySelector(".felt") && !document.querySelector(".peek");
        // So are the chart of a match that is over, and its words; not if that is asked in vain.
        const inVain = () => sent.some(({ type }) => type === "log") && !answers.log;
        const over = () => document.querySelector(".over.result:not([hidden])")
            && !document.querySelector(".results > *") && !inVain();
        for (let turns = 0; (begun() || over()) && turns < 1000; turns += 1) await settled();
        // What depends on sizes is drawn with the next picture on the screen.
        await new Promise((resolve) => requestAnimationFrame(resolve));
        await settled();
        const kept = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
        const address = location.pathname + location.hash;
        const fields = [...document.querySelectorAll("input, select")].map((each) => each.value);
        const root = document.documentElement.outerHTML;
        shows.push([root, document.title, address, kept, fields.join()].join("\\n"));
    }
    window.played.greeted = greeted;
    return JSON.stringify({ shows, sent: sent.map(({ client, ...message }) => message) });
}"""


class Shown(TypedDict):
    """What the page showed after each frame, and all that it sent, without client ids."""

    shows: list[str]
    sent: list[WireForm]


class WholePage:
    """A page at a table, of the returning player Ann."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wrong: list[str] = []
        page.on("pageerror", self._went_wrong)

    def leave(self) -> None:
        """Stop listening, since another test uses the page from now on."""
        self.page.remove_listener("pageerror", self._went_wrong)

    def _went_wrong(self, error: Error) -> None:
        self.wrong.append(str(error))

    async def hello(self) -> WireForm:
        """The page's hello without names and numbers."""
        await self.feed([])
        said: WireForm = await self.page.evaluate("window.played.sent[0]")
        return {name: said[name] for name in ("alongside", "features", "facts")}

    async def answer(self, answers: Mapping[str, WireForm]) -> None:
        """Answer commands of these types from now on; others stay unanswered.

        The key ``log 2`` has the answer to a `log` about seat 2.
        """
        # As text, because Playwright takes long over large values.
        know = "(all) => { Object.assign(window.played.answers, JSON.parse(all)); }"
        await self.page.evaluate(know, json.dumps(dict(answers)))

    async def feed(self, frames: Sequence[str], rest: int = 0) -> Shown:
        """Deliver these frames, `rest` milliseconds apart."""
        modules = [name for name in page_files().files if _is_module(name)]
        told = await self.page.evaluate(FEED, [f"[{','.join(frames)}]", rest, modules])
        shown: Shown = json.loads(told)
        return shown


# A page that is not in use, by its browser: to open another one takes longer than most tests.
_free: WeakKeyDictionary[Chromium, Page] = WeakKeyDictionary()


@asynccontextmanager
async def whole_page(
    chromium: Chromium, table: str = "", size: ViewportSize = DESK
) -> AsyncIterator[WholePage]:
    """The page at a table or in the lobby, before anything has arrived.

    `table` is the address after ``t/``: a code, or ``CODE/replay``.
    """
    page = _free.pop(chromium, None) or await _opened(chromium)
    await page.set_viewport_size(size)
    shown = WholePage(page)
    await page.goto(f"{ADDRESS}t/{table}" if table else ADDRESS)
    yield shown
    assert shown.wrong == []
    shown.leave()
    _free[chromium] = page


async def _opened(chromium: Chromium) -> Page:
    """A page that stores nothing but Ann's name at each load, closed at the end."""
    context = await chromium.lasting_context(reduced_motion="reduce")
    await context.route(f"{ADDRESS}**", _serve)
    page = await context.new_page()
    await page.add_init_script(STAND_INS)
    remembered = json.dumps(json.dumps({"name": "Ann", "language": "en"}))
    fresh = "for (const kept of [localStorage, sessionStorage]) kept.clear();"
    await page.add_init_script(f"{fresh} localStorage.setItem('blackqueen /', {remembered});")
    return page


def _is_module(name: str) -> bool:
    # Of those beside it one starts the page, and others are no modules; hosts have another page.
    return name.endswith(".js") and "/" in name and not name.startswith("admin/")


async def _serve(route: Route) -> None:
    path = route.request.url.removeprefix(ADDRESS.rstrip("/")).partition("?")[0]
    files = page_files()
    file = files.index("/", "page.test") if files.is_document(path) else files.find(path)
    if file is None:
        await route.fulfill(status=404)
    else:
        await route.fulfill(body=file.plain, content_type=file.kind)
