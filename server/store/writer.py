"""The one thread that writes: takes all that waits, commits it at once, reports each outcome."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter, sleep, time
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy.engine import Connection, Engine

from server.store.bulk import Bulk
from server.store.deletions import delete_rows
from server.store.errors import DatabaseLost, StoreError, StoreUnavailable, store_error
from server.store.file_watch import FileWatch
from server.store.last_state import Position, StateFile
from server.store.rows import Write
from server.store.schema import (
    ANSWERS,
    BANS,
    DATABASE_INFO,
    DESCRIPTIONS,
    ENTRIES,
    PLAYERS,
    RESULTS,
    TABLES,
)

if TYPE_CHECKING:
    from server.store.ownership import Ownership

Done: TypeAlias = Callable[[Exception | None], None]
"""Called with None once a write is safe on disk, or with the reason why it is not stored."""

Waiting: TypeAlias = tuple[Write, Done]
Report: TypeAlias = Callable[[Sequence[Waiting], Sequence[StoreError | None], float], None]
"""Called by the thread after each batch with its outcomes and the seconds it took."""

PACE_SECONDS = 0.004
"""Commits begin at least this far apart: each costs as much as writing dozens of rows."""

AGAIN_SECONDS = 0.2
"""The pause between two attempts to find out what became of a commit."""

_COUNT_COMMIT = f"UPDATE {DATABASE_INFO.name} SET commits = commits + 1"

_players = Bulk(PLAYERS, replace=True)
_tables = Bulk(TABLES, replace=True)
_entries = Bulk(ENTRIES)
_answers = Bulk(ANSWERS)
_results = Bulk(RESULTS)
_descriptions = Bulk(DESCRIPTIONS, keep=True)
_bans = Bulk(BANS, replace=True)


class Writer:
    """Commits what is appended to `waiting`, in order, once `wake` has been called.

    `watch` looks after the file and `state` is told how far it has come, from `position` on; both
    only where the database is a file. Elsewhere `ownership` has the connection.
    """

    def __init__(
        self,
        engine: Engine,
        report: Report,
        position: Position,
        watch: FileWatch | None = None,
        state: StateFile | None = None,
        ownership: "Ownership | None" = None,
    ) -> None:
        self.waiting: deque[Waiting] = deque()
        self._engine = engine
        self._report = report
        self._position = position
        self._watch = watch
        self._state = state
        self._ownership = ownership
        self._connection: Connection | None = None
        self._ending = False
        self._began = 0.0
        # True: something waits; False: nothing more will come.
        self._calls: SimpleQueue[bool] = SimpleQueue()
        self.wake: Callable[[], None] = partial(self._calls.put, True)
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """Commit what waits, then end the thread; blocks until that is done."""
        self._calls.put(False)
        self._thread.join()

    def _run(self) -> None:
        """Commit batches until the thread is to end.

        A batch is one transaction. If that fails by the fault of one write, each write is
        committed by itself, so that the others are stored.
        """
        going = True
        while going:
            batch, going = self._take()
            if not batch:
                continue
            self._began = perf_counter()
            outcomes: list[StoreError | None] = []
            parts = [batch]
            for part in parts:
                error: StoreError | None = None
                try:
                    connection = self._checked_connection()
                    writes = _until_deletion([write for write, _ in part])
                    with connection.begin() as transaction:
                        added = sum(_apply(connection, group) for group in writes)
                        if self._ownership is not None:
                            self._ownership.count(connection)
                            self._ownership.commit(transaction)
                        elif not added:
                            # So that every commit moves on how far the database has come.
                            connection.exec_driver_sql(_COUNT_COMMIT)
                    if self._watch is not None:
                        self._watch.committed()
                # Whatever a write does to the driver, the thread goes on for the others.
                except Exception as failure:
                    error = self._outcome(failure)
                else:
                    self._moved_on(added)
                # Unavailable is not the fault of one write: trying each would only multiply the
                # wait for a lock.
                if error is None or len(part) == 1 or isinstance(error, StoreUnavailable):
                    outcomes += [error] * len(part)
                else:
                    parts += [[waiting] for waiting in part]
            self._report(batch, outcomes, perf_counter() - self._began)
        if self._connection is not None:
            self._connection.close()

    def _outcome(self, failure: Exception) -> StoreError | None:
        """Why writes were not stored at which `failure` was raised; None if they were after all."""
        error = store_error(failure)
        if self._ownership is not None and self._ownership.in_doubt:
            return self._settled(self._ownership, error)
        return error

    def _settled(self, ownership: "Ownership", failure: StoreError) -> StoreError | None:
        """The outcome of a commit whose answer was lost: None if it is stored, else `failure`.

        That takes until the database is back. What comes meanwhile is refused.
        """
        while True:
            try:
                return None if ownership.settle() else failure
            except Exception as error:
                found = store_error(error)
            if isinstance(found, DatabaseLost) or self._ending:
                return found
            self._refuse(found)

    def _refuse(self, error: StoreError) -> None:
        """Report `error` for whatever comes within the next moment."""
        until = perf_counter() + AGAIN_SECONDS
        while not self._ending and (left := until - perf_counter()) > 0:
            with suppress(Empty):
                self._ending = not self._calls.get(timeout=left)
            if refused := self._all_waiting():
                self._report(refused, [error] * len(refused), 0.0)

    def _take(self) -> tuple[list[Waiting], bool]:
        """All that waits, perhaps nothing, and whether more may come."""
        self._ending = self._ending or not self._calls.get()
        if not self._ending:
            # The first write after a pause goes at once; a stream of them shares its commits.
            sleep(max(0.0, self._began + PACE_SECONDS - perf_counter()))
        return self._all_waiting(), not self._ending

    def _all_waiting(self) -> list[Waiting]:
        batch: list[Waiting] = []
        with suppress(IndexError):
            while True:
                batch.append(self.waiting.popleft())
        return batch

    def _checked_connection(self) -> Connection:
        """The open connection; `DatabaseLost` if the database is not what it was."""
        if self._ownership is not None:
            return self._ownership.connection()
        if self._watch is not None:
            self._watch.check()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _moved_on(self, added: int) -> None:
        entries, commits = self._position
        self._position = Position(entries + added, commits + (not added))
        if self._state is not None:
            # Without it the next start knows less; what was committed is safe all the same.
            with suppress(OSError):
                self._state.write(self._position, time())


def _until_deletion(writes: Sequence[Write]) -> Iterable[Sequence[Write]]:
    """The writes, cut after each that deletes, so that what follows may use the same keys again."""
    begin = 0
    for end, write in enumerate(writes, 1):
        if write.deleted is not None:
            yield writes[begin:end]
            begin = end
    if begin < len(writes):
        yield writes[begin:]


def _apply(connection: Connection, writes: Sequence[Write]) -> int:
    """Store `writes`; how many entries they add.

    Rows of one kind go together; the last of equal keys stands for those that are replaced.
    """
    players = {row.id: row for write in writes for row in write.players}
    tables = {row.code: row for write in writes for row in write.tables}
    entries = [row for write in writes for row in write.entries]
    answers = [row for write in writes for row in write.answers]
    results = [row for write in writes for row in write.results]
    descriptions = {row.digest: row for write in writes for row in write.descriptions}
    bans = {row[:2]: row for write in writes for row in write.bans}
    _players.run(connection, list(players.values()))
    _descriptions.run(connection, list(descriptions.values()))
    # Entries and results refer to tables, which therefore come before them.
    _tables.run(connection, list(tables.values()))
    _entries.run(connection, entries)
    _answers.run(connection, answers)
    _results.run(connection, results)
    _bans.run(connection, list(bans.values()))
    if (deletion := writes[-1].deleted) is not None:
        delete_rows(connection, deletion)
    return len(entries)
