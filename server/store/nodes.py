"""Nodes that share a database in PostgreSQL: their rows, and the choice of a table's node."""

from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.engine import Connection

FURTHEST_SECONDS = 60
"""A lease that seems to last longer was written before the database's clock was put back."""

NOW = "CAST(EXTRACT(epoch FROM clock_timestamp()) AS double precision)"
LIVES = f"nodes.expires > {NOW} AND nodes.expires < {NOW} + {FURTHEST_SECONDS}"
"""Whether the lease of a row of `nodes` is not over."""


class LeaseTimes(NamedTuple):
    """The times of a node, in seconds.

    Its lease `lasts` this long from each renewal on, by the clock of the database; the node itself
    takes it to be over by `margin` earlier. It fences others only after it has renewed its own
    lease for the `grace`, without a `gap`, since all leases are over if the database was away.
    """

    lasts: float = 2.5
    renewal: float = 0.5
    margin: float = 0.25
    grace: float = 2.5

    @property
    def gap(self) -> float:
        """The seconds between two renewals after which the lease of another node may be over.

        This is for one that was renewed up to a `renewal` earlier, as the database went away.
        """
        return self.lasts - 2 * self.renewal


class NodeDetails(NamedTuple):
    """The details that a process gives of itself when it becomes a node.

    `name` is unique among all nodes, and unchanged after a restart. `address` is its address for
    clients; a node of 0.2.0, which gateways reached, has the name of its machine.
    """

    name: str
    address: str = ""
    times: LeaseTimes = LeaseTimes()


class NodeRow(NamedTuple):
    """A node as the others see it; times in seconds since the epoch, by the database.

    `expires` is negative once the epoch of the row has ended: its node has ended or was fenced. Its
    absolute value is then the end of the lease; in older rows it is 0.
    """

    name: str
    epoch: int
    lives: bool
    has_tables: bool
    address: str
    started: float
    expires: float


class Owner(NamedTuple):
    """The node that owns a table, with name "" if there is none.

    If it does not live, another node may take the table over.
    """

    name: str
    lives: bool


NODE_COLUMNS = f"name, epoch, {LIVES} AS lives, has_tables, address, started, expires"
READ_NODES = text(f"SELECT {NODE_COLUMNS} FROM nodes ORDER BY name")
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
    """Whether a node's address is a URL by which clients reach it."""
    return "://" in address


def read_nodes(connection: Connection) -> list[NodeRow]:
    """Return all nodes that ever existed, by name."""
    return [NodeRow._make(row) for row in connection.execute(READ_NODES)]
