"""The record of a game, and the tables of a simulation as CSV: columns, rows, reading."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from bots.lab.errors import BadFolder
from engine.choices import Action
from engine.facts import Seat

Texts: TypeAlias = dict[str, str]
"""CSV text by the name of its table."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a game; `options` is the number of different moves."""

    seat: Seat
    options: int
    chosen: Action


@dataclass(frozen=True, slots=True)
class Lead:
    """How a game stood for each seat, from 0 to 1, at choice number `move` of `seat`.

    A searching player estimates the move it makes, and its own `worst` and `best` moves. An
    onlooker, who sees all cards, estimates the table before the move.
    """

    move: int
    seat: Seat
    leads: tuple[float, ...]
    worst: float | None = None
    best: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A played game; without scores it was stopped, for the given reason."""

    number: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    choices: tuple[Choice, ...]
    leads: tuple[Lead, ...] = ()
    stopped: str = ""


def columns(seats: int) -> dict[str, tuple[str, ...]]:
    """The columns of each table; a simulation's folder has a file for each."""
    leads = tuple(f"lead_{seat}" for seat in range(seats))
    return {
        "results": ("run", "seat", "bot", "score", "rank"),
        "choices": ("run", "move", "seat", "options", "chosen"),
        "leads": ("run", "move", "seat", "worst", "best", *leads),
    }


TABLES = tuple(columns(0))


def texts(runs: Sequence[Run]) -> Texts:
    """The rows of some games in each table."""
    rows = {"results": _results, "choices": _choices, "leads": _leads}
    return {name: _csv(row for run in runs for row in rows[name](run)) for name in TABLES}


def header(names: Sequence[str]) -> str:
    """The first line of a table with columns of these names."""
    return _csv([names])


def _results(run: Run) -> Iterator[Sequence[object]]:
    for seat, bot in enumerate(run.bots):
        ended = (run.scores[seat], run.ranks[seat]) if run.scores else ("", "")
        yield (run.number, seat, bot, *ended)


def _choices(run: Run) -> Iterator[Sequence[object]]:
    for move, choice in enumerate(run.choices):
        yield run.number, move, choice.seat, choice.options, choice.chosen


def _leads(run: Run) -> Iterator[Sequence[object]]:
    for lead in run.leads:
        told = ("" if each is None else f"{each:.6g}" for each in (lead.worst, lead.best))
        yield (run.number, lead.move, lead.seat, *told, *(f"{each:.6g}" for each in lead.leads))


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def read_runs(folder: Path) -> Iterator[Run]:
    """The games of a folder in order; `BadFolder` if a row cannot be read."""
    choices, leads = _by_run(folder / "choices.csv"), _by_run(folder / "leads.csv")
    next_choices, next_leads = next(choices, None), next(leads, None)
    for number, results in _by_run(folder / "results.csv"):
        made: list[list[str]] = []
        told: list[list[str]] = []
        if next_choices and next_choices[0] == number:
            made, next_choices = next_choices[1], next(choices, None)
        if next_leads and next_leads[0] == number:
            told, next_leads = next_leads[1], next(leads, None)
        try:
            yield _run(number, results, made, told)
        except (ValueError, IndexError) as error:
            raise BadFolder(f"{folder}: game {number} cannot be read: {error}") from error


def _by_run(path: Path) -> Iterator[tuple[int, list[list[str]]]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for run, group in groupby(rows, key=lambda row: row[0]):
            yield int(run), list(group)


def _run(
    number: int, results: list[list[str]], choices: list[list[str]], leads: list[list[str]]
) -> Run:
    ended = all(row[3] for row in results)
    return Run(
        number,
        tuple(row[2] for row in results),
        tuple(int(row[3]) for row in results) if ended else (),
        tuple(int(row[4]) for row in results) if ended else (),
        tuple(Choice(int(row[2]), int(row[3]), row[4]) for row in choices),
        tuple(
            Lead(
                int(row[1]),
                int(row[2]),
                tuple(map(float, row[5:])),
                float(row[3]) if row[3] else None,
                float(row[4]) if row[4] else None,
            )
            for row in leads
        ),
        "" if ended else "stopped",
    )
