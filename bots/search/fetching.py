"""Fetches Numba into the environment of `make play`, which leaves it out.

Numba is fetched when a bot with kernels is first made, into a folder of its own within the
environment; the folder gets its name when it is complete. In other environments nothing is fetched.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from time import time

from bots.search.left_out import NotFetched, folder_for, left_out

PIP_SECONDS = 600.0
"""How long pip may take; others wait for the process that fetches."""
UNFINISHED_SECONDS = 3600.0
"""After this time nobody works in an unfinished folder any more, whatever its process is now."""

_PR_SET_PDEATHSIG = 1


def fetch() -> None:
    """Fetch the missing packages, if they are not there yet; `NotFetched` if that fails."""
    wanted = left_out()
    folder = folder_for(wanted)
    if folder.is_dir():
        return
    try:
        _remove_leftovers(folder)
        unfinished = Path(mkdtemp(prefix=f"unfinished-{os.getpid()}-", dir=sys.prefix))
        try:
            _rename(_install(wanted, unfinished), folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    except OSError as error:
        raise NotFetched(
            f"Numba could not be fetched ({error}); {sys.prefix} must be writable and have space"
        ) from error


def _install(wanted: str, unfinished: Path) -> Path:
    """The folder within `unfinished` into which pip has installed the locked packages."""
    lock, packages = unfinished / "lock.txt", unfinished / "packages"
    lock.write_text(wanted, encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    try:
        done = subprocess.run(
            (
                *pip,
                *("--no-input", "--retries", "1", "--no-deps", "--no-compile", "--require-hashes"),
                *("--target", str(packages), "--requirement", str(lock)),
            ),
            # A killed pip leaves its temporary files; there the next `fetch` finds them.
            env={**os.environ, "TMPDIR": str(unfinished)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PIP_SECONDS,
            preexec_fn=_ending_with_parent(),
        )
    except subprocess.TimeoutExpired as error:
        raise _not_fetched(f"pip took longer than {PIP_SECONDS:g} s") from error
    if done.returncode:
        raise _not_fetched((done.stderr.strip().splitlines() or ["pip failed"])[-1])
    return packages


def _not_fetched(reason: str) -> NotFetched:
    return NotFetched(
        f"Numba could not be fetched ({reason}); with a network, `tools/environment base` "
        "installs it"
    )


def _rename(packages: Path, folder: Path) -> None:
    """Give the packages their folder; if another process was faster, its folder is used."""
    try:
        packages.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def _remove_leftovers(wanted: Path) -> None:
    """Remove the unfinished folders of killed processes, and fetched ones other than `wanted`."""
    environment = Path(sys.prefix)
    unfinished = filter(_is_abandoned, environment.glob("unfinished-*"))
    others = (folder for folder in environment.glob("strong-*") if folder != wanted)
    for folder in (*unfinished, *others):
        shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(unfinished: Path) -> bool:
    """Whether the process that made the folder has ended, or made it long ago."""
    pid = unfinished.name.split("-")[1]
    try:
        if time() - unfinished.stat().st_mtime > UNFINISHED_SECONDS:
            return True
        if pid.isdecimal():
            os.kill(int(pid), 0)
    except (ProcessLookupError, FileNotFoundError):
        return True
    except (OSError, OverflowError):
        # A process of somebody else, for example.
        return False
    return False


def _ending_with_parent() -> Callable[[], None] | None:
    """Ask Linux to stop pip when its parent dies; runs first in pip's process."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    library, parent = ctypes.CDLL(None), os.getpid()

    def ask() -> None:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return ask
