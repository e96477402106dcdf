"""Longer answers to a player: help, and the result of a match."""

from collections.abc import Sequence

from client_cli.grid import Column, grid
from client_cli.move_help import how_to_move
from client_cli.names import seat_name
from client_cli.sheet_view import sheet_lines
from client_cli.signs import signs
from client_cli.table_view import title_lines
from client_cli.tell import tell
from client_cli.text import EMPTY, Line, Look, Span, line, pad, text_width, words
from client_cli.typed_commands import available_commands
from protocol.lines import finished_record
from protocol.mirror import TableMirror
from protocol.texts import game_aim


def help_lines(table: TableMirror, look: Look) -> list[Line]:
    """The help: commands that make sense now, how to type a move, keys, aim and signs."""
    told = explained(command_help(table, look), look)
    meanings = [*aim_lines(table, look), *explained(signs(table, look), look)]
    return [*told, *([EMPTY, *meanings] if meanings else [])]


def aim_lines(table: TableMirror, look: Look) -> list[Line]:
    """The aim of a game for its players; nothing if there is no text."""
    aim = game_aim(table.info.game)
    return words((Span(tell("help.aim", aim=aim)),), look.width, indent=2) if aim else []


def command_help(table: TableMirror, look: Look) -> list[tuple[str, str]]:
    """The commands that can be typed now, each with its effect."""
    told = [
        (command.usage_at(table), command.help_at(table)) for command in available_commands(table)
    ]
    if table.seat is not None and table.info.phase in ("playing", "paused"):
        told.insert(0, (tell("help.a_move"), how_to_move(table, look)))
    if table.seat is not None:
        told.append((tell("help.ctrl_d"), tell("help.same_as_auto")))
    told.append((tell("help.ctrl_c"), tell("help.same_as_quit")))
    return told


def explained(told: Sequence[tuple[str, str]], look: Look) -> list[Line]:
    """Typed words, each with its effect beside it, or below if it takes half the width."""
    widest = max((text_width(usage) for usage, _ in told), default=0) + 2
    column = min(widest, max(2, look.width // 2))
    return [each for usage, text in told for each in _both(usage, text, column, look)]


def final_lines(table: TableMirror, look: Look) -> list[Line]:
    """The players by rank, after a match."""
    result = finished_record(table)
    totals: Sequence[int] = result["totals"] if result else ()
    ranks: Sequence[int] = result["ranks"] if result else ()
    rows = sorted(zip(ranks, range(len(totals)), totals, strict=False))
    first = Column("", tuple(line(str(rank)) for rank, _, _ in rows), right=True)
    names = Column("", tuple(_player(table, seat, look) for _, seat, _ in rows))
    points = Column(
        tell("table.total"), tuple(line(str(total)) for _, _, total in rows), right=True
    )
    sheet = sheet_lines(table, look)
    return [
        *([EMPTY, *sheet] if sheet else []),
        EMPTY,
        *title_lines(table, look),
        *grid(first, [names, points], look.width),
        EMPTY,
    ]


def _player(table: TableMirror, seat: int, look: Look) -> Line:
    name = seat_name(table.info, seat, look)
    if seat != table.seat:
        return line(name)
    before, _, after = tell("table.you", name="\n").partition("\n")
    return line(before, Span(name, "strong"), after)


def _both(usage: str, text: str, column: int, look: Look) -> list[Line]:
    lead = (Span(usage, "strong"),)
    first, *more = words(line(text), max(1, look.width - column))
    beside = [line(" " * column, each) for each in more]
    if text_width(usage) + 2 > column:
        return [*words(lead, look.width), line(" " * column, first), *beside]
    return [line(pad(lead, column), first), *beside]
