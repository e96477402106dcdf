"""Faults of a PostgreSQL that answers: triggers, limits, encodings, emptiness."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from sqlalchemy.engine import make_url

from server.store import (
    BadDatabase,
    DatabaseLost,
    NewerDatabase,
    Store,
    StoreError,
    StoreUnavailable,
    Write,
)
from server.store.postgresql import BoundedConnection
from server.store.schema import HEAD
from tests.postgres import Cluster
from tests.server.store.databases import on_postgresql
from tests.server.store.rows import log, opened, table
from tests.server.store.test_postgresql import END_ALL, execute
from tests.server.store.test_writes import SECRET, logged, secret_entry, seqs

AT = {
    "insert": "CREATE TRIGGER mischief BEFORE INSERT ON entries",
    "commit": "CREATE CONSTRAINT TRIGGER mischief AFTER INSERT ON entries"
    " DEFERRABLE INITIALLY DEFERRED",
}
"""When a trigger does what it does."""


@contextmanager
def mischief(url: str, at: str, body: str) -> Iterator[None]:
    """A foreign trigger at every new entry."""
    execute(
        url,
        "CREATE OR REPLACE FUNCTION mischief() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN {body}; RETURN NEW; END $$",
    )
    execute(url, f"{AT[at]} FOR EACH ROW EXECUTE FUNCTION mischief()")
    try:
        yield
    finally:
        execute(url, "DROP TRIGGER mischief ON entries")


@on_postgresql
@pytest.mark.parametrize(
    ("at", "state"), [("insert", "P0001"), ("commit", "P0001"), ("insert", "53100")]
)
async def test_nothing_that_a_trigger_says_is_in_the_log(
    store: Store, url: str, at: str, state: str
) -> None:
    """The message of a trigger, which may quote a row, is not logged."""
    await store.save(opened())
    says = f"RAISE EXCEPTION USING ERRCODE = '{state}', MESSAGE = 'no ' || NEW.body"
    with mischief(url, at, says), pytest.raises(StoreError) as raised:
        await store.save(Write(entries=(secret_entry(),)))
    assert SECRET not in logged(raised.value)
    await store.save(log(2))


@on_postgresql
@pytest.mark.parametrize("at", AT)
async def test_a_session_that_is_ended_in_a_transaction_stores_nothing(
    store: Store, url: str, at: str
) -> None:
    """A session ended in a transaction stores nothing, and the next write is stored."""
    await store.save(opened())
    ended = "PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(0.1)"
    with mischief(url, at, ended), pytest.raises(StoreUnavailable, match="terminating connection"):
        await store.save(log(2, 3))
    assert await seqs(store) == [1]
    await store.save(log(2, 3))
    assert await seqs(store) == [1, 2, 3]


@on_postgresql
async def test_a_batch_that_takes_too_long_is_refused_once(url: str) -> None:
    """A batch that takes too long is refused whole, and not retried write by write.

    What comes first may be a batch by itself.
    """
    store = await Store.open(f"{url}?options=-c%20statement_timeout%3D500")
    await store.save(opened())
    with mischief(url, "insert", "IF NEW.seq = 40 THEN PERFORM pg_sleep(20); END IF"):
        batch = [store.save(log(seq)) for seq in range(2, 52)]
        outcomes = await asyncio.gather(*batch, return_exceptions=True)
    done = outcomes.index(next(filter(None, outcomes)))
    assert done < 38
    assert {type(outcome) for outcome in outcomes[done:]} == {StoreUnavailable}
    await asyncio.gather(*(store.save(log(seq)) for seq in range(2 + done, 52)))
    assert await seqs(store) == list(range(1, 52))
    await store.close()


@on_postgresql
async def test_a_database_that_refuses_rows_is_not_ready(store: Store, url: str) -> None:
    """A database that refuses rows is not ready, even if an empty write works."""
    await store.save(opened())
    execute(url, "ALTER TABLE entries RENAME TO away")
    with pytest.raises(StoreUnavailable, match='"entries" does not exist'):
        await store.save(log(2))
    with pytest.raises(StoreUnavailable, match='"entries" does not exist'):
        await store.ping()
    execute(url, "ALTER TABLE away RENAME TO entries")
    await store.save(log(2))
    await store.ping()


async def test_a_database_that_was_dropped_and_created_anew_is_lost(
    postgresql: Cluster,
) -> None:
    """A database that was dropped and created anew counts as lost."""
    with postgresql.database() as url:
        name = make_url(url).database
        store = await Store.open(url)
        await store.save(opened())
        postgresql.execute(f"DROP DATABASE {name} WITH (FORCE)")
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await store.save(log(2))
        postgresql.execute(f"CREATE DATABASE {name}")
        with pytest.raises(DatabaseLost, match="replaced by another one"):
            await store.save(log(2))
        await store.close()


@on_postgresql
async def test_a_server_that_is_not_let_in_goes_on_when_it_is(
    store: Store, url: str, postgresql: Cluster
) -> None:
    """A server that was refused a connection goes on when it gets one."""
    await store.save(opened())
    database = make_url(url).database
    postgresql.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
    postgresql.execute(f"{END_ALL} AND datname = '{database}'")
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await store.save(log(2))
    with pytest.raises(StoreUnavailable, match="not currently accepting connections"):
        await store.ping()
    postgresql.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
    await store.save(log(2))
    await store.ping()


@on_postgresql
async def test_a_commit_that_no_standby_has_is_not_acknowledged(
    store: Store, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that no standby has is not acknowledged."""
    await store.save(opened())
    monkeypatch.setattr(BoundedConnection, "answer_seconds", 0.3)
    ownership = store._prepared.ownership
    assert ownership is not None
    driver = ownership.connection().connection.driver_connection
    assert isinstance(driver, BoundedConnection)
    driver.answer_seconds = 0.3
    postgresql.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    seqs_stored = [1]
    try:
        postgresql.execute("SELECT pg_reload_conf()")
        # Until PostgreSQL has heard of it, commits wait for nobody.
        while (doubtful := await _waiting(store, len(seqs_stored) + 1)) is None:
            seqs_stored.append(len(seqs_stored) + 1)
        async with asyncio.timeout(60):
            with pytest.raises(StoreUnavailable):
                await store.save(log(len(seqs_stored) + 2))
        assert not doubtful.done()
    finally:
        postgresql.execute("ALTER SYSTEM RESET synchronous_standby_names")
        postgresql.execute("SELECT pg_reload_conf()")
    async with asyncio.timeout(60):
        await doubtful
    assert await seqs(store) == [*seqs_stored, len(seqs_stored) + 1]


async def _waiting(store: Store, seq: int) -> asyncio.Task[None] | None:
    """A write that is not acknowledged; None if it was stored at once."""
    while True:
        task = asyncio.get_running_loop().create_task(store.save(log(seq)))
        await asyncio.wait([task], timeout=1)
        if not task.done():
            return task
        # On a busy machine even an insert may take longer than is waited for.
        with suppress(StoreUnavailable):
            await task
            return None


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
async def test_a_database_that_cannot_hold_every_name_is_refused(
    postgresql: Cluster, encoding: str
) -> None:
    """A database with a limited encoding is refused before anything is in it."""
    postgresql.execute(f"CREATE DATABASE narrow TEMPLATE template0 ENCODING '{encoding}'")
    try:
        with pytest.raises(BadDatabase, match=f"its encoding is {encoding}.*--encoding UTF8"):
            await Store.open(postgresql.url("narrow"))
    finally:
        postgresql.execute("DROP DATABASE narrow")


@on_postgresql
async def test_a_database_of_a_newer_version_is_left_alone(url: str) -> None:
    """A database of a newer version is refused with its version, and not changed."""
    await (await Store.open(url)).close()
    execute(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabase, match="schema 9999"):
        await Store.open(url)
    execute(url, f"UPDATE alembic_version SET version_num = '{HEAD}'")
    await (await Store.open(url)).close()


@on_postgresql
async def test_the_environment_does_not_choose_the_encoding(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the environment nor a role changes the encoding."""
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    store = await Store.open(url)
    await store.save(Write(tables=(table()._replace(summary='{"name": "\u265b"}'),)))
    assert [row.summary for row in await store.open_tables()] == ['{"name": "\u265b"}']
    await store.close()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://cards@127.0.0.1:5432:hunter2/x", "is not one"),
        ("postgresql://cards:hunter2@[::1/x", "is not one"),
        ("postgresql://cards:an@hunter2@127.0.0.1/x", "an @ too many"),
        ("postgresql://cards:hunter2@127.0.0.1/x?nonsense=1", "stands after \\?"),
        ("postgresql://cards:hunter2@nobody.invalid/x", "resolve host 'nobody.invalid'"),
    ],
)
async def test_a_url_that_leads_nowhere_is_refused_without_its_password(
    url: str, says: str
) -> None:
    """A wrong URL is refused without its password, also if it was parsed wrongly."""
    with pytest.raises(StoreError, match=says) as raised:
        await Store.open(url)
    assert "hunter2" not in logged(raised.value)
