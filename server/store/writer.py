"""The one writing thread: commits all waiting writes at once, and reports each result."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import perf_counter, sleep, time
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy.engine import Connection, Engine

from server.store.errors import (
    DatabaseLost,
    NodeFenced,
    StoreError,
    StoreUnavailable,
    is_deadlock,
    store_error,
)
from server.store.file_watch import FileWatch
from server.store.inserts import write_all
from server.store.last_state import CommitCount, StateFile
from server.store.rows import Write
from server.store.schema import DATABASE_INFO
from server.store.transaction import DriverTransaction

if TYPE_CHECKING:
    from server.store.counted_writes import CountedWrites

Done: TypeAlias = Callable[[Exception | None], None]
"""Called with None once a write is safe on disk, or with the reason why it is not stored."""


class Round:
    """The writes that were added until the thread takes them, in order; one round grows at a time.

    The thread takes only the writes: an object touched by both threads costs both more than to make
    it.
    """

    __slots__ = ("calls", "writes")

    def __init__(self, write: Write, done: Done) -> None:
        self.writes = [write]
        self.calls = [done]


Report: TypeAlias = Callable[[Round, Sequence[StoreError | None], float], None]
"""Called by the thread after each batch with its outcomes and the seconds it took."""

PACE_SECONDS = 0.004
"""Commits begin at least this far apart: each costs as much as writing dozens of rows."""

AGAIN_SECONDS = 0.2
"""The pause between two attempts to find out what became of a commit."""

ATTEMPTS = 3
"""How often a transaction is tried that another node's waits for in turn."""

_COUNT_COMMIT = f"UPDATE {DATABASE_INFO.name} SET commits = commits + 1"


class Writer:
    """Commits the rounds that it is given, in order.

    `watch` checks the file and `state` stores its position, from `position` on; both only if the
    database is a file. Otherwise `ownership` has the connection.

    A write goes into the round that is `open`, while `growing` is held, or into a new one that is
    given to `begin`: so a thread that waits is woken by the first write, and by no other that comes
    before it has woken.
    """

    def __init__(
        self,
        engine: Engine,
        report: Report,
        position: CommitCount,
        watch: FileWatch | None = None,
        state: StateFile | None = None,
        ownership: "CountedWrites | None" = None,
    ) -> None:
        self._engine = engine
        self._report = report
        self._position = position
        self._watch = watch
        self._state = state
        self._ownership = ownership
        self._connection: Connection | None = None
        self._plain: DriverTransaction | None = None
        self._ending = False
        self._began = 0.0
        # None: nothing more will come.
        self._rounds: SimpleQueue[Round | None] = SimpleQueue()
        self.begin: Callable[[Round], None] = self._rounds.put
        self.open: Round | None = None
        self.growing = Lock()
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """Commit the waiting writes, then end the thread; block until that is done."""
        self._rounds.put(None)
        self._thread.join()

    def _run(self) -> None:
        """Commit batches until the thread is to end.

        A batch is one transaction. If that fails by the fault of one write, each write is committed
        by itself, so that the others are stored.
        """
        while (taken := self._next()) is not None:
            self._began = perf_counter()
            outcomes: list[StoreError | None] = []
            parts: list[Sequence[Write]] = [taken.writes]
            for part in parts:
                error: StoreError | None = None
                for left in reversed(range(ATTEMPTS)):
                    try:
                        with self._transaction() as transaction:
                            if self._ownership is not None:
                                added = self._ownership.write(transaction, part)
                            else:
                                added = write_all(transaction, part)
                                if not added:
                                    # So that every commit moves on how far the database has come.
                                    transaction.execute(_COUNT_COMMIT)
                                transaction.commit()
                        if self._watch is not None:
                            self._watch.committed()
                    # Whatever a write does to the driver, the thread goes on for the others.
                    except Exception as failure:
                        if left and is_deadlock(failure) and not self._is_in_doubt:
                            continue
                        error = self._outcome(failure)
                    else:
                        self._moved_on(added)
                    break
                # Unavailable is not the fault of one write: trying each would only multiply the
                # wait for a lock.
                if error is None or len(part) == 1 or isinstance(error, StoreUnavailable):
                    outcomes += [error] * len(part)
                else:
                    parts += [[write] for write in part]
            self._report(taken, outcomes, perf_counter() - self._began)
        if self._connection is not None:
            self._connection.close()

    @property
    def _is_in_doubt(self) -> bool:
        return self._ownership is not None and self._ownership.in_doubt

    def _outcome(self, failure: Exception) -> StoreError | None:
        """Return why writes that raised `failure` were not stored; None if they were after all."""
        self._plain = None
        error = store_error(failure)
        if self._ownership is not None and self._ownership.in_doubt:
            return self._resolved(self._ownership, error)
        return error

    def _resolved(self, ownership: "CountedWrites", failure: StoreError) -> StoreError | None:
        """Return the result of a commit with a lost answer: None if it is stored, else `failure`.

        This waits until the database is back. Writes that come meanwhile are refused.
        """
        while True:
            try:
                return None if ownership.resolve() else failure
            except Exception as error:
                found = store_error(error)
            if isinstance(found, DatabaseLost | NodeFenced) or self._ending:
                return found
            self._refuse(found)

    def _refuse(self, error: StoreError) -> None:
        """Report `error` for all writes within the next moment."""
        until = perf_counter() + AGAIN_SECONDS
        while not self._ending and (left := until - perf_counter()) > 0:
            with suppress(Empty):
                refused = self._taken(self._rounds.get(timeout=left))
                if refused is not None:
                    self._report(refused, [error] * len(refused.writes), 0.0)

    def _next(self) -> Round | None:
        """Return all waiting writes; None if there will be no more."""
        if self._ending:
            return None
        waiting = self._rounds.get()
        # The first write after a pause goes at once; a stream of them shares its commits.
        if waiting is not None and (early := self._began + PACE_SECONDS - perf_counter()) > 0:
            sleep(early)
        return self._taken(waiting)

    def _taken(self, waiting: Round | None) -> Round | None:
        """Close a round to further writes; record if there will be no more rounds."""
        if waiting is None:
            self._ending = True
        else:
            with self.growing:
                self.open = None
        return waiting

    def _transaction(self) -> DriverTransaction:
        """Return a transaction on the open connection, or raise `DatabaseLost`."""
        if self._ownership is not None:
            connection = self._ownership.connection()
        else:
            if self._watch is not None:
                self._watch.check()
            if self._connection is None:
                self._connection = self._engine.connect()
            connection = self._connection
        if self._plain is None or self._plain.connection is not connection:
            self._plain = DriverTransaction(connection)
        return self._plain

    def _moved_on(self, added: int) -> None:
        entries, commits = self._position
        self._position = CommitCount(entries + added, commits + (not added))
        if self._state is not None:
            # Without it the next start knows less; what was committed is safe all the same.
            with suppress(OSError):
                self._state.write(self._position, time())
