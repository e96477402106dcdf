"""Nodes that share a database in PostgreSQL: what is stored of them, and which gets a table."""

from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.engine import Connection

FURTHEST_SECONDS = 60
"""A lease that seems to last longer was written before the database's clock was put back."""

NOW = "CAST(EXTRACT(epoch FROM clock_timestamp()) AS double precision)"
LIVES = f"nodes.expires > {NOW} AND nodes.expires < {NOW} + {FURTHEST_SECONDS}"
"""Whether the lease of a row of `nodes` is not over."""


class LeaseTimes(NamedTuple):
    """What a node does by the clock, in seconds.

    Its lease `lasts` so long from each renewal on, by the clock of the database; the node itself
    takes it to be over by `margin` earlier. It fences others only after it has renewed its own
    lease for the `grace`, without a `gap`, since all leases are over where the database was away.
    """

    lasts: float = 2.5
    renewal: float = 0.5
    margin: float = 0.25
    grace: float = 2.5

    @property
    def gap(self) -> float:
        """The seconds between two renewals from which on the lease of another node may be over.

        Of one that was renewed up to a `renewal` earlier, as the database went away.
        """
        return self.lasts - 2 * self.renewal


class Node(NamedTuple):
    """What a process says of itself when it becomes a node.

    `name` is its own among all nodes, and the same after a restart. Only a node that `has_tables`
    gets some of those that nobody owns. `address` is where clients reach it; a
    node of 0.2.0, which gateways reached, has the name of its machine.
    """

    name: str
    has_tables: bool = True
    address: str = ""
    times: LeaseTimes = LeaseTimes()


class NodeRow(NamedTuple):
    """A node as the others see it; times in seconds since the epoch, by the database.

    `expires` is negative once the epoch of the row is nobody's: its node has ended or was fenced.
    Its lease was over at that moment then, without the sign; in older rows it is 0.
    """

    name: str
    epoch: int
    lives: bool
    has_tables: bool
    address: str
    started: float
    expires: float


class Owner(NamedTuple):
    """The node that owns a table, by the name "" if nobody does.

    If it does not live, another one may take the table over.
    """

    name: str
    lives: bool


NODE_COLUMNS = f"name, epoch, {LIVES} AS lives, has_tables, address, started, expires"
_READ_NODES = text(f"SELECT {NODE_COLUMNS} FROM nodes ORDER BY name")
READ_OWNER = text(
    f"SELECT COALESCE(nodes.name, '') AS name, COALESCE({LIVES}, FALSE) AS lives"
    " FROM tables LEFT JOIN nodes"
    " ON nodes.name = tables.owner AND nodes.epoch = tables.owner_epoch"
    " WHERE tables.code = :code AND tables.phase <> :closed"
)

READ_SHARES = text(
    "SELECT nodes.name, count(*) FROM tables JOIN nodes"
    " ON nodes.name = tables.owner AND nodes.epoch = tables.owner_epoch"
    " WHERE tables.phase <> :closed GROUP BY nodes.name"
)


def is_url(address: str) -> bool:
    """Whether clients reach a node with this address by that."""
    return "://" in address


def read_nodes(connection: Connection) -> list[NodeRow]:
    """All nodes that there ever were, by name."""
    return [NodeRow._make(row) for row in connection.execute(_READ_NODES)]
