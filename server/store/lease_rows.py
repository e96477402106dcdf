"""The statements by which a node takes its lease, renews it and gives it back."""

from secrets import token_hex
from typing import NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.engine import URL, Connection

from server.store.bulk import TRANSACTION
from server.store.database import migrate, shown
from server.store.errors import DatabaseInUse
from server.store.nodes import LIVES, NOW, NodeDetails, is_url, read_nodes
from server.store.ownership import CLAIM_MILLISECONDS, LOCK, patient

NODES = "nodes"
"""In `database_info.owner` where the nodes write, and no server by itself."""

_PATIENCE = text(f"SET LOCAL lock_timeout = {CLAIM_MILLISECONDS}")
# Of the transaction, not of the session: nothing is held by a process that stands still.
_LOCK = text(f"SELECT pg_advisory_xact_lock({LOCK})")
_BEGIN = text(
    "INSERT INTO database_info (identity, commits, deleted)"
    " SELECT :identity, 0, 0 WHERE NOT EXISTS (SELECT FROM database_info)"
)
_SHARE = text("UPDATE database_info SET owner = :owner RETURNING identity")
_CLAIM = text(
    "INSERT INTO nodes (name, epoch, expires, commits, has_tables, address, started)"
    f" VALUES (:name, 1, {NOW} + :lasts, 0, TRUE, :address, {NOW})"
    " ON CONFLICT (name) DO UPDATE SET epoch = nodes.epoch + 1, expires = excluded.expires,"
    " has_tables = excluded.has_tables, address = excluded.address, started = excluded.started"
    f" WHERE NOT ({LIVES}) RETURNING epoch, commits, {TRANSACTION} AS transaction"
)
_RENEW = text(
    f"UPDATE nodes SET expires = {NOW} + :lasts, has_tables = :has_tables"
    " WHERE name = :name AND epoch = :epoch"
    f" AND (SELECT identity FROM database_info) = :identity RETURNING {TRANSACTION}"
)
_GIVE_BACK = text(
    f"UPDATE nodes SET epoch = epoch + 1, expires = -{NOW} WHERE name = :name AND epoch = :epoch"
)


class ClaimedLease(NamedTuple):
    """A node's initial state; `commits` is its number of earlier transactions.

    `transaction` is the one that took the lease.
    """

    identity: str
    epoch: int
    commits: int
    transaction: int


def prepare(connection: Connection, url: URL) -> None:
    """Bring the schema up to date, while no other process does."""
    with patient(connection), connection.begin():
        connection.execute(_PATIENCE)
        connection.execute(_LOCK)
        migrate(connection, url, lambda: None)
        connection.execute(_BEGIN, {"identity": token_hex(16)})


def claim(connection: Connection, node: NodeDetails, url: URL) -> ClaimedLease | None:
    """Take the lease of `node`; None while a living process has it.

    Raises `DatabaseInUse` if living nodes reach each other in another way than this one.
    """
    with connection.begin():
        connection.execute(_PATIENCE)
        connection.execute(_LOCK)
        _refuse_strangers(connection, node, url)
        identity: str = connection.execute(_SHARE, {"owner": NODES}).scalar_one()
        values = {
            "name": node.name,
            "lasts": node.times.lasts,
            "address": node.address,
        }
        row: Row[tuple[int, int, int]] | None = connection.execute(_CLAIM, values).one_or_none()
    if row is None:
        return None
    return ClaimedLease(identity, row.epoch, row.commits, row.transaction)


def _refuse_strangers(connection: Connection, node: NodeDetails, url: URL) -> None:
    """Refuse nodes of 0.2.0, which had a bus, as nodes now know each other by their rows."""
    strangers = [
        row.name
        for row in read_nodes(connection)
        if row.lives and is_url(row.address) != is_url(node.address)
    ]
    if strangers:
        raise DatabaseInUse(
            f"{shown(url)}: used by {', '.join(strangers)}, nodes "
            f"{'without' if is_url(node.address) else 'with'} an address for clients "
            "(--node-url); stop them, or give this one a database of its own"
        )


def renew(
    connection: Connection, node: NodeDetails, epoch: int, identity: str, *, has_tables: bool
) -> int | None:
    """Renew the lease within the transaction of `connection`; return the transaction's number.

    Returns None if the lease is another's.
    """
    values = {
        "name": node.name,
        "epoch": epoch,
        "lasts": node.times.lasts,
        "has_tables": has_tables,
        "identity": identity,
    }
    transaction: int | None = connection.scalar(_RENEW, values)
    return transaction


def give_back(connection: Connection, node: NodeDetails, epoch: int) -> None:
    """End the lease, so that others need not wait."""
    with connection.begin():
        connection.execute(_GIVE_BACK, {"name": node.name, "epoch": epoch})
