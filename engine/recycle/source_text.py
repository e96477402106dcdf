"""Places in the text of a description, and the text at them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text: `start` up to `end` (offsets), `line` and `column` of its start.

    Lines and columns count from 1, as editors show them; a column is one character.
    """

    start: int
    end: int
    line: int
    column: int

    def of(self, text: str) -> str:
        """The characters of `text` that this span covers."""
        return text[self.start : self.end]


NOWHERE = Span(0, 0, 1, 1)
"""For trees that were made by hand and have no text."""

QUOTED = 60
"""How much of a form `quote` gives, in characters."""


def quote(text: str, span: Span) -> str:
    """The form at `span` on one line, shortened."""
    # A form can be the whole file: no more of it is looked at than can be shown.
    start = text[span.start : min(span.end, span.start + 10 * QUOTED)]
    line = " ".join(start.split())
    printable = "".join(each if each.isprintable() else "�" for each in line)
    if len(printable) <= QUOTED and len(start) == span.end - span.start:
        return printable
    return printable[: QUOTED - 1] + "…"
