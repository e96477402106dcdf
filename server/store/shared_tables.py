"""Tables of all nodes that share a database, as their rows tell of them.

The row of a table says who owns it and what the lobby lists, and which transaction wrote it last.
So a node that has read all changes before some transaction asks for those since: by an index, and
whatever the order in which transactions end. It may be told of a change more than once.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.engine import Connection

from server.store.rows import CLOSED, TableRow


class SharedTable(NamedTuple):
    """A table and its owner: the node of this name, as long as it has this epoch; None: nobody."""

    row: TableRow
    owner: str | None
    owner_epoch: int | None


class Changes(NamedTuple):
    """Tables whose rows have changed, closed ones too; what comes later is to be asked `since`."""

    tables: list[SharedTable]
    since: int


_ROW = ", ".join(f"tables.{name}" for name in TableRow._fields)
_COLUMNS = f"{_ROW}, tables.owner, tables.owner_epoch"
_SEATS_OF = text(
    f"SELECT {_COLUMNS} FROM seats JOIN tables ON tables.code = seats.table_code"
    " WHERE seats.player = :player AND tables.phase <> :closed ORDER BY tables.code"
)
# One statement has one snapshot. All that it does not see has the `oldest` or a later transaction.
_SNAPSHOT = (
    "SELECT CAST(CAST(pg_snapshot_xmin(snapshot) AS text) AS bigint) AS oldest,"
    " CAST(CAST(pg_snapshot_xmax(snapshot) AS text) AS bigint) AS future"
    " FROM pg_current_snapshot() AS snapshot"
)
_OPEN = text(
    f"SELECT {_COLUMNS}, oldest FROM ({_SNAPSHOT}) AS now LEFT JOIN tables"
    " ON phase <> :closed AND owner IS DISTINCT FROM CAST(:name AS text)"
)
# Transactions that are still to come wrote rows of a dump from another server.
CHANGED = text(
    f"SELECT {_COLUMNS}, oldest FROM ({_SNAPSHOT}) AS now LEFT JOIN tables"
    " ON changed >= CAST(:since AS bigint) AND changed < future"
    " AND owner IS DISTINCT FROM CAST(:name AS text)"
)
"""What of others has changed `since` a transaction; for the node of this `name`."""


def seats_of(connection: Connection, player: str) -> list[SharedTable]:
    """The open tables where a player has a seat, at whatever node, by their codes."""
    return _shared(connection.execute(_SEATS_OF, {"player": player, "closed": CLOSED}))


def changed_since(connection: Connection, name: str, since: int) -> Changes:
    """Tables that the node `name` does not own and that changed; all open ones `since` 0.

    For PostgreSQL. A long transaction that writes, of whatever program on the database server,
    has changes told again until it ends.
    """
    if since:
        found = connection.execute(CHANGED, {"name": name, "since": since}).all()
    else:
        found = connection.execute(_OPEN, {"name": name, "closed": CLOSED}).all()
    # With no table the row of the snapshot comes alone.
    return Changes(_shared(row for row in found if row.code is not None), found[0].oldest)


def _shared(rows: Iterable[Row[Any]]) -> list[SharedTable]:  # after these columns any others
    width = len(TableRow._fields)
    return [SharedTable(TableRow._make(row[:width]), row.owner, row.owner_epoch) for row in rows]
