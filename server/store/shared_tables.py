"""Tables of all nodes that share a database, according to their rows.

The row of a table has its owner, the lobby's details, and the transaction that wrote it last. So a
node that has read all changes before some transaction reads those since: by an index, and whatever
the order in which transactions end. It may read a change more than once.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.engine import Connection

from server.store.rows import CLOSED, NodeRequest, TableRow


class SharedTable(NamedTuple):
    """A table and its owner: the node of this name while it has this epoch; None for no owner."""

    row: TableRow
    owner: str | None
    owner_epoch: int | None


class Changes(NamedTuple):
    """The others' changes that a node has to know; later ones are read from `since` on.

    `tables` of others whose rows have changed, closed ones too; `own` are the codes of the node's
    own that have, such as those that were given to it; `requests` are for it, or for all.
    """

    tables: list[SharedTable]
    own: list[str]
    requests: list[NodeRequest]
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
_NEW = "changed >= CAST(:since AS bigint) AND changed < future"
_OWN = text(
    f"SELECT code FROM ({_SNAPSHOT}) AS now JOIN tables ON {_NEW}"
    " WHERE owner = :name AND owner_epoch = :epoch AND phase <> :closed"
)
_REQUESTS = text(
    f"SELECT {', '.join(NodeRequest._fields)} FROM ({_SNAPSHOT}) AS now"
    f" JOIN node_requests ON {_NEW} WHERE asked_by <> :name"
    " AND (node IS NULL OR (node = :name AND epoch = :epoch)) ORDER BY changed, time"
)


def seats_of(connection: Connection, player: str) -> list[SharedTable]:
    """Return the open tables with a player's seat, at any node, by their codes."""
    return _shared(connection.execute(_SEATS_OF, {"player": player, "closed": CLOSED}))


def changed_since(connection: Connection, name: str, epoch: int, since: int) -> Changes:
    """Return the others' changes for the node `name` of an epoch; all open tables for `since` 0.

    For PostgreSQL. A long transaction that writes, of any program on the database server, makes
    changes appear again until it ends.
    """
    node = {"name": name, "epoch": epoch, "since": since, "closed": CLOSED}
    found = connection.execute(CHANGED if since else _OPEN, node).all()
    # Each statement has a snapshot of its own, and the first one says since when to ask next.
    own = list(connection.scalars(_OWN, node))
    requests = [NodeRequest._make(row) for row in connection.execute(_REQUESTS, node)]
    # With no table the row of the snapshot comes alone.
    tables = _shared(row for row in found if row.code is not None)
    return Changes(tables, own, requests, found[0].oldest)


def _shared(rows: Iterable[Row[Any]]) -> list[SharedTable]:  # after these columns any others
    width = len(TableRow._fields)
    return [SharedTable(TableRow._make(row[:width]), row.owner, row.owner_epoch) for row in rows]
