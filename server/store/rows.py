"""What is stored, as plain values.

They are named tuples because a row is made for every move: one costs a fifth of a frozen
dataclass, and goes into a statement as it is.
"""

from typing import NamedTuple


class TableRow(NamedTuple):
    """A table as the lobby sees it. `phase` is the table's own word, `CLOSED` once it is over.

    `due` is the next moment the table wants to be looked at, None if it waits for nothing.
    `seq` is the last entry's number when the row was written; the entries themselves may be ahead.
    `summary` is JSON: what the lobby lists of the table, and who sits at it.
    """

    code: str
    game: str
    version: int
    private: bool
    phase: str
    due: float | None
    seq: int
    created: float
    summary: str = "{}"


class EntryRow(NamedTuple):
    """One entry of a table's log. A command that wrote several names itself on one of them."""

    table: str
    seq: int
    kind: str
    time: float
    body: str
    player: str | None = None
    client: str | None = None
    command: int | None = None


class AnswerRow(NamedTuple):
    """The answer to a command that wrote no entry."""

    player: str
    client: str
    command: int
    answer: str
    time: float


class PlayerRow(NamedTuple):
    """A player. Of the token that proves who he is, only a hash is kept."""

    id: str
    name: str
    token_hash: str
    created: float


class ResultRow(NamedTuple):
    """The result of one match of a table; matches count from 1."""

    table: str
    match: int
    game: str
    finished: float
    body: str


class DescriptionRow(NamedTuple):
    """The text of a game description, found by its digest; it never changes."""

    digest: str
    text: str


class Write(NamedTuple):
    """What is committed together or not at all.

    `players` and `tables` replace the row of the same key, `descriptions` that are there already
    are left out, everything else is added once. `deleted` tables go with their entries and
    results, after all else in this write; answers given before `answers_before` go as well.
    """

    entries: tuple[EntryRow, ...] = ()
    answers: tuple[AnswerRow, ...] = ()
    tables: tuple[TableRow, ...] = ()
    players: tuple[PlayerRow, ...] = ()
    results: tuple[ResultRow, ...] = ()
    deleted: tuple[str, ...] = ()
    descriptions: tuple[DescriptionRow, ...] = ()
    answers_before: float | None = None


CLOSED = "closed"
"""The phase of a table that takes no more entries."""
