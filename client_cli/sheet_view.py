"""The score sheet of finished deals, one row per deal.

A view has it under ``sheet/NAME/DEAL``, each value by seat; `score` is that of the deal.
"""

import re
from collections.abc import Mapping
from typing import TypeAlias

from client_cli.grid import Column, grid
from client_cli.names import seat_name, titled
from client_cli.tell import tell
from client_cli.text import Line, Look, Span, clean, cut, line
from engine.facts import Seat
from protocol.mirror import TableMirror

Deals: TypeAlias = Mapping[int, Mapping[str, tuple[int, ...]]]
"""By the number of the deal: its kept values by name, and each by seat."""

_KEY = re.compile(r"sheet/([^/]+)/([0-9]{1,4})")
_NAME_CELLS = 10


def sheet_lines(table: TableMirror, look: Look) -> list[Line]:
    """The sheet by player and deal under a line that explains it; empty if there is none."""
    names, deals = kept_scores(table)
    if not deals:
        return []
    first = Column(tell("table.deal"), tuple(line(str(deal)) for deal in deals), right=True)
    columns = [_column(seat, table, names, deals, look) for seat in range(len(table.info.seats))]
    kept = "/".join(clean(titled(name, table), look) for name in names)
    head = tell("table.sheet_of", names=kept) if kept else tell("table.sheet")
    return [
        cut((Span(head, "dim"),), look.width),
        *grid(first, columns, look.width),
    ]


def kept_scores(table: TableMirror) -> tuple[list[str], Deals]:
    """The names of the kept values except the score, and all kept values by deal."""
    names: list[str] = []
    deals: dict[int, dict[str, tuple[int, ...]]] = {}
    for key, value in table.view.values.items():
        match = _KEY.fullmatch(key)
        if match and isinstance(value, tuple):
            deals.setdefault(int(match[2]), {})[match[1]] = value
            if match[1] not in (*names, "score"):
                names.append(match[1])
    return names, dict(sorted(deals.items()))


def _column(seat: Seat, table: TableMirror, names: list[str], deals: Deals, look: Look) -> Column:
    kept = ["/".join(_at(deal.get(name, ()), seat) for name in names) for deal in deals.values()]
    scores = [_at(deal.get("score", ()), seat) for deal in deals.values()]
    room = max(map(len, scores))
    cells = tuple(
        line(Span(f"{what} ", "dim"), f"{score:>{room}}")
        for what, score in zip(kept, scores, strict=True)
    )
    name = cut((Span(seat_name(table.info, seat, look)),), _NAME_CELLS)
    return Column("".join(span.text for span in name), cells, right=True)


def _at(values: tuple[int, ...], seat: Seat) -> str:
    return str(values[seat]) if seat < len(values) else ""
