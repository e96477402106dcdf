"""A small table of cells that breaks into several where the terminal is narrow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from client_cli.text import Line, Span, cut, line, pad, text_width, width

_GAP = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title and a cell a row."""

    title: str
    cells: tuple[Line, ...]
    right: bool = False

    @property
    def width(self) -> int:
        return max(text_width(self.title), *map(width, self.cells), 0)


def grid(first: Column, columns: Sequence[Column], cells: int) -> list[Line]:
    """`columns` beside each other; what does not fit follows below, with `first` again."""
    lines: list[Line] = []
    for part in _parts(columns, cells - first.width):
        shown = (first, *part)
        if any(column.title for column in shown):
            lines.append(_row(_cell(column, (Span(column.title, "dim"),)) for column in shown))
        lines.extend(
            _row(_cell(column, column.cells[row]) for column in shown)
            for row in range(len(first.cells))
        )
    return [cut(each, cells) for each in lines]


def _parts(columns: Sequence[Column], room: int) -> list[list[Column]]:
    parts: list[list[Column]] = [[]]
    left = room
    for column in columns:
        needed = len(_GAP) + column.width
        if needed > left and parts[-1]:
            parts.append([])
            left = room
        parts[-1].append(column)
        left -= needed
    return parts


def _cell(column: Column, content: Line) -> Line:
    return pad(content, column.width, right=column.right)


def _row(row: Iterable[Line]) -> Line:
    first, *others = row
    return line(first, *(line(_GAP, cell) for cell in others))
