"""Many rows in few statements: any number of them arrives whole and in order."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import Column, Engine, Integer, MetaData, Table, event, select
from sqlalchemy.engine import Connection
from sqlalchemy.engine.url import make_url

from server.store.bulk import LARGEST, BulkInsert
from server.store.database import open_engine

NUMBERS = Table(
    "numbers",
    MetaData(),
    Column("key", Integer, primary_key=True),
    Column("value", Integer),
)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(make_url(f"sqlite:///{tmp_path / 'bulk.sqlite3'}"), writes=True)
    yield engine
    engine.dispose()


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        with connection.begin():
            NUMBERS.metadata.create_all(connection)
        yield connection


@given(number=st.integers(0, 3 * LARGEST))
@example(LARGEST)
@example(2 * LARGEST - 1)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_number_of_rows_arrives(connection: Connection, number: int) -> None:
    """Any number of rows, cut into powers of two, arrives complete and in order."""
    rows = [(key, key * key) for key in range(number)]
    with connection.begin() as transaction:
        BulkInsert(NUMBERS).run(connection.exec_driver_sql, "?", rows)
        found = connection.execute(select(NUMBERS).order_by(NUMBERS.c.key)).all()
        transaction.rollback()
    assert [tuple(row) for row in found] == rows


def test_statements_are_few(engine: Engine, connection: Connection) -> None:
    """Two hundred rows take three statements: 128, 64 and 8."""
    sizes: list[int] = []

    @event.listens_for(engine, "before_cursor_execute")
    def note(
        connection: Connection,
        cursor: object,
        statement: str,
        parameters: tuple[object, ...],
        context: object,
        many: bool,
    ) -> None:
        if statement.startswith("INSERT"):
            sizes.append(len(parameters) // 2)

    with connection.begin():
        BulkInsert(NUMBERS).run(connection.exec_driver_sql, "?", [(key, 0) for key in range(200)])
    assert sizes == [128, 64, 8]


def test_replacing_overwrites_rows_of_the_same_key(connection: Connection) -> None:
    """`replace` overwrites every column of a known key, and adds a row otherwise."""
    with connection.begin():
        BulkInsert(NUMBERS).run(connection.exec_driver_sql, "?", [(1, 10), (2, 20)])
        BulkInsert(NUMBERS, replace=True).run(connection.exec_driver_sql, "?", [(2, 21), (3, 30)])
        found = connection.execute(select(NUMBERS).order_by(NUMBERS.c.key)).all()
    assert [tuple(row) for row in found] == [(1, 10), (2, 21), (3, 30)]


def test_keeping_leaves_rows_of_the_same_key(connection: Connection) -> None:
    """`keep` adds new rows and leaves known ones unchanged."""
    with connection.begin():
        BulkInsert(NUMBERS).run(connection.exec_driver_sql, "?", [(1, 10), (2, 20)])
        BulkInsert(NUMBERS, keep=True).run(connection.exec_driver_sql, "?", [(2, 21), (3, 30)])
        found = connection.execute(select(NUMBERS).order_by(NUMBERS.c.key)).all()
    assert [tuple(row) for row in found] == [(1, 10), (2, 20), (3, 30)]
