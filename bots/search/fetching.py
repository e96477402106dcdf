"""Fetches Numba into the environment of `make play`, which leaves it out.

It is fetched when a bot with kernels is first made, into a folder of its own within the
environment; the folder gets its name when everything is in it. Elsewhere nothing is fetched.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from bots.search.left_out import NotFetched, folder_for, left_out

_PR_SET_PDEATHSIG = 1


def fetch() -> None:
    """Fetch what was left out, if it is not there yet; `NotFetched` if it cannot be had."""
    wanted = left_out()
    folder = folder_for(wanted)
    if folder.is_dir():
        return
    unfinished = Path(mkdtemp(prefix="unfinished-", dir=sys.prefix))
    try:
        lock = unfinished / "lock.txt"
        lock.write_text(wanted, encoding="utf-8")
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        done = subprocess.run(
            (
                *pip,
                *("--no-input", "--retries", "1", "--no-deps", "--no-compile", "--require-hashes"),
                *("--target", str(unfinished / "packages"), "--requirement", str(lock)),
            ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=_ending_with_parent(),
        )
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            raise NotFetched(
                f"Numba could not be fetched ({reason}); with a network, `tools/environment base` "
                "installs it"
            )
        # If somebody else was quicker, theirs is as good.
        if not folder.is_dir():
            (unfinished / "packages").rename(folder)
    except OSError as error:
        raise NotFetched(f"Numba could not be fetched ({error})") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _ending_with_parent() -> Callable[[], None] | None:
    """The first act of pip on Linux: ask to be stopped when the process that waits for it dies."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    library, parent = ctypes.CDLL(None), os.getpid()

    def ask() -> None:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return ask
