"""A page of rules, which is Markdown, drawn as lines."""

from collections.abc import Sequence
from itertools import zip_longest

from client_cli.text import EMPTY, Line, Look, Span, clean, cut, line, pad, width, words
from protocol.texts.language import spoken
from protocol.to_client import GameCard

_GAP = 2
_LEAST = 1
"""Cells that a column of a table keeps, however narrow the terminal is."""


def rules_of(game: GameCard) -> str:
    """The rules of a game in the current language; those of a file are as written."""
    spoken_rules = "" if game.described else spoken().rules.get(game.id, "")
    return spoken_rules or game.rules or ""


def rules_lines(rules: str, look: Look) -> list[Line]:
    """A page of Markdown: bold headings, tables in columns, unchanged code, all else wrapped."""
    lines: list[Line] = []
    rows: list[list[str]] = []
    code = False
    for text in (*rules.splitlines(), ""):
        shown = clean(text, look).rstrip()
        if shown.startswith("|") and not code:
            rows.append([_plain(cell) for cell in shown.strip("|").split("|")])
            continue
        lines += _table(rows, look.width)
        rows = []
        if shown.startswith("```"):
            code = not code
        elif code:
            indent = min(len(text) - len(text.lstrip()), look.width // 2)
            broken = words(line(shown), look.width - indent, indent=4)
            lines += [line(" " * indent, each) for each in broken]
        elif shown.startswith("#"):
            lines += words((Span(shown.lstrip("# "), "strong"),), look.width)
        else:
            lines += words((Span(_plain(shown)),), look.width)
    # The empty line was only there to end a table.
    return lines[:-1]


def _plain(text: str) -> str:
    """`text` without the marks of Markdown."""
    return text.replace("*", "").replace("`", "").strip()


def _table(rows: Sequence[Sequence[str]], cells: int) -> list[Line]:
    """A table in columns; cells that are too long continue on the next lines."""
    told = [row for row in rows if set("".join(row)) - set("-: ")]
    columns = max(map(len, told), default=0)
    grid = [
        [line(Span(text, "" if at else "dim")) for text in (*row, *[""] * (columns - len(row)))]
        for at, row in enumerate(told)
    ]
    widths = _widths([max(map(width, column)) for column in zip(*grid, strict=True)], cells)
    # More columns than cells cannot be shown whole.
    return [cut(each, cells) for row in grid for each in _row(row, widths)]


def _row(row: Sequence[Line], widths: Sequence[int]) -> list[Line]:
    """The lines of one row, as many as its longest cell needs."""
    wrapped = [words(cell, room) for cell, room in zip(row, widths, strict=True)]
    lines: list[Line] = []
    for pieces in zip_longest(*wrapped, fillvalue=EMPTY):
        padded = [pad(piece, room) for piece, room in zip(pieces, widths, strict=True)]
        lines.append(line(*(line(" " * _GAP if at else "", p) for at, p in enumerate(padded))))
    return lines


def _widths(wanted: Sequence[int], cells: int) -> list[int]:
    """The widths of columns as wanted, with the widest reduced until all fit into `cells`."""
    widths = list(wanted)
    while sum(widths) + _GAP * (len(widths) - 1) > cells and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths
