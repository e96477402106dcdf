"""Tests pages whose server is killed, upgraded, or cannot save."""

import asyncio
import re
import resource
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from time import monotonic

import pytest
from playwright.async_api import Page, expect

from tests.chromium import DESK, PHONE, SECONDS, Chromium
from tests.counts import NIGHT
from tests.e2e import client_log
from tests.e2e.clicking import (
    asked_at,
    click,
    come_in,
    look,
    open_table,
    play_by_clicks,
    start_with_bots,
)
from tests.e2e.page_wire import PageWire, check
from tests.e2e.processes import Programs, free_port
from tests.e2e.stored import only_table

pytestmark = pytest.mark.e2e

PARTS = ("blackqueen", "bots", "client_cli", "engine", "protocol", "server")
MOVES = 2
"""Each page makes so many between two faults."""
CANNOT_SAVE = (
    "The server cannot save moves just now. It goes on by itself.",
    "Der Server kann gerade keine Züge speichern. Es geht von selbst weiter.",
)
STOPPING = "The server is stopping."
SAVES_AGAIN = ("The server saves moves again.", "Der Server speichert wieder Züge.")
"""What the page says, in English and in German."""


async def clicked(pages: Sequence[Page], rng: Random, most: int = 10_000) -> None:
    """Make moves at all pages in parallel."""
    await asyncio.gather(*(play_by_clicks(page, Random(rng.random()), most) for page in pages))


async def lost(pages: Sequence[Page]) -> None:
    """Wait until all pages show that the connection is lost; one player reconnects at once."""
    for page in pages:
        await expect(page.get_by_text("The connection is lost.")).to_be_visible()
    await pages[0].get_by_role("button", name="Connect now").click()


def newer_page(folder: Path) -> Path:
    """Return the source of the next version, which differs in the page alone."""
    ours = Path(__file__).parents[2]
    folder.mkdir()
    for part in ours.iterdir():
        if part.name in PARTS:
            folder.joinpath(part.name).symlink_to(part)
    shutil.copytree(ours / "client_web", folder / "client_web")
    with folder.joinpath("client_web", "main.js").open("a") as script:
        script.write("// The next version.\n")
    return folder


SCRIPT = 'script[src$="main.js"]'


async def addresses_of(pages: Sequence[Page]) -> list[str]:
    """Return the addresses of the pages' scripts, which contain the digest of all files."""
    return [await page.locator(SCRIPT).get_attribute("src") or "" for page in pages]


async def loaded_anew(pages: Sequence[Page], before: Sequence[str]) -> None:
    """Wait until all pages have reloaded themselves in the new version."""
    for page, address in zip(pages, before, strict=True):
        await expect(page.locator(SCRIPT)).not_to_have_attribute("src", address)


async def back(pages: Sequence[Page]) -> None:
    """Wait until all pages are connected again."""
    for page in pages:
        await expect(page.locator("html")).to_have_attribute("data-connection", "online")


BACK_SECONDS = 3.0
OPEN_CARDS = """[...document.querySelectorAll(".table .card:not(.in-hand)")]
    .map((card) => card.dataset.token ?? "").filter(Boolean).sort().join()"""
"""What everybody sees; one's own hand is not among it."""


async def shown(pages: Sequence[Page], since: float) -> None:
    """Wait until all pages show equal tables, at night soon after the server's start (`since`)."""
    await back(pages)
    async with asyncio.timeout(SECONDS):
        while len({await page.evaluate(OPEN_CARDS) for page in pages}) > 1:
            await pages[0].wait_for_timeout(20)
    assert not NIGHT or monotonic() - since < BACK_SECONDS


@pytest.mark.skipif(not NIGHT, reason="by day a page alone loses its connections, in test_page.py")
async def test_no_move_is_lost_or_made_twice_at_a_mixed_table(
    programs: Programs, chromium: Chromium, rng: Random
) -> None:
    """The log has every acknowledged move once, whatever happens to the server.

    As soon as a server runs again, all players are back at their seats: at the first attempt or the
    one after it, and at night with the right table within three seconds. The notice that the server
    stops is shown no longer than until it is back. Pages of a server with a newer page reload
    themselves, also those that return to it later.
    """
    server = await programs.serve("--plain-bots", port=free_port(rng))
    stack = AsyncExitStack()

    async def sit() -> list[Page]:
        pages = []
        for size in (DESK, PHONE):
            context = chromium.context(viewport=size, reduced_motion="reduce")
            pages.append(await (await stack.enter_async_context(context)).new_page())
        wires.extend(map(PageWire, pages))
        await come_in(pages[0], f"{server.url}/", "Ann")
        await open_table(pages[0], "Whist", {"Cards for each player in the first deal": 1})
        await come_in(pages[1], pages[0].url, "Bea")
        await expect(pages[0].get_by_text("Bea").first).to_be_visible()
        away = await pages[0].context.new_page()
        await away.goto(pages[0].url.partition("/t/")[0], wait_until="networkidle")
        await away.goto("about:blank")
        return [*pages, away]

    async def begin() -> None:
        await expect(pages[0].get_by_text("Cid").first).to_be_visible()
        await start_with_bots(pages[0])
        await clicked(pages, rng, MOVES)

    async def told_of_the_end() -> None:
        for page in pages:
            await expect(page.locator(".alert", has_text=STOPPING)).to_be_visible()

    async def told_no_longer() -> None:
        await back(pages)
        for page in pages:
            await expect(page.locator(".alert", has_text=STOPPING)).to_be_hidden()

    async def goes_back(page: Page, digest: str) -> None:
        await page.go_back()
        await expect(page.get_by_role("heading", name="Play")).to_be_visible()
        assert await addresses_of([page]) == [digest]

    wires: list[PageWire] = []
    try:
        *pages, away = await chromium.story(sit())
        code = pages[0].url.rpartition("/")[2]
        terminal = await programs.run("join", server.url, code, "--auto", "--json", "--name", "Cid")
        await chromium.story(begin())
        await server.kill()
        await chromium.story(lost(pages))
        server = await programs.serve("--plain-bots", port=server.port)
        now, before = monotonic(), [wire.connections for wire in wires]
        await chromium.story(shown(pages, now))
        assert all(wire.connections <= at + 2 for wire, at in zip(wires, before, strict=True))
        await chromium.story(clicked(pages, rng, MOVES))
        server.program.signal(signal.SIGTERM)
        await chromium.story(told_of_the_end())
        await server.program.done()
        server = await programs.serve("--plain-bots", port=server.port)
        await chromium.story(told_no_longer())
        server.program.signal(signal.SIGTERM)
        await chromium.story(told_of_the_end())
        old = await chromium.story(addresses_of(pages))
        await server.program.done()
        newer = newer_page(programs.folder / "newer")
        server = await programs.serve("--plain-bots", port=server.port, source=newer)
        now = monotonic()
        await chromium.story(loaded_anew(pages, old))
        await chromium.story(shown(pages, now))
        new = await chromium.story(addresses_of(pages[:1]))
        await chromium.story(goes_back(away, *new))
        await chromium.story(clicked(pages, rng))
        await terminal.done()
    finally:
        await chromium.story(stack.aclose())
    await server.stop()
    stored = only_table(programs.data)
    client_log.read(terminal).check(stored, internal=False)
    for seat, wire in enumerate(wires):
        check(stored, seat, [wire])
        assert wire.connections >= 3
        assert "draining" in wire.notices


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process's files")
async def test_the_page_says_that_the_server_cannot_save(
    programs: Programs, chromium: Chromium
) -> None:
    """The page says when the server cannot save and when it can again; a move waits, made once.

    The disk is full meanwhile. Text that was being typed is still there afterwards.
    """
    server = await programs.serve("--plain-bots")
    _, hard = resource.prlimit(server.program.pid, resource.RLIMIT_FSIZE)
    stack = AsyncExitStack()

    async def sit() -> str:
        for locale in ("en-GB", "de-DE"):
            context = chromium.context(viewport=DESK, locale=locale, reduced_motion="reduce")
            pages.append(await (await stack.enter_async_context(context)).new_page())
        wires.append(PageWire(pages[0]))
        await come_in(pages[0], f"{server.url}/", "Ann")
        await pages[1].goto(f"{server.url}/".replace("ws://", "http://"))
        await pages[1].get_by_label("Dein Name").fill("Bea")
        await pages[1].keyboard.press("Enter")
        await expect(pages[1].get_by_text("Bea").first).to_be_visible()
        await open_table(pages[0], "Whist", {"Cards for each player in the first deal": 2})
        await start_with_bots(pages[0])
        seen = await look(pages[0])
        await pages[0].get_by_label("Say something").fill("well, well")
        asked = await asked_at(pages[0])
        resource.prlimit(server.program.pid, resource.RLIMIT_FSIZE, (4096, hard))
        await click(pages[0], seen["moves"][0])
        return asked

    async def told() -> None:
        for page, words in zip(pages, CANNOT_SAVE, strict=True):
            await expect(page.locator("span", has_text=words)).to_be_visible()

    async def goes_on(asked: str) -> None:
        for page, words in zip(pages, SAVES_AGAIN, strict=True):
            await expect(page.locator("span", has_text=words)).to_be_visible()
        for page, words in zip(pages, CANNOT_SAVE, strict=True):
            await expect(page.locator("span", has_text=words)).to_be_hidden()
        another = re.compile(f"^(?!{asked}$)[0-9]+$")
        await expect(pages[0].locator(".table")).to_have_attribute("data-asked", another)
        await expect(pages[0].get_by_label("Say something")).to_have_value("well, well")

    pages: list[Page] = []
    wires: list[PageWire] = []
    try:
        asked = await chromium.story(sit())
        await chromium.story(told())
        assert not wires[0].acknowledged
        resource.prlimit(server.program.pid, resource.RLIMIT_FSIZE, (hard, hard))
        await chromium.story(goes_on(asked))
        assert len(wires[0].acknowledged) == 1
    finally:
        await chromium.story(stack.aclose())
    # The log says that nothing could be written; that was the purpose.
    server.program.errors = ""
    await server.stop()
    check(only_table(programs.data), 0, wires)
