"""Nodes begin, write, stop, continue and die at random: each log stays whole and its owner's.

Everything happens in one thread, in an order that Hypothesis chooses: renewals and takeovers are
called round by round, and a lease is over when the test says so.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import make_url, text
from sqlalchemy.engine import Connection

from server.store import (
    Deletion,
    EntryRow,
    GivenTable,
    LeaseTimes,
    NodeDetails,
    StoreError,
    Write,
    takeover,
)
from server.store.database import database_url, open_engine, upgrade
from server.store.errors import store_error
from server.store.lease_keeper import LeaseKeeper
from server.store.node_writes import NodeWrites
from server.store.postgresql import BoundedConnection
from server.store.shared_tables import changed_since
from server.store.transaction import DriverTransaction
from tests.counts import count
from tests.postgres import Cluster
from tests.server.store.rows import entry, table

NAMES = ("a", "b", "c")
CODES = ("T1", "T2", "T3")
TIMES = LeaseTimes(lasts=50.0, renewal=0.0, margin=1.0, grace=0.0)

OVER = """
UPDATE nodes SET expires = 1 WHERE expires > 1 AND name IN
(SELECT name FROM nodes WHERE name = '{}' FOR UPDATE SKIP LOCKED)
"""
"""A row that is locked belongs to a transaction; whoever fences would wait for it."""

a_name = st.sampled_from(NAMES)
a_process = st.integers(1, 4)
a_code = st.sampled_from(CODES)


class Stopped(Exception):
    """The node stops before its commit."""


class Stopping(DriverTransaction):
    """A transaction that is left open before its commit, and is not rolled back."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if not isinstance(error, Stopped):
            super().__exit__(kind, error, at)

    @property
    def commit(self) -> Callable[[], None]:
        def stop() -> None:
            raise Stopped

        return stop


class SteppedNode:
    """A node without threads, with the next numbers of its tables."""

    def __init__(self, url: str, name: str) -> None:
        self.keeper = LeaseKeeper(database_url(url), NodeDetails(name, times=TIMES))
        self.writes = NodeWrites(database_url(url), self.keeper.lease, self.keeper.claim())
        self.lease = self.keeper.lease
        self.next: dict[str, int] = {}
        self.stopped_in: tuple[Connection, Write] | None = None

    @property
    def word(self) -> str:
        """The text of its entries."""
        return f"{self.lease.name}{self.lease.epoch}"

    def save(self, write: Write, *, stop: bool = False) -> StoreError | None:
        """The result of a write in the writer's thread; None if it is acknowledged."""
        try:
            connection = self.writes.connection()
            with (Stopping if stop else DriverTransaction)(connection) as transaction:
                self.writes.write(transaction, [write])
        except Stopped:
            self.stopped_in = connection, write
            return StoreError("it stands still")
        except Exception as error:
            return self._outcome(error)
        return None

    def go_on(self) -> StoreError | None:
        """Commit what the node was about to commit when it stopped."""
        assert self.stopped_in is not None
        connection, _ = self.stopped_in
        self.stopped_in = None
        try:
            with DriverTransaction(connection) as plain:
                plain.commit()
                self.writes._done()
        except Exception as error:
            return self._outcome(error)
        return None

    def _outcome(self, failure: Exception) -> StoreError | None:
        error = store_error(failure)
        if self.writes.in_doubt:
            try:
                return None if self.writes.resolve() else error
            except Exception as found:
                return store_error(found)
        return error

    def close(self) -> None:
        self.writes.release()
        self.keeper.release()


class Nodes(RuleBasedStateMachine):
    """A state machine with three names and three tables."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.engine = open_engine(database_url(self.url), writes=True)
        self.sees: Connection = self.engine.connect()
        self.execute("DELETE FROM tables")
        self.living: dict[int, SteppedNode] = {}
        self.acknowledged: dict[str, dict[int, str]] = {code: {} for code in CODES}
        self.owners: dict[str, tuple[str | None, int | None]] = {}
        self.since = 0

    def execute(self, statement: str) -> None:
        with self.sees.begin():
            self.sees.execute(text(statement))

    def scalar(self, statement: str) -> object:
        with self.sees.begin():
            return self.sees.execute(text(statement)).scalar()

    def running(self, process: int) -> SteppedNode | None:
        node = self.living.get(process)
        return None if node is None or node.stopped_in is not None else node

    @rule(process=a_process, name=a_name)
    def begin(self, process: int, name: str) -> None:
        """Start a process, perhaps beside a stopped one of its name."""
        if process in self.living:
            return
        self.execute(OVER.format(name))
        if not self.scalar(f"SELECT expires > 1 FROM nodes WHERE name = '{name}'"):
            self.living[process] = SteppedNode(self.url, name)

    @rule(process=a_process)
    def renew(self, process: int) -> None:
        """Run a round of the thread: the lease, the dead, the free tables."""
        node = self.running(process)
        if node is not None:
            node.keeper._round()
            self.learn(node)

    @rule(name=a_name)
    def time_passes(self, name: str) -> None:
        """End the lease in the database; the node may not know."""
        self.execute(OVER.format(name))

    @rule(process=a_process, code=a_code)
    def take(self, process: int, code: str) -> None:
        """Let the node take a table."""
        node = self.running(process)
        if node is not None:
            with suppress(StoreError):
                node.lease.check()
                for row in takeover.expired_owners(node.keeper._connection(), [code]):
                    node.keeper._fence(row)
                for mine in takeover.take_named(node.keeper._connection(), node.lease, [code]):
                    node.next.pop(mine, None)
            self.learn(node)

    @rule(process=a_process, code=a_code)
    def open(self, process: int, code: str) -> None:
        """Let the node open a table, which may exist."""
        node = self.running(process)
        if node is not None:
            row = entry(1, code)._replace(body=node.word)
            write = Write(tables=(table(code),), entries=(row,))
            self.heard(node, node.save(write), row, gives=False)

    @rule(process=a_process, code=a_code, to=a_name, gives=st.booleans(), stops=st.booleans())
    def write(self, process: int, code: str, to: str, gives: bool, stops: bool) -> None:
        """Let the node write its next entry, perhaps giving the table away or stopping."""
        node = self.running(process)
        if node is None or code not in node.next:
            return
        seq = node.next[code]
        deleted = Deletion(given=(GivenTable(code, to),)) if gives else None
        row = entry(seq, code)._replace(body=node.word)
        error = node.save(Write(entries=(row,), deleted=deleted), stop=stops)
        if not stops:
            self.heard(node, error, row, gives=gives)

    @rule(process=a_process)
    def go_on(self, process: int) -> None:
        """Let a node that stopped in a transaction commit it."""
        node = self.living.get(process)
        if node is None or node.stopped_in is None:
            return
        write = node.stopped_in[1]
        self.heard(node, node.go_on(), write.entries[0], gives=write.deleted is not None)

    @rule(process=a_process)
    def session_ends(self, process: int) -> None:
        """End the session of a node that stopped in a transaction."""
        node = self.living.get(process)
        if node is not None and node.stopped_in is not None:
            driver = node.stopped_in[0].connection.driver_connection
            assert isinstance(driver, BoundedConnection)
            self.scalar(f"SELECT pg_terminate_backend({driver.info.backend_pid}, 5000)")

    @rule(process=a_process)
    def die(self, process: int) -> None:
        """End a process and its sessions."""
        node = self.living.pop(process, None)
        if node is not None:
            node.close()

    def heard(
        self, node: SteppedNode, error: StoreError | None, row: EntryRow, *, gives: bool
    ) -> None:
        """Record what the node was told of an entry; only the owner's are acknowledged."""
        code, seq = row.table, row.seq
        if error is None:
            assert seq not in self.acknowledged[code]
            self.acknowledged[code][seq] = node.word
            if not gives:
                owner = f"SELECT owner || owner_epoch FROM tables WHERE code = '{code}'"
                assert self.scalar(owner) == node.word
            node.next[code] = seq + 1
        self.learn(node)

    def learn(self, node: SteppedNode) -> None:
        """Read the logs of tables that came to the node."""
        for code in node.lease.owned - node.next.keys():
            node.next[code] = 1 + int(
                str(self.scalar(f"SELECT count(*) FROM entries WHERE table_code = '{code}'"))
            )

    @invariant()
    def logs_are_whole(self) -> None:
        """Check that each acknowledged entry is in the log once, and nothing else."""
        with self.sees.begin():
            rows = self.sees.execute(text("SELECT table_code, seq, body FROM entries")).all()
        found: dict[str, dict[int, str]] = {code: {} for code in CODES}
        for code, seq, body in rows:
            found[code][seq] = body
        for code, log in found.items():
            assert sorted(log) == list(range(1, len(log) + 1))
            assert log == self.acknowledged[code]

    @invariant()
    def whoever_asks_is_told_every_owner(self) -> None:
        """Check that nodes hear every owner from the changes since they last asked."""
        with self.sees.begin():
            tables, _, _, self.since = changed_since(self.sees, "nobody", 0, self.since)
            rows = self.sees.execute(text("SELECT code, owner, owner_epoch FROM tables")).all()
        self.owners |= {each.row.code: (each.owner, each.owner_epoch) for each in tables}
        assert self.owners == {code: (owner, epoch) for code, owner, epoch in rows}

    @invariant()
    def each_table_has_one_owner(self) -> None:
        """Check that no two nodes with leases believe to own one table."""
        with self.sees.begin():
            rows = self.sees.execute(text("SELECT name, epoch FROM nodes")).all()
        epochs = {row.name: row.epoch for row in rows}
        for code in CODES:
            owners = [
                node.word
                for node in self.living.values()
                if code in node.lease.owned and node.lease.epoch == epochs.get(node.lease.name)
            ]
            assert len(owners) <= 1, (code, owners)

    def teardown(self) -> None:
        for node in self.living.values():
            node.close()
        self.sees.close()
        self.engine.dispose()


@pytest.fixture
def nodes_url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database with the schema."""
    with postgresql.database() as url:
        upgrade(database_url(url), lambda: None)
        with open_engine(make_url(url), writes=True).begin() as connection:
            connection.exec_driver_sql("INSERT INTO database_info VALUES ('x', 0, 0, 'nodes')")
        yield url


def test_logs_are_whole_whatever_nodes_do(nodes_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs have no gaps, each acknowledged entry once, and only their owner's entries."""
    monkeypatch.setattr(takeover, "_PATIENCE", text("SET LOCAL lock_timeout = 10"))
    monkeypatch.setattr(Nodes, "url", nodes_url)
    run_state_machine_as_test(
        Nodes,
        settings=settings(
            max_examples=count(10),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
