"""What storing costs: the disk alone, and commits beside a bare loop of the same statements.

No move can be acknowledged before the disk has made a small write safe. Store and bare loop take
turns, on a file and in PostgreSQL, so that the disk is as fast for the one as for the other.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from time import monotonic, perf_counter, sleep
from typing import Any

from bench.clients import run
from bench.figures import Figure, Unmeasured, at_most, percentile
from bench.processes import postgresql, running_postgresql
from server.store import EntryRow, Store, TableRow, Write
from server.store.database import BUSY_MILLISECONDS, CHECKPOINT_PAGES, PAGE_BYTES

TURNS = 20
COMMITS = 15
"""Commits of one entry in a turn, with a pause before each as at a table where people play."""
PAUSE_SECONDS = 0.005
ROWS = 500
"""Entries in a commit of a busy server."""
MOST = 1.33
"""How much longer than the bare loop the store may take."""
DISK_SECONDS = 4.0
PAGES, PAGE = 1000, b"x" * 4096
"""The file is written from its beginning again when it is full, as a write-ahead log is."""

BODY = '{"seat":2,"action":"play QS","by":"player"}'
NAMES = '"table_code", "seq", "kind", "time", "body", "player", "client", "command"'

Bare = Callable[[list[EntryRow]], None]
"""Commits entries by the driver alone, with the statements of the store."""


def measure_disk() -> Iterator[Figure]:
    """The median and the 99th percentile of a small write, in milliseconds."""
    took = sync_milliseconds()
    yield Figure("disk.sync.p50", percentile(took, 0.5), "ms")
    yield Figure("disk.sync.p99", percentile(took, 0.99), "ms")


def sync_milliseconds() -> list[float]:
    """How long each of many small writes took, in the folder used for measuring servers."""
    took: list[float] = []
    with NamedTemporaryFile(prefix="blackqueen-bench-") as file:
        number = file.fileno()
        os.pwrite(number, PAGE * PAGES, 0)
        os.fdatasync(number)
        end = monotonic() + DISK_SECONDS
        while monotonic() < end:
            os.pwrite(number, PAGE, len(took) % PAGES * len(PAGE))
            began = monotonic()
            os.fdatasync(number)
            took.append(1000 * (monotonic() - began))
            sleep(PAUSE_SECONDS)
    return took


def measure() -> Iterator[Figure | Unmeasured]:
    """Milliseconds of a commit and rows a second, on each kind of database, and beside bare."""
    with TemporaryDirectory(prefix="blackqueen-bench-") as folder:
        yield from run(_measured("sqlite", f"sqlite:///{folder}/store.sqlite3", folder))
    found = postgresql()
    if found is None:
        yield Unmeasured("store.postgresql", "needs PostgreSQL and blackqueen[postgres]")
        return
    with running_postgresql(found) as url:
        yield from run(_measured("postgresql", url, ""))


async def _measured(name: str, url: str, folder: str) -> list[Figure]:
    store = await Store.open(url)
    await store.save(Write(tables=(_table("STORE"), _table("BARE"))))
    if folder:
        # Another file: the two must not wait for each other's locks.
        other = Path(folder) / "bare.sqlite3"
        bare_store = await Store.open(f"sqlite:///{other}")
        await bare_store.save(Write(tables=(_table("BARE"),)))
        await bare_store.close()
        connection, bare = _bare_sqlite(other)
    else:
        connection, bare = _bare_postgresql(url)
    with closing(connection):
        single = await _turns(store, bare, 1, COMMITS)
        many = await _turns(store, bare, ROWS, 3)
    await store.close()
    # Of commits that take this long many are disturbed on a busy machine.
    rows = [ROWS / percentile(took, 0.25) for took in many]
    latency = [1000 * percentile(took, 0.5) for took in single]
    return [
        Figure(f"store.{name}.p50", latency[0], "ms"),
        Figure(f"store.{name}.p99", 1000 * percentile(single[0], 0.99), "ms"),
        Figure(f"store.{name}.bare", latency[1], "ms"),
        Figure(f"store.{name}.latency", latency[0] / latency[1], "× bare", at_most(MOST)),
        Figure(f"store.{name}.rows", rows[0], "rows/s"),
        Figure(f"store.{name}.time", rows[1] / rows[0], "× bare", at_most(MOST)),
    ]


async def _turns(
    store: Store, bare: Bare, rows: int, commits: int
) -> tuple[list[float], list[float]]:
    """The seconds of each commit of so many rows, by the store and by the bare loop."""
    ours: list[float] = []
    theirs: list[float] = []
    last = _last[rows]
    for _ in range(TURNS):
        for _ in range(commits):
            entries = [_entry("STORE", seq) for seq in range(last, last + rows)]
            writes = [Write(entries=(entry,)) for entry in entries]
            await asyncio.sleep(PAUSE_SECONDS)
            ours.append(await _stored(store, writes))
            entries = [_entry("BARE", seq) for seq in range(last, last + rows)]
            await asyncio.sleep(PAUSE_SECONDS)
            began = perf_counter()
            bare(entries)
            theirs.append(perf_counter() - began)
            last += rows
    return ours, theirs


_last = {1: 1, ROWS: 1_000_000}


async def _stored(store: Store, writes: list[Write]) -> float:
    """The seconds until the last of `writes` is reported."""
    stored = asyncio.get_running_loop().create_future()
    left = len(writes)

    def done(error: Exception | None) -> None:
        nonlocal left
        left -= 1
        if error is not None and not stored.done():
            stored.set_exception(error)
        elif not left:
            stored.set_result(perf_counter())

    began = perf_counter()
    for write in writes:
        store.commit(write, done)
    ended: float = await stored
    return ended - began


def _table(code: str) -> TableRow:
    return TableRow(code, "hearts", 1, False, "playing", None, 1, 0.0)


def _entry(code: str, seq: int) -> EntryRow:
    return EntryRow(code, seq, "act", 1.7e9 + seq, BODY, "p" * 16, "laptop", seq)


def _insert(rows: int, mark: str) -> str:
    row = f"({', '.join([mark] * 8)})"
    return f"INSERT INTO entries ({NAMES}) VALUES {', '.join([row] * rows)}"


# The connections of two drivers have nothing but `close` in common.
def _bare_sqlite(path: Path) -> tuple[Any, Bare]:
    connection = sqlite3.connect(path, isolation_level=None, cached_statements=512)
    for setting in (
        f"busy_timeout = {BUSY_MILLISECONDS}",
        "foreign_keys = ON",
        f"page_size = {PAGE_BYTES}",
        "journal_mode = WAL",
        "synchronous = FULL",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {setting}")

    def bare(entries: list[EntryRow]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for part in _parts(entries):
            values = [value for entry in part for value in entry]
            connection.execute(_insert(len(part), "?"), values)
        connection.execute("COMMIT")

    return connection, bare


def _bare_postgresql(url: str) -> tuple[Any, Bare]:
    import psycopg

    connection = psycopg.connect(url)
    connection.prepared_max = 512
    (owner,) = connection.execute("SELECT owner FROM database_info").fetchone() or ("",)
    connection.commit()
    # Counting is for the store's own; here it is the same statement on a row of the same kind.
    connection.execute("CREATE TABLE bare_info AS SELECT * FROM database_info")
    connection.commit()

    def bare(entries: list[EntryRow]) -> None:
        for part in _parts(entries):
            values = [value for entry in part for value in entry]
            connection.execute(_insert(len(part), "%s").encode(), values)
        connection.execute("UPDATE bare_info SET commits = commits + 1 WHERE owner = %s", [owner])
        connection.commit()

    return connection, bare


def _parts(entries: list[EntryRow]) -> Iterator[list[EntryRow]]:
    """The entries in powers of two, as the store cuts them."""
    done = 0
    while done < len(entries):
        left = len(entries) - done
        size = left if left <= 64 else 1 << (min(left, 512).bit_length() - 1)
        yield entries[done : done + size]
        done += size
