"""A table drawn as lines: a row a seat, the middle, the own hand, and the moves with numbers.

Everything is drawn from the view, the legend and the choices; no rule of a game stands here.
The kind of a zone is only a hint for the layout: `hand`, `column`, `taken` and `trick` have
places of their own, all other zones are drawn as lists under their names.
"""

from client_cli.deck import Deck
from client_cli.grid import grid
from client_cli.hand_view import hand_lines, list_lines, middle_lines, move_lines
from client_cli.menu import menu
from client_cli.picture import Picture, seat_name, value_text
from client_cli.seats_view import name_column, score_columns, seat_columns
from client_cli.text import EMPTY, Line, Look, Span, clean, cut, line, width

_MARKERS = ("turn", "leader")
"""Values that say which seat is meant; the rows and sentences tell them better."""


def draw_table(picture: Picture, look: Look) -> list[Line]:
    """The whole table, in lines no wider than the look."""
    deck = Deck(picture.legend, look)
    moves = menu(picture.question.choices, picture.view, picture.seat)
    middle = [*middle_lines(picture, deck), *list_lines(picture, deck)]
    own = [*hand_lines(picture, deck, moves), *move_lines(picture, deck, moves)]
    return [
        title_line(picture, look),
        *grid(name_column(picture, look), seat_columns(picture, deck), look.width),
        *(EMPTY if not middle else (EMPTY, *middle)),
        *(EMPTY if not own else (EMPTY, *own)),
    ]


def draw_scores(picture: Picture, look: Look) -> list[Line]:
    """The seats with everything that is counted for them, without the cards."""
    columns = score_columns(picture, look)
    return [title_line(picture, look), *grid(name_column(picture, look), columns, look.width)]


def draw_turn(picture: Picture, look: Look) -> Line:
    """Who is asked, in one short sentence; empty where nobody is."""
    asked = picture.question.to_act
    if picture.seat is not None and picture.seat in asked:
        return (Span("Your turn.", "strong"),)
    if not asked:
        return EMPTY
    names = ", ".join(seat_name(picture.info, seat, look) for seat in asked)
    return cut((Span(f"Waiting for {names}.", "dim"),), look.width)


def title_line(picture: Picture, look: Look) -> Line:
    """``── Black Queen · table K7Q2 · deal 2 of 4 ──…``"""
    info = picture.info
    values = (
        f"{clean(key, look)} {value_text(value, look)}{_of(key, picture)}"
        for key, value in picture.view.values.items()
        if "/" not in key and key not in _MARKERS
    )
    parts = (clean(info.title, look), f"table {clean(info.table, look)}", *values)
    rule = look.pick("─", "-")
    text = look.pick(" · ", " - ").join(parts)
    head = cut(line(Span(f"{rule * 2} ", "dim"), Span(text, "strong"), " "), look.width)
    return line(head, Span(rule * (look.width - width(head)), "dim"))


def _of(key: str, picture: Picture) -> str:
    """`` of 4`` for the value `deal` where the match has an option `deals`."""
    most = picture.info.options.get(f"{key}s")
    return "" if most is None else f" of {most}"
