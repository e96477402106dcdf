"""The stages of a game as a picture: boxes within boxes, read from top to bottom.

A stage is a box around its parts, with an arrow that leads back to the first of them and the
condition that ends it. What is chosen stands out from what just happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from engine.recycle.authoring.outline import Outline, Part

_CHARACTER, _LINE, _PAD, _GAP, _LOOP = 7.3, 17, 12, 20, 34
"""Pixels: a letter's width, a line's height, around text, between boxes, beside a stage's parts."""
_SHOWN = 12
"""Lines of one box; more are counted."""
_STYLE = """
text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1d2733 }
.title { font-weight: bold }
rect { stroke-width: 1.3 }
.stage { fill: #e8f0fa; fill-opacity: .55; stroke: #4a6fa5 }
.choice { fill: #fff1cc; stroke: #c08a12 }
.do { fill: #fbfbfa; stroke: #8d8d88 }
.edge { fill: #e7f4e6; stroke: #55915a }
path { fill: none; stroke: #44566b; stroke-width: 1.4 }
"""


@dataclass(frozen=True, slots=True)
class _Box:
    """A drawn part, whose size is known before its place."""

    look: str
    title: str
    lines: tuple[str, ...]
    boxes: tuple[_Box, ...]

    @property
    def heading(self) -> float:
        return _PAD * 2 + _LINE * (1 + len(self.lines)) - 4

    @property
    def width(self) -> float:
        own = max(map(len, (self.title, *self.lines))) * _CHARACTER + 2 * _PAD
        inner = max((box.width for box in self.boxes), default=0.0)
        return max(own, inner + 2 * _PAD + _LOOP if self.boxes else 0.0)

    @property
    def height(self) -> float:
        return self.heading + (_stacked(self.boxes) + _PAD if self.boxes else 0)


def diagram(outline: Outline, title: str) -> str:
    """The diagram of a game as a complete SVG document."""
    decks = outline.decks
    boxes = (
        _Box("edge", f"{title}: {outline.players} players", _cut(decks), ()),
        *map(_box, outline.parts),
        _Box("edge", "scoring", (outline.scoring,), ()),
    )
    wide = max(box.width for box in boxes)
    width, height = wide + 2 * _PAD, _stacked(boxes) + 2 * _PAD
    drawn = "\n".join(_column(boxes, _PAD, _PAD, wide))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" \
width="{width:.0f}" height="{height:.0f}" role="img">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
orient="auto"><polygon points="0 0, 8 4, 0 8" fill="#44566b"/></marker></defs>
<rect width="100%" height="100%" fill="white"/>
{drawn}
</svg>
"""


def _box(part: Part) -> _Box:
    return _Box(part.sort, part.title, _cut(part.lines), tuple(map(_box, part.parts)))


def _cut(lines: Sequence[str]) -> tuple[str, ...]:
    if len(lines) <= _SHOWN:
        return tuple(lines)
    return (*lines[: _SHOWN - 1], f"… and {len(lines) - _SHOWN + 1} more")


def _stacked(boxes: Sequence[_Box]) -> float:
    """The height of the boxes one below the other."""
    return sum(box.height for box in boxes) + _GAP * (len(boxes) - 1)


def _column(boxes: Sequence[_Box], x: float, y: float, width: float) -> Iterator[str]:
    """The boxes one below the other, an arrow from each to the next."""
    for number, box in enumerate(boxes):
        if number:
            middle = x + width / 2
            yield f'<path d="M{middle:.1f} {y - _GAP + 2:.1f}V{y - 2:.1f}" marker-end="url(#tip)"/>'
        yield from _drawn(box, x, y, width)
        y += box.height + _GAP


def _drawn(box: _Box, x: float, y: float, width: float) -> Iterator[str]:
    yield (
        f'<rect class="{box.look}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{box.height:.1f}" rx="7"/>'
    )
    for number, line in enumerate((box.title, *box.lines)):
        kind = "" if number else ' class="title"'
        below = y + _PAD + _LINE * (number + 0.75)
        words = line.lstrip(" ")
        right = x + _PAD + (len(line) - len(words)) * _CHARACTER
        yield f'<text{kind} x="{right:.1f}" y="{below:.1f}">{escape(words)}</text>'
    if box.boxes:
        inner = width - 2 * _PAD - _LOOP
        top = y + box.heading
        yield from _column(box.boxes, x + _PAD, top, inner)
        yield _back(x + _PAD + inner, top, top + _stacked(box.boxes), box.boxes)


def _back(x: float, top: float, bottom: float, boxes: Sequence[_Box]) -> str:
    """The arrow from the last box back to the first, along their right side."""
    start, end = bottom - min(14, boxes[-1].height / 3), top + min(14, boxes[0].height / 3)
    side = x + _LOOP - _PAD
    return (
        f'<path d="M{x + 1:.1f} {start:.1f}H{side:.1f}V{end:.1f}H{x + 2:.1f}" '
        f'marker-end="url(#tip)"/>'
    )
