"""Numba is fetched where `make play` has left it out, and nowhere else."""

import sys
from pathlib import Path

import pytest

from bots.search import compiled, left_out
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
    """One that `make play` has set up, and a pip that installs a note of what it was asked."""
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


def test_nothing_is_fetched_into_other_environments() -> None:
    """This one has everything already."""
    assert not can_fetch()
    assert fetched() is None
    compiled.obtain()


def test_what_was_left_out_is_fetched_once(environment: Path) -> None:
    """In the locked versions, into a folder that has its name when it is complete."""
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
    """What was fetched for an older lock is not used with a newer one."""
    fetch()
    (tmp_path / "requirements" / "base.txt").write_text(BASE.replace("numba==2", "numba==3"))
    assert fetched() is None


def test_without_a_network_it_says_so(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, with what to do later; nothing is left behind."""
    install_pip(environment, monkeypatch, NO_NETWORK)
    with pytest.raises(NotFetched, match=r"no network.*`tools/environment base`"):
        fetch()
    assert fetched() is None
    assert sorted(path.name for path in environment.iterdir()) == ["installed-play", "python"]
