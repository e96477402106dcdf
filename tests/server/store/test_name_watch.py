"""The kernel tells of every change by which a name may lead to another file."""

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from server.store import DatabaseLost, Store, name_watch
from server.store.file_watch import FileWatch
from server.store.name_watch import NameWatch
from tests.server.store.rows import log, opened
from tests.server.store.test_file_watch import log_of

Change: TypeAlias = Callable[[Path], object]

FOLDER = "upper/data"


def make(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch()


def exchange(path: Path, above: int) -> None:
    """Put another folder in the place of one on the way, with a file of the same name in it."""
    folder = path.parents[above]
    folder.rename(folder.with_name("was"))
    make(path)


CHANGES: dict[str, Change] = {
    "deleted": Path.unlink,
    "moved": lambda path: path.rename(path.with_name("hidden")),
    "replaced": lambda path: path.with_name("other").replace(path),
    "its folder moved": lambda path: path.parent.rename(path.parent.with_name("moved")),
    "its folder exchanged": lambda path: exchange(path, 0),
    "the folder above moved": lambda path: path.parents[1].rename(path.parents[1].with_name("x")),
    "the folder above exchanged": lambda path: exchange(path, 1),
    "closed to others": lambda path: path.parent.chmod(0o700),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / FOLDER / "cards.sqlite3"
    make(path)
    path.with_name("other").touch()
    path.parent.chmod(0o755)
    return path


@pytest.fixture
def watch(path: Path) -> Iterator[NameWatch]:
    watch = NameWatch(path)
    if not watch.hears:
        pytest.skip("the kernel tells nothing here")
    yield watch
    watch.close()


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_told(path: Path, watch: NameWatch, name: str) -> None:
    """Once, if the folder is still there; and nothing is told while the file itself grows."""
    path.write_text("grows")
    assert not watch.may_have_changed()
    CHANGES[name](path)
    assert watch.may_have_changed()
    assert watch.may_have_changed() == (not path.parent.exists())


@pytest.mark.parametrize("above", [0, 1])
def test_it_goes_on_in_the_folders_that_are_on_the_way_now(
    path: Path, watch: NameWatch, above: int
) -> None:
    """The old ones concern nobody any more."""
    exchange(path, above)
    assert watch.may_have_changed()
    path.unlink()
    assert watch.may_have_changed()
    (old,) = path.parents[above + 1].rglob("was/**/other")
    old.unlink()
    assert not watch.may_have_changed()


LINKS: dict[str, Callable[[Path], tuple[Path, Path]]] = {
    "of the file": lambda path: link(path.parents[2] / "a" / "link", path),
    "of its folder": lambda path: link(path.parents[2] / "a" / "link", path.parent),
    "beside it": lambda path: link(path.with_name("link"), Path(path.name)),
    "from a folder beside": lambda path: link(
        path.parents[2] / "a" / "link", Path("../upper/./data")
    ),
}


def link(name: Path, to: Path) -> tuple[Path, Path]:
    """A link that leads `to` a place; with the name of the file by way of it."""
    name.parent.mkdir(exist_ok=True)
    name.symlink_to(to)
    return name, name / "cards.sqlite3" if name.is_dir() else name


@pytest.mark.parametrize("kind", LINKS)
def test_links_on_the_way_are_part_of_it(path: Path, kind: str) -> None:
    """They may be made to lead elsewhere, and what they lead to may be exchanged."""
    made, name = LINKS[kind](path)
    assert name.samefile(path)
    watch = NameWatch(name)
    if not watch.hears:
        pytest.skip("the kernel tells nothing here")
    assert not watch.may_have_changed()
    path.unlink()
    assert watch.may_have_changed()
    path.touch()
    assert watch.may_have_changed()
    exchange(path, 1)
    assert watch.may_have_changed()
    path.with_name("other").touch()
    if kind == "beside it":
        made.symlink_to(path.name)
    assert watch.may_have_changed()
    other = made.with_name("made anew")
    other.symlink_to(path.parents[1] / "was")
    assert watch.may_have_changed()
    assert not watch.may_have_changed()
    other.replace(made)
    assert watch.may_have_changed()
    watch.close()


def test_a_link_may_lead_to_the_same_file_by_another_way(path: Path) -> None:
    """What happens on that way is heard of from then on."""
    made, name = LINKS["of its folder"](path)
    around = made.with_name("around")
    around.symlink_to(path.parents[1])
    watch = NameWatch(name)
    if not watch.hears:
        pytest.skip("the kernel tells nothing here")
    new = made.with_name("new")
    new.symlink_to(Path("around/data"))
    new.replace(made)
    assert watch.may_have_changed()
    assert name.samefile(path)
    assert not watch.may_have_changed()
    around.rename(around.with_name("away"))
    assert watch.may_have_changed()
    watch.close()


def test_a_file_may_become_a_link_to_where_it_was_moved(path: Path, watch: NameWatch) -> None:
    """What happens to it there is heard of from then on."""
    there = path.parents[2] / "there.sqlite3"
    path.rename(there)
    path.symlink_to(there)
    assert watch.may_have_changed()
    assert not watch.may_have_changed()
    there.unlink()
    assert watch.may_have_changed()


def test_links_in_a_circle_lead_nowhere(path: Path) -> None:
    """As for the kernel; somebody has to look, and finds nothing."""
    name = path.with_name("circle")
    name.symlink_to(name)
    watch = NameWatch(name)
    assert not watch.hears
    watch.close()


def test_more_changes_than_are_kept_count_as_one(path: Path, watch: NameWatch) -> None:
    """The kernel drops notices then, and says so last of all."""
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 50_000:
        pytest.skip("too many changes are kept here")
    other = path.with_name("other")
    for _ in range(limit // 2 + 1):
        other.unlink()
        other.touch()
    # Nobody hears of this one by itself.
    path.unlink()
    assert watch.may_have_changed()
    assert not watch.may_have_changed()
    path.touch()
    assert watch.may_have_changed()


def test_without_a_folder_there_are_no_notices_until_the_end(path: Path, watch: NameWatch) -> None:
    """Then somebody has to look each time."""
    path.parents[1].rename(path.parents[1].with_name("moved"))
    assert [watch.may_have_changed() for _ in range(3)] == [True] * 3
    assert not watch.hears


@pytest.mark.parametrize("reason", ["another machine's disk", "no more descriptors"])
def test_where_the_kernel_does_not_tell_somebody_has_to_look(
    path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    """It is always as if there was a change."""
    if reason == "another machine's disk":
        monkeypatch.setattr(name_watch, "LOCAL", frozenset())
        watch = NameWatch(path)
    else:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            watch = NameWatch(path)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert not watch.hears
    assert watch.may_have_changed()
    assert watch.may_have_changed()
    watch.close()


MOUNTED = """
import subprocess, sys
from pathlib import Path
from server.store.name_watch import NameWatch
path = Path(sys.argv[1])
watch = NameWatch(path)
before = watch.may_have_changed()
subprocess.run(["mount", "-t", "tmpfs", "none", str(path.parent)], check=True)
print(watch.hears, before, watch.may_have_changed(), watch.may_have_changed())
path.touch()
print(watch.may_have_changed())
"""


def test_a_mount_on_the_way_is_told(path: Path) -> None:
    """It hides the file, and no folder was changed by it."""
    try:
        done = subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount"]
            + [sys.executable, "-c", MOUNTED, str(path)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"nothing can be mounted here: {error}")
    assert done.stdout == "True False True False\nTrue\n"


async def test_names_are_looked_up_only_after_a_change(
    tmp_path: Path, watch: NameWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself does something in the folder when it is first written to."""
    looks = 0
    check = FileWatch.check

    def counted(self: FileWatch) -> None:
        nonlocal looks
        looks += 1
        check(self)

    monkeypatch.setattr(FileWatch, "check", counted)
    path = tmp_path / "data" / "cards.sqlite3"
    store = await Store.open(f"sqlite:///{path}")
    await store.save(opened())
    await store.save(log(2))
    before = looks
    for seq in range(3, 6):
        await store.save(log(seq))
    assert looks == before
    path.with_name("notes").touch()
    await store.save(log(6))
    await store.save(log(7))
    assert looks == before + 1
    await store.close()


async def test_what_was_found_after_a_commit_is_final(tmp_path: Path) -> None:
    """Nobody tells of it again, and the log may look right again meanwhile."""
    path = tmp_path / "data" / "cards.sqlite3"
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
