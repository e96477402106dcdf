"""`tools/environment` sets up a virtual environment, also after a failed attempt."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = "bash cat cp cut dirname env find flock grep id mkdir rm sed sha256sum sleep tail touch tr"
PATIENCE = 100.0


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the tracked files elsewhere, without an environment."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            target = tmp_path / "checkout" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
    return tmp_path / "checkout"


def begun(checkout: Path, **environment: str) -> subprocess.Popen[str]:
    """The set-up for players, in a process group of its own, as a terminal starts it."""
    return subprocess.Popen(
        [checkout / "tools" / "environment", "play"],
        env={**os.environ, "PYTHON": sys.executable, **environment},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(setup: subprocess.Popen[str]) -> tuple[int, list[str]]:
    """The exit code and output of the set-up."""
    said = setup.communicate(timeout=PATIENCE)[1]
    return setup.returncode, said.splitlines()


def wait_until(condition: Callable[[], bool]) -> None:
    """Return once `condition` holds."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end
        sleep(0.02)


def test_two_set_ups_at_once_after_one_that_was_stopped(checkout: Path) -> None:
    """After an interrupted set-up two at once succeed: one waits and finds it done."""
    stopped = begun(checkout)
    wait_until((checkout / ".venv" / "bin" / "python").exists)
    sleep(0.5)
    os.killpg(stopped.pid, signal.SIGINT)
    code, said = ended(stopped)
    assert code == 130
    assert said[-1] == "Stopped. The next try begins anew."
    both = [begun(checkout), begun(checkout)]
    (first, words), (second, others) = map(ended, both)
    assert (first, second) == (0, 0)
    assert [line[:6] for line in max(words, others, key=len)] == ["1 of 3", "2 of 3", "3 of 3"]
    assert min(words, others, key=len) == ["Another set-up of .venv is under way; waiting for it …"]
    command = [str(checkout / ".venv" / "bin" / "blackqueen"), "--version"]
    assert subprocess.run(command, check=True, capture_output=True).stdout
    assert ended(begun(checkout)) == (0, [])


def test_without_a_network_one_line_says_so(checkout: Path, tmp_path: Path) -> None:
    """Without a network one line says so, pip's output is kept, and nothing looks finished."""
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:1/", "PIP_CACHE_DIR": str(tmp_path / "empty")}
    code, said = ended(begun(checkout, **nowhere))
    assert code == 1
    assert [line[:6] for line in said[:-1]] == ["1 of 3", "2 of 3"]
    assert said[-1].startswith("The packages could not be installed. Is there a network?")
    assert "Retrying" in (checkout / "setup.log").read_text()
    assert not list((checkout / ".venv").glob("installed-*"))


def test_half_an_environment_is_not_installed_into(checkout: Path, tmp_path: Path) -> None:
    """An incomplete environment is made anew with the Python that made it."""
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(Path(sys.executable).resolve())
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:1/", "PIP_CACHE_DIR": str(tmp_path / "empty")}
    _, said = ended(begun(checkout, **nowhere))
    assert said[0].startswith("1 of 3: a virtual environment for Python")
    assert (checkout / ".venv" / "pyvenv.cfg").exists()


def test_a_python_without_venv_is_named(checkout: Path, tmp_path: Path) -> None:
    """For a Python without venv the message names Debian's package."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in NEEDED.split():
        found = shutil.which(name)
        assert found, name
        (programs / name).symlink_to(found)
    python = programs / "python3"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *ensurepip*) exit 1;; esac\nexec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    # Without apt-get in reach nothing is installed by the way.
    code, said = ended(begun(checkout, PATH=str(programs), PYTHON=str(python)))
    assert code == 1
    assert said == [
        "This Python cannot make virtual environments. On Debian: sudo apt-get install python3-venv"
    ]
