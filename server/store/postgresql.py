"""Connections to PostgreSQL: what they may do, and how long they wait for it.

No wait is without an end. The database itself limits statements, locks and forgotten transactions,
the system limits a peer that is gone, and the driver one that keeps its connections open and does
not answer (a stopped process, a hanging disk).
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.abc import PQGen
from sqlalchemy import Engine, event
from sqlalchemy.engine import URL

R = TypeVar("R")

ENCODING = "UTF8"
CONNECT_SECONDS = 5
ANSWER_SECONDS = 10.0
"""How long the driver waits for the answer to one statement before it gives the connection up."""
STATEMENT_MILLISECONDS = 8000
LOCK_MILLISECONDS = 5000
IDLE_MILLISECONDS = 10_000
"""How long a transaction may wait for its next statement; ours never do."""
STATEMENTS = 512
"""Prepared statements a connection keeps: one for each number of rows (`bulk`), and the others."""

KEEPALIVES = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
UNACKNOWLEDGED_MILLISECONDS = 15_000

_WRITES = {
    # What a lesser setting acknowledges may be lost; a role or a database may have one.
    "synchronous_commit": "on",
    "default_transaction_isolation": r"read\ committed",
    "default_transaction_read_only": "off",
}
_READS = {
    # All of a transaction's queries see the database as of its first.
    "default_transaction_isolation": r"repeatable\ read",
    "default_transaction_read_only": "on",
}


class BoundedConnection(psycopg.Connection[tuple[Any, ...]]):  # rows of any columns
    """A connection that is closed when the database does not answer within `answer_seconds`."""

    answer_seconds: float | None = ANSWER_SECONDS

    def wait(self, gen: PQGen[R], interval: float = 0.1, timeout: float | None = None) -> R:
        """What the database answers; `OperationalError` if it does not in time."""
        limit = self.answer_seconds if timeout is None else timeout
        try:
            return super().wait(gen, interval, limit)
        except errors._WaitTimeout:
            # What comes later would be taken for the answer to another statement.
            self.close()
            raise psycopg.OperationalError(
                f"the database did not answer within {limit:g} seconds"
            ) from None


def arguments(url: URL, *, writes: bool) -> dict[str, object]:
    """What to connect to `url` with, beside what it says itself."""
    session = {
        "statement_timeout": STATEMENT_MILLISECONDS,
        "lock_timeout": LOCK_MILLISECONDS,
        "idle_in_transaction_session_timeout": IDLE_MILLISECONDS,
        # A server that nobody plays at is idle for days.
        "idle_session_timeout": 0,
        # The database gives up a server that is gone as soon as the server gives up the database:
        # until then its lock is held.
        "tcp_user_timeout": UNACKNOWLEDGED_MILLISECONDS,
        **{f"tcp_{name}": value for name, value in KEEPALIVES.items()},
        **(_WRITES if writes else _READS),
    }
    options = " ".join(f"-c {name}={value}" for name, value in session.items())
    if "options" in url.query:
        options = f"{options} {url.query['options']}"
    usual = {
        "application_name": "blackqueen",
        "connect_timeout": CONNECT_SECONDS,
        "keepalives": 1,
        **KEEPALIVES,
        "tcp_user_timeout": UNACKNOWLEDGED_MILLISECONDS,
    }
    return {
        **{name: value for name, value in usual.items() if name not in url.query},
        "options": options,
        # Not what the environment or an old database would have: names hold any character.
        "client_encoding": ENCODING,
    }


def bound(engine: Engine) -> None:
    """Let the connections of `engine` be bounded ones."""

    @event.listens_for(engine, "do_connect")
    def connect(
        dialect: object, record: object, words: list[str], values: Mapping[str, Any]
    ) -> BoundedConnection:
        connection = BoundedConnection.connect(*words, **values)
        connection.prepared_max = STATEMENTS
        return connection
