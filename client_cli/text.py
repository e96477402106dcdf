"""Lines of text in styled pieces, and how wide they are; nothing here knows cards or tables."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from wcwidth import wcwidth

from protocol.isolates import FSI, PDI, closed, isolated, parts, without_isolates
from protocol.safe_text import safe_text
from protocol.visible_text import without_faults

Style: TypeAlias = str
"""A colour of a legend, or one of the names in `_CODES`; an unknown one has no effect."""

_CODES = {
    "green": "32",
    "blue": "94",
    "black": "1",
    "red": "91",
    "strong": "1",
    "dim": "2",
    "mark": "7",
    "good": "32",
    "warn": "33",
}
# Spades are drawn bold in the terminal's own colour: black would be invisible on a dark screen.
_LETTERS = str.maketrans("♣♦♠♥−", "CDSH-")
_BOUNDS = re.compile(f"([{FSI}{PDI}])")


@dataclass(frozen=True, slots=True)
class Look:
    """What the terminal can show. Without `symbols` every character is ASCII."""

    width: int = 80
    symbols: bool = True
    colour: bool = False

    def pick(self, symbol: str, plain: str) -> str:
        """`symbol`, or `plain` if only ASCII may be written."""
        return symbol if self.symbols else plain


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line. Its text never contains control characters.

    Isolates (`protocol.isolates`) begin and end within a piece.
    """

    text: str
    style: Style = ""

    def __post_init__(self) -> None:
        if not self.text.isprintable():
            object.__setattr__(self, "text", safe_text(closed(self.text)))


Line: TypeAlias = tuple[Span, ...]
EMPTY: Line = ()


def line(*parts: str | Span | Line) -> Line:
    """One line of text, spans and other lines, in order."""
    spans: list[Span] = []
    for part in parts:
        if isinstance(part, tuple):
            spans.extend(part)
        elif isinstance(part, Span):
            spans.append(part)
        elif part:
            spans.append(Span(part))
    return tuple(spans)


def clean(text: str, look: Look) -> str:
    """`text` of others without characters that could move the cursor or reorder the line.

    Names and chat come from strangers: control, format and invisible characters are removed, and
    marks beyond two a letter; breaks become spaces. Text that is read from right to left is
    isolated, and so is what is isolated already. Without symbols suits become their letters, a
    minus becomes a hyphen, and every other character beyond ASCII a question mark.
    """
    spaced = "".join(" " if char.isspace() else char for char in text)
    if not look.symbols:
        safe = _without_controls(without_isolates(spaced)).strip()
        return safe.translate(_LETTERS).encode("ascii", "replace").decode("ascii")
    if FSI not in text:
        return isolated(_without_controls(spaced).strip())
    pieces = _BOUNDS.split(spaced.strip())
    told = closed("".join(map(_without_controls, pieces))).strip()
    # What was isolated for a character that is gone turns nothing any more.
    bare = without_isolates(told)
    return bare if isolated(bare) == bare else isolated(told)


def _without_controls(text: str) -> str:
    if text in (FSI, PDI):
        return text
    told = without_faults(text)
    return "".join(char for char in told if unicodedata.category(char)[0] != "C")


def text_width(text: str) -> int:
    """The number of cells that `text` takes in a terminal."""
    return sum(max(0, wcwidth(char)) for char in text)


def width(of: Line) -> int:
    """The width of a line in cells."""
    return sum(text_width(span.text) for span in of)


def cut(of: Line, cells: int) -> Line:
    """`of`, shortened to at most `cells` cells."""
    kept: list[Span] = []
    left = cells
    for span in of:
        text = _cut_text(span.text, left)
        left -= text_width(text)
        kept.append(Span(text, span.style))
        if text != span.text:
            break
    return tuple(kept)


def pad(of: Line, cells: int, *, right: bool = False) -> Line:
    """`of` padded with spaces to `cells` cells; with `right` it is aligned to the right."""
    gap = Span(" " * max(0, cells - width(of)))
    if not gap.text:
        return of
    return (gap, *of) if right else (*of, gap)


def flow(items: Iterable[Line], cells: int, *, lead: Line = EMPTY, gap: str = "  ") -> list[Line]:
    """`items` side by side after `lead`, wrapped between items, with further lines indented."""
    indent = (Span(" " * width(lead)),) if lead else EMPTY
    lines: list[Line] = []
    current, filled = lead, False
    for item in items:
        joined = line(current, gap if filled else "", item)
        if filled and width(joined) > cells:
            lines.append(current)
            joined = line(indent, item)
        current, filled = joined, True
    lines.append(current)
    return [cut(each, cells) for each in lines]


def words(of: Line, cells: int, *, indent: int = 0) -> list[Line]:
    """`of` wrapped at its spaces into lines of at most `cells` cells."""
    lines: list[Line] = []
    current: Line = EMPTY
    fresh = True
    for word in _words(of, cells):
        joined = line(current, "" if fresh else " ", word)
        if not fresh and width(joined) > cells:
            lines.append(current)
            joined = line(" " * indent, word)
        current, fresh = joined, False
    lines.append(current)
    return [piece for each in lines for piece in _chopped(each, cells)]


def paint(of: Line, look: Look) -> str:
    """The line for the terminal, with escape codes if the look has colours."""
    if not look.colour:
        return "".join(span.text for span in of).rstrip()
    return "".join(_painted(span) for span in of)


def plain(lines: Sequence[Line]) -> str:
    """Lines without any style, as one text."""
    return "\n".join(paint(each, Look()) for each in lines)


def _painted(span: Span) -> str:
    code = _CODES.get(span.style)
    return f"\x1b[{code}m{span.text}\x1b[0m" if code and span.text else span.text


def _cut_text(text: str, cells: int) -> str:
    used = 0
    for at, char in enumerate(text):
        used += max(0, wcwidth(char))
        if used > cells:
            return closed(text[:at])
    return text


def _words(of: Line, cells: int) -> list[Line]:
    """The words of a line; a word may change its style in the middle.

    An isolate is one word, as its parts beside each other would change places; but one that needs
    more than a line of `cells` cells goes on in the next as if it were none.
    """
    found: list[Line] = []
    current: Line = EMPTY
    for span in of:
        first, *others = _split(span.text, cells)
        current = line(current, Span(first, span.style)) if first else current
        for piece in others:
            found.append(current)
            current = (Span(piece, span.style),) if piece else EMPTY
    found.append(current)
    return [word for word in found if word]


def _split(text: str, cells: int) -> list[str]:
    """`text` in pieces at its spaces, but for those within an isolate."""
    found = [""]
    for part in parts(text):
        isolate = part.startswith(FSI)
        if isolate and text_width(part) <= cells:
            found[-1] += part
            continue
        first, *others = (without_isolates(part) if isolate else part).split(" ")
        found = [*found[:-1], found[-1] + first, *others]
    return found


def _chopped(of: Line, cells: int) -> list[Line]:
    """An overlong word, broken into pieces."""
    if width(of) <= cells:
        return [of]
    text, style = "".join(span.text for span in of), of[-1].style
    pieces: list[Line] = []
    while text:
        piece = _cut_text(text, cells) or text[0]
        pieces.append((Span(piece, style),))
        text = text[len(piece) :]
    return pieces
