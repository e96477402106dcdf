"""Where something stands in the text of a description."""

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
