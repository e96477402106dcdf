"""Opening a database: created, upgraded, or refused if it is not ours."""

import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Engine, make_url

from server import store
from server.store import BadDatabase, NewerDatabase
from server.store.claim import Claim
from server.store.database import MIGRATIONS, PAGE_BYTES, check, database_url, open_engine, upgrade
from server.store.opening import prepare
from server.store.schema import HEAD, METADATA
from tests.server.store.migrated import migrated
from tests.server.store.oldest_schema import REVISION


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "cards.sqlite3"


def prepared(path: Path) -> None:
    prepare(make_url(f"sqlite:///{path}")).release()


@pytest.fixture
def engine(path: Path) -> Iterator[Engine]:
    prepared(path)
    engine = open_engine(make_url(f"sqlite:///{path}"), writes=True)
    yield engine
    engine.dispose()


def version(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(found)


def execute(path: Path, *statements: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_migrations_lead_to_the_schema(url: str) -> None:
    """The migrations lead to the schema, so that autogeneration finds no change."""
    engine = open_engine(database_url(url), writes=True)
    migrated(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, METADATA) == []


def test_a_new_file_is_as_if_migrated(tmp_path: Path) -> None:
    """A new file has the tables, columns and indexes that the migrations make."""
    new, older = (make_url(f"sqlite:///{tmp_path / name}") for name in ("new", "older"))
    upgrade(new, lambda: None)
    migrated(open_engine(older, writes=True))
    assert made(new) == made(older)


def made(url: URL) -> list[object]:
    """What SQLite knows of a database, whatever the order of columns and the layout of its text."""
    with closing(sqlite3.connect(url.database or "")) as connection:

        def asked(pragma: str) -> list[Any]:
            return connection.execute(f"PRAGMA {pragma}").fetchall()

        tables = sorted((name, *more) for _, name, _, _, *more in asked("table_list"))
        parts: list[object] = [tables]
        for name, *_ in tables:
            parts.append(sorted(column[1:] for column in asked(f"table_info({name})")))
            parts.append(sorted(key[2:] for key in asked(f"foreign_key_list({name})")))
        indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index'"
        parts.append(sorted((n, (s or "").split()) for n, s in connection.execute(indexes)))
        return parts


def test_schema_that_moved_on_would_be_noticed(engine: Engine) -> None:
    """A column without a migration is found."""
    with engine.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE tables ADD COLUMN colour VARCHAR")
        differences = compare_metadata(MigrationContext.configure(connection), METADATA)
    assert [difference[0] for difference in differences] == ["remove_column"]


def test_head_is_the_last_migration() -> None:
    """There is one last migration, which the schema names."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


STORED_TABLES = [
    "INSERT INTO tables (code, game, version, private, phase, seq, created, summary)"
    f" VALUES ('{code}', 'hearts', 1, 0, '{phase}', 1, 1.0, '{summary}')"
    for code, phase, summary in (
        ("OPEN", "playing", '{"info": {}, "players": ["p1", "p2", "p1"]}'),
        ("SHUT", "closed", '{"info": {}, "players": ["p1"]}'),
        ("ODD1", "lobby", '{"players": 3}'),
        ("ODD2", "lobby", "[]"),
        ("ODD3", "lobby", "no summary"),
    )
]


def test_an_older_database_is_brought_up_to_date(path: Path) -> None:
    """Every schema from the oldest on is upgraded with its data."""
    for revision in (f"{number:04}" for number in range(int(REVISION), int(HEAD))):
        older = path.with_name(f"{revision}.sqlite3")
        older.parent.mkdir(exist_ok=True)
        migrated(open_engine(make_url(f"sqlite:///{older}"), writes=True), revision)
        columns = "(id, name, token_hash, created)"
        execute(older, f"INSERT INTO players {columns} VALUES ('p1', 'Ann', 'hash', 1.0)")
        execute(older, *STORED_TABLES)
        prepared(older)
        assert version(older) == HEAD
        with closing(sqlite3.connect(older)) as brought:
            assert brought.execute("SELECT name FROM players").fetchall() == [("Ann",)]
            assert brought.execute("SELECT * FROM descriptions").fetchall() == []
            assert brought.execute("SELECT * FROM bans").fetchall() == []
            assert brought.execute("SELECT * FROM devices").fetchall() == []
            assert brought.execute("SELECT * FROM reviews").fetchall() == []
            assert brought.execute("SELECT * FROM nodes").fetchall() == []
            assert brought.execute("SELECT * FROM hosted_games").fetchall() == []
            seats = brought.execute("SELECT * FROM seats ORDER BY table_code, player").fetchall()
            # From the eleventh on the server itself says who sits where.
            assert seats == ([("OPEN", "p1"), ("OPEN", "p2")] if revision < "0011" else [])
            assert brought.execute("SELECT * FROM node_requests").fetchall() == []
            assert brought.execute("SELECT * FROM node_answers").fetchall() == []
            assert brought.execute("SELECT * FROM device_codes").fetchall() == []
            assert brought.execute("SELECT DISTINCT changed FROM tables").fetchall() == [(0,)]
            # From the fourth on the server itself says whether a player was seen and ever sat.
            seen_and_sat = brought.execute("SELECT seen > 1, sat FROM players").fetchall()
            assert seen_and_sat == [(0, 1) if revision >= "0004" else (1, 0)]


def test_database_is_made_for_its_owner_alone(path: Path) -> None:
    """Folder and file are created for their owner alone."""
    prepared(path)
    assert version(path) == HEAD
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_lock_beside_it_is_its_owners_too(path: Path) -> None:
    """The lock file is its owner's alone, since a reader could lock it."""
    before = os.umask(0)
    try:
        prepared(path)
        claim = Claim(path)
    finally:
        os.umask(before)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    claim.release()


def test_connections_are_safe(engine: Engine) -> None:
    """Connections use WAL with full sync, foreign keys, and immediate locks."""
    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
        assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
        with (
            closing(sqlite3.connect(str(engine.url.database), timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="database is locked"),
        ):
            other.execute("BEGIN IMMEDIATE")


def test_a_new_database_has_small_pages(path: Path, engine: Engine) -> None:
    """A new database has small pages, since every move writes a page."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (PAGE_BYTES,)


def test_reading_connections_cannot_write(engine: Engine) -> None:
    """Reading connections cannot write."""
    reading = open_engine(engine.url, writes=False)
    with reading.connect() as connection, pytest.raises(Exception, match="readonly"):
        connection.exec_driver_sql("DELETE FROM tables")


def test_newer_database_is_refused_and_left_alone(path: Path) -> None:
    """A newer database is refused with both versions, and not changed."""
    prepared(path)
    execute(path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabase, match=rf"schema 9999, this version knows {HEAD}.*install"):
        prepared(path)
    assert version(path) == "9999"


def test_database_of_another_program_is_refused(path: Path) -> None:
    """A database of another program is refused."""
    execute(path, "CREATE TABLE recipes (name)")
    with pytest.raises(BadDatabase, match="another program"):
        prepared(path)


def test_file_that_is_no_database_is_refused(path: Path) -> None:
    """A file that is no database is refused and not changed."""
    path.parent.mkdir()
    path.write_text("dear diary, " * 100)
    with pytest.raises(BadDatabase, match="not a database"):
        prepared(path)
    assert path.read_text().startswith("dear diary")


def test_failed_opening_gives_the_database_back(path: Path) -> None:
    """After a failed opening the database can be opened again."""
    execute(path, "CREATE TABLE recipes (name)")
    for _ in range(2):
        with pytest.raises(BadDatabase):
            prepared(path)
    execute(path, "DROP TABLE recipes")
    prepared(path)


def test_broken_migration_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken migration leaves the old schema."""
    path.parent.mkdir()
    before = f"{int(HEAD) - 1:04}"
    migrated(open_engine(make_url(f"sqlite:///{path}"), writes=True), before)
    old = made(make_url(f"sqlite:///{path}"))

    def half_way(script: ScriptDirectory) -> None:
        module = script.get_revision(HEAD).module
        upgrade = module.upgrade

        def broken() -> None:
            upgrade()
            raise RuntimeError("out of luck")

        monkeypatch.setattr(module, "upgrade", broken)

    load = ScriptDirectory.from_config

    def loading(config: Config) -> ScriptDirectory:
        script = load(config)
        half_way(script)
        return script

    with monkeypatch.context() as patch:
        patch.setattr(ScriptDirectory, "from_config", loading)
        with pytest.raises(RuntimeError, match="out of luck"):
            prepared(path)
    assert version(path) == before
    assert made(make_url(f"sqlite:///{path}")) == old
    prepared(path)
    assert version(path) == HEAD


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"]
)
def test_database_in_memory_is_refused(url: str) -> None:
    """A database in memory is refused."""
    with pytest.raises(BadDatabase, match="name a file by its path"):
        database_url(url)


def test_bad_url_is_refused_with_an_example() -> None:
    """A bad URL is refused with an example, without repeating it."""
    with pytest.raises(BadDatabase, match="sqlite:///folder") as caught:
        database_url("cards:hunter2.sqlite3")
    assert "hunter2" not in str(caught.value)


def test_missing_driver_is_named_without_the_password() -> None:
    """A missing driver is named without the password."""
    with pytest.raises(BadDatabase, match=r"oracle.*\*\*\*") as caught:
        prepare(database_url("oracle+nodriver://cards:hunter2@host/x"))
    assert "hunter2" not in str(caught.value)


def test_a_driver_that_is_not_installed_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A driver that is not installed is named with its package."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for module in ("server.store.postgresql", "server.store.ownership"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.delattr(store, "postgresql", raising=False)
    with pytest.raises(BadDatabase, match=r"psycopg is not installed; .* blackqueen\[postgres\]"):
        prepare(database_url("postgresql://x/y"))


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A data folder that cannot be created is named."""
    tmp_path.joinpath("data").write_text("")
    with pytest.raises(BadDatabase, match=r"data/cards\.sqlite3: cannot be created"):
        prepared(tmp_path / "data" / "cards.sqlite3")


def test_reading_needs_a_database_of_this_version(path: Path) -> None:
    """A reader neither creates nor upgrades a database, and says which program does."""
    url = make_url(f"sqlite:///{path}")
    with pytest.raises(BadDatabase, match="no such file"):
        check(url)
    prepared(path)
    check(url)
    execute(path, "UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(BadDatabase, match="the server brings an older database up to date"):
        check(url)
    assert version(path) == "0000"
