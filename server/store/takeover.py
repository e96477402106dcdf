"""Takes over tables without an owner, and ends the ownership of dead nodes.

A table's owner is a node of a certain epoch. An epoch that has ended never comes again, so a table
is free if its owner's row has another one, and stays so until a node takes it. The epoch of a node
whose lease is over is raised under the lock of its row: its transaction in progress ends before,
and all later ones find that they may not write.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.engine import Connection

from server.rendezvous import heir
from server.store.bulk import TRANSACTION
from server.store.lease import Lease
from server.store.nodes import LIVES, NODE_COLUMNS, NodeRow
from server.store.rows import CLOSED

FENCE_MILLISECONDS = 300
"""How long a node waits for the last transaction of another one, before it tries again later."""

_PATIENCE = text(f"SET LOCAL lock_timeout = {FENCE_MILLISECONDS}")
_FENCE = text(
    "UPDATE nodes SET epoch = epoch + 1, expires = -expires"
    f" WHERE name = :name AND epoch = :epoch AND NOT ({LIVES})"
)
_FREE = text(
    "SELECT code, owner, owner_epoch FROM tables WHERE phase <> :closed AND NOT EXISTS"
    " (SELECT FROM nodes WHERE nodes.name = owner AND nodes.epoch = owner_epoch)"
)
_OWNERS = text(
    "SELECT code, owner, owner_epoch, epoch = owner_epoch AS holds"
    " FROM tables LEFT JOIN nodes ON nodes.name = owner"
    " WHERE code = ANY(:codes) AND phase <> :closed"
)
_EXPIRED = text(
    f"SELECT {NODE_COLUMNS} FROM nodes WHERE NOT ({LIVES}) AND (name, epoch) IN"
    " (SELECT owner, owner_epoch FROM tables WHERE code = ANY(:codes))"
)
_MINE = text(
    "SELECT code FROM tables WHERE phase <> :closed AND owner = :name AND owner_epoch = :epoch"
)
_HOLD = text(f"SELECT FROM nodes WHERE name = :name AND epoch = :epoch AND {LIVES} FOR SHARE")
# Whoever else is about to take the same tables is not waited for: it gets them.
_TAKE = text(
    "WITH free AS (SELECT tables.code FROM tables JOIN"
    " unnest(CAST(:codes AS text[]), CAST(:owners AS text[]), CAST(:epochs AS bigint[]))"
    " AS found (code, owner, epoch) ON tables.code = found.code"
    " AND tables.owner IS NOT DISTINCT FROM found.owner"
    " AND tables.owner_epoch IS NOT DISTINCT FROM found.epoch"
    " FOR UPDATE OF tables SKIP LOCKED)"
    f" UPDATE tables SET owner = :name, owner_epoch = :epoch, changed = {TRANSACTION} FROM free"
    " WHERE tables.code = free.code RETURNING tables.code"
)


class FreeTable(NamedTuple):
    """A table that is free, and its last owner."""

    code: str
    owner: str | None
    epoch: int | None


def expired_owners(connection: Connection, codes: Sequence[str]) -> list[NodeRow]:
    """Return the owners of these tables whose leases are over but who are not fenced yet."""
    with connection.begin():
        rows = connection.execute(_EXPIRED, {"codes": list(codes)})
        return [NodeRow._make(row) for row in rows]


def fence(connection: Connection, node: NodeRow) -> None:
    """End the epoch of a node whose lease is over; not if it was renewed meanwhile.

    Raises an error of the driver if the node's transaction takes too long.
    """
    with connection.begin():
        connection.execute(_PATIENCE)
        connection.execute(_FENCE, {"name": node.name, "epoch": node.epoch})


def free_for(connection: Connection, name: str, living: Collection[str]) -> list[FreeTable]:
    """Return the open tables without an owner that fall to the node `name` of those that live."""
    with connection.begin():
        rows = [FreeTable._make(row) for row in connection.execute(_FREE, {"closed": CLOSED})]
    return [found for found in rows if heir(found.code, living) == name]


def take(connection: Connection, lease: Lease, found: Sequence[FreeTable]) -> list[str]:
    """Take tables that were `found` free; return those that no other node took first."""
    with connection.begin():
        node = {"name": lease.name, "epoch": lease.epoch}
        if connection.execute(_HOLD, node).one_or_none() is None:
            return []
        codes, owners, epochs = (list(column) for column in zip(*found, strict=True))
        values = {"codes": codes, "owners": owners, "epochs": epochs, **node}
        taken = list(connection.scalars(_TAKE, values))
    lease.owned.update(taken)
    return taken


def take_named(connection: Connection, lease: Lease, codes: Sequence[str]) -> list[str]:
    """Take those of the open tables without an owner; return these and this node's own."""
    node = {"name": lease.name, "epoch": lease.epoch}
    with connection.begin():
        # The node's writer gives no table away meanwhile.
        if connection.execute(_HOLD, node).one_or_none() is None:
            return []
        asked = {"codes": list(codes), "closed": CLOSED}
        rows = connection.execute(_OWNERS, asked).all()
        mine = [row.code for row in rows if row.holds and row.owner == lease.name]
        lease.owned.update(mine)
    found = [FreeTable(row.code, row.owner, row.owner_epoch) for row in rows if not row.holds]
    return mine + (take(connection, lease, found) if found else [])


def unknown(connection: Connection, lease: Lease) -> list[str]:
    """Return tables of this node that it does not know of, as another node gave them."""
    with connection.begin():
        node = {"name": lease.name, "epoch": lease.epoch, "closed": CLOSED}
        mine = connection.scalars(_MINE, node)
        return [code for code in mine if code not in lease.owned]
