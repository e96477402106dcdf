"""The thread that keeps a node's lease, and takes over the tables of ended nodes.

claim ─▶ renew, look who lives, fence who does not, take what is free ─▶ … ─▶ give the lease back

It has a connection of its own: the writer's may wait for a disk, and the lease must not.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import sleep

import structlog
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError

from server.store import lease_rows, takeover
from server.store.database import open_engine, shown
from server.store.errors import DatabaseInUse, StoreClosed, StoreError, is_deadlock, store_error
from server.store.lease import Lease, LeaseState
from server.store.lease_rows import ClaimedLease
from server.store.nodes import NodeDetails, NodeRow, read_nodes
from server.store.outage_log import OutageLog
from server.store.ownership import LOCK_TAKEN, connect_usable
from server.store.postgresql import LEASE_LIMITS

AGAIN_SECONDS = 0.1
"""The pause after a renewal that failed."""
CLAIM_SECONDS = 1.0
"""How much longer than a lease a start waits for that of a node of its name that was killed."""
SCAN_SECONDS = 10.0
"""How often at least it is looked for tables that nobody owns, also where no node came or went."""

log = structlog.get_logger()

Took = Callable[[Sequence[str]], None]
"""Called by the thread with tables that the node owns from then on."""
Looked = Callable[[Sequence[NodeRow]], None]
"""Called by the thread with all nodes whenever it has looked after them."""


class LeaseKeeper:
    """Keeps the lease of `node` in the database at `url`, from `start` to `finish`."""

    def __init__(self, url: URL, node: NodeDetails) -> None:
        self._url = url
        self._node = node
        self.lease = Lease(node.name, node.times)
        self.has_tables = True
        self._engine = open_engine(url, writes=True, limits=LEASE_LIMITS)
        self._open: Connection | None = None
        self._outage = OutageLog("lease_round_failed", "lease_renewed_again", self.lease)
        self._took: Took = lambda _: None
        self._looked: Looked = lambda _: None
        # When the lease was renewed last, and since when without a gap.
        self._renewed_at = self._steady_since = float("-inf")
        self._scanned: tuple[float, frozenset[tuple[str, int, bool]]] = (
            float("-inf"),
            frozenset(),
        )
        # None: nothing more will come.
        self._asked: SimpleQueue[tuple[Sequence[str], Future[list[str]]] | None] = SimpleQueue()
        self._finished = False
        # Whoever asks while the thread ends is refused, not forgotten.
        self._asking = Lock()
        self._thread = Thread(target=self._run, name="store-lease", daemon=True)

    def upgrade(self) -> None:
        """Bring the schema up to date; raise `DatabaseInUse` if a server that is no node has it."""
        try:
            connection = self._open = connect_usable(self._engine, self._url)
            lease_rows.prepare(connection, self._url)
        except DBAPIError as error:
            raise self._failed(error) from error
        except Exception:
            self.release()
            raise

    def claim(self) -> int:
        """Take the lease, after waiting for its end; return the node's number of transactions.

        Raises `DatabaseInUse` if a living node has this name.
        """
        until = self.lease.clock() + self._node.times.lasts + CLAIM_SECONDS
        while True:
            sent = self.lease.clock()
            claimed = self._claimed()
            if claimed is not None:
                break
            if sent > until:
                self.release()
                raise DatabaseInUse(
                    f"{shown(self._url)}: another process is the node {self._node.name}; "
                    "give this one a name of its own"
                )
            sleep(AGAIN_SECONDS)
        self.lease.identity, self.lease.epoch = claimed.identity, claimed.epoch
        self.lease.transaction = self.lease.began = claimed.transaction
        self.lease.renewed(sent)
        self._renewed_at = self._steady_since = sent
        return claimed.commits

    def _claimed(self) -> ClaimedLease | None:
        try:
            return lease_rows.claim(self._connection(), self._node, self._url)
        except DatabaseInUse:
            self.release()
            raise
        except DBAPIError as error:
            # The last transaction of the node's former process may be deleting rows.
            if not is_deadlock(error):
                raise self._failed(error) from error
            return None

    def start(self, took: Took, looked: Looked) -> None:
        """Renew the lease from now on; `took` is called with tables that the node gets.

        At the first call of `looked`, the node has the tables that had no owner when it began.
        """
        self._took = took
        self._looked = looked
        self._thread.start()

    def take(self, codes: Sequence[str]) -> Future[list[str]]:
        """Take tables without an owner; return those of `codes` that this node owns then."""
        answer: Future[list[str]] = Future()
        with self._asking:
            if self._finished:
                answer.set_exception(StoreClosed("the store is closed"))
            else:
                self._asked.put((codes, answer))
        return answer

    def finish(self) -> None:
        """End the thread and give the lease back; block until that is done."""
        with self._asking:
            if self._finished:
                return
            self._finished = True
        if self._thread.is_alive():
            self._asked.put(None)
            self._thread.join()
        self._refuse_waiting()
        # Else it is over a lease later.
        with suppress(DBAPIError):
            lease_rows.give_back(self._connection(), self._node, self.lease.epoch)
        self.lease.fence("it has given its lease back")
        self.release()

    def _refuse_waiting(self) -> None:
        while not self._asked.empty():
            asked = self._asked.get()
            if asked is not None and asked[1].set_running_or_notify_cancel():
                asked[1].set_exception(StoreClosed("the store is closed"))

    def _run(self) -> None:
        due = self.lease.clock()
        while True:
            if self.lease.clock() >= due:
                due = self._round()
            try:
                asked = self._asked.get(timeout=max(0.0, due - self.lease.clock()))
            except Empty:
                continue
            if asked is None:
                return
            self._answer(*asked)

    def _round(self) -> float:
        """Renew the lease and check the other nodes; return the time of the next round."""
        began = self.lease.clock()
        if self.lease.state is LeaseState.OVER:
            return began + self._node.times.renewal
        try:
            rows = self._renewed(began)
            if rows is not None:
                self._look_after(rows, began)
                self._looked(rows)
                self._outage.over()
        except Exception as error:
            self._outage.failed(str(store_error(error)))
            self._drop_broken()
            return self.lease.clock() + AGAIN_SECONDS
        return began + self._node.times.renewal

    def _renewed(self, sent: float) -> list[NodeRow] | None:
        """Renew the lease and return all nodes; None if it is over."""
        connection, lease = self._connection(), self.lease
        with connection.begin():
            renewed = lease_rows.renew(
                connection, self._node, lease.epoch, lease.identity, has_tables=self.has_tables
            )
            rows = None if renewed is None else read_nodes(connection)
        if renewed is None:
            self.lease.fence("another node has taken over")
        else:
            self.lease.renewed(sent)
            self.lease.transaction = renewed
            if sent > self._renewed_at + self._node.times.gap:
                self._steady_since = sent
            self._renewed_at = sent
        return rows

    def _look_after(self, rows: Sequence[NodeRow], now: float) -> None:
        """Fence the nodes whose leases are over, and take this node's share of free tables."""
        for row in rows:
            if not row.lives and row.expires > 0 and self._may_fence(now):
                self._fence(row)
        seen = frozenset((row.name, row.epoch, row.lives) for row in rows if row.has_tables)
        last, before = self._scanned
        if seen == before and now < last + SCAN_SECONDS:
            return
        connection = self._connection()
        # Given by another node before it knew that this one takes none.
        given = takeover.unknown(connection, self.lease)
        if given:
            self._tell(takeover.take_named(connection, self.lease, given))
        others = {row.name for row in rows if row.lives and row.has_tables} - {self.lease.name}
        # A node that was told to take none does so all the same while there is no other.
        if not self.has_tables and others:
            self._scanned = (now, seen)
            return
        living = others | {self.lease.name}
        free = takeover.free_for(connection, self.lease.name, living)
        taken = takeover.take(connection, self.lease, free) if free else []
        self._tell(taken)
        if len(taken) == len(free):
            self._scanned = (now, seen)

    def _may_fence(self, now: float) -> bool:
        """Whether the others could renew, too, as all leases end when the database is away."""
        return now >= self._steady_since + self._node.times.grace

    def _fence(self, row: NodeRow) -> None:
        try:
            takeover.fence(self._connection(), row)
        except DBAPIError as error:
            # Its last transaction has not ended yet.
            if getattr(error.orig, "sqlstate", None) != LOCK_TAKEN:
                raise
        else:
            log.info("node_fenced", node=row.name, epoch=row.epoch)

    def _answer(self, codes: Sequence[str], answer: Future[list[str]]) -> None:
        # Whoever asked may have given up; from here on they cannot.
        if not answer.set_running_or_notify_cancel():
            return
        try:
            self.lease.check()
            connection = self._connection()
            if self._may_fence(self.lease.clock()):
                for row in takeover.expired_owners(connection, codes):
                    self._fence(row)
            answer.set_result(takeover.take_named(connection, self.lease, codes))
        except Exception as error:
            self._drop_broken()
            answer.set_exception(store_error(error))

    def _tell(self, taken: Sequence[str]) -> None:
        if taken:
            log.info("tables_taken", node=self.lease.name, tables=len(taken))
            self._took(taken)

    def _connection(self) -> Connection:
        if self._open is None or self._open.invalidated:
            self.release()
            self._open = self._engine.connect()
        return self._open

    def _drop_broken(self) -> None:
        """Close a connection on which something failed, as its state is unknown."""
        with suppress(Exception):
            self.release()
        self._open = None

    def _failed(self, error: DBAPIError) -> StoreError:
        self.release()
        if getattr(error.orig, "sqlstate", None) == LOCK_TAKEN:
            return DatabaseInUse(
                f"{shown(self._url)}: a server that is no node uses this database; stop it, "
                "or give this one a database of its own. If another node is bringing the database "
                "up to date, start this one again"
            )
        return store_error(error)

    def release(self) -> None:
        """Close the connection, if one is open."""
        connection, self._open = self._open, None
        if connection is not None:
            connection.close()
