"""Ownership of a PostgreSQL database: one server may write, and it counts its writes.

The server's writing session holds an advisory lock: while it is held, a second server is refused.
Sessions break, and then another server may start. So each server also stores its own name in
`database_info.owner` when it starts, and each of its transactions increments a count there under
that name: without the name the transaction does not happen, and the next server waits for the row.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex
from typing import Any

from sqlalchemy import Engine, Row, select, text, update
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError, ProgrammingError

from server.store.counted_writes import CountedWrites
from server.store.database import open_engine, shown, upgrade_on
from server.store.errors import (
    BadDatabase,
    DatabaseInUse,
    DatabaseLost,
    StoreUnavailable,
    store_error,
)
from server.store.inserts import write_all
from server.store.nodes import read_nodes
from server.store.postgresql import ENCODING, BoundedConnection
from server.store.rows import Write
from server.store.schema import DATABASE_INFO
from server.store.transaction import DriverTransaction

LOCK = 0x0B1AC6_0CEE4
"""Names the lock; PostgreSQL's advisory locks are numbers, each database has its own."""

CLAIM_MILLISECONDS = 5000
"""How long a start waits for the session of a server that has just ended."""

UPGRADE_IDLE_MILLISECONDS = 10_000
"""How long an upgrade may be at work between two statements: much longer than it needs."""

LOCK_TAKEN = "55P03"
"""PostgreSQL's state for a lock that was not to be had in time."""

_NOT_THERE = ("42P01", "42703")
"""Its states for a table or a column that there is not."""

_COUNT = f"UPDATE {DATABASE_INFO.name} SET commits = commits + 1 WHERE owner = %s"
_HAS_NODES = text("SELECT to_regclass('nodes')")
_FENCE_NODES = text("UPDATE nodes SET epoch = epoch + 1, expires = -expires WHERE expires > 0")
_TRY_LOCK = text(f"SELECT pg_try_advisory_lock({LOCK})")
_END_SESSION = text(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid = :pid"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Ownership(CountedWrites):
    """The writing session of a server that has its database alone."""

    def __init__(self, url: URL) -> None:
        super().__init__(open_engine(url, writes=True))
        self._url = url
        self._owner = token_hex(16)
        self._identity = ""
        self._why_lost = ""
        self._pid = 0

    def claim(self) -> None:
        """Take the database and bring its schema up to date; raise `DatabaseInUse` if it is taken.

        The session of a server that was killed may need a moment to end.
        """
        try:
            connection = self._open = connect_usable(self._engine, self._url)
            with connection.begin():
                connection.execute(text(f"SET LOCAL lock_timeout = {CLAIM_MILLISECONDS}"))
                connection.execute(text(f"SELECT pg_advisory_lock({LOCK})"))
            self._pid = _pid(connection)
            self._refuse_nodes(connection)
            with patient(connection):
                upgrade_on(connection, self._url, lambda: None)
        except DBAPIError as error:
            self.release()
            if getattr(error.orig, "sqlstate", None) == LOCK_TAKEN:
                raise DatabaseInUse(
                    f"{shown(self._url)}: another server uses this database; stop it, "
                    "or give this one a database of its own"
                ) from None
            raise store_error(error) from error
        except Exception:
            self.release()
            raise

    def _refuse_nodes(self, connection: Connection) -> None:
        """Raise `DatabaseInUse` if nodes share the database; none starts while the lock is held."""
        with connection.begin():
            if connection.execute(_HAS_NODES).scalar_one() is None:
                return
            living = [row.name for row in read_nodes(connection) if row.lives]
        if living:
            raise DatabaseInUse(
                f"{shown(self._url)}: used by {', '.join(living)}, nodes of a cluster; stop them, "
                "or give this server a database of its own"
            )

    def begin(self, identity: str) -> None:
        """Become the owner, who writes from now on; the earlier owner can write no more."""
        self._identity = identity
        connection = self._open
        assert connection is not None, "the database is claimed"
        try:
            with connection.begin():
                connection.execute(update(DATABASE_INFO).values(owner=self._owner))
                # Nodes that stand still must not go on later.
                connection.execute(_FENCE_NODES)
                self._commits = connection.execute(select(DATABASE_INFO.c.commits)).scalar_one()
        except DBAPIError as error:
            self.release()
            raise store_error(error) from error

    def write(self, transaction: DriverTransaction, writes: Sequence[Write]) -> int:
        """Write; raise `DatabaseLost` if another server has taken over."""
        added = write_all(transaction, writes)
        if transaction.execute(_COUNT, (self._owner,)).rowcount != 1:
            raise self._lost("another server has taken over this database")
        self._commit(transaction)
        return added

    def _check(self) -> None:
        if self._why_lost:
            self.release()
            raise self._lost(self._why_lost)

    def _counted(self, connection: Connection) -> int:
        with connection.begin():
            taken = connection.execute(_TRY_LOCK).scalar_one()
            row = _info(connection)
            if row is None or row.identity != self._identity:
                raise self._lost("the database was replaced by another one")
            if row.owner != self._owner:
                raise self._lost("another server has taken over this database")
            if not taken:
                # The old session may be waiting to commit, so nothing is resolved before its end.
                connection.execute(_END_SESSION, {"pid": self._pid})
            else:
                self._pid = _pid(connection)
                if self.in_doubt:
                    # A commit that waited for a standby is here, but perhaps not there. What
                    # changes something waits behind it.
                    connection.execute(update(DATABASE_INFO).values(owner=self._owner))
        if not taken:
            raise StoreUnavailable("the connection that broke still holds the database")
        return int(row.commits)

    def _lost(self, why: str) -> DatabaseLost:
        self._why_lost = why
        return DatabaseLost(
            f"{shown(self._url)}: {why} while the server was running; nothing is "
            "stored any more. Stop the server, see which of the two is right, start it again"
        )


def connect_usable(engine: Engine, url: URL) -> Connection:
    """Connect to a database that can hold any text; raise `BadDatabase` for others."""
    try:
        connection = engine.connect()
    except ProgrammingError:
        raise BadDatabase(
            f"{shown(url)}: the driver does not know what stands after ? in the URL"
        ) from None
    encoding = _driver(connection).info.parameter_status("server_encoding")
    if encoding != ENCODING:
        connection.close()
        raise BadDatabase(
            f"{shown(url)}: its encoding is {encoding}, and names hold any character; "
            "create it with --encoding UTF8 --template template0"
        )
    return connection


def _info(connection: Connection) -> Row[Any] | None:  # the columns, of many types
    """Read the row about the database; None if it is none of ours."""
    try:
        return connection.execute(select(DATABASE_INFO)).one_or_none()
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", None) in _NOT_THERE:
            return None
        raise


def _pid(connection: Connection) -> int:
    """Return the pid of the database process that serves `connection`."""
    return _driver(connection).info.backend_pid


@contextmanager
def patient(connection: Connection) -> Iterator[None]:
    """Lift the time limits of statements: an upgrade may have to read every row.

    A process that hangs between two statements blocks others only briefly: the database ends its
    session, with the lock and its changes.
    """
    driver = _driver(connection)
    before, driver.answer_seconds = driver.answer_seconds, None
    try:
        with connection.begin():
            connection.execute(text("SET statement_timeout = 0"))
            idle = f"SET idle_in_transaction_session_timeout = {UPGRADE_IDLE_MILLISECONDS}"
            connection.execute(text(idle))
        yield
        with connection.begin():
            connection.execute(text("RESET statement_timeout"))
            connection.execute(text("RESET idle_in_transaction_session_timeout"))
    finally:
        driver.answer_seconds = before


def _driver(connection: Connection) -> BoundedConnection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, BoundedConnection)
    return driver
