"""Lists in sentences, for people who listen: a table before the match, tables, games, hints."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isfinite

from client_cli.hint_view import hint_sentence, ranked
from client_cli.lobby_advice import next_step
from client_cli.lobby_view import seat_note, settings_of, short_id, taken_text
from client_cli.names import decimal, numbers_text, seat_name, strengths_text, yes_or_no
from client_cli.speech import EVERYTHING, CardNames, aloud, lines_aloud
from client_cli.spoken_table import spoken_title
from client_cli.tell import tell
from client_cli.text import clean
from client_cli.typed_commands import phase_words
from protocol.isolates import isolated
from protocol.mirror import TableMirror
from protocol.texts import game_title
from protocol.texts.language import language, spoken
from protocol.to_client import DEVIATION, Candidate, GameCard, HintAnswer, TableInfo
from protocol.to_server import OptionValue


def spoken_lobby(table: TableMirror) -> list[str]:
    """The players by seat, who is ready, the options of the match, and what to do next."""
    return [
        spoken_title(table),
        *(_seat(table, seat) for seat in range(len(table.info.seats))),
        *([tell("table.seeded_why")] if table.info.seeded else []),
        *_pairs(tell("spoken.options"), table.info.options),
        *_pairs(tell("spoken.settings"), settings_of(table.info.settings)),
        next_step(table, EVERYTHING),
    ]


def spoken_tables(tables: Sequence[TableInfo], own: Collection[str] = ()) -> list[str]:
    """The tables, numbered from 1; of their own, by code, people hear that they sit there."""
    told = []
    for number, table in enumerate(tables, start=1):
        words = [
            tell("spoken.table", number=number, code=table.table, title=table.title),
            phase_words(table.phase),
            tell("spoken.seats_taken", taken=taken_text(table)),
        ]
        if table.host is not None:
            words.append(tell("spoken.host", name=seat_name(table, table.host, EVERYTHING)))
        if table.seeded:
            words.append(tell("table.seeded"))
        if table.table in own:
            words.append(tell("spoken.yours"))
        told.append(f"{clean(', '.join(words), EVERYTHING)}.")
    return told or [tell("lists.none")]


def spoken_games(games: Sequence[GameCard]) -> list[str]:
    """The games on offer, by their names for `--create`."""
    told = []
    for game in games:
        words = [
            f"{isolated(short_id(game))}: {game_title(game.id, game.title)}",
            tell("spoken.players", players=numbers_text(game.seats)),
            tell("spoken.bots", strengths=strengths_text(game)),
            *([tell("lobby.from_file")] if game.described else []),
        ]
        told.append(f"{clean(', '.join(words), EVERYTHING)}.")
    return told


def spoken_hint(
    hint: HintAnswer, table: TableMirror, *, full: bool, stronger: bool = True
) -> list[str]:
    """The recommended move and why; with `full` also the figures of each move.

    With `stronger` the hint of a plain bot says whether a stronger one will follow.
    """
    told = lines_aloud(hint_sentence(hint, table, EVERYTHING, stronger=stronger))
    return [*told, *_figures(hint, table)] if full else told


def _figures(hint: HintAnswer, table: TableMirror) -> Iterator[str]:
    names = CardNames(table.legend)
    for candidate in ranked(hint):
        figures = (f"{name} {_number(value)}" for name, value in _told(candidate))
        yield aloud(f"{names.move(candidate.action)}: {', '.join(figures)}.")


def _told(candidate: Candidate) -> Iterator[tuple[str, float]]:
    if isfinite(candidate.value):
        yield tell("spoken.value"), candidate.value
    for name, value in candidate.why.items():
        if isfinite(value) and value not in (0, candidate.value):
            yield _figure(name), value


def _figure(name: str) -> str:
    if name == DEVIATION:
        return tell("spoken.deviation")
    known = spoken().figures.get(name) if language() != "en" else None
    return known or name.replace("_", " ")


def _number(value: float) -> str:
    return decimal(f"{value:.0f}" if value.is_integer() else f"{value:.2f}")


def _seat(table: TableMirror, seat: int) -> str:
    empty = table.info.seats[seat].kind == "empty"
    name = tell("spoken.free") if empty else seat_name(table.info, seat, EVERYTHING)
    notes = ", ".join(filter(None, (name, seat_note(table, seat))))
    return tell("spoken.seat", place=seat, notes=notes)


def _pairs(name: str, pairs: Mapping[str, OptionValue]) -> Iterator[str]:
    if pairs:
        told = (f"{isolated(key)} {isolated(_value(value))}" for key, value in pairs.items())
        yield aloud(f"{name}: {clean(', '.join(told), EVERYTHING)}.")


def _value(value: OptionValue) -> str:
    if isinstance(value, bool):
        return yes_or_no(value)
    return str(value)
