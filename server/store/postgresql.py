"""Connections to PostgreSQL: their settings, and their time limits.

Every wait has an end. The database itself limits statements, locks and forgotten transactions, the
system limits a peer that is gone, and the driver one that keeps its connections open and does not
answer (a stopped process, a hanging disk).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import errors, pq
from psycopg.abc import PQGen
from sqlalchemy import Engine, event
from sqlalchemy.engine import URL

R = TypeVar("R")

ENCODING = "UTF8"
ANSWER_SECONDS = 10.0
"""How long the driver waits for the answer to one statement before it gives the connection up."""


class DatabaseTimeouts(NamedTuple):
    """The time limits of a connection: to connect and to be answered, in seconds.

    A statement, its wait for a lock, and a transaction's wait for its next statement (ours do not
    wait) are limited by the database, in milliseconds.
    """

    connect: int = 5
    answer: float = ANSWER_SECONDS
    statement: int = 8000
    lock: int = 5000
    idle: int = 10_000


LIMITS = DatabaseTimeouts()
NODE_LIMITS = DatabaseTimeouts(idle=1000)
"""Of a node among others, who wait for its transactions when they take its tables over."""
LEASE_LIMITS = DatabaseTimeouts(connect=2, answer=1.0, statement=900, lock=900, idle=1000)
"""Of the connection on which a node renews its lease."""

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
        """Return the database's answer; raise `OperationalError` if it does not come in time."""
        limit = self.answer_seconds if timeout is None else timeout
        try:
            return super().wait(gen, interval, limit)
        except errors._WaitTimeout:
            # What comes later would be taken for the answer to another statement.
            self.close()
            raise psycopg.OperationalError(
                f"the database did not answer within {limit:g} seconds"
            ) from None


def arguments(url: URL, *, writes: bool, limits: DatabaseTimeouts = LIMITS) -> dict[str, object]:
    """Return the arguments of a connection to `url`, beside those in the URL."""
    session = {
        "statement_timeout": limits.statement,
        "lock_timeout": limits.lock,
        "idle_in_transaction_session_timeout": limits.idle,
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
        **({"target_session_attrs": "read-write"} if _several_hosts(url) else {}),
        "connect_timeout": limits.connect,
        "keepalives": 1,
        **KEEPALIVES,
        "tcp_user_timeout": UNACKNOWLEDGED_MILLISECONDS,
    }
    chosen = {name: value for name, value in usual.items() if name not in url.query}
    which = chosen.get("target_session_attrs", url.query.get("target_session_attrs"))
    if which == "read-write" and not writes:
        # A session that may only read is at the primary, too.
        chosen["target_session_attrs"] = "primary"
    return {
        **chosen,
        "options": options,
        # Not what the environment or an old database would have: names hold any character.
        "client_encoding": ENCODING,
    }


def _several_hosts(url: URL) -> bool:
    """Whether `url` names hosts to be tried in turn, of which one is the primary."""
    hosts = url.query.get("host", "")
    return not isinstance(hosts, str) or "," in hosts


def way_to(url: URL) -> tuple[list[str], str]:
    """Return the hosts that the driver would try for `url`, "" for a Unix socket, and `sslmode`.

    Values missing in the URL may come from the environment (`PGHOST`, `PGSSLMODE`), or from a
    service file.
    """
    usual = {each.keyword.decode(): each.val for each in pq.Conninfo.get_defaults()}
    _, given = url.get_dialect()().create_connect_args(url)
    chosen = {**{name: (value or b"").decode() for name, value in usual.items()}, **given}
    hosts = str(chosen["hostaddr"] or chosen["host"])
    return hosts.split(","), str(chosen["sslmode"])


def bound(engine: Engine, limits: DatabaseTimeouts = LIMITS) -> None:
    """Make the connections of `engine` bounded ones."""

    @event.listens_for(engine, "do_connect")
    def connect(
        dialect: object, record: object, words: list[str], values: Mapping[str, Any]
    ) -> BoundedConnection:
        connection = BoundedConnection.connect(*words, **values)
        connection.prepared_max = STATEMENTS
        return connection

    # After what SQLAlchemy asks on its first connection: a node that starts may wait for that.
    @event.listens_for(engine, "connect")
    def limit(connection: BoundedConnection, record: object) -> None:
        if limits.answer != ANSWER_SECONDS:
            connection.answer_seconds = limits.answer
