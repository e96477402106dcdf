"""Statements of another program to a server's database, of either kind."""

from typing import Any

from sqlalchemy import create_engine, text

from server.store.database import database_url
from tests.server.harness import ServerHarness


def execute(
    server: ServerHarness, statement: str, **values: object
) -> list[tuple[Any, ...]]:  # a column may hold anything
    """Run a statement in a transaction of its own; returns its rows.

    It may name `values` with a colon before each; without any, colons are as they are.
    """
    engine = create_engine(database_url(server.settings.database))
    try:
        with engine.begin() as connection:
            if values:
                result = connection.execute(text(statement), values)
            else:
                result = connection.exec_driver_sql(statement)
            return list(map(tuple, result)) if result.returns_rows else []
    finally:
        engine.dispose()
