"""A table drawn as lines: one row per seat, the middle, the own hand, and the numbered moves.

Everything is drawn from the view, the legend and the choices; there are no rules here.
The layout of the game says what is a hand, a trick, a pile that is counted, or columns (`places`);
all other zones are drawn as lists under their names.
"""

from collections.abc import Iterator

from client_cli.card_labels import CardLabels
from client_cli.grid import grid
from client_cli.hand_view import hand_lines, list_lines, middle_lines, move_lines
from client_cli.menu import menu
from client_cli.names import (
    TEAM_TOTAL,
    is_single,
    kind_of,
    seat_name,
    team_of,
    title_of,
    told_value,
)
from client_cli.places import value_hint
from client_cli.seats_view import name_column, score_columns, seat_columns, team_lines
from client_cli.sheet_view import sheet_lines
from client_cli.tell import tell
from client_cli.text import EMPTY, Line, Look, Span, clean, cut, line, width, words
from engine.layout import A_FLAG, NOBODY
from protocol.mirror import TableMirror
from protocol.texts import worded

_MARKERS = ("turn", "leader", "dealer")
"""Values that are seats; the rows and sentences show them better."""


def draw_table(table: TableMirror, look: Look) -> list[Line]:
    """The whole table, in lines no wider than the look."""
    labels = CardLabels(table.legend, look)
    middle = [*middle_lines(table, labels), *list_lines(table, labels)]
    own = _own_lines(table, labels)
    return [
        *title_lines(table, look),
        *grid(name_column(table, look), seat_columns(table, labels), look.width),
        *(EMPTY if not middle else (EMPTY, *middle)),
        *(EMPTY if not own else (EMPTY, *own)),
    ]


def draw_hand(table: TableMirror, look: Look) -> list[Line]:
    """The player's hand and the moves, as they stand below the table."""
    own = _own_lines(table, CardLabels(table.legend, look))
    return own or [(Span(tell("table.no_cards"), "dim"),)]


def _own_lines(table: TableMirror, labels: CardLabels) -> list[Line]:
    moves = menu(table.question.choices, table.view, table.seat)
    return [
        *question_lines(table, labels.look),
        *hand_lines(table, labels, moves),
        *move_lines(table, labels, moves),
    ]


def draw_scores(table: TableMirror, look: Look) -> list[Line]:
    """The seats with all of their counted values, without cards; teams; the score sheet."""
    columns = score_columns(table, look)
    teams = team_lines(table, look)
    sheet = sheet_lines(table, look)
    return [
        *title_lines(table, look),
        *grid(name_column(table, look), columns, look.width),
        *(EMPTY if not teams else (EMPTY, *teams)),
        *(EMPTY if not sheet else (EMPTY, *sheet)),
    ]


def question_lines(table: TableMirror, look: Look) -> list[Line]:
    """The question to the player, in the words of the game if it has any."""
    values = table.view.values
    texts = [values.get(key) for key in ("now/choice", "now/choice_text")]
    said = [clean(text, look) for text in texts if isinstance(text, str)]
    if not table.my_turn:
        return []
    prompt = worded(table.choices.prompt, table.legend, table.names, table.seat)
    if not said and prompt is not None:
        said = [clean(prompt, look)]
    if not said:
        return []
    title, *more = said
    ending = "" if title.endswith((".", "!", "?")) else "."
    told = line(Span(f"{title}{ending}", "strong"), *(f" {text}" for text in more))
    return words(told, look.width)


def draw_turn(table: TableMirror, look: Look) -> list[Line]:
    """A short sentence that says who is to move; none if nobody is."""
    asked = table.question.to_act
    if table.stand_in:
        said = Span(tell("table.bot_for_you"), "strong")
    elif table.seat is not None and table.seat in asked:
        said = Span(tell("table.your_turn"), "strong")
    elif asked:
        names = ", ".join(seat_name(table.info, seat, look) for seat in asked)
        said = Span(tell("table.waiting", names=names), "dim")
    else:
        return []
    return words((said,), look.width)


def title_lines(table: TableMirror, look: Look) -> list[Line]:
    """The title: ``── Black Queen · table K7Q2 · deal 2 of 4 ──…``, in several lines if needed."""
    parts = title_words(table, look)
    rule = look.pick("─", "-")
    between = Span(look.pick(" · ", " - "), "strong")
    lead = (Span(f"{rule * 2} ", "dim"),)
    lines: list[Line] = []
    head = line(lead, parts[0])
    for part in parts[1:]:
        longer = line(head, between, part)
        # A space and a piece of the rule close the line.
        if width(longer) + 2 > look.width:
            lines.append(head)
            longer = line(lead, part)
        head = longer
    lines.append(head)
    return [_ruled(each, rule, look) for each in lines]


def title_words(table: TableMirror, look: Look) -> list[Line]:
    """The parts of a title: the game, the table, and the values of the whole table."""
    info = table.info
    parts: list[Line] = [
        (Span(clean(info.title, look), "strong"),),
        (Span(tell("table.table", code=clean(info.table, look)), "strong"),),
    ]
    if info.seeded:
        parts.append((Span(tell("table.seeded"), "strong"),))
    if info.practice:
        parts.append((Span(tell("table.practice"), "strong"),))
    if isinstance(stage := table.view.values.get("now/stage"), str):
        parts.append((Span(clean(stage, look), "strong"),))
    if info.phase != "lobby":
        parts += _told(table, CardLabels(table.legend, look))
    return parts


def _ruled(head: Line, rule: str, look: Look) -> Line:
    """`head` with a rule up to the edge; only a part as wide as the terminal is cut."""
    told = cut(line(head, " "), look.width)
    return line(told, Span(rule * (look.width - width(told)), "dim"))


def _told(table: TableMirror, labels: CardLabels) -> Iterator[Line]:
    """The values of the whole table; a yes is shown by its name alone, a no not at all."""
    values = table.view.values
    teams = {value for key, value in values.items() if kind_of(key) == "team"}
    for key, value in values.items():
        counted = key.endswith("s") and key[:-1] in values
        team = team_of(key)
        # Each player's own total is the team's.
        elsewhere = "/" in key and (team is None or kind_of(key) == TEAM_TOTAL)
        # A description may have as many teams as players; this table has fewer.
        elsewhere = elsewhere or bool(team is not None and teams and team not in teams)
        kind, look, hint = kind_of(key), labels.look, value_hint(table, key)
        flag = hint.holds == A_FLAG and value == 1
        nothing = value == 0 and not hint.zero
        elsewhere = elsewhere or (key == "deal" and is_single(table))
        hidden = elsewhere or counted or nothing or key in _MARKERS or hint.shown == NOBODY
        # Cards are passed before anybody leads; after a match only its results matter.
        over = table.info.phase == "finished" and team is None and key != "deal"
        if (
            hidden
            or over
            or (key == "pass" and "leader" in values)
            or value is False
            or value == ""
        ):
            continue
        title = title_of(kind, table, look)
        if team is not None:
            title = tell("table.of_team", title=title, team=team + 1)
        name = Span(title, "strong")
        told = told_value(kind, value, table, look)
        if value is True or flag:
            yield (name,)
        elif told:
            text = _with_most(told, key, table)
            yield line(
                name, Span(" ", "strong"), Span(text, labels.suit_colours.get(text, "strong"))
            )


def _with_most(told: str, key: str, table: TableMirror) -> str:
    """A value with its maximum: ``2 of 4`` for `deal` if the match has a number of `deals`."""
    most = table.info.options.get(f"{key}s", table.view.values.get(f"{key}s"))
    return tell("table.of", value=told, most=most) if isinstance(most, int) else told
