"""`blackqueen replay`: plays stored tables again from their logs and compares the results.

The log is decisive: its result is the right one, and a stored result that differs is wrong. The
database is only read, so a server may be running on it.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass

from bots.command_line import telling
from engine import GAMES, Outcome
from engine.errors import EngineError
from protocol.isolates import isolated
from protocol.safe_text import complain, say
from server.games.descriptions import StoredGames
from server.ops.command_line import hide_argument
from server.ops.encryption import check_database
from server.ops.settings import SettingsError
from server.ops.settings_sources import add_arguments as add_settings
from server.ops.settings_sources import settings_from
from server.store import EntryRow, ResultRow, StoreError, TableRow
from server.store.database import check, database_url, open_engine
from server.store.reader import Reader
from server.table.entries import Acted, Dealt
from server.table.errors import BadLog
from server.table.fold import GamesById, outcome_of, replay
from server.tables.rows import entry_of

EXIT_AGREES = 0
EXIT_DIFFERS = 1
EXIT_USAGE = 2


@dataclass(frozen=True, slots=True)
class MatchReport:
    """A finished match by the log; `stored` is the stored result if that differs.

    A practice match has no stored result.
    """

    match: int
    names: tuple[str, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    agrees: bool
    stored: object = None
    practice: bool = False


@dataclass(frozen=True, slots=True)
class TableReport:
    """The result of replaying a table; `error` says why it could not be replayed to the end."""

    table: str
    game: str
    phase: str
    entries: int
    matches: tuple[MatchReport, ...] = ()
    error: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether the table could be replayed and every match agrees."""
        return self.error is None and all(match.agrees for match in self.matches)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `blackqueen replay`."""
    parser.add_argument("codes", nargs="*", metavar="CODE", help="tables to replay")
    parser.add_argument("--all", action="store_true", help="replay every table, closed ones too")
    parser.add_argument(
        "--json", action="store_true", help="print one object a line for each table"
    )
    add_settings(parser, "data", "database_url")


def run(arguments: argparse.Namespace) -> int:
    """Return 0 if every result agrees with the stored one, 1 if one does not, 2 on errors."""
    asked = list(dict.fromkeys(code.upper() for code in arguments.codes))
    if asked and arguments.all:
        return _refuse("--all replays every table, so name no tables beside it, or leave it out")
    if not asked and not arguments.all:
        return _refuse("name the tables to replay, or --all for every one")
    try:
        settings = settings_from(arguments)
        if settings.database_url is not None:
            hide_argument(settings.database_url)
        url = database_url(settings.database)
        check_database(url, settings)
        check(url)
        with closing(Reader(open_engine(url, writes=False))) as reader:
            codes = [row.code for row in reader.tables(closed=True)]
            unknown = [code for code in asked if code not in codes]
            if unknown:
                return _refuse(f"no table {', '.join(unknown)} in {url.render_as_string()}")
            games = StoredGames(GAMES, reader.description)
            tables = asked or codes
            reports = (_report(reader, games, code) for code in tables)
            return _tell(reports, len(tables), as_json=arguments.json)
    except (SettingsError, StoreError) as error:
        return _refuse(str(error))


def replay_table(
    games: GamesById, row: TableRow, entries: Sequence[EntryRow], results: Sequence[ResultRow]
) -> TableReport:
    """Replay a log and compare its matches with the stored results."""
    stored = {result.match: json.loads(result.body) for result in results}
    matches: list[MatchReport] = []
    phase, error, played = "", None, 0
    try:
        game = games.game(row.game)
        for entry, step in replay(games, map(entry_of, entries)):
            state, played = step.state, entry.seq
            phase = state.phase
            outcome = outcome_of(game, state)
            if outcome is not None and isinstance(entry.body, Acted | Dealt):
                names = tuple(chair.name for chair in state.chairs)
                found = stored.pop(state.match, None)
                matches.append(_match(state.match, names, outcome, found, state.practice))
    # A damaged log may hold unknown games, illegal moves, and bodies that are no entries.
    except (BadLog, EngineError, ValueError) as fault:
        error = f"after entry {played}: {fault}"
    if stored and error is None:
        error = f"the log has no match {', '.join(map(str, stored))}, but a result of it is stored"
    return TableReport(row.code, row.game, phase, len(entries), tuple(matches), error)


def _match(
    match: int, names: tuple[str, ...], outcome: Outcome, stored: object, practice: bool
) -> MatchReport:
    told = {"names": list(names), "totals": list(outcome.scores), "ranks": list(outcome.ranks)}
    agrees = stored is None if practice else stored == told
    differs = None if agrees else stored
    return MatchReport(match, names, outcome.scores, outcome.ranks, agrees, differs, practice)


def _report(reader: Reader, games: GamesById, code: str) -> TableReport:
    loaded = reader.load_with_results(code)
    if loaded is None:
        return TableReport(code, "", "", 0, error="deleted in the meantime")
    return replay_table(games, *loaded)


def _tell(reports: Iterable[TableReport], tables: int, *, as_json: bool) -> int:
    worst, done = EXIT_AGREES, 0
    with telling(lambda: f"{done} of {tables} tables replayed", sys.stderr):
        for report in reports:
            done += 1
            if as_json:
                say(json.dumps({**_fields(report), "agrees": report.agrees}), flush=True)
            else:
                say(*_lines(report), flush=True)
            if not report.agrees:
                worst = EXIT_DIFFERS
    return worst


def _fields(report: TableReport) -> dict[str, object]:
    """Return the fields of a report to print; only a practice match is marked as such."""
    told: dict[str, object] = asdict(report)
    told["matches"] = [
        {name: value for name, value in asdict(match).items() if name != "practice" or value}
        for match in report.matches
    ]
    return told


def _lines(report: TableReport) -> Iterator[str]:
    yield f"{report.table}  {report.game}, {report.phase}, {report.entries} entries"
    for match in report.matches:
        scores = ", ".join(
            f"{isolated(name)} {total}"
            for name, total in zip(match.names, match.totals, strict=True)
        )
        yield f"  match {match.match}{' (practice)' if match.practice else ''}: {scores}"
        if not match.agrees:
            yield f"    DIFFERS from what is stored: {json.dumps(match.stored)}"
    if report.error is not None:
        yield f"  ERROR {report.error}"


def _refuse(words: str) -> int:
    complain("blackqueen replay", words)
    return EXIT_USAGE
