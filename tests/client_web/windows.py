"""The windows in which tables are tested, and the size of the felt in each.

`client_web/table/table.css` gives the felt its height, `client_web/page.css` its width beside the
chat; `test_windows.py` holds these figures against the page.
"""

from playwright.async_api import ViewportSize

Size = tuple[int, int]

PHONE_UPRIGHT: Size = (390, 844)
PHONE_SIDEWAYS: Size = (844, 390)
TABLET: Size = (768, 1024)
DESK: Size = (1280, 800)
WIDE_DESK: Size = (1920, 1080)
LOW_DESK: Size = (1024, 540)
"""A small laptop, whose browser takes much of the screen for itself."""
SMALL_PHONE: Size = (320, 640)
ZOOMED: Size = (640, 400)
"""A desk of 1280 by 800 on which everything is twice as large."""
FELTS: dict[Size, Size] = {
    PHONE_UPRIGHT: (390, 800),
    PHONE_SIDEWAYS: (844, 346),
    TABLET: (744, 884),
    DESK: (980, 695),
    WIDE_DESK: (1544, 975),
    LOW_DESK: (724, 486),
    SMALL_PHONE: (320, 596),
    ZOOMED: (640, 356),
}
"""The felt by the size of the window, in the middle of a match.

In windows of `SCROLLED` this is the least: a table that does not fit is higher, and is scrolled.
"""
AFTER: dict[Size, int] = {
    PHONE_UPRIGHT: 506,
    PHONE_SIDEWAYS: 340,
    DESK: 380,
    WIDE_DESK: 380,
    LOW_DESK: 380,
    SMALL_PHONE: 384,
    ZOOMED: 340,
}
"""How high it is, at least, after a match in windows where the result leaves it less.

A phone shows the result and the scores first: by then the cards are old.
"""
SCROLLED = {SMALL_PHONE: 900, ZOOMED: 700}
"""How high a felt gets there."""


def viewport(window: Size) -> ViewportSize:
    """The window for Playwright."""
    width, height = window
    return {"width": width, "height": height}
