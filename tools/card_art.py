"""Draws the suits, the courts and the back of the page's cards, as the paths of two ES modules.

.venv/bin/python -m tools.card_art [--check]

A card is 100 wide and 140 high. A court is drawn as its upper half, in a frame from 20 to 80 across
and from 14 to 70 down; the page turns it about the middle for the lower one. Each path has a class
that the page's style sheet gives a colour.
"""

import sys
from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from pathlib import Path
from typing import TypeAlias

from protocol.safe_text import say

FOLDER = Path(__file__).parents[1] / "client_web" / "cards"
MADE = "// Made by tools/card_art.py; a test compares the two."
MOST_BYTES = 25_000

Point: TypeAlias = tuple[float, float]
Shape: TypeAlias = tuple[str, str]
"""The class of a path, and the path."""

MIDDLE = 50.0
RIM = 72.0

SUITS = {
    "♣": "M0-46A20.5 20.5 0 0 1 15.5-12A20.5 20.5 0 1 1 4.5 19C5.5 31 9 39 16 46"
    "H-16C-9 39-5.5 31-4.5 19A20.5 20.5 0 1 1-15.5-12A20.5 20.5 0 0 1 0-46Z",
    "♦": "M0-47C9-29 22-13 37 0C22 13 9 29 0 47C-9 29-22 13-37 0C-22-13-9-29 0-47Z",
    "♠": "M0-47C10-25 43-7 43 16C43 30 33 37 22 37C13 37 7 32 3 25C4 35 8 41 15 46H-15"
    "C-8 41-4 35-3 25C-7 32-13 37-22 37C-33 37-43 30-43 16C-43-7-10-25 0-47Z",
    "♥": "M0 44C-14 27-44 8-44-16C-44-33-32-42-20-42C-10-42-3-36 0-27C3-36 10-42 20-42"
    "C32-42 44-33 44-16C44 8 14 27 0 44Z",
}


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{round(value, 1):g}"


def polygon(points: Iterable[Point]) -> str:
    """A closed path with straight sides."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def mirrored(points: Sequence[Point]) -> list[Point]:
    """The points of a left half, and those of the right half back to the first one's height."""
    return [*points, *((2 * MIDDLE - x, y) for x, y in reversed(points))]


def circle(x: float, y: float, radius: float, flat: float = 1.0) -> str:
    """A circle, or an ellipse `flat` times as high as it is wide."""
    rx, ry = number(radius), number(radius * flat)
    across = number(2 * radius)
    return (
        f"M{number(x - radius)} {number(y)}a{rx} {ry} 0 1 0 {across} 0a{rx} {ry} 0 1 0-{across} 0Z"
    )


def star(x: float, y: float, radius: float, points: int) -> str:
    """A star with sharp points, the first one upwards."""
    turns = [pi * at / points - pi / 2 for at in range(2 * points)]
    lengths = [radius if at % 2 == 0 else radius * 0.42 for at in range(2 * points)]
    return polygon(
        (x + length * cos(turn), y + length * sin(turn))
        for turn, length in zip(turns, lengths, strict=True)
    )


def robe(shoulder: float, panel: float) -> list[Shape]:
    """Shoulders, a panel down the middle with its hem, and rows of ornaments on both."""
    side = [(20.0, RIM), (20.0, shoulder + 12), (26.0, shoulder + 3), (40.0, shoulder - 2)]
    shapes: list[Shape] = [("suit", polygon(mirrored(side)))]
    middle = [(MIDDLE - panel - 4, RIM), (MIDDLE - panel, shoulder - 1)]
    shapes.append(("gold", polygon(mirrored(middle))))
    shapes.append(("line", polygon(mirrored(middle))))
    for row in range(3):
        y = shoulder + 4 + row * 6
        shapes.append(("dark", star(MIDDLE, y, 2.6, 4)))
        reach = panel + 6 + row * 1.5
        shapes += [("gold", circle(x, y + 2, 1.5)) for x in (MIDDLE - reach, MIDDLE + reach)]
    sleeve = [(20.0, shoulder + 15), (27.0, shoulder + 9), (34.0, shoulder + 21), (29.0, RIM)]
    shapes.append(("pale", polygon(sleeve)))
    shapes.append(("pale", polygon((2 * MIDDLE - x, y) for x, y in sleeve)))
    return shapes


def collar(y: float, width: float) -> list[Shape]:
    """A fur collar with its spots."""
    half = [(MIDDLE - width, y), (MIDDLE - width + 2, y + 6), (MIDDLE - 4, y + 9)]
    spots = [(MIDDLE + at * width / 2.6, y + 4.5) for at in (-2, -1, 1, 2)]
    return [
        ("white", polygon(mirrored(half))),
        ("line", polygon(mirrored(half))),
        *(("dark", circle(x, at, 0.8)) for x, at in spots),
    ]


def head(y: float) -> list[Shape]:
    """A face with eyes, brows, nose and mouth."""
    return [
        ("skin", circle(MIDDLE, y, 8.8, 1.22)),
        ("line", circle(MIDDLE, y, 8.8, 1.22)),
        ("dark", circle(46.3, y - 1, 1.1) + circle(53.7, y - 1, 1.1)),
        ("line", f"M44 {number(y - 3.6)}q2.3-1.6 4.6 0M51.4 {number(y - 3.6)}q2.3-1.6 4.6 0"),
        ("line", f"M50 {number(y - 0.5)}v4.200h-1.8"),
        ("lips", f"M47.2 {number(y + 6.2)}q2.8 2.4 5.6 0q-2.8-1.2-5.6 0Z"),
    ]


def crown(y: float, points: int, height: float, tips: str) -> list[Shape]:
    """A crown of `points` spikes; at each tip a ball or a star."""
    left, right = 39.5, 60.5
    step = (right - left) / (points - 1)
    outline: list[Point] = [(left + 1, y + 5)]
    shapes: list[Shape] = []
    for at in range(points):
        x = left + step * at + (at - (points - 1) / 2) * 0.9
        rise = height * (1 - 0.16 * abs(at - (points - 1) / 2) / ((points - 1) / 2))
        if at:
            outline.append((x - step / 2, y - height * 0.25))
        outline.append((x, y - rise))
        tip = circle(x, y - rise, 1.7) if tips == "balls" else star(x, y - rise - 1, 2.6, 4)
        shapes.append(("suit", tip))
    outline.append((right - 1, y + 5))
    band = [(left + 1, y + 1.5), (left + 1, y + 5)]
    return [
        ("gold", polygon(outline)),
        ("line", polygon(outline)),
        *shapes,
        ("suit", polygon(mirrored(band))),
        ("white", "".join(circle(x, y + 3.2, 1.0) for x in (44.5, 50, 55.5))),
    ]


def king() -> list[Shape]:
    """A bearded king with a sword."""
    hair = [(40.0, 28.0), (37.0, 34.0), (37.5, 45.0), (42.0, 50.0)]
    beard = "M41.3 40Q42 54 50 57Q58 54 58.7 40Q55 46 50 43.500Q45 46 41.3 40Z"
    blade = [(26.5, 60.0), (26.5, 24.0), (28.5, 18.0), (30.5, 24.0), (30.5, 60.0)]
    return [
        *robe(52, 8),
        ("steel", polygon(blade)),
        ("line", polygon(blade)),
        ("gold", polygon([(21.5, 56), (35.5, 56), (35.5, 59), (21.5, 59)])),
        ("gold", circle(28.5, 68, 2.4)),
        ("skin", circle(28.5, 63, 3.6)),
        *collar(47, 15),
        ("hair", polygon(mirrored(hair))),
        *head(38),
        ("hair", beard),
        ("lips", "M47.6 45.300h4.800l-2.4 1.800Z"),
        *crown(26, 5, 9, "stars"),
    ]


def queen() -> list[Shape]:
    """A queen with long hair and a flower."""
    hair = [(41.0, 29.0), (36.0, 35.0), (35.5, 50.0), (33.0, 58.0), (42.0, 57.0), (44.0, 46.0)]
    stem = "M72 68Q75 52 71 38"
    petals = "".join(
        circle(71 + 3.6 * cos(turn), 33 + 3.6 * sin(turn), 2.5)
        for turn in (2 * pi * at / 5 - pi / 2 for at in range(5))
    )
    return [
        *robe(54, 6),
        ("stem", stem),
        ("stem", "M73.3 54q4.5-4 4.7-8q-5 2-4.7 8"),
        ("suit", petals),
        ("gold", circle(71, 33, 2.2)),
        ("skin", circle(72, 64, 3.4)),
        *collar(50, 11),
        ("hair", polygon(mirrored(hair))),
        *head(39),
        ("gold", circle(50, 56.5, 2.2)),
        ("hair", "M41 35Q43 28.5 50 28.500Q57 28.5 59 35Q54.5 31.5 50 31.500Q45.5 31.5 41 35Z"),
        *crown(26, 7, 7, "balls"),
    ]


def jack() -> list[Shape]:
    """A jack with a feathered cap and a halberd."""
    hair = [(41.0, 29.0), (38.0, 36.0), (38.0, 46.0), (42.5, 48.0)]
    cap = "M37 30Q38 18 50 18Q63 18 64 27Q64 30 61 31Q50 26.5 39 31.500Z"
    feather = "M60 28Q76 24 74 15Q68 17 64 22Q61 25 60 28Z"
    axe = "M24.5 27Q32 24 35 17Q37 25 35 33Q32 29 24.5 30Z"
    return [
        *robe(51, 7),
        ("wood", polygon([(23, 70), (23, 17), (25.4, 17), (25.4, 70)])),
        ("steel", axe),
        ("line", axe),
        ("steel", polygon([(22.2, 19), (24.2, 14.5), (26.2, 19)])),
        ("skin", circle(24.2, 61, 3.4)),
        *collar(46, 12),
        ("hair", polygon(mirrored(hair))),
        *head(37.5),
        ("suit", cap),
        ("line", cap),
        ("gold", "M38.5 31.500Q50 25 61.5 31L61 27.800Q50 22.5 38.8 28.200Z"),
        ("pale", feather),
        ("line", feather + "M61 27.500Q68 24 73 16.5"),
    ]


def back() -> list[Shape]:
    """A lattice of stars and rings within a frame."""
    rings: list[Point] = []
    stars: list[Point] = []
    for row in range(8):
        for column in range(5):
            x, y = 18.0 + 16 * column, 14.0 + 16 * row
            (rings if (row + column) % 2 else stars).append((x, y))
    return [
        ("lines", "".join(circle(x, y, 5.4) for x, y in rings)),
        ("dots", "".join(circle(x, y, 1.6) for x, y in rings)),
        ("stars", "".join(star(x, y, 6.6, 4) for x, y in stars)),
    ]


def suits() -> str:
    """The text of the ES module of the suits, which pictures of tables need without the courts."""
    lines = [f'  "{symbol}": "{path}",' for symbol, path in SUITS.items()]
    above = f"{MADE} Paths in a box of 100 by 100 around 0,0."
    return "\n".join([above, "", "export const SUITS = {", *lines, "};", ""])


def courts() -> str:
    """The text of the ES module of the courts and the back."""
    lines = [
        f"{MADE} Paths of a card of 100 by 140.",
        "",
        "// The upper half of each court: [class, path], the lowest first.",
        "export const COURTS = {",
    ]
    for rank, shapes in {"J": jack(), "Q": queen(), "K": king()}.items():
        lines += [f"  {rank}: [", *(f'    ["{kind}", "{path}"],' for kind, path in shapes)]
        lines.append("  ],")
    lines += ["};", "", "export const BACK = ["]
    lines += [f'  ["{kind}", "{path}"],' for kind, path in back()]
    return "\n".join([*lines, "];", ""])


def modules() -> dict[Path, str]:
    """The text of each ES module by its file."""
    return {FOLDER / "suits.js": suits(), FOLDER / "art.js": courts()}


def main() -> int:
    """Write the modules, or with ``--check`` say whether they are as they would be written."""
    made = modules()
    if "--check" in sys.argv[1:]:
        same = all(path.read_text(encoding="utf-8") == text for path, text in made.items())
        if not same:
            say("Not up to date: .venv/bin/python -m tools.card_art", file=sys.stderr)
        return not same
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
