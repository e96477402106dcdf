"""Longer answers to a player: help, rules, a hint with its reasons, the result."""

from collections.abc import Sequence
from math import isfinite

from client_cli.card_labels import CardLabels
from client_cli.grid import Column, grid
from client_cli.move_help import how_to_move
from client_cli.names import kind_of, seat_name, seat_of
from client_cli.sheet_view import sheet_lines
from client_cli.table_view import title_line
from client_cli.text import (
    EMPTY,
    Line,
    Look,
    Span,
    clean,
    cut,
    line,
    text_width,
    width,
    words,
)
from client_cli.typed_commands import available_commands
from protocol.lines import finished_record
from protocol.mirror import TableMirror
from protocol.to_client import DEVIATION, Candidate, HintAnswer

_MEANING = "value: the bot's estimate of a move's worth, more is better"


def help_lines(table: TableMirror, look: Look) -> list[Line]:
    """The commands that make sense now, how to type a move, and the keys."""
    told = [(command.usage, command.help_at(table)) for command in available_commands(table)]
    if table.seat is not None and table.info.phase in ("playing", "paused"):
        told.insert(0, ("a move", how_to_move(table, look)))
    if table.seat is not None:
        told.append(("Ctrl-D", "the same as auto"))
    told.append(("Ctrl-C", "the same as quit"))
    return explained(told, look)


def explained(told: Sequence[tuple[str, str]], look: Look) -> list[Line]:
    """What can be typed, each with what it does beside it."""
    column = max(len(usage) for usage, _ in told) + 2
    return [each for usage, text in told for each in _both(usage, text, column, look)]


def rules_lines(rules: str, look: Look) -> list[Line]:
    """A page of Markdown: bold headings, unchanged tables and code, all else wrapped."""
    lines: list[Line] = []
    code = False
    for text in rules.splitlines():
        shown = clean(text, look).rstrip()
        if shown.startswith("```"):
            code = not code
        elif code:
            indent = min(len(text) - len(text.lstrip()), look.width // 2)
            broken = words(line(shown), look.width - indent, indent=4)
            lines += [line(" " * indent, each) for each in broken]
        elif shown.startswith("#"):
            lines.append(cut((Span(shown.lstrip("# "), "strong"),), look.width))
        elif shown.startswith("|"):
            if set(shown) - set("|-: "):
                lines.append(cut((Span(shown.strip("| ").replace("|", "  ")),), look.width))
        else:
            lines += words((Span(shown.replace("*", "").replace("`", "")),), look.width)
    return lines


def hint_lines(hint: HintAnswer, table: TableMirror, look: Look) -> list[Line]:
    """The recommended move, and the value of each candidate, the best first.

    No figure is ever cut: figures without room are left out whole, from the right.
    """
    labels = CardLabels(table.legend, look)
    lines = words(line(Span("Hint: ", "good"), labels.move(hint.action)), look.width, indent=2)
    weighed = sorted(filter(_is_weighed, hint.candidates), key=lambda each: -each.value)
    if not weighed:
        return lines
    ranked = [*weighed, *(each for each in hint.candidates if not _is_weighed(each))]
    digits = 0 if all(map(_is_whole, weighed)) else 2
    values = Column("value", tuple(line(_value(each, digits)) for each in ranked), right=True)
    named = [line("  ", labels.move(each.action)) for each in ranked]
    longest = look.width - values.width - len(values.gap)
    moves = Column("  move", tuple(_shortened(name, longest, look) for name in named))
    columns, room = [values], longest - moves.width
    sure = Column("", tuple(line(_deviation(each, digits, look)) for each in ranked), gap=" ")
    meaning = _MEANING
    if sure.width and len(sure.gap) + sure.width <= room:
        columns.append(sure)
        room -= sure.width + len(sure.gap)
        meaning += f"; {_sign(look)}: its deviation"
    reasons = Column("", tuple(_why(each, table, room - 2, look) for each in ranked))
    if reasons.width:
        columns.append(reasons)
    return [
        *lines,
        *grid(moves, columns, look.width),
        *words((Span(f"{meaning}.", "dim"),), look.width),
    ]


def final_lines(table: TableMirror, look: Look) -> list[Line]:
    """The players by rank, after a match."""
    result = finished_record(table)
    totals: Sequence[int] = result["totals"] if result else ()
    ranks: Sequence[int] = result["ranks"] if result else ()
    rows = sorted(zip(ranks, range(len(totals)), totals, strict=False))
    first = Column("", tuple(line(str(rank)) for rank, _, _ in rows), right=True)
    names = Column("", tuple(_player(table, seat, look) for _, seat, _ in rows))
    points = Column("total", tuple(line(str(total)) for _, _, total in rows), right=True)
    sheet = sheet_lines(table, look)
    return [
        *([EMPTY, *sheet] if sheet else []),
        EMPTY,
        title_line(table, look),
        *grid(first, [names, points], look.width),
        EMPTY,
    ]


def _player(table: TableMirror, seat: int, look: Look) -> Line:
    name = seat_name(table.info, seat, look)
    return line(Span(name, "strong"), " (you)") if seat == table.seat else line(name)


def _both(usage: str, text: str, column: int, look: Look) -> list[Line]:
    first, *more = words(line(text), max(10, look.width - column))
    lead = Span(f"{usage:{column}}", "strong")
    return [line(lead, first), *(line(" " * column, each) for each in more)]


def _is_weighed(candidate: Candidate) -> bool:
    """Whether the bot has evaluated a move; it need not if other moves are equally good."""
    return isfinite(candidate.value) and any((candidate.value, *candidate.why.values()))


def _is_whole(candidate: Candidate) -> bool:
    return candidate.value.is_integer() and candidate.why.get(DEVIATION, 0.0).is_integer()


def _shortened(name: Line, cells: int, look: Look) -> Line:
    """`name` in at most `cells` cells, with a mark if a part is missing."""
    mark = look.pick("…", "...")
    return name if width(name) <= cells else line(cut(name, cells - len(mark)), mark)


def _value(candidate: Candidate, digits: int) -> str:
    return f"{candidate.value:+.{digits}f}" if _is_weighed(candidate) else ""


def _deviation(candidate: Candidate, digits: int, look: Look) -> str:
    """The uncertainty of a value, if the bot gives one."""
    deviation = candidate.why.get(DEVIATION) if _is_weighed(candidate) else None
    return "" if deviation is None else f"{_sign(look)} {deviation:.{digits}f}"


def _sign(look: Look) -> str:
    return look.pick("±", "+-")


def _why(candidate: Candidate, table: TableMirror, cells: int, look: Look) -> Line:
    """The numbers behind a value, as many as fit; seats by name.

    Numbers that are zero, or equal to the value itself, are left out.
    """
    told = ""
    for name, value in candidate.why.items():
        if value in (0, candidate.value) or name == DEVIATION:
            continue
        figure = f"{value:.0f}" if value.is_integer() else f"{value:.2f}"
        longer = f"{told}  {_reason(name, table, look)} {figure}".lstrip()
        if text_width(longer) > cells:
            break
        told = longer
    return line(Span(told, "dim")) if told else EMPTY


def _reason(name: str, table: TableMirror, look: Look) -> str:
    seat = seat_of(name)
    words = clean(kind_of(name) if seat is not None else name, look).replace("_", " ")
    return words if seat is None else f"{words} {seat_name(table.info, seat, look)}"
