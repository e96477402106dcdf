# ruff: noqa: ASYNC240 - the files are the test, and nothing else goes on meanwhile
"""The database file changes while the server runs: nothing more is acknowledged."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import structlog

from server.store import DatabaseLost, Store
from tests.server.store.rows import log, opened

Mischief: TypeAlias = Callable[[Path], object]


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def cut(path: Path, keep: float) -> None:
    # By name: closing a descriptor of the database would give up SQLite's locks on it.
    os.truncate(path, int(path.stat().st_size * keep))


def replace(path: Path) -> None:
    """Put a copy in the place of a file."""
    copy = path.with_name("copy")
    subprocess.run(["cp", str(path), str(copy)], check=True)
    copy.replace(path)


def exchange(folder: Path) -> None:
    """Put a copy in the place of a folder."""
    was = folder.rename(folder.with_name("was"))
    subprocess.run(["cp", "-r", str(was), str(folder)], check=True)


def remove_all(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def elsewhere(program: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run Python code on the database in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


MISCHIEF: dict[str, Mischief] = {
    "deleted": Path.unlink,
    "deleted with all that belongs to it": remove_all,
    "replaced": replace,
    "cut by half": lambda path: cut(path, 0.5),
    "cut to nothing": lambda path: cut(path, 0),
    "its folder deleted": lambda path: shutil.rmtree(path.parent),
    "its folder moved": lambda path: path.parent.rename(path.parent.with_name("moved")),
    "its folder exchanged": lambda path: exchange(path.parent),
    "the folder above exchanged": lambda path: exchange(path.parents[1]),
    "log deleted": lambda path: log_of(path).unlink(),
    "log replaced": lambda path: replace(log_of(path)),
    "log cut by half": lambda path: cut(log_of(path), 0.5),
    "log cut to nothing": lambda path: cut(log_of(path), 0),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "upper" / "data" / "cards.sqlite3"


@pytest.mark.parametrize("name", MISCHIEF)
async def test_nothing_is_acknowledged_in_a_file_that_is_gone(
    path: Path, name: str, log_events: list[structlog.typing.EventDict]
) -> None:
    """After any change of the file the next write and readiness fail, and the log says so."""
    store = await Store.open(f"sqlite:///{path}")
    await store.save(opened())
    await store.ping()
    MISCHIEF[name](path)
    with pytest.raises(DatabaseLost):
        await store.save(log(2))
    with pytest.raises(DatabaseLost):
        await store.ping()
    await store.close()
    (told,) = [event for event in log_events if event["event"] == "database_unavailable"]
    assert told["code"] == "database_lost"


def test_a_mount_over_its_folder_is_noticed(path: Path) -> None:
    """A mount over the file's folder is noticed."""
    mount = ["unshare", "--user", "--map-root-user", "--mount"]
    done = subprocess.run(
        [*mount, sys.executable, "-c", MOUNTED, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if "CalledProcessError" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(f"nothing can be mounted here: {done.stderr}")
    assert "the database cannot be found" in done.stdout, done.stderr


async def test_a_file_that_was_gone_is_not_trusted_again(path: Path) -> None:
    """A file that was gone is not trusted until the next start."""
    store = await Store.open(f"sqlite:///{path}")
    await store.save(opened())
    path.rename(path.with_name("hidden"))
    with pytest.raises(DatabaseLost, match="cannot be found"):
        await store.save(log(2))
    path.with_name("hidden").rename(path)
    with pytest.raises(DatabaseLost):
        await store.save(log(2))
    await store.close()
    again = await Store.open(f"sqlite:///{path}")
    await again.save(log(2))
    await again.close()


async def test_what_was_found_after_a_commit_is_final(path: Path) -> None:
    """After a change found at a commit nothing more is stored."""
    store = await Store.open(f"sqlite:///{path}")
    await store.save(opened())
    wal = log_of(path)
    was = wal.read_bytes()
    wal.write_bytes(b"")
    with pytest.raises(DatabaseLost, match="emptied"):
        await store.save(log(2))
    with wal.open("r+b") as file:
        file.write(was)
    with pytest.raises(DatabaseLost, match="emptied"):
        await store.save(log(3))
    await store.close()


@pytest.mark.parametrize("statement", ["PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM"])
async def test_what_sqlite_does_to_its_files_is_no_loss(path: Path, statement: str) -> None:
    """Checkpoints and vacuum by another program are no loss."""
    store = await Store.open(f"sqlite:///{path}")
    for number in range(20):
        await store.save(opened(f"T{number}"))
        await store.save(log(*range(2, 200), code=f"T{number}"))
    large = elsewhere(f"{SQL}run('PRAGMA wal_checkpoint(TRUNCATE)', 'DELETE FROM entries')", path)
    assert large.returncode == 0, large.stderr
    await store.save(opened("BBBB"))
    before = path.stat().st_size
    done = elsewhere(f"{SQL}run({statement!r}, 'PRAGMA wal_checkpoint(TRUNCATE)')", path)
    assert done.returncode == 0, done.stderr
    assert log_of(path).stat().st_size == 0
    assert (path.stat().st_size < before) == (statement == "VACUUM")
    await store.save(opened("CCCC"))
    await store.close()


SQL = """
import sqlite3, sys
def run(*statements):
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()
"""

MOUNTED = """
import asyncio, subprocess, sys
from pathlib import Path
from server.store import DatabaseLost, Store
from tests.server.store.rows import log, opened
async def run():
    path = Path(sys.argv[1])
    store = await Store.open(f"sqlite:///{path}")
    await store.save(opened())
    subprocess.run(["mount", "-t", "tmpfs", "none", str(path.parent)], check=True)
    try:
        await store.save(log(2))
    except DatabaseLost as error:
        print(error)
    await store.close()
asyncio.run(run())
"""

SECOND = """
import asyncio, sys
from server.store import DatabaseInUse, Store
async def run():
    try:
        store = await Store.open(f"sqlite:///{sys.argv[1]}")
    except DatabaseInUse as error:
        print(error)
    else:
        await store.close()
        print("opened")
asyncio.run(run())
"""


@pytest.mark.parametrize("link", [os.symlink, os.link])
async def test_a_second_server_is_refused_by_any_name(
    path: Path, link: Callable[[Path, Path], None]
) -> None:
    """A second server is refused by any link to the file."""
    store = await Store.open(f"sqlite:///{path}")
    other = path.with_name("other.sqlite3")
    link(path, other)
    refused = elsewhere(SECOND, other)
    assert "another server uses this database" in refused.stdout, refused.stderr
    await store.save(opened())
    await store.close()
    assert elsewhere(SECOND, other).stdout == "opened\n"


async def test_a_linked_database_has_its_log_beside_the_file(path: Path) -> None:
    """A linked database has its log beside the real file."""
    path.parent.mkdir(parents=True)
    link = path.with_name("link.sqlite3")
    link.symlink_to(path)
    store = await Store.open(f"sqlite:///{link}")
    await store.save(opened())
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "cards.sqlite3",
        "cards.sqlite3-shm",
        "cards.sqlite3-wal",
        "cards.sqlite3.lock",
        "cards.sqlite3.lock-journal",
        "link.sqlite3",
        "state-of-cards.sqlite3.json",
    ]
    await store.close()
