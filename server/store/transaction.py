"""A transaction on the driver's own connection, by which all rows are written.

Through SQLAlchemy, beginning, writing and committing take longer than some disks need to sync. Its
`Connection` still owns the driver's, and is told when it is lost.

In SQLite a transaction of one statement, as of a single move, is left to the statement: it is one
by itself, with equal lock and sync, and two calls of the driver are saved.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeAlias

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

# The cursors of two drivers, of which only `rowcount` is asked.
Execute: TypeAlias = Callable[..., Any]
"""Executes a statement of the driver with its values."""


class DriverTransaction:
    """A context in which statements are one transaction, rolled back if an error leaves it.

    It may be entered again and again. Errors of the driver are raised as SQLAlchemy's. `mark` is
    the placeholder of a value in a statement.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        # A connection of any driver; their types have nothing in common.
        driver: Any = connection.connection.driver_connection
        self._driver = driver
        self._error = connection.dialect.loaded_dbapi.Error
        # PostgreSQL's driver begins by itself, with the first statement.
        is_sqlite = connection.dialect.name == "sqlite"
        self.execute: Execute = self._execute if is_sqlite else driver.execute
        self.mark = "?" if is_sqlite else "%s"
        # For SQLite: the first statement, until it is known whether another one follows.
        self._first: tuple[str, Sequence[object]] | None = None
        self._begun = False

    def __enter__(self) -> Self:
        self._first = None
        self._begun = False
        return self

    def _execute(self, statement: str, values: Sequence[object] = ()) -> object:
        """Execute a statement in SQLite, the first only when another follows or at the commit."""
        if self._begun:
            return self._driver.execute(statement, values)
        if self._first is None:
            self._first = statement, values
            return None
        first, self._first = self._first, None
        self._begun = True
        self._driver.execute("BEGIN IMMEDIATE")
        self._driver.execute(*first)
        return self._driver.execute(statement, values)

    def run(self, statement: ClauseElement) -> None:
        """Execute a rare statement with its values: it is compiled anew."""
        compiled = statement.compile(
            dialect=self.connection.dialect, compile_kwargs={"render_postcompile": True}
        )
        assert isinstance(compiled, SQLCompiler)
        values = compiled.params
        named = compiled.positiontup
        self.execute(compiled.string, values if named is None else [values[name] for name in named])

    def commit(self) -> None:
        """Commit; an error is followed by a rollback at the end of the context."""
        if self._first is None:
            self._driver.commit()
        else:
            self._driver.execute(*self._first)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if error is None:
            return
        # Of a connection that is lost nothing is left to roll back.
        with suppress(self._error):
            self._driver.rollback()
        if isinstance(error, self._error):
            raise self._as_sqlalchemy(error) from error

    # The errors of two drivers, which are the same by name only.
    def _as_sqlalchemy(self, error: Any) -> Exception:
        lost = self.connection.dialect.is_disconnect(error, self._driver, None)
        if lost:
            self.connection.invalidate(error)
        found: Exception = DBAPIError.instance(
            None, None, error, self._error, hide_parameters=True, connection_invalidated=lost
        )
        return found
