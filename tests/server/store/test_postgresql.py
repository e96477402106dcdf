"""Failures of a remote database: broken, taken over, reset, or stopped."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event
from typing import Any

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.engine import make_url

from server.store import (
    BadDatabase,
    DatabaseLost,
    Store,
    StoreError,
    StoreUnavailable,
    Write,
    reader,
)
from server.store.database import database_url, open_engine
from server.store.postgresql import BoundedConnection
from server.store.reader import Reader
from tests.postgres import Cluster
from tests.server.store.databases import on_postgresql
from tests.server.store.rows import log, opened, table
from tests.server.store.test_writes import SECRET, logged, secret_entry, seqs

pytestmark = on_postgresql
END_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"


def execute(url: str, statement: str) -> None:
    """Run another program's statement."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(statement.encode())


def break_off(url: str) -> None:
    """End all connections to the database, as an administrator may."""
    database = make_url(url).database
    execute(url, f"{END_ALL} AND datname = '{database}'")


async def test_broken_connections_are_made_again(store: Store, url: str) -> None:
    """A broken connection is opened again for reads at once, and for writes when repeated."""
    await store.save(opened())
    break_off(url)
    assert await seqs(store) == [1]
    break_off(url)
    with pytest.raises(StoreUnavailable):
        await store.save(log(2))
    await store.save(log(2))
    assert await seqs(store) == [1, 2]


@pytest.mark.parametrize("which", ["", "&target_session_attrs=read-write"])
async def test_of_several_hosts_the_one_that_takes_writes_is_found(
    postgresql: Cluster, url: str, which: str
) -> None:
    """Of several hosts the one that accepts writes is found."""
    name = make_url(url).database
    ports = f"1,{postgresql.port}"
    hosts = f"host=127.0.0.1,127.0.0.1&port={ports}{which}"
    store = await Store.open(f"postgresql+psycopg://cards@/{name}?{hosts}")
    await store.save(opened())
    assert await seqs(store) == [1]
    await store.close()


async def test_a_store_is_closed_while_the_database_lets_nobody_in(
    url: str, postgresql: Cluster
) -> None:
    """A store that lost its database can be closed without an error."""
    store = await Store.open(url)
    database = make_url(url).database
    postgresql.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
    postgresql.execute(f"{END_ALL} AND datname = '{database}'")
    with pytest.raises(StoreUnavailable):
        await store.ping()
    with pytest.raises(StoreUnavailable, match=r"not currently accepting|a moment ago"):
        await store.player("nobody")
    await store.close()


async def test_a_server_that_was_replaced_writes_no_more(store: Store, url: str) -> None:
    """A server whose database was taken by another one writes no more."""
    await store.save(opened())
    break_off(url)
    other = await Store.open(url)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.save(log(2))
    with pytest.raises(DatabaseLost, match="another server has taken over"):
        await store.save(log(2))
    break_off(url)
    with pytest.raises(DatabaseLost):
        await store.save(log(2))
    # The lock is the other's to take again, not one that the first server found free.
    with pytest.raises(StoreUnavailable):
        await other.save(log(2))
    await other.save(log(2))
    assert await seqs(other) == [1, 2]
    await other.close()


async def test_each_transaction_sees_who_writes(store: Store, url: str) -> None:
    """Each transaction checks who writes, so a lost lock is noticed."""
    await store.save(opened())
    execute(url, "UPDATE database_info SET owner = 'another'")
    with pytest.raises(DatabaseLost, match="another server has taken over"):
        await store.save(log(2))
    assert await seqs(store) == [1]


@pytest.mark.parametrize("statement", ["identity = 'x'", "commits = commits - 1"])
async def test_a_database_that_went_back_is_not_gone_on_with(
    store: Store, url: str, statement: str
) -> None:
    """After a reset of the database nothing more is stored."""
    await store.save(opened())
    execute(url, f"UPDATE database_info SET {statement}")
    break_off(url)
    with pytest.raises(StoreUnavailable):
        await store.save(log(2))
    with pytest.raises(DatabaseLost, match=r"replaced|lacks what was stored last \(1 commits\)"):
        await store.save(log(2))


@pytest.fixture
def lose_answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], Event]:
    """Lose the answer to the next commit, which the database gets or not.

    The event is set when the answer is lost.
    """
    commit = BoundedConnection.commit

    def lose(arrives: bool) -> Event:
        lost = Event()

        def broken(connection: BoundedConnection) -> None:
            monkeypatch.setattr(BoundedConnection, "commit", commit)
            if arrives:
                commit(connection)
            connection.close()
            lost.set()
            raise psycopg.OperationalError("the connection is lost")

        monkeypatch.setattr(BoundedConnection, "commit", broken)
        return lost

    return lose


@pytest.mark.parametrize("arrives", [True, False])
async def test_a_lost_answer_is_looked_up(
    store: Store, lose_answer: Callable[[bool], Event], arrives: bool
) -> None:
    """After a lost answer the commit is looked up, and the log continues from there."""
    await store.save(opened())
    lose_answer(arrives)
    if arrives:
        await store.save(log(2))
    else:
        with pytest.raises(StoreUnavailable, match="the connection is lost"):
            await store.save(log(2))
        await store.save(log(2))
    await store.save(log(3))
    assert await seqs(store) == [1, 2, 3]


async def test_reads_fail_at_once_after_one_that_failed(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failed read other reads fail at once for a while."""
    attempts: list[object] = []
    now = 1000.0
    monkeypatch.setattr(reader, "monotonic", lambda: now)
    connect = BoundedConnection.connect

    def connecting(*words: object, **values: object) -> object:
        attempts.append(words)
        raise psycopg.OperationalError("nobody is there")

    break_off(url)
    monkeypatch.setattr(BoundedConnection, "connect", connecting)
    for _ in range(20):
        with pytest.raises(StoreUnavailable) as raised:
            await store.load("ABCD")
        assert "store_failed" in logged(raised.value)
    assert len(attempts) == 1
    monkeypatch.setattr(BoundedConnection, "connect", connect)
    now += reader.AGAIN_SECONDS
    assert await store.load("ABCD") is None


@pytest.mark.parametrize("arrives", [True, False])
async def test_nothing_is_said_of_a_commit_in_doubt(
    store: Store,
    url: str,
    lose_answer: Callable[[bool], Event],
    monkeypatch: pytest.MonkeyPatch,
    arrives: bool,
) -> None:
    """While a commit is uncertain later writes are refused."""
    await store.save(opened())
    away = True
    connect = BoundedConnection.connect

    def connecting(*words: object, **values: object) -> object:
        if away:
            raise psycopg.OperationalError("nobody is there")
        return connect(*words, **values)  # type: ignore[arg-type] # as they came

    lost = lose_answer(arrives)
    monkeypatch.setattr(BoundedConnection, "connect", connecting)
    doubtful = asyncio.get_running_loop().create_task(store.save(log(2)))
    await asyncio.to_thread(lost.wait)
    for _ in range(3):
        with pytest.raises(StoreUnavailable, match="nobody is there"):
            await store.save(log(3))
    assert not doubtful.done()
    away = False
    if arrives:
        await doubtful
    else:
        with pytest.raises(StoreUnavailable):
            await doubtful
    assert await seqs(store) == ([1, 2] if arrives else [1])


async def test_a_store_with_a_commit_in_doubt_can_be_closed(
    url: str, lose_answer: Callable[[bool], Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store with an uncertain commit can be closed without claiming its outcome."""
    store = await Store.open(url)
    await store.save(opened())

    def connecting(*words: object, **values: object) -> object:
        raise psycopg.OperationalError("nobody is there")

    lost = lose_answer(True)
    with monkeypatch.context() as patch:
        patch.setattr(BoundedConnection, "connect", connecting)
        doubtful = asyncio.get_running_loop().create_task(store.save(log(2)))
        await asyncio.to_thread(lost.wait)
        with pytest.raises(StoreUnavailable):
            await store.save(log(3))
        await store.close()
        with pytest.raises(StoreUnavailable):
            await doubtful
    store = await Store.open(url)
    assert await seqs(store) == [1, 2]
    await store.close()


@pytest.mark.parametrize("commits", [True, False])
async def test_a_database_that_stands_still_is_given_up(
    store: Store, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch, commits: bool
) -> None:
    """A stopped database fails the write or leaves it uncertain, and the truth is told later."""
    await store.save(opened())
    for connection in (store._prepared.ownership._open, store._reader._opened):  # type: ignore[union-attr] # it is open
        assert connection is not None
        driver = connection.connection.driver_connection
        assert isinstance(driver, BoundedConnection)
        driver.answer_seconds = 0.3
    with ExitStack() as stack:
        given_up = Event()
        name = "commit" if commits else "cursor"
        before = getattr(BoundedConnection, name)

        def pausing(connection: BoundedConnection, *words: Any, **values: Any) -> object:
            monkeypatch.setattr(BoundedConnection, name, before)
            stack.enter_context(postgresql.paused())
            try:
                return before(connection, *words, **values)
            finally:
                given_up.set()

        monkeypatch.setattr(BoundedConnection, name, pausing)
        saving = asyncio.get_running_loop().create_task(store.save(log(2)))
        await asyncio.to_thread(given_up.wait)
        if not commits:
            with pytest.raises(StoreUnavailable, match="did not answer within"):
                await saving
    outcome = (await asyncio.gather(saving, return_exceptions=True))[0]
    assert await seqs(store) == ([1, 2] if outcome is None else [1])
    while outcome is not None:
        try:
            await store.save(log(2))
        except StoreUnavailable:
            continue
        outcome = None
    await store.save(log(3))
    assert await seqs(store) == [1, 2, 3]


@pytest.mark.parametrize(
    ("field", "value"),
    [("command", SECRET), ("time", SECRET), ("seq", 2**80), ("body", f"{SECRET}\0")],
)
async def test_no_value_that_is_refused_is_in_the_log(store: Store, field: str, value: Any) -> None:
    """Values that PostgreSQL refuses and quotes are not logged."""
    await store.save(opened())
    refused = Write(entries=(secret_entry()._replace(**{field: value}),))
    with pytest.raises(StoreError) as raised:
        await store.save(refused)
    assert SECRET not in logged(raised.value)


async def test_a_table_is_read_as_of_one_moment(url: str, store: Store) -> None:
    """The queries of one read see one moment of the database."""
    await store.save(Write(tables=(table()._replace(seq=1),), entries=log(1).entries))
    engine = open_engine(database_url(url), writes=False)
    reading = Reader(engine)
    between = [
        "UPDATE tables SET seq = 2",
        "INSERT INTO entries (table_code, seq, kind, time, body) VALUES ('ABCD', 2, 'x', 1, '{}')",
    ]

    @event.listens_for(engine, "after_cursor_execute")
    def write(*about: object) -> None:
        while between:
            execute(url, between.pop(0))

    loaded = reading.load("ABCD")
    assert loaded is not None
    assert not between
    assert (loaded[0].seq, [row.seq for row in loaded[1]]) == (1, [1])
    reading.close()


async def test_a_reader_cannot_write(url: str, store: Store) -> None:
    """A reader cannot write."""
    with (
        open_engine(database_url(url), writes=False).begin() as connection,
        pytest.raises(Exception, match="read-only transaction"),
    ):
        connection.exec_driver_sql("DELETE FROM tables")


@pytest.mark.parametrize("writes", [True, False])
def test_no_wait_is_without_end(url: str, writes: bool) -> None:
    """Statements, locks, idle transactions and dead peers have time limits."""
    with open_engine(database_url(url), writes=writes).connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"SHOW {name}").scalar()
            for name in (
                "statement_timeout",
                "lock_timeout",
                "idle_in_transaction_session_timeout",
                "idle_session_timeout",
                "tcp_keepalives_idle",
                "synchronous_commit",
                "default_transaction_isolation",
            )
        }
        driver = connection.connection.driver_connection
        assert isinstance(driver, BoundedConnection)
        asked = driver.info.get_parameters()
    assert found == {
        "statement_timeout": "8s",
        "lock_timeout": "5s",
        "idle_in_transaction_session_timeout": "10s",
        "idle_session_timeout": "0",
        "tcp_keepalives_idle": "10",
        "synchronous_commit": "on",
        "default_transaction_isolation": "read committed" if writes else "repeatable read",
    }
    assert asked["tcp_user_timeout"] == "15000"
    assert asked["keepalives_idle"] == "10"
    assert asked["connect_timeout"] == "5"


async def test_what_the_url_says_itself_stands(url: str) -> None:
    """Options in the URL are not overridden."""
    asked = "?connect_timeout=9&application_name=cards&options=-c%20lock_timeout%3D77"
    with open_engine(database_url(url + asked), writes=True).connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, BoundedConnection)
        assert driver.info.get_parameters()["connect_timeout"] == "9"
        assert driver.info.get_parameters()["application_name"] == "cards"
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "77ms"


@pytest.mark.parametrize(
    "given", ["cards:hunter2@127.0.0.1:{port}/no", "127.0.0.1:{port}/no?password=hunter2"]
)
async def test_no_password_is_in_a_message(url: str, given: str) -> None:
    """No message has a password of the URL."""
    port = make_url(url).port
    with pytest.raises(StoreError) as raised:
        await Store.open("postgresql://" + given.format(port=port))
    assert "hunter2" not in str(raised.value)
    for wrong in ("postgresql+nothing://", "mysql://", "oracle+oracledb://"):
        with pytest.raises(BadDatabase) as refused:
            database_url(wrong + given.format(port=port))
        assert "hunter2" not in str(refused.value)
