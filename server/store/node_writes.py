"""The writing session of a node: a transaction happens only while the node has its lease.

The first statement of a transaction counts it in the node's row, if the row still has this node's
epoch and its lease is not over. That locks the row until the end, so a node that takes the tables
over waits for the transaction, and later transactions find another epoch.
"""

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.engine import URL, Connection

from server.store.bulk import TRANSACTION
from server.store.counted_writes import CountedWrites
from server.store.database import open_engine, shown
from server.store.errors import DatabaseLost, NotOwner, StoreError, StoreUnavailable
from server.store.inserts import write_all
from server.store.lease import Lease
from server.store.nodes import LIVES
from server.store.postgresql import NODE_LIMITS
from server.store.rows import CLOSED, GivenTable, Write
from server.store.transaction import DriverTransaction, Execute

COUNT = f"UPDATE nodes SET commits = commits + 1 WHERE name = %s AND epoch = %s AND {LIVES}"
"""Says that a transaction is one of the node's, and locks its row; changes none if it is not."""

_EPOCH = "SELECT epoch FROM nodes WHERE name = %s"
_OWN = "UPDATE tables SET owner = %s, owner_epoch = %s WHERE code = ANY(%s) AND owner IS NULL"
_GIVE = (
    f"UPDATE tables SET changed = {TRANSACTION}, (owner, owner_epoch) ="
    f" (SELECT name, epoch FROM nodes WHERE name = %s AND has_tables AND {LIVES})"
    " WHERE code = %s"
)
# It waits for the old session, which has the row if its commit may still come. And it changes the
# row, so that its own commit waits for the standbys that the one in doubt may have waited for.
_RESOLVE = text(
    "UPDATE nodes SET commits = commits WHERE name = :name AND epoch = :epoch"
    " RETURNING commits, (SELECT identity FROM database_info) AS identity"
)


class NodeWrites(CountedWrites):
    """The writing session of a node, for the writer's thread."""

    def __init__(self, url: URL, lease: Lease, commits: int) -> None:
        super().__init__(open_engine(url, writes=True, limits=NODE_LIMITS))
        self._url = url
        self._lease = lease
        self._commits = commits
        self._new: set[str] = set()
        self._given: set[str] = set()
        self._closed: set[str] = set()

    def write(self, transaction: DriverTransaction, writes: Sequence[Write]) -> int:
        """Write; raise `NotOwner` for another node's table, `NodeFenced` if the lease is over."""
        new, given = self._touched(writes)
        execute = transaction.execute
        node = (self._lease.name, self._lease.epoch)
        if execute(COUNT, node).rowcount != 1:
            raise self._refused(execute)
        added = write_all(transaction, writes)
        if new and execute(_OWN, (*node, list(new))).rowcount != len(new):
            raise NotOwner(f"node {node[0]} does not own one of {', '.join(sorted(new))}")
        for table, to in given:
            execute(_GIVE, (to, table))
        self._given = {one.table for one in given}
        self._new = new - self._given
        self._closed = {row.code for write in writes for row in write.tables if row.phase == CLOSED}
        # Before the commit: behind it another node may have given a table back already.
        self._lease.owned -= self._given
        self._commit(transaction)
        return added

    def _check(self) -> None:
        self._lease.check()

    def _counted(self, connection: Connection) -> int:
        lease = self._lease
        with connection.begin():
            node = {"name": lease.name, "epoch": lease.epoch}
            row = connection.execute(_RESOLVE, node).one_or_none()
        if row is None:
            raise lease.fence("another node has taken over")
        if row.identity != lease.identity:
            raise self._lost("the database was replaced by another one")
        return int(row.commits)

    def _undone(self) -> None:
        super()._undone()
        self._lease.owned |= self._given

    def _done(self) -> None:
        super()._done()
        self._lease.owned |= self._new
        # Nothing is written to them any more, until their rows are deleted.
        self._lease.owned -= self._closed

    def _touched(self, writes: Sequence[Write]) -> tuple[set[str], list[GivenTable]]:
        """Return tables that `writes` seem to open or give away; raise `NotOwner`."""
        owned = self._lease.owned
        codes = {row.table for write in writes for row in write.entries}
        codes.update(row.table for write in writes for row in write.results)
        codes.update(row.code for write in writes for row in write.tables)
        if codes <= owned and all(not write.deleted for write in writes):
            return set(), []
        new: set[str] = set()
        given: dict[str, GivenTable] = {}
        for write in writes:
            leaving = () if write.deleted is None else write.deleted.given
            codes = {row.table for row in write.entries}
            codes.update(row.table for row in write.results)
            codes.update(one.table for one in leaving)
            opened = {row.code for row in write.tables}
            new |= opened - owned
            if strange := (codes - owned - new) | ((codes | opened) & given.keys()):
                named = ", ".join(sorted(strange))
                raise NotOwner(f"node {self._lease.name} does not own {named}")
            given.update((one.table, one) for one in leaving)
        return new, list(given.values())

    def _refused(self, execute: Execute) -> StoreError:
        """Return why the node's row was not found as expected."""
        found = execute(_EPOCH, (self._lease.name,)).fetchone()
        if found is None or found[0] != self._lease.epoch:
            return self._lease.fence("another node has taken over")
        return StoreUnavailable(f"node {self._lease.name}: its lease has run out")

    def _lost(self, why: str) -> StoreError:
        found = DatabaseLost(f"{shown(self._url)}: {why} while the server was running")
        return self._lease.end(found)
