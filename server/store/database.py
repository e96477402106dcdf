"""Opens the database: makes its connections, and brings the schema up to date."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from server.store.errors import BadDatabase, NewerDatabase, StoreError, store_error
from server.store.schema import HEAD, METADATA

if TYPE_CHECKING:
    from server.store.postgresql import DatabaseTimeouts

BUSY_MILLISECONDS = 2000
"""How long a statement waits for another process that holds the database, a backup for example."""

PAGE_BYTES = 2048
"""Of a new database. Every table's log ends on a page of its own, which each entry writes anew:
half of SQLite's usual size is half as much to write and to sum up."""

CHECKPOINT_PAGES = 8000
"""Pages in the write-ahead log before they are copied into the database.

A page that changes often is then copied less often than with the 1000 pages SQLite would take.
"""

STATEMENTS = 512
"""Prepared statements a connection keeps: one for each number of rows (`bulk`), and the others."""

POSTGRESQL = "postgresql+psycopg"

MIGRATIONS = Path(__file__).parent / "migrations"


def database_url(text: str) -> URL:
    """Return `text` as a URL that this program can use, or raise `BadDatabase`."""
    try:
        url = make_url(text)
    # Neither the text nor what is said of it: a part of a password may have been taken for a port.
    except (ArgumentError, ValueError):
        raise BadDatabase(
            "the database URL is not one; write for example sqlite:///folder/blackqueen.sqlite3"
        ) from None
    if "@" in (url.host or ""):
        raise BadDatabase("the database URL has an @ too many; in a password write it as %40")
    # The driver of PostgreSQL that is used here; what SQLAlchemy takes for the usual one is older.
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername=POSTGRESQL)
    try:
        url.get_dialect()
    except NoSuchModuleError:
        raise BadDatabase(f"{shown(url)}: no kind of database that is known") from None
    if url.drivername not in (POSTGRESQL, "sqlite", "sqlite+pysqlite"):
        raise BadDatabase(f"{shown(url)}: neither SQLite nor PostgreSQL")
    if url.get_backend_name() == "sqlite" and not _names_file(url.database or ""):
        raise BadDatabase(
            f"{shown(url)}: tables must outlive the server, so name a file by its path"
        )
    return url


def _names_file(database: str) -> bool:
    return database not in ("", ":memory:") and not database.startswith("file:")


def open_engine(url: URL, *, writes: bool, limits: "DatabaseTimeouts | None" = None) -> Engine:
    """Return an engine whose transactions begin at once, with the write lock if it `writes`.

    In PostgreSQL nothing takes longer than the `limits` allow, by default the usual ones.
    """
    if url.get_backend_name() == "sqlite":
        engine = _engine(url, {"cached_statements": STATEMENTS})
        _tune_sqlite(engine, writes)
        return engine
    try:
        from server.store import postgresql
    except ModuleNotFoundError as error:
        raise BadDatabase(
            f"{shown(url)}: its driver {error.name} is not installed; for PostgreSQL "
            "install blackqueen[postgres]"
        ) from None
    except ImportError as error:
        raise BadDatabase(f"{shown(url)}: {error}") from None
    limits = limits or postgresql.LIMITS
    engine = _engine(url, postgresql.arguments(url, writes=writes, limits=limits))
    postgresql.bound(engine, limits)
    return engine


def _engine(url: URL, arguments: Mapping[str, object]) -> Engine:
    try:
        return create_engine(
            url, poolclass=NullPool, hide_parameters=True, connect_args=dict(arguments)
        )
    except (SQLAlchemyError, ImportError) as error:
        raise BadDatabase(f"{shown(url)}: {error}") from None


def upgrade(url: URL, may_begin: Callable[[], None]) -> None:
    """Bring the schema to `HEAD`; `may_begin` raises if an empty database must not be filled."""
    try:
        with open_engine(url, writes=True).connect() as connection:
            upgrade_on(connection, url, may_begin)
    except DatabaseError as error:
        raise _unreadable(url, error) from error


def upgrade_on(connection: Connection, url: URL, may_begin: Callable[[], None]) -> None:
    """Bring the schema to `HEAD` on an open connection."""
    with connection.begin():
        migrate(connection, url, may_begin)


def shown(url: URL) -> str:
    """Return `url` without its password, in whatever part that is, for people to read."""
    return url.set(query={}).render_as_string()


def _tune_sqlite(engine: Engine, writes: bool) -> None:
    @event.listens_for(engine, "connect")
    def configure(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        # The driver would begin transactions by its own rules; `begin` below does it instead.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        cursor.execute("PRAGMA foreign_keys = ON")
        if writes:
            # Before the database has its first page, which the next line writes.
            cursor.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            cursor.execute("PRAGMA journal_mode = WAL")
            # In WAL mode a lesser setting may lose commits that were acknowledged.
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        else:
            cursor.execute("PRAGMA query_only = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def check(url: URL) -> None:
    """Raise unless `url` has a database of this version, for programs that only read."""
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise BadDatabase(f"{shown(url)}: there is no such file")
    try:
        with open_engine(url, writes=False).begin() as connection:
            if _version(connection, url) != HEAD:
                raise BadDatabase(
                    f"{shown(url)}: written by another version of blackqueen; the "
                    "server brings an older database up to date when it starts"
                )
    except DatabaseError as error:
        raise _unreadable(url, error) from error


def _unreadable(url: URL, error: DatabaseError) -> StoreError:
    if "not a database" in str(error.orig):
        return BadDatabase(f"{shown(url)}: {error.orig}")
    return store_error(error)


def _version(connection: Connection, url: URL) -> str | None:
    """Return the migration that made this schema, None for an empty database."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise BadDatabase(f"{shown(url)}: the database of another program")
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())


def migrate(connection: Connection, url: URL, may_begin: Callable[[], None]) -> None:
    """Bring the schema to `HEAD` within an open transaction."""
    found = _version(connection, url)
    if found == HEAD:
        return
    if found is None:
        may_begin()
        _create(connection)
        return
    # Alembic is slow to import, and only an older database needs it.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found not in known:
        raise NewerDatabase(
            f"{shown(url)}: written by a newer version of blackqueen (schema {found}, "
            f"this version knows {HEAD}); install that version, or name another database"
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    logging.getLogger(__name__).info("database brought to schema %s", HEAD)


def _create(connection: Connection) -> None:
    """Make the tables of an empty database, as the migrations lead to them."""
    METADATA.create_all(connection)
    connection.execute(
        text(
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
            "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
    )
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
