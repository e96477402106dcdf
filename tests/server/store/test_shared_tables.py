"""Rows about the tables of all nodes: seats, and which tables have changed."""

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from sqlalchemy import make_url
from sqlalchemy.engine import Connection

from server.store import CLOSED, Deletion, GivenTable, Store, Write
from server.store.database import database_url, open_engine, upgrade
from server.store.inserts import write_all
from server.store.shared_tables import CHANGED, changed_since
from server.store.transaction import DriverTransaction
from tests.counts import count
from tests.postgres import Cluster
from tests.server.store.databases import on_postgresql
from tests.server.store.nodes import Listener, die, is_drained, opened_node, takes, until
from tests.server.store.rows import entry, opened, seated, table
from tests.server.store.test_postgresql import execute

SESSIONS = 3

a_session = st.integers(0, SESSIONS - 1)
a_code = st.sampled_from(("T1", "T2", "T3"))


async def codes_of(store: Store, player: str) -> list[str]:
    return [found.row.code for found in await store.seats_of(player)]


async def test_seats_are_found_by_player(store: Store) -> None:
    """Seats are found by player, by the last row of each table."""
    await store.save(seated("BBBB", "ann", "bea"))
    await store.save(seated("AAAA", "ann"))
    assert await codes_of(store, "ann") == ["AAAA", "BBBB"]
    assert await codes_of(store, "bea") == ["BBBB"]
    for players in (("bea", "cid"), ("cid", "dan")):
        store.commit(seated("BBBB", *players), lambda error: None)
    await store.save(Write())
    assert await codes_of(store, "ann") == ["AAAA"]
    assert await codes_of(store, "bea") == []
    assert await codes_of(store, "cid") == await codes_of(store, "dan") == ["BBBB"]
    (found,) = await store.seats_of("dan")
    assert found.row == table("BBBB")


async def test_a_row_without_seats_leaves_them(store: Store) -> None:
    """A row without seats does not change them."""
    await store.save(seated("AAAA", "ann"))
    await store.save(Write(tables=(table("AAAA", "playing"),)))
    assert await codes_of(store, "ann") == ["AAAA"]


async def test_nobody_sits_at_a_table_that_is_closed_or_deleted(store: Store) -> None:
    """A closed or deleted table has no seats."""
    await store.save(seated("AAAA", "ann"))
    await store.save(seated("BBBB", "ann"))
    await store.save(seated("AAAA", phase=CLOSED))
    assert await codes_of(store, "ann") == ["BBBB"]
    await store.save(Write(deleted=Deletion(tables=("BBBB",))))
    assert await codes_of(store, "ann") == []
    await store.save(opened("BBBB"))
    assert await codes_of(store, "ann") == []


class Watcher:
    """A node that asks for what others have changed.

    Until its next renewal it may be told things twice, as also beside other transactions.
    """

    def __init__(self, store: Store, since: int = 0) -> None:
        self.store = store
        self.since = since
        self.known: dict[str, tuple[str, str | None]] = {}

    async def news(self) -> list[tuple[str, str, str | None]]:
        """Code, phase and owner of the tables with news."""
        tables, _, _, self.since = await self.store.changed_since(self.since)
        told = {each.row.code: (each.row.phase, each.owner) for each in tables}
        new = told.items() - self.known.items()
        self.known |= told
        return sorted((code, phase, owner) for code, (phase, owner) in new)


@on_postgresql
async def test_a_node_hears_of_the_tables_of_others(url: str) -> None:
    """A node hears of others' opened, changed, moved and closed tables, and not of its own."""
    listener = Listener()
    async with opened_node(url, "a") as first, opened_node(url, "b", listener=listener) as second:
        watcher = Watcher(second)
        assert await watcher.news() == []
        await first.save(opened("AAAA"))
        await first.save(opened("BBBB"))
        await second.save(opened("CCCC"))
        assert await watcher.news() == [("AAAA", "lobby", "a"), ("BBBB", "lobby", "a")]
        await first.save(Write(entries=(entry(2, "AAAA"),)))
        assert await watcher.news() == []
        await first.save(Write(tables=(table("AAAA", "playing"),)))
        assert await watcher.news() == [("AAAA", "playing", "a")]
        await first.save(Write(deleted=Deletion(given=(GivenTable("AAAA", "c"),))))
        assert await watcher.news() == [("AAAA", "playing", None)]
        await until(lambda: listener.codes == ["AAAA"])
        assert ("AAAA", "playing", "b") in await Watcher(first, watcher.since).news()
        await first.save(Write(tables=(table("BBBB", CLOSED),)))
        assert await watcher.news() == [("BBBB", CLOSED, "a")]
        assert await Watcher(first).news() == [("AAAA", "playing", "b"), ("CCCC", "lobby", "b")]


@on_postgresql
async def test_a_node_hears_of_a_table_that_a_third_took_over(url: str) -> None:
    """A node hears of a table that a third node took over."""
    async with (
        opened_node(url, "a") as first,
        opened_node(url, "b") as second,
        opened_node(url, "c") as third,
    ):
        await first.save(opened("AAAA"))
        watcher = Watcher(second)
        await watcher.news()
        assert second.node is not None
        second.node.stop_taking()
        await until(lambda: is_drained(third, "b"))
        die(first, url)
        await until(lambda: takes(third, "AAAA"))
        assert await watcher.news() == [("AAAA", "lobby", "c")]


@on_postgresql
async def test_rows_of_another_database_server_are_no_news(url: str) -> None:
    """Rows restored from another database server are no news."""
    async with opened_node(url, "a") as first, opened_node(url, "b") as second:
        await first.save(opened("AAAA"))
        execute(url, "UPDATE tables SET changed = 1000000000000")
        watcher = Watcher(second)
        assert await watcher.news() == [("AAAA", "lobby", "a")]
        assert await watcher.news() == []
        await first.save(Write(tables=(table("AAAA", "playing"),)))
        assert await watcher.news() == [("AAAA", "playing", "a")]


@on_postgresql
async def test_changes_are_found_by_an_index(url: str) -> None:
    """Changes are found by an index."""
    async with opened_node(url, "b") as store:
        await store.save(Write(tables=tuple(table(f"T{number}") for number in range(2000))))
        changes = await store.changed_since(0)
        # A transaction of the database itself, such as a vacuum, lets them be told again.
        while changes.own:
            changes = await store.changed_since(changes.since)
    execute(url, "ANALYZE tables")
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    statement = str(CHANGED).replace(":since", str(changes.since)).replace(":name", "'a'")
    with psycopg.connect(plain) as connection:
        lines = connection.execute(f"EXPLAIN {statement}".encode()).fetchall()
    assert "Index Scan using ix_tables_changed" in "\n".join(line for (line,) in lines)


class Session:
    """A connection that writes, and what its transaction has written so far."""

    def __init__(self, connection: Connection) -> None:
        self.transaction = DriverTransaction(connection)
        self.phases: dict[str, str] = {}

    def write(self, code: str, phase: str) -> None:
        with self.transaction:
            write_all(self.transaction, [seated(code, phase=phase)])
        self.phases[code] = phase

    def begin(self) -> None:
        """Get the number of a transaction before anything is written."""
        with self.transaction:
            self.transaction.execute("SELECT pg_current_xact_id()")

    def end(self, *, commit: bool) -> dict[str, str]:
        """End the transaction; returns what it stored."""
        with self.transaction:
            if commit:
                self.transaction.commit()
            else:
                self.transaction.execute("ROLLBACK")
        stored, self.phases = self.phases, {}
        return stored if commit else {}


class Sessions(RuleBasedStateMachine):
    """A state machine of several writing sessions and one that asks for changes."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.engine = open_engine(database_url(self.url), writes=True)
        self.connections = [self.engine.connect() for _ in range(SESSIONS + 1)]
        *writing, self.asking = self.connections
        self.sessions = [Session(connection) for connection in writing]
        with self.asking.begin():
            self.asking.exec_driver_sql("DELETE FROM tables")
        self.stored: dict[str, str] = {}
        self.told: dict[str, str] = {}
        self.since = 0
        self.writes = 0

    @rule(session=a_session)
    def begin(self, session: int) -> None:
        """Begin a transaction that has written to no table yet."""
        self.sessions[session].begin()

    @rule(session=a_session, code=a_code)
    def write(self, session: int, code: str) -> None:
        """Write the row of a table that no other transaction writes."""
        others = (each for at, each in enumerate(self.sessions) if at != session)
        if not any(code in other.phases for other in others):
            self.writes += 1
            self.sessions[session].write(code, f"phase {self.writes}")

    @rule(session=a_session, commit=st.booleans())
    def end(self, session: int, commit: bool) -> None:
        """End a transaction."""
        self.stored |= self.sessions[session].end(commit=commit)

    @rule()
    def ask(self) -> None:
        """Check that everything stored has been told."""
        with self.asking.begin():
            tables, _, _, self.since = changed_since(self.asking, "a", 1, self.since)
        self.told |= {each.row.code: each.row.phase for each in tables}
        assert self.told == self.stored

    def teardown(self) -> None:
        for connection in self.connections:
            connection.close()
        self.engine.dispose()


@pytest.fixture
def shared_url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database with the schema."""
    with postgresql.database() as url:
        upgrade(database_url(url), lambda: None)
        yield url


def test_no_change_is_missed(shared_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No change is missed, in whatever order transactions begin, write and end."""
    monkeypatch.setattr(Sessions, "url", shared_url)
    run_state_machine_as_test(
        Sessions,
        settings=settings(
            max_examples=count(30),
            stateful_step_count=60,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
