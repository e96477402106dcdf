"""Takes the pictures of the page in docs/images: plays a few moves in a real browser, and looks.

.venv/bin/python -m tools.screenshots docs/images
"""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, async_playwright

PATIENCE = 30_000
"""Milliseconds for anything that the page is waited for."""
MOVE = ".card.is-open, .choice:not([aria-disabled=true], .is-quiet)"
BID = ".choice.is-amount"
LIKELY = 3
"""A bid as people make it."""
PLAYED = '.felt .card[data-zone^="trick"]'


@dataclass(frozen=True, slots=True)
class Picture:
    """A game after some moves in a window of this size, with so many cards of a trick at least."""

    name: str
    game: str
    width: int
    height: int
    moves: int
    trick: int
    scheme: str = "light"


PICTURES = (
    Picture("page-desk", "Black Queen", 1280, 800, 5, 2),
    Picture("page-desk-dark", "Spades", 1280, 800, 4, 2, "dark"),
    Picture("page-phone", "Whist", 390, 844, 4, 2),
    Picture("page-phone-dark", "Schnapsen", 390, 844, 3, 1, "dark"),
)


async def take(folder: Path) -> None:
    """Write every picture to `folder`."""
    with TemporaryDirectory() as data:
        program = str(Path(sys.executable).parent / "blackqueen")
        words = ("serve", "--port", "0", "--data", data, "--bot-delay", "0.2", "--plain-bots")
        server = await asyncio.create_subprocess_exec(program, *words, stdout=PIPE)
        try:
            url = await _address(server)
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=which("chromium"), args=["--no-sandbox"]
                )
                for picture in PICTURES:
                    await _take(browser, url, picture, folder / f"{picture.name}.jpg")
                await browser.close()
        finally:
            server.terminate()
            await server.wait()


async def _address(server: Process) -> str:
    assert server.stdout is not None
    async for line in server.stdout:
        _, found, port = line.decode().partition("ws://127.0.0.1:")
        if found:
            return f"http://127.0.0.1:{port.split()[0].strip('/')}/"
    raise RuntimeError("the server does not say its address")


async def _take(browser: Browser, url: str, picture: Picture, path: Path) -> None:
    page = await browser.new_page(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme="dark" if picture.scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.set_default_timeout(PATIENCE)
    await page.goto(url)
    await page.get_by_label("Your name").fill("Ann")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name=f"With people …: {picture.game}").click()
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("button", name="Start; bots take the free seats").click()
    move = page.locator(MOVE).first
    await move.wait_for()
    made = 0
    while made < picture.moves or await page.locator(PLAYED).count() < picture.trick:
        made += 1
        bid = page.locator(BID).nth(LIKELY)
        await (bid if await bid.count() else move).focus()
        asked = await page.locator(".table").get_attribute("data-asked") or ""
        await page.keyboard.press("Enter")
        if asked:
            gone = page.locator(f'.table:not([data-asked="{asked}"])')
            await gone.wait_for()
        await move.wait_for()
    await page.mouse.move(2, 2)
    await page.evaluate("document.activeElement.blur()")
    await page.wait_for_timeout(700)
    await page.screenshot(path=path, type="jpeg", quality=80)
    await page.close()


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(take(Path(sys.argv[1])))
