"""A hint drawn as lines: its sentence, and on request the figures behind it."""

from math import isfinite

from client_cli.card_labels import CardLabels
from client_cli.grid import Column, grid
from client_cli.names import decimal, kind_of, seat_name, seat_of
from client_cli.tell import has_text, tell
from client_cli.text import (
    EMPTY,
    Line,
    Look,
    Span,
    clean,
    cut,
    line,
    paint,
    text_width,
    width,
    words,
)
from client_cli.told_moves import told_move
from client_cli.warm_ups import stronger_text
from engine.phrases import Phrase
from protocol.mirror import TableMirror
from protocol.texts import worded
from protocol.texts.language import language, spoken
from protocol.to_client import DEVIATION, Candidate, HintAnswer
from protocol.typed import told_texts


def hint_sentence(
    hint: HintAnswer, table: TableMirror, look: Look, *, stronger: bool = True
) -> list[Line]:
    """The recommended move and why; an older server says the move alone.

    The hint of a plain bot says so, and with `stronger` also whether a stronger one will follow.
    """
    labels = CardLabels(table.legend, look)
    told = worded(_with_words(hint.phrase, table, labels), labels.named, table.names, table.seat)
    note = f" ({stronger_text(hint)})." if hint.weaker and stronger else ""
    if told is None:
        said = line(told_move(hint.action, table, labels), note)
    else:
        said = labels.coloured(clean(f"{told.removesuffix('.')}{note}" if note else told, look))
    named = hint.phrase is not None and hint.phrase.code == "hint_weaker"
    title = tell("hint.plain" if hint.weaker and not named else "hint.hint")
    return words(line(Span(title, "good"), said), look.width, indent=2)


def _with_words(phrase: Phrase | None, table: TableMirror, labels: CardLabels) -> Phrase | None:
    """`phrase` with its moves in the words of the game, if it has any."""
    if phrase is None or not any(told_texts(table.choices)):
        return phrase
    told = {
        name: paint(told_move(value, table, labels), Look())
        for name, value in phrase.args.items()
        if isinstance(value, str) and value in table.choices.actions
    }
    return Phrase(phrase.code, {**phrase.args, **told})


def hint_lines(
    hint: HintAnswer, table: TableMirror, look: Look, *, stronger: bool = True
) -> list[Line]:
    """The sentence, and the figures of each candidate, in the order in which the bot prefers them.

    No figure is ever cut: figures without room are left out whole, from the right.
    """
    labels = CardLabels(table.legend, look)
    lines = hint_sentence(hint, table, look, stronger=stronger)
    candidates = ranked(hint)
    if not candidates:
        return lines
    digits = 0 if all(map(_is_whole, filter(_is_weighed, candidates))) else 2
    values = Column(
        tell("hint.value"), tuple(line(_value(each, digits)) for each in candidates), right=True
    )
    named = [line("  ", told_move(each.action, table, labels)) for each in candidates]
    longest = look.width - values.width - len(values.gap)
    moves = Column(tell("hint.move"), tuple(_shortened(name, longest, look) for name in named))
    columns, room = [values], longest - moves.width
    sure = Column("", tuple(line(_deviation(each, digits, look)) for each in candidates), gap=" ")
    code = "" if hint.phrase is None else hint.phrase.code
    unit = f"hint.units.{code}"
    meaning = tell("hint.values", unit=tell(unit if has_text(unit) else "hint.worth"))
    if sure.width and len(sure.gap) + sure.width <= room:
        columns.append(sure)
        room -= sure.width + len(sure.gap)
        meaning = tell("hint.deviation", values=meaning, sign=_sign(look))
    reasons = Column("", tuple(_why(each, hint, table, room - 2, look) for each in candidates))
    if reasons.width:
        columns.append(reasons)
    return [
        *lines,
        *grid(moves, columns, look.width),
        *words((Span(f"{meaning}.", "dim"),), look.width),
    ]


def ranked(hint: HintAnswer) -> list[Candidate]:
    """The moves in the bot's order of preference; none if it has evaluated none."""
    weighed = [*filter(_is_weighed, hint.candidates)]
    if hint.phrase is None:
        # An older server tells them in the order of the choices.
        weighed.sort(key=lambda each: -each.value)
    others = [each for each in hint.candidates if not _is_weighed(each)]
    return [*weighed, *others] if weighed else []


def _is_weighed(candidate: Candidate) -> bool:
    """Whether the bot has evaluated a move; it skips moves that are equally good."""
    return isfinite(candidate.value) and any((candidate.value, *candidate.why.values()))


def _is_whole(candidate: Candidate) -> bool:
    return candidate.value.is_integer() and candidate.why.get(DEVIATION, 0.0).is_integer()


def _shortened(name: Line, cells: int, look: Look) -> Line:
    """`name` in at most `cells` cells, with a mark if it is shortened."""
    mark = look.pick("…", "...")
    return name if width(name) <= cells else line(cut(name, cells - len(mark)), mark)


def _value(candidate: Candidate, digits: int) -> str:
    return decimal(f"{candidate.value:+.{digits}f}") if _is_weighed(candidate) else ""


def _deviation(candidate: Candidate, digits: int, look: Look) -> str:
    """The uncertainty of a value, if the bot gives one."""
    deviation = candidate.why.get(DEVIATION) if _is_weighed(candidate) else None
    return "" if deviation is None else decimal(f"{_sign(look)} {deviation:.{digits}f}")


def _sign(look: Look) -> str:
    return look.pick("±", "+-")


def _why(
    candidate: Candidate, hint: HintAnswer, table: TableMirror, cells: int, look: Look
) -> Line:
    """The numbers behind a value, as many as fit; seats by name.

    Numbers that are zero, or equal to the value itself, are left out.
    """
    told = ""
    for name, value in candidate.why.items():
        if value in (0, candidate.value) or name == DEVIATION:
            continue
        figure = decimal(f"{value:.0f}" if value.is_integer() else f"{value:.2f}")
        longer = f"{told}  {reason_text(name, hint, table, look)} {figure}".lstrip()
        if text_width(longer) > cells:
            break
        told = longer
    return line(Span(told, "dim")) if told else EMPTY


def reason_text(name: str, hint: HintAnswer, table: TableMirror, look: Look) -> str:
    """The title of a figure behind a hint; a seat's figure has its player's name."""
    seat = seat_of(name)
    kind = kind_of(name) if seat is not None else name
    known = spoken().figures.get(kind) if language() != "en" else None
    words = clean(known or hint.titles.get(kind) or kind.replace("_", " "), look)
    return words if seat is None else f"{words} {seat_name(table.info, seat, look)}"
