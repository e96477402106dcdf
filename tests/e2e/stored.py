"""Replays the contents of a server's database with the rules alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine import GAMES, AnyGame
from engine.facts import AddressedFact, Fact, Viewer, seen_by
from engine.views import View
from server.games.descriptions import StoredGames
from server.store.database import database_url, open_engine
from server.store.reader import Reader
from server.table.entries import Acted, Entry
from server.table.fold import outcome_of, replay
from server.table.state import TableState
from server.tables.rows import entry_of

ELSEWHERE = "database-url"
"""The file of a data folder that says where the tables are, if they are not in the folder."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table's log, the facts of each entry, and the final state."""

    code: str
    game: AnyGame
    entries: tuple[Entry, ...]
    facts: dict[int, tuple[AddressedFact, ...]]
    state: TableState

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(entry.body.kind for entry in self.entries)

    @property
    def moves(self) -> tuple[Acted, ...]:
        return tuple(entry.body for entry in self.entries if isinstance(entry.body, Acted))

    @property
    def deals(self) -> int:
        """The number of deals that were begun."""
        happened = (fact.verb for facts in self.facts.values() for fact in facts)
        return sum(verb == "deal_started" for verb in happened)

    @property
    def totals(self) -> tuple[int, ...]:
        """The final scores, by seat."""
        outcome = outcome_of(self.game, self.state)
        assert outcome is not None, "the match is not over"
        return tuple(outcome.scores)

    def seen(self, seq: int, viewer: Viewer) -> tuple[Fact, ...]:
        """Return the facts of an entry as a viewer receives them."""
        return seen_by(self.facts[seq], viewer)

    def view(self, viewer: Viewer) -> View:
        return self.game.view(self.state.play, viewer)


def url_of(data: Path) -> str:
    """Return the URL of the database in a data folder."""
    elsewhere = data / ELSEWHERE
    return elsewhere.read_text() if elsewhere.exists() else f"sqlite:///{data}/blackqueen.sqlite3"


def tables(data: Path) -> list[StoredTable]:
    """Return every table of a data folder, which a server may be using."""
    with _reading(data) as reader:
        return [_replayed(reader, row.code) for row in reader.tables(closed=True)]


def table_at(data: Path, code: str) -> StoredTable:
    """Return one table of a data folder, which a server may be using."""
    with _reading(data) as reader:
        return _replayed(reader, code)


def only_table(data: Path) -> StoredTable:
    (table,) = tables(data)
    return table


@contextmanager
def _reading(data: Path) -> Iterator[Reader]:
    reader = Reader(open_engine(database_url(url_of(data)), writes=False))
    try:
        yield reader
    finally:
        reader.close()


def _replayed(reader: Reader, code: str) -> StoredTable:
    stored = reader.load(code)
    assert stored is not None
    entries = tuple(entry_of(row) for row in stored[1])
    games = StoredGames(GAMES, reader.description)
    steps = list(replay(games, entries))
    facts = {entry.seq: step.facts for entry, step in steps}
    return StoredTable(code, games.game(stored[0].game), entries, facts, steps[-1][1].state)
