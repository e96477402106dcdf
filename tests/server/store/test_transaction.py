"""A transaction is stored whole or not at all, also one of a single statement."""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError, OperationalError

from server.store.transaction import DriverTransaction

ADD = "INSERT INTO moves VALUES (?)"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with an empty table of moves."""
    found = tmp_path / "moves.sqlite3"
    with sqlite3.connect(found) as other:
        other.execute("CREATE TABLE moves (number INTEGER PRIMARY KEY)")
    return found


@pytest.fixture
def connection(path: Path) -> Iterator[Connection]:
    """A connection on which statements are committed by hand, as the store's is."""
    settings = {"isolation_level": None, "timeout": 0.05}
    engine = create_engine(f"sqlite:///{path}", connect_args=settings)
    with engine.connect() as found:
        yield found
    engine.dispose()


def moves(path: Path) -> list[int]:
    """The moves that another connection reads."""
    with sqlite3.connect(path) as other:
        return [number for (number,) in other.execute("SELECT number FROM moves ORDER BY number")]


def add(transaction: DriverTransaction, numbers: Iterable[int]) -> None:
    """Store moves of these numbers, one statement each, in one transaction."""
    with transaction:
        for number in numbers:
            transaction.execute(ADD, (number,))
        transaction.commit()


def mistaken() -> Iterator[int]:
    """One number, and then an internal error."""
    yield 1
    raise ValueError("mistake")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_statements_are_there_for_others_once_they_are_committed(
    connection: Connection, path: Path, count: int
) -> None:
    """Nobody sees a statement before the commit, and all of them after."""
    with DriverTransaction(connection) as transaction:
        for number in range(count):
            transaction.execute(ADD, (number,))
        assert moves(path) == []
        transaction.commit()
    assert moves(path) == list(range(count))


@pytest.mark.parametrize("numbers", [[1], [2, 1], [2, 3, 1]])
def test_a_statement_that_fails_takes_the_others_with_it(
    connection: Connection, path: Path, numbers: list[int]
) -> None:
    """A failing statement removes its whole transaction, and the next one succeeds."""
    transaction = DriverTransaction(connection)
    add(transaction, [1])
    with pytest.raises(IntegrityError):
        add(transaction, numbers)
    assert moves(path) == [1]
    add(transaction, [4, 5])
    assert moves(path) == [1, 4, 5]


@pytest.mark.parametrize("count", [1, 2])
def test_a_transaction_waits_for_a_lock_and_says_that_it_has_none(
    connection: Connection, path: Path, count: int
) -> None:
    """Without the lock a transaction of one statement or several is refused whole."""
    transaction = DriverTransaction(connection)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(OperationalError, match="locked"):
        add(transaction, range(count))
    other.execute("COMMIT")
    other.close()
    assert moves(path) == []


def test_what_is_left_without_a_commit_is_forgotten(connection: Connection, path: Path) -> None:
    """Statements without a commit leave nothing for the next transaction."""
    transaction = DriverTransaction(connection)
    with pytest.raises(ValueError, match="mistake"):
        add(transaction, mistaken())
    add(transaction, [2])
    assert moves(path) == [2]
