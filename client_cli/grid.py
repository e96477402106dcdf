"""A table of cells that breaks into several if the terminal is narrow."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from client_cli.text import Line, Span, cut, line, pad, text_width, width


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, one cell per row, the gap before it.

    Columns of one `block` stay beside each other if there is room.
    """

    title: str
    cells: tuple[Line, ...]
    right: bool = False
    gap: str = "  "
    block: str = ""

    @property
    def width(self) -> int:
        """The width of the column's widest line in cells."""
        return max(text_width(self.title), *map(width, self.cells), 0)


def grid(first: Column, columns: Sequence[Column], cells: int) -> list[Line]:
    """`columns` beside each other; those that do not fit follow below, after `first` again."""
    lines: list[Line] = []
    for part in _parts(columns, cells - first.width):
        shown = (first, *part)
        if any(column.title for column in shown):
            lines.append(_row(shown, [(Span(column.title, "dim"),) for column in shown]))
        lines.extend(
            _row(shown, [column.cells[row] for column in shown]) for row in range(len(first.cells))
        )
    return [cut(each, cells) for each in lines]


def _parts(columns: Sequence[Column], room: int) -> list[list[Column]]:
    parts: list[list[Column]] = [[]]
    left = room
    for _, together in groupby(columns, key=lambda column: column.block or id(column)):
        block = list(together)
        units = [block] if _needed(block) <= room else [[column] for column in block]
        for unit in units:
            needed = _needed(unit)
            if needed > left and parts[-1]:
                parts.append([])
                left = room
            parts[-1] += unit
            left -= needed
    return parts


def _needed(columns: Sequence[Column]) -> int:
    return sum(len(column.gap) + column.width for column in columns)


def _row(columns: Sequence[Column], contents: Sequence[Line]) -> Line:
    (first, *others), (lead, *cells) = columns, contents
    row = pad(lead, first.width, right=first.right)
    for column, cell in zip(others, cells, strict=True):
        row = line(row, column.gap, pad(cell, column.width, right=column.right))
    return row
