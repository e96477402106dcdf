"""Text from elsewhere, made fit for a terminal, and the one place that prints it.

Whatever came over a wire, out of a file or out of a database may hold control characters, which
move a terminal's cursor, set its title or answer for its user, and characters of direction, which
turn a line around. No program of this project prints such text in another way than by `say`, or in
lines made of spans (`client_cli.text.Span`), which clean what they are made of. The linter refuses
`print` and `sys.stdout.write` elsewhere.
"""

import sys
import unicodedata
from typing import TextIO

from protocol.isolates import FSI, PDI, closed

JOINERS = "\u200c\u200d"
"""Invisible, but part of words: they join emoji, and keep letters of Persian or Hindi apart."""


def safe_text(text: str) -> str:
    r"""`text` as one line that shows what it holds, with control characters as escapes.

    >>> safe_text("Ann\x1b]0;title\x07")
    'Ann\\x1b]0;title\\x07'

    Characters of direction, line breaks and halves of surrogate pairs become escapes too; every
    kind of space becomes a plain one. Isolates that end within the text stay: they turn nothing
    beside them (`protocol.isolates`).
    """
    if text.isprintable():
        return text
    if FSI in text:
        isolated = "".join(char if char in (FSI, PDI) else _safe(char) for char in text)
        if closed(isolated) == isolated:
            return isolated
    return "".join(map(_safe, text))


def say(*lines: str, file: TextIO | None = None, flush: bool = False) -> None:
    """Print each of `lines` on a line of its own, without control characters."""
    for line in lines:
        print(safe_text(line), file=file, flush=flush)


def complain(program: str, words: str) -> None:
    """Print an error on stderr, after the program's name.

    Further lines of `words` are indented, so that no quoted line looks like one of ours.
    """
    first, *more = words.splitlines() or [""]
    say(f"{program}: {first}", *(f"  {line}" for line in more), file=sys.stderr)


def _safe(char: str) -> str:
    if char.isprintable() or char in JOINERS:
        return char
    if unicodedata.category(char) == "Zs":
        return " "
    return char.encode("unicode_escape").decode("ascii")
