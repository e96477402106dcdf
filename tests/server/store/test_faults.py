"""Dying processes and failing disks: what was reported safe stays, the rest is an error."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random

import pytest

from server.store import Store, StoreUnavailable, database, postgresql
from server.store.database import database_url, open_engine
from tests.counts import count
from tests.server.store.databases import on_sqlite
from tests.server.store.rows import log, opened


@contextmanager
def held(url: str) -> Iterator[None]:
    """Another program that holds the write lock, while reading goes on."""
    if url.startswith("postgresql"):
        with open_engine(database_url(url), writes=True).begin() as connection:
            connection.exec_driver_sql("LOCK TABLE database_info IN EXCLUSIVE MODE")
            yield
        return
    path = url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def told_before_kill(url: str, entries: int) -> list[int]:
    """Kill a writer after this many reported entries; returns all reported numbers."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.server.store.endless_writer", url], stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        try:
            told = [int(writer.stdout.readline()) for _ in range(entries)]
        finally:
            writer.kill()
        return told + [int(line) for line in writer.stdout.read().splitlines()]


@pytest.mark.e2e
async def test_acknowledged_entries_survive_kill(url: str) -> None:
    """After repeated kills every reported entry is there, without a gap."""
    rng = Random(9)
    for _ in range(count(4)):
        told = told_before_kill(url, rng.randrange(1, 400))
        store = await Store.open(url)
        loaded = await store.load("ABCD")
        await store.close()
        assert loaded is not None
        stored = [row.seq for row in loaded[1]]
        assert stored == list(range(1, len(stored) + 1))
        assert told == sorted(told)
        assert told[-1] <= stored[-1]


@pytest.mark.e2e
@on_sqlite
def test_full_disk_refuses_writes_until_there_is_room(url: str) -> None:
    """A full disk refuses writes whole, allows reads, and recovers by itself."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.server.store.full_disk", url],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    told = [json.loads(line)["event"] for line in run.stderr.splitlines()]
    assert told == ["database_unavailable", "database_available"]
    assert run.stdout.splitlines() == [
        "roomy stored",
        "full store_unavailable",
        "still full store_unavailable",
        "readable 1",
        "roomy again stored",
    ]


async def test_locked_database_refuses_writes_until_it_is_free(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that is never released fails the write and readiness after a while."""
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 10)
    monkeypatch.setattr(postgresql, "LIMITS", postgresql.LIMITS._replace(lock=10))
    store = await Store.open(url)
    await store.save(opened())
    with held(url):
        with pytest.raises(StoreUnavailable, match=r"locked|lock timeout"):
            await store.save(log(2))
        with pytest.raises(StoreUnavailable, match=r"locked|lock timeout"):
            await store.ping()
        loaded = await store.load("ABCD")
    assert loaded is not None
    assert len(loaded[1]) == 1
    await store.save(log(2))
    await store.ping()
    await store.close()


async def test_batch_waits_for_a_lock_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch waits for a lock once, not once a write."""
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 200)
    monkeypatch.setattr(postgresql, "LIMITS", postgresql.LIMITS._replace(lock=200))
    batches: list[tuple[int, int, float]] = []
    store = await Store.open(url, observe=lambda *batch: batches.append(batch))
    await store.save(opened())
    with held(url):
        outcomes = await asyncio.gather(
            *(store.save(log(seq)) for seq in range(2, 102)), return_exceptions=True
        )
    await store.close()
    assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
    # A slow loop may hand the writes on in several batches.
    writes, failed, seconds = zip(*batches[1:], strict=True)
    assert sum(writes) == sum(failed) == 100
    assert all(waited >= 0.2 for waited in seconds)
    assert sum(seconds) < 5
