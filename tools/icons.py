"""Draws the icons of the installed page as PNG, from its SVG, in a real browser.

.venv/bin/python -m tools.icons
"""

import asyncio
from pathlib import Path
from shutil import which

from playwright.async_api import Page, async_playwright

PAGE = Path(__file__).parents[1] / "client_web"
ICONS = {"192": (192, 1.0), "512": (512, 1.0), "maskable": (512, 0.75)}
"""The pixels of each icon, and how large its drawing is in it, so that a mask cuts none of it."""
COLOUR = "#fbf6e8"
GROUND = f'rx="13" fill="{COLOUR}"'


def drawing(svg: str, pixels: int, share: float) -> str:
    """A document that shows the icon, its ground to the edges if the drawing is smaller."""
    if share < 1:
        margin = 32 / share - 32
        box = f'viewBox="{-margin:g} {-margin:g} {64 + 2 * margin:g} {64 + 2 * margin:g}"'
        svg = svg.replace('viewBox="0 0 64 64"', f'{box} style="background:{COLOUR}"')
        svg = svg.replace(GROUND, 'fill="none"')
    size = f'<svg width="{pixels}" height="{pixels}" '
    return f'<body style="margin:0">{svg.replace("<svg ", size, 1)}'


async def draw(page: Page) -> None:
    """Write every icon."""
    svg = (PAGE / "icon.svg").read_text("utf-8")
    for name, (pixels, share) in ICONS.items():
        await page.set_viewport_size({"width": pixels, "height": pixels})
        await page.set_content(drawing(svg, pixels, share))
        target = PAGE / "icons" / f"{name}.png"
        target.parent.mkdir(exist_ok=True)
        await page.screenshot(path=target, omit_background=True)


async def main() -> None:
    """Draw all icons in Debian's Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox"]
        )
        await draw(await browser.new_page())
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
