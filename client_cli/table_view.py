"""A table drawn as lines: a row a seat, the middle, the own hand, and the moves with numbers.

Everything is drawn from the view, the legend and the choices; no rule of a game stands here.
The kind of a zone is only a hint for the layout: `hand`, `column`, `taken` and `trick` have
places of their own, all other zones are drawn as lists under their names.
"""

from client_cli.deck import Deck
from client_cli.grid import grid
from client_cli.hand_view import hand_lines, list_lines, middle_lines, move_lines
from client_cli.menu import menu
from client_cli.names import seat_name, value_text
from client_cli.seats_view import name_column, score_columns, seat_columns
from client_cli.text import EMPTY, Line, Look, Span, clean, cut, line, width
from protocol.mirror import TableMirror

_MARKERS = ("turn", "leader")
"""Values that say which seat is meant; the rows and sentences tell them better."""


def draw_table(table: TableMirror, look: Look) -> list[Line]:
    """The whole table, in lines no wider than the look."""
    deck = Deck(table.legend, look)
    moves = menu(table.question.choices, table.view, table.seat)
    middle = [*middle_lines(table, deck), *list_lines(table, deck)]
    own = [*hand_lines(table, deck, moves), *move_lines(table, deck, moves)]
    return [
        title_line(table, look),
        *grid(name_column(table, look), seat_columns(table, deck), look.width),
        *(EMPTY if not middle else (EMPTY, *middle)),
        *(EMPTY if not own else (EMPTY, *own)),
    ]


def draw_scores(table: TableMirror, look: Look) -> list[Line]:
    """The seats with everything that is counted for them, without the cards."""
    columns = score_columns(table, look)
    return [title_line(table, look), *grid(name_column(table, look), columns, look.width)]


def draw_turn(table: TableMirror, look: Look) -> Line:
    """Who is asked, in one short sentence; empty where nobody is."""
    asked = table.question.to_act
    if table.seat is not None and table.seat in asked:
        return (Span("Your turn.", "strong"),)
    if not asked:
        return EMPTY
    names = ", ".join(seat_name(table.info, seat, look) for seat in asked)
    return cut((Span(f"Waiting for {names}.", "dim"),), look.width)


def title_line(table: TableMirror, look: Look) -> Line:
    """``── Black Queen · table K7Q2 · deal 2 of 4 ──…``"""
    info = table.info
    values = (
        f"{clean(key, look)} {value_text(value, look)}{_of(key, table)}"
        for key, value in table.view.values.items()
        if "/" not in key and key not in _MARKERS and info.phase != "lobby"
    )
    parts = (clean(info.title, look), f"table {clean(info.table, look)}", *values)
    rule = look.pick("─", "-")
    text = look.pick(" · ", " - ").join(parts)
    head = cut(line(Span(f"{rule * 2} ", "dim"), Span(text, "strong"), " "), look.width)
    return line(head, Span(rule * (look.width - width(head)), "dim"))


def _of(key: str, table: TableMirror) -> str:
    """`` of 4`` for the value `deal` where the match has an option `deals`."""
    most = table.info.options.get(f"{key}s")
    return "" if most is None else f" of {most}"
