"""Lists in sentences, for people who listen: a table before the match, tables, games, hints."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isfinite

from client_cli.hint_view import hint_sentence, ranked
from client_cli.lobby_advice import next_step
from client_cli.lobby_view import seat_note, settings_of, short_id, taken_text
from client_cli.names import numbers_text, seat_name, strengths_text
from client_cli.speech import EVERYTHING, CardNames, aloud, lines_aloud
from client_cli.spoken_table import spoken_title
from client_cli.text import clean
from client_cli.typed_commands import phase_words
from protocol.mirror import TableMirror
from protocol.texts import game_title
from protocol.to_client import DEVIATION, Candidate, GameCard, HintAnswer, TableInfo
from protocol.to_server import OptionValue


def spoken_lobby(table: TableMirror) -> list[str]:
    """The players by seat, who is ready, the options of the match, and what to do next."""
    return [
        spoken_title(table),
        *(_seat(table, seat) for seat in range(len(table.info.seats))),
        *_pairs("Options", table.info.options),
        *_pairs("Settings of the table", settings_of(table.info.settings)),
        next_step(table, EVERYTHING),
    ]


def spoken_tables(tables: Sequence[TableInfo], own: Collection[str] = ()) -> list[str]:
    """The tables, numbered from 1; of their own, by code, people hear that they sit there."""
    told = []
    for number, table in enumerate(tables, start=1):
        words = [
            f"{number}: table {table.table}, {table.title}",
            phase_words(table.phase),
            f"{taken_text(table)} seats taken",
        ]
        if table.host is not None:
            words.append(f"host {seat_name(table, table.host, EVERYTHING)}")
        if table.table in own:
            words.append("you have a seat there")
        told.append(f"{clean(', '.join(words), EVERYTHING)}.")
    return told or ["There are no public tables."]


def spoken_games(games: Sequence[GameCard]) -> list[str]:
    """The games on offer, by their names for `--create`."""
    told = []
    for game in games:
        words = [
            f"{short_id(game)}: {game_title(game.id, game.title)}",
            f"{numbers_text(game.seats)} players",
            f"bots of strength {strengths_text(game)}",
            *(["from a file"] if game.described else []),
        ]
        told.append(f"{clean(', '.join(words), EVERYTHING)}.")
    return told


def spoken_hint(hint: HintAnswer, table: TableMirror, *, full: bool) -> list[str]:
    """The recommended move and why; with `full` also the figures of each move."""
    told = lines_aloud(hint_sentence(hint, table, EVERYTHING))
    return [*told, *_figures(hint, table)] if full else told


def _figures(hint: HintAnswer, table: TableMirror) -> Iterator[str]:
    names = CardNames(table.legend)
    for candidate in ranked(hint):
        figures = (f"{name} {_number(value)}" for name, value in _told(candidate))
        yield aloud(f"{names.move(candidate.action)}: {', '.join(figures)}.")


def _told(candidate: Candidate) -> Iterator[tuple[str, float]]:
    if isfinite(candidate.value):
        yield "value", candidate.value
    for name, value in candidate.why.items():
        if isfinite(value) and value not in (0, candidate.value):
            yield "deviation" if name == DEVIATION else name.replace("_", " "), value


def _number(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else f"{value:.2f}"


def _seat(table: TableMirror, seat: int) -> str:
    empty = table.info.seats[seat].kind == "empty"
    name = "free" if empty else seat_name(table.info, seat, EVERYTHING)
    return f"Seat {seat + 1}: {', '.join(filter(None, (name, seat_note(table, seat))))}."


def _pairs(name: str, pairs: Mapping[str, OptionValue]) -> Iterator[str]:
    if pairs:
        told = (f"{key} {_value(value)}" for key, value in pairs.items())
        yield aloud(f"{name}: {clean(', '.join(told), EVERYTHING)}.")


def _value(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
