# ruff: noqa: ASYNC240 - the files are the test, and nothing else goes on meanwhile
"""What a start finds: a missing database is noticed, and lost entries are reported."""

import json
from pathlib import Path

import pytest

from server.ops.start_lines import tell_what_was_found
from server.store import CLOSED, Deletion, NoDatabase, Store, StoreUnavailable, Write
from server.store.last_state import CommitCount
from tests.server.store.rows import entry, log, opened, table
from tests.server.store.test_faults import told_before_kill
from tests.server.store.test_file_watch import remove_all

FRAME_BYTES = 24 + 2048


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cards.sqlite3"


@pytest.fixture
async def used(path: Path) -> Path:
    """A used database: two tables of three entries in all, one guest."""
    store = await Store.open(f"sqlite:///{path}")
    await store.save(opened())
    await store.save(log(2))
    await store.save(Write(tables=(table("OVER", CLOSED),), entries=(entry(1, "OVER"),)))
    await store.save(Write())
    await store.close()
    return path


async def test_a_start_says_what_it_found(used: Path) -> None:
    """A start logs its tables, entries and last time; after a clean end nothing is missing."""
    store = await Store.open(f"sqlite:///{used}")
    found = store.found
    await store.close()
    assert (found.tables, found.open_tables, found.entries) == (2, 1, 3)
    assert found.last_entry == 1002.0
    assert (found.missing, found.damaged, found.is_other) == ((0, 0), (), False)
    assert found.recovered_pages == 0


def emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("loss", [Path.unlink, remove_all, emptied])
async def test_no_empty_database_in_the_place_of_one_that_is_gone(used: Path, loss: object) -> None:
    """A database that is gone is reported with the flag that allows a new one."""
    assert callable(loss)
    loss(used)
    with pytest.raises(NoDatabase, match=r"a database of 3 entries .* --new-database"):
        await Store.open(f"sqlite:///{used}")
    with pytest.raises(NoDatabase):
        await Store.open(f"sqlite:///{used}")
    store = await Store.open(f"sqlite:///{used}", new=True)
    assert store.found.tables == 0
    await store.close()
    # From then on the new one is what is known.
    store = await Store.open(f"sqlite:///{used}")
    assert store.found.missing == (0, 0)
    await store.close()


async def test_a_database_that_is_there_is_kept_by_the_flag(used: Path) -> None:
    """With the flag an existing database is kept."""
    store = await Store.open(f"sqlite:///{used}", new=True)
    assert store.found.entries == 3
    await store.close()


async def test_a_state_that_cannot_be_read_still_says_that_there_was_one(used: Path) -> None:
    """An unreadable state file still shows that there was a database."""
    state = used.with_name("state-of-cards.sqlite3.json")
    state.write_text("{")
    store = await Store.open(f"sqlite:///{used}")
    assert (store.found.missing, store.found.is_other) == ((0, 0), False)
    await store.close()
    state.write_text("{")
    used.unlink()
    with pytest.raises(NoDatabase):
        await Store.open(f"sqlite:///{used}")


# The second can be opened by root, but never written.
@pytest.mark.parametrize("place", ["nowhere/state", "/proc/version"])
async def test_a_state_that_cannot_be_written_stops_the_start(used: Path, place: str) -> None:
    """A state file that cannot be written stops the start."""
    state = used.with_name("state-of-cards.sqlite3.json")
    state.unlink()
    state.symlink_to(used.parent / place)
    with pytest.raises(StoreUnavailable, match=r"state-of-cards.*cannot be written"):
        await Store.open(f"sqlite:///{used}")
    state.unlink()
    store = await Store.open(f"sqlite:///{used}")
    await store.close()


async def test_deleted_tables_are_not_missed(used: Path) -> None:
    """Entries deleted by housekeeping are not missed."""
    store = await Store.open(f"sqlite:///{used}")
    await store.save(Write(deleted=Deletion(tables=("OVER",))))
    await store.close()
    store = await Store.open(f"sqlite:///{used}")
    assert (store.found.entries, store.found.missing) == (2, (0, 0))
    await store.close()


@pytest.mark.parametrize("later", [log(3), Write()], ids=["an entry", "no entry"])
async def test_an_older_copy_is_told_from_what_was_acknowledged(
    used: Path, later: Write, log_events: list[dict[str, object]]
) -> None:
    """An older copy of the database is noticed, with the number of missing entries."""
    backup = used.read_bytes()
    store = await Store.open(f"sqlite:///{used}")
    await store.save(later)
    await store.close()
    used.write_bytes(backup)
    store = await Store.open(f"sqlite:///{used}")
    added = len(later.entries)
    assert store.found.missing == CommitCount(added, 1 - added)
    tell_what_was_found(store.found)
    assert log_events[-1]["event"] == "database_older"
    assert log_events[-1]["entries"] == added
    await store.close()


async def test_another_database_is_told(used: Path, tmp_path: Path) -> None:
    """Another database is used and logged as such."""
    other = tmp_path / "elsewhere" / "cards.sqlite3"
    store = await Store.open(f"sqlite:///{other}")
    await store.close()
    used.write_bytes(other.read_bytes())
    store = await Store.open(f"sqlite:///{used}")
    assert store.found.is_other
    await store.close()


async def test_tables_whose_last_entries_are_gone_are_named(used: Path) -> None:
    """Tables with missing last entries are named."""
    store = await Store.open(f"sqlite:///{used}")
    await store.save(Write(tables=(table("SHORT")._replace(seq=7),), entries=(entry(1, "SHORT"),)))
    await store.close()
    store = await Store.open(f"sqlite:///{used}")
    assert store.found.damaged == ("SHORT",)
    await store.close()


@pytest.mark.e2e
async def test_a_killed_server_finds_all_it_acknowledged_in_the_log(path: Path) -> None:
    """A killed server finds all acknowledged entries in the write-ahead log."""
    told = told_before_kill(f"sqlite:///{path}", 100)
    store = await Store.open(f"sqlite:///{path}")
    assert store.found.recovered_pages > 0
    assert store.found.missing == (0, 0)
    assert store.found.entries >= told[-1]
    await store.close()


@pytest.mark.e2e
@pytest.mark.parametrize("how", ["a page", "all of it", "its header", "removed"])
async def test_a_damaged_log_is_noticed(path: Path, how: str) -> None:
    """A damaged write-ahead log is noticed, with how far the database goes."""
    told = told_before_kill(f"sqlite:///{path}", 200)
    wal = Path(f"{path}-wal")
    damaged = bytearray(wal.read_bytes())
    match how:
        case "a page":
            middle = 32 + len(damaged) // FRAME_BYTES // 2 * FRAME_BYTES + 100
            damaged[middle] ^= 255
        case "all of it":
            damaged = bytearray(len(damaged))
        case "its header":
            damaged[0] ^= 255
    wal.write_bytes(damaged)
    if how == "removed":
        wal.unlink()
    known = json.loads(path.with_name("state-of-cards.sqlite3.json").read_text())
    assert known["entries"] >= told[-1]
    store = await Store.open(f"sqlite:///{path}")
    found = store.found
    await store.close()
    assert found.missing.entries == known["entries"] - found.entries
    assert found.missing.entries > 0
