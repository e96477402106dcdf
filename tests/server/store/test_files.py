# ruff: noqa: ASYNC240 - the files are the test, and nothing else goes on meanwhile
"""Unusable files are named at the start, before anything is done to others."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from server.store import BadDatabase, DatabaseLost, NoDatabase, Store, StoreUnavailable
from server.store.files import lock_file, state_file, write_ahead_log
from tests.server.store.rows import log, opened
from tests.server.store.test_faults import told_before_kill

FILES: dict[str, Callable[[Path], Path]] = {
    "database": lambda path: path,
    "log": write_ahead_log,
    "shared memory": lambda path: Path(f"{path}-shm"),
    "lock": lock_file,
    "state": state_file,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "cards.sqlite3"


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("name", FILES)
async def test_something_else_in_the_place_of_a_file_is_named(
    path: Path, name: str, used: bool
) -> None:
    """A folder or a pipe in place of a file is named, without waiting."""
    file = FILES[name](path)
    for put in (Path.mkdir, os.mkfifo):
        await _store(path, used)
        file.unlink(missing_ok=True)
        put(file)
        with pytest.raises(BadDatabase, match=f"{file}: something else"):
            await Store.open(f"sqlite:///{path}")
        (Path.rmdir if file.is_dir() else Path.unlink)(file)
        path.unlink(missing_ok=True)
        state_file(path).unlink(missing_ok=True)


@pytest.mark.parametrize("name", [*FILES, "folder"])
async def test_a_file_that_may_not_be_written_is_named(
    path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that may not be written is named at the start."""
    await _store(path, used=True)
    file = path.parent if name == "folder" else FILES[name](path)
    file.touch()
    # Permissions do not bind root, which may run these tests.
    may = os.access
    monkeypatch.setattr("os.access", lambda at, mode: at != file and may(at, mode))
    with pytest.raises(StoreUnavailable, match=f"{file}: the server may not read and write"):
        await Store.open(f"sqlite:///{path}")


async def test_a_lock_that_is_none_is_not_taken_for_another_server(path: Path) -> None:
    """A damaged lock file is not taken for another server."""
    await _store(path, used=True)
    lock_file(path).write_text("this is not a lock " * 100)
    with pytest.raises(BadDatabase, match=r"cannot be locked \(file is not a database\)"):
        await Store.open(f"sqlite:///{path}")


@pytest.mark.parametrize("loss", [Path.unlink, lambda path: os.truncate(path, 0)])
async def test_a_log_without_its_database_is_kept(
    path: Path, loss: Callable[[Path], object]
) -> None:
    """A log without its database is kept, which SQLite would delete."""
    path.parent.mkdir()
    told_before_kill(f"sqlite:///{path}", 50)
    loss(path)
    left = write_ahead_log(path).read_bytes()
    assert left
    with pytest.raises(NoDatabase, match=r"a database of \d+ entries"):
        await Store.open(f"sqlite:///{path}")
    state_file(path).unlink()
    with pytest.raises(NoDatabase, match=r"sqlite3-wal is left, .* --new-database"):
        await Store.open(f"sqlite:///{path}")
    assert write_ahead_log(path).read_bytes() == left
    store = await Store.open(f"sqlite:///{path}", new=True)
    assert store.found.tables == 0
    await store.close()


@pytest.mark.parametrize("linked", ["file", "folder"])
async def test_a_link_that_is_led_elsewhere_is_noticed(path: Path, linked: str) -> None:
    """A link that is changed to another file is noticed."""
    await _store(path, used=True)
    there, link = (path, path.parent.parent / "link")
    link.symlink_to(there if linked == "file" else there.parent)
    name = link if linked == "file" else link / path.name
    store = await Store.open(f"sqlite:///{name}")
    await store.save(opened("BBBB"))
    link.unlink()
    link.symlink_to(path.parent.parent / "elsewhere")
    with pytest.raises(DatabaseLost, match="cannot be found"):
        await store.save(log(2, code="BBBB"))
    await store.close()
    link.unlink()
    link.symlink_to(there if linked == "file" else there.parent)
    store = await Store.open(f"sqlite:///{name}")
    other = path.parent.parent / "elsewhere" / path.name
    await _store(other, used=True)
    link.unlink()
    link.symlink_to(other if linked == "file" else other.parent)
    with pytest.raises(DatabaseLost, match="made to lead elsewhere"):
        await store.save(log(2, code="BBBB"))
    await store.close()


async def _store(path: Path, used: bool) -> None:
    """A folder, optionally with a database that was in use."""
    path.parent.mkdir(exist_ok=True)
    if used:
        store = await Store.open(f"sqlite:///{path}")
        await store.save(opened())
        await store.close()
