"""Numba is fetched into the environment of `make play`, and nowhere else."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.search import compiled, fetching, left_out
from bots.search.fetching import fetch
from bots.search.left_out import NotFetched, can_fetch, fetched

PLAY = """\
msgpack==1 \\
    --hash=sha256:aa
"""
BASE = f"""{PLAY}\
numba==2 \\
    --hash=sha256:bb
"""
PIP = """\
#!/bin/sh
echo called >>"$(dirname "$0")/calls"
while [ "$1" != --target ]; do shift; done
echo "$TMPDIR" >"$(dirname "$0")/tmpdir"
mkdir -p "$2/numba"
cp "$4" "$2/numba/lock.txt"
"""
NO_NETWORK = """\
#!/bin/sh
echo "WARNING: first" >&2
echo "ERROR: no network" >&2
exit 1
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment of `make play`, and a pip that records its arguments."""
    made = tmp_path / ".venv"
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "play.txt").write_text(PLAY)
    (tmp_path / "requirements" / "base.txt").write_text(BASE)
    made.mkdir()
    (made / "installed-play").touch()
    monkeypatch.setattr(left_out, "_ROOT", tmp_path)
    monkeypatch.setattr(sys, "prefix", str(made))
    install_pip(made, monkeypatch, PIP)
    can_fetch.cache_clear()
    monkeypatch.setattr(left_out, "can_fetch", can_fetch.__wrapped__)
    return made


def install_pip(environment: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    python = environment / "python"
    python.write_text(script)
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))


def test_nothing_is_fetched_into_other_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is fetched into other environments, even if they lack Numba."""
    calls: list[str] = []
    monkeypatch.setattr(fetching, "fetch", lambda: calls.append("fetch"))
    monkeypatch.setattr(compiled, "available", lambda: False)
    assert not can_fetch()
    assert fetched() is None
    compiled.obtain()
    assert calls == []


def test_what_was_left_out_is_fetched_once(environment: Path) -> None:
    """The left-out packages are fetched once, in the locked versions, into a complete folder."""
    assert fetched() is None
    fetch()
    folder = fetched()
    assert folder is not None
    assert (folder / "numba" / "lock.txt").read_text() == BASE.removeprefix(PLAY)
    fetch()
    assert (environment / "calls").read_text() == "called\n"
    assert not list(environment.glob("unfinished-*"))


@pytest.mark.usefixtures("environment")
def test_other_versions_are_fetched_anew(tmp_path: Path) -> None:
    """After a change of the lock other versions are fetched."""
    fetch()
    (tmp_path / "requirements" / "base.txt").write_text(BASE.replace("numba==2", "numba==3"))
    assert fetched() is None


def test_without_a_network_it_says_so(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a network one line says what to do later, and nothing is left behind."""
    install_pip(environment, monkeypatch, NO_NETWORK)
    with pytest.raises(NotFetched, match=r"no network.*`tools/environment base`"):
        fetch()
    assert fetched() is None
    assert sorted(path.name for path in environment.iterdir()) == ["installed-play", "python"]


def test_files_of_pip_stay_in_the_unfinished_folder(environment: Path) -> None:
    """The temporary files of pip stay in the unfinished folder."""
    fetch()
    used = Path((environment / "tmpdir").read_text().strip())
    assert used.parent == environment
    assert used.name.startswith("unfinished-")


def test_what_nobody_finishes_is_removed(environment: Path) -> None:
    """Unfinished downloads of ended processes, or older than an hour, are removed."""
    ended = subprocess.Popen(("true",))
    ended.wait()
    killed = environment / f"unfinished-{ended.pid}-a"
    old = environment / f"unfinished-{os.getpid()}-b"
    unnamed = environment / "unfinished-c"
    for folder in (killed, old, unnamed):
        (folder / "packages").mkdir(parents=True)
    for folder in (old, unnamed):
        os.utime(folder, (1e9, 1e9))
    fetch()
    assert not list(environment.glob("unfinished-*"))


def test_a_download_that_goes_on_is_not_removed(environment: Path) -> None:
    """The download of a running process is not removed."""
    other = environment / f"unfinished-{os.getpid()}-a"
    other.mkdir()
    fetch()
    assert other.is_dir()


def test_what_was_fetched_for_another_lock_is_removed(environment: Path) -> None:
    """Packages fetched for another lock are removed, since they need hundreds of megabytes."""
    (environment / "strong-0123456789abcdef" / "numba").mkdir(parents=True)
    fetch()
    assert list(environment.glob("strong-*")) == [fetched()]


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC])
def test_a_folder_that_cannot_be_made_is_no_traceback(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be made is an error without a traceback."""

    def mkdtemp(**wanted: str) -> str:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fetching, "mkdtemp", mkdtemp)
    with pytest.raises(NotFetched, match=rf"{os.strerror(number)}.*must be writable"):
        fetch()


@pytest.mark.usefixtures("environment")
def test_of_two_that_finish_together_both_succeed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If two processes finish together the folder of the faster one is used."""
    rename = Path.rename

    def overtaken(path: Path, target: Path) -> Path:
        (target / "numba" / "theirs").mkdir(parents=True)
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", overtaken)
    fetch()
    folder = fetched()
    assert folder is not None
    assert (folder / "numba" / "theirs").is_dir()


def test_a_folder_that_cannot_be_renamed_is_no_traceback(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be renamed means that Numba is missing, without a traceback."""

    def rename(path: Path, target: Path) -> Path:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(NotFetched, match="Permission denied"):
        fetch()
    assert not list(environment.glob("unfinished-*"))


def test_a_download_that_hangs_is_given_up(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A download that hangs is given up, since others wait for it."""
    install_pip(environment, monkeypatch, "#!/bin/sh\nexec sleep 600\n")
    monkeypatch.setattr(fetching, "PIP_SECONDS", 0.1)
    with pytest.raises(NotFetched, match=r"took longer.*`tools/environment base`"):
        fetch()
    assert not list(environment.glob("unfinished-*"))
