"""The writing session of a server in PostgreSQL, whose transactions are counted.

Each transaction increments a count in a row that is the server's as long as it may write. So the
count shows the result of a commit whose answer was lost, and whether the database that came back is
the earlier one, with all acknowledged moves.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sqlalchemy import Engine
from sqlalchemy.engine import Connection

from server.store.errors import StoreError
from server.store.rows import Write
from server.store.transaction import DriverTransaction


class CountedWrites(ABC):
    """The one writing session, reopened when it breaks. For one thread at a time."""

    def __init__(self, engine: Engine) -> None:
        self.in_doubt = False
        """Whether the connection broke while a transaction was being committed."""
        self._engine = engine
        self._commits = 0
        self._open: Connection | None = None

    def connection(self) -> Connection:
        """Return the connection to write on; raise `StoreUnavailable` if writing is forbidden."""
        self._check()
        if self._open is None or self._open.invalidated:
            self.resolve()
        assert self._open is not None
        return self._open

    @abstractmethod
    def write(self, transaction: DriverTransaction, writes: Sequence[Write]) -> int:
        """Store `writes` and commit them; return the number of added entries.

        Raises `StoreUnavailable` if others may write by now. If the commit raises, `in_doubt` says
        more.
        """

    def resolve(self) -> bool:
        """Reconnect; return whether the commit that was in doubt is in the database.

        Raises a final error if the database lacks a commit, is another one, or is another server's.
        """
        self.release()
        self._check()
        try:
            self._open = connection = self._engine.connect()
            done = self._counted(connection) - self._commits
            if done not in ((0, 1) if self.in_doubt else (0,)):
                raise self._lost(f"the database lacks what was stored last ({-done} commits)")
        except Exception:
            # Not even a lock is kept: it may be another server's by right.
            self.release()
            raise
        if done:
            self._done()
        elif self.in_doubt:
            self._undone()
        return done == 1

    def release(self) -> None:
        """Close the connection, if one is open."""
        connection, self._open = self._open, None
        if connection is not None:
            connection.close()

    def _commit(self, transaction: DriverTransaction) -> None:
        self.in_doubt = True
        transaction.commit()
        self._done()

    def _done(self) -> None:
        """Record that the last transaction is committed."""
        self.in_doubt = False
        self._commits += 1

    def _undone(self) -> None:
        """Record that the transaction in doubt never happened."""
        self.in_doubt = False

    @abstractmethod
    def _check(self) -> None:
        """Raise if it is known that writing is not allowed now."""

    @abstractmethod
    def _counted(self, connection: Connection) -> int:
        """Return the count in the server's row; raise if that is no longer there."""

    @abstractmethod
    def _lost(self, why: str) -> StoreError:
        """Record that nothing is written any more; return the error to raise."""
