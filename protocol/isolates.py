"""Text that is written from right to left, kept to itself within a sentence of ours.

A Hebrew or Arabic name turns the figures and the names beside it around: what was written as
``1. A 31, 2. B 23`` is drawn with the last player first. Two invisible characters of Unicode keep
a text to itself (UAX #9, isolates). Text that turns nothing gets none, so that all other output
keeps its bytes. The page has the same in `client_web/words.js`.
"""

import re
from collections.abc import Iterator

FSI, PDI = "\u2068", "\u2069"
"""The beginning of an isolate whose first letter says which way it is read, and its end."""
_TURNS = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of scripts that are read from right to left, and characters that turn others."""
_ISOLATE = re.compile("[\u2066-\u2068][^\u2066-\u2069]*\u2069")
_BOUNDS = re.compile("[\u2066-\u2069]")
_PARTS = re.compile("([\u2066-\u2069])")


def isolated(text: str) -> str:
    r"""`text` such that it turns nothing beside it, whatever it holds; unchanged if it cannot.

    >>> isolated("Ann"), isolated("\u05d0"), isolated(isolated("\u05d0"))
    ('Ann', '\u2068א\u2069', '\u2068א\u2069')
    """
    if not _TURNS.search(text):
        return text
    left, outside = "", text
    while left != outside:
        left, outside = outside, _ISOLATE.sub("", outside)
    return f"{FSI}{closed(text)}{PDI}" if _TURNS.search(outside) else text


def closed(text: str) -> str:
    """`text` in which each isolate that begins is closed, and no other is."""
    depth = 0

    def bound(found: re.Match[str]) -> str:
        nonlocal depth
        depth += -1 if found[0] == PDI else 1
        kept = found[0] if depth >= 0 else ""
        depth = max(0, depth)
        return kept

    kept = _BOUNDS.sub(bound, text)
    return kept + PDI * depth


def without_isolates(text: str) -> str:
    """`text` without isolates, for comparison and for output that is no screen."""
    return text.replace(FSI, "").replace(PDI, "")


def parts(text: str) -> Iterator[str]:
    """The whole isolates in `text` and the text between them, in order."""
    depth, part = 0, ""
    for piece in _PARTS.split(text):
        begins, ends = _BOUNDS.match(piece) and piece != PDI, piece == PDI and depth
        if begins and not depth:
            yield from filter(None, (part,))
            part = ""
        part += piece
        depth += bool(begins) - bool(ends)
        if ends and not depth:
            yield part
            part = ""
    yield from filter(None, (part,))
