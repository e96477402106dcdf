"""Opens a database for a server: claims it, upgrades it, and reports its state.

the known state (`last_state`) ─▶ is there a database? ─▶ claim ─▶ schema ─▶ its position?
"""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from sqlalchemy import insert, select
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DatabaseError

from server.store.claim import Claim
from server.store.database import open_engine, shown, upgrade
from server.store.errors import BadDatabase, NoDatabase, StoreUnavailable, store_error
from server.store.files import check_files, is_missing, left_log, write_ahead_log
from server.store.last_state import CommitCount, LastState, StateFile
from server.store.nodes import NodeDetails
from server.store.rows import CLOSED
from server.store.schema import DATABASE_INFO, ENTRIES, LAST_SEQ, TABLES

if TYPE_CHECKING:
    from server.store.counted_writes import CountedWrites
    from server.store.lease_keeper import LeaseKeeper

LAST_TIME = (
    select(ENTRIES.c.time)
    .where(ENTRIES.c.table_code == TABLES.c.code)
    .order_by(ENTRIES.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)


@dataclass(frozen=True, slots=True)
class DatabaseFound:
    """The state of a database when it is opened; times in seconds since the epoch.

    `recovered_pages` were read from a write-ahead log that the last server could not close. `last`
    is the state file's contents; `missing` is by how much its position was beyond that of the
    database now. `damaged` are the open tables whose last entries are missing.
    """

    tables: int
    open_tables: int
    entries: int
    last_entry: float | None
    recovered_pages: int
    identity: str
    last: LastState | None
    missing: CommitCount
    damaged: tuple[str, ...]

    @property
    def is_other(self) -> bool:
        """Whether another database has replaced the last one."""
        return self.last is not None and self.last.identity not in ("", self.identity)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A database that is ready for a server; `claim`, `state` and `name` only if it is a file.

    `name` may lead to the file by symbolic links; `url` has none. `ownership` is that of a database
    in PostgreSQL, `keeper` that of a node which shares it.
    """

    url: URL
    found: DatabaseFound
    position: CommitCount
    claim: Claim | None = None
    state: StateFile | None = None
    name: Path | None = None
    ownership: "CountedWrites | None" = None
    keeper: "LeaseKeeper | None" = None

    def release(self) -> None:
        """Release the database for others."""
        if self.keeper is not None:
            self.keeper.finish()
        if self.ownership is not None:
            self.ownership.release()
        if self.state is not None:
            self.state.close()
        if self.claim is not None:
            self.claim.release()


def prepare(url: URL, *, new: bool = False, node: NodeDetails | None = None) -> Prepared:
    """Claim the database, create it if there is none, and bring its schema up to date.

    Raises `NoDatabase` if it has vanished, unless a `new` one is wanted. A `node` shares it with
    others, which needs PostgreSQL.
    """
    if url.get_backend_name() != "sqlite":
        return _prepare_postgresql(url) if node is None else _prepare_node(url, node)
    if node is not None:
        raise BadDatabase(f"{shown(url)}: nodes can share a database in PostgreSQL, but no file")
    name = Path(os.path.abspath(url.database or ""))
    # SQLite, too, keeps its log beside the file that a symbolic link leads to.
    path = Path(os.path.realpath(name))
    url = url.set(database=str(path))
    state = StateFile(path)
    check_files(path)
    last = state.read()
    may_begin = _begins(path, state.path, last, left_log(path), new)
    with ExitStack() as on_failure:
        if is_missing(path):
            may_begin()
        _create_private_file(path)
        claim = Claim(path)
        on_failure.callback(claim.release)
        recovered = _recovered_pages(path)
        upgrade(url, may_begin)
        found, position = _look(url, last, recovered)
        try:
            state.open(found.identity)
            on_failure.callback(state.close)
            state.write(position, time.time())
        except OSError as error:
            raise StoreUnavailable(f"{state.path}: cannot be written ({error.strerror})") from None
        on_failure.pop_all()
    return Prepared(url, found, position, claim, state, name)


def _prepare_postgresql(url: URL) -> Prepared:
    # Only now, so that a missing driver is reported as what it is.
    open_engine(url, writes=True)
    from server.store.ownership import Ownership

    ownership = Ownership(url)
    ownership.claim()
    with ExitStack() as on_failure:
        on_failure.callback(ownership.release)
        found, position = _look(url, None, 0)
        ownership.begin(found.identity)
        on_failure.pop_all()
    return Prepared(url, found, position, ownership=ownership)


def _prepare_node(url: URL, node: NodeDetails) -> Prepared:
    open_engine(url, writes=True)
    from server.store.lease_keeper import LeaseKeeper
    from server.store.node_writes import NodeWrites

    keeper = LeaseKeeper(url, node)
    keeper.upgrade()
    with ExitStack() as on_failure:
        on_failure.callback(keeper.release)
        # The lease comes last: looking at a large database may take longer than a lease.
        found, position = _look(url, None, 0)
        commits = keeper.claim()
        on_failure.pop_all()
    return Prepared(
        url, found, position, ownership=NodeWrites(url, keeper.lease, commits), keeper=keeper
    )


def _begins(
    path: Path, state: Path, last: LastState | None, left: Path | None, new: bool
) -> Callable[[], None]:
    """Return the check before an empty database is filled: it raises if one has vanished.

    `left` is a write-ahead log that was left there without its database. A `new` database is filled
    in any case.
    """

    def may_begin() -> None:
        if new:
            return
        if last is not None:
            raise NoDatabase(
                f"{path}: there was a database of {last.position.entries} entries here, written "
                f"last at {last.moment}, and now there is none. Put it or a backup in its place, "
                f"or begin an empty one with --new-database, or by deleting {state.name}"
            )
        if left is not None:
            raise NoDatabase(
                f"{path}: there was a database here, whose {left.name} is left, and now there is "
                "none. Put it in its place, or begin an empty one with --new-database; that "
                f"deletes {left.name}"
            )

    return may_begin


def _create_private_file(path: Path) -> None:
    """Create a file that only its owner can read, as the log holds every card of every table."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise BadDatabase(f"{path}: cannot be created ({error.strerror})") from None


def _recovered_pages(path: Path) -> int:
    """Return the number of pages in a write-ahead log that the last server left."""
    if not write_ahead_log(path).exists():
        return 0
    try:
        with closing(sqlite3.connect(path)) as connection:
            (_, pages, _) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except sqlite3.Error:
        # The next reader of the database reports what is wrong.
        return 0
    return max(0, int(pages))


def _look(url: URL, last: LastState | None, recovered: int) -> tuple[DatabaseFound, CommitCount]:
    """Read the state of the database at `url`."""
    engine = open_engine(url, writes=True)
    try:
        with engine.begin() as connection:
            identity, commits, deleted = _info(connection)
            query = select(TABLES.c.code, TABLES.c.phase, TABLES.c.seq, LAST_SEQ.label("last"))
            rows = connection.execute(query).all()
            last_entry = _last_entry(connection)
    except DatabaseError as error:
        raise store_error(error) from error
    entries = sum(row.last for row in rows)
    position = CommitCount(entries + deleted, commits)
    open_rows = [row for row in rows if row.phase != CLOSED]
    found = DatabaseFound(
        tables=len(rows),
        open_tables=len(open_rows),
        entries=entries,
        last_entry=last_entry,
        recovered_pages=recovered,
        identity=identity,
        last=last,
        missing=_missing(last, identity, position),
        damaged=tuple(row.code for row in open_rows if row.last < row.seq),
    )
    return found, position


def _last_entry(connection: Connection) -> float | None:
    """Return the time of the last entry; None if there is none, or a table's is unreadable."""
    try:
        times = [
            row.time
            for row in connection.execute(select(LAST_TIME.label("time")).select_from(TABLES))
        ]
    except DatabaseError:
        # A damaged page is the trouble of the tables in it.
        return None
    return max((time for time in times if time is not None), default=None)


def _info(connection: Connection) -> tuple[str, int, int]:
    """Return the row about the database itself, and make it if it is missing."""
    row = connection.execute(select(DATABASE_INFO)).first()
    if row is None:
        connection.execute(
            insert(DATABASE_INFO).values(identity=token_hex(16), commits=0, deleted=0)
        )
        row = connection.execute(select(DATABASE_INFO)).one()
    return row.identity, row.commits, row.deleted


def _missing(last: LastState | None, identity: str, now: CommitCount) -> CommitCount:
    if last is None or last.identity != identity:
        return CommitCount(0, 0)
    return CommitCount(*(max(0, was - now) for was, now in zip(last.position, now, strict=True)))
