"""The first minute: `make play` in a fresh clone, until its player may move, and once more.

Processor time is that of everything that runs, children too. All caches are empty; the packages
are downloaded beforehand, because a network's speed is not ours.
"""

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic

from bench.figures import Figure, at_most
from bench.processes import BenchError

REPOSITORY = Path(__file__).parents[1]
LOCK = "requirements/base.txt"
PLAY = ("make", "play", "ARGS=--name Ann")
STRONG = ("make", "play", "ARGS=--name Ann --bots strong")
CLIENT = "import client_cli.run_table"
"""What the client's own program imports before it can show a table."""
TABLE = "── Black Queen"
PROMPT = "your move>"
TABLE_SECONDS = 25.0
MOVE_SECONDS = 5.0
IMPORTS = 4.0
RUNS = 3
PATIENCE = 600.0
STOP_SECONDS = 20.0

_TICKS = os.sysconf("SC_CLK_TCK")
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>()].?)")


def measure() -> Iterator[Figure]:
    """Seconds of processor time until the table shows, and from there until a person may move,
    also where the bots have to be compiled; and, started again, until the table shows.
    """
    with TemporaryDirectory(prefix="blackqueen-bench-") as name:
        folder = Path(name)
        clone, wheels = folder / "clone", folder / "wheels"
        _run("git", "clone", "--quiet", str(REPOSITORY), str(clone))
        _download(clone / LOCK, wheels)
        environment = _empty_caches(folder, wheels)
        with Terminal(PLAY, clone, environment).running() as first:
            table = first.seconds_until(TABLE)
            yield Figure("first.table", table, "s", at_most(TABLE_SECONDS))
            more = first.seconds_until(PROMPT) - table
            yield Figure("first.move", more, "s", at_most(MOVE_SECONDS))
        with Terminal(STRONG, clone, environment).running() as strong:
            table = strong.seconds_until(TABLE)
            more = strong.seconds_until(PROMPT) - table
            yield Figure("first.move.strong", more, "s", at_most(MOVE_SECONDS))
        python = str(clone / ".venv" / "bin" / "python")
        imports, again = [], []
        # In turns, so that a busy moment of the machine affects both.
        for _ in range(RUNS):
            imports.append(_processor_seconds((python, "-c", CLIENT), clone, environment))
            with Terminal(PLAY, clone, environment).running() as later:
                again.append(later.seconds_until(TABLE))
        yield Figure("first.import", median(imports), "s")
        limit = at_most(IMPORTS * median(imports))
        yield Figure("first.again", median(again), "s", limit)


class Terminal:
    """A program in a terminal of its own, and what it has shown so far."""

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._words = words
        self._folder = folder
        self._environment = environment
        self._shown = ""
        self.pid = 0

    @contextmanager
    def running(self) -> Iterator["Terminal"]:
        """Start it; end it as Ctrl-C does."""
        self._master, terminal = pty.openpty()
        process = subprocess.Popen(
            self._words,
            cwd=self._folder,
            env=self._environment,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self.pid = process.pid
        try:
            yield self
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            self._read_to_the_end()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            os.close(self._master)

    def seconds_until(self, text: str) -> float:
        """The processor time that it and its children have used when it has shown `text`."""
        end = monotonic() + PATIENCE
        while text not in self._text:
            if monotonic() > end or not self._read(end - monotonic()):
                raise BenchError(f"{' '.join(self._words)} did not show {text!r}:\n{self._text}")
        return processor_seconds(self.pid)

    @property
    def _text(self) -> str:
        return _ESCAPES.sub("", self._shown)

    def _read(self, patience: float) -> bool:
        """Whether it has shown something more."""
        if not select.select([self._master], [], [], patience)[0]:
            return False
        try:
            shown = os.read(self._master, 65_536)
        except OSError:
            return False
        self._shown += shown.decode("utf-8", "replace")
        return bool(shown)

    def _read_to_the_end(self) -> None:
        """A program whose terminal is full cannot end."""
        end = monotonic() + STOP_SECONDS
        while monotonic() < end and self._read(end - monotonic()):
            pass


def processor_seconds(pid: int) -> float:
    """The processor time of a process and all below it, those included that have ended."""
    parents, used = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                # The name in parentheses may contain anything; fields are counted from after it.
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                parents[int(folder.name)] = int(fields[1])
                # Its own, and that of the children it has waited for.
                used[int(folder.name)] = sum(map(int, fields[11:15])) / _TICKS
    below, counted = {pid}, 0
    while len(below) > counted:
        counted = len(below)
        below |= {child for child, parent in parents.items() if parent in below}
    return sum(used.get(each, 0.0) for each in below)


def _empty_caches(folder: Path, wheels: Path) -> dict[str, str]:
    """An environment in which nothing has been kept but the packages that were downloaded."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    home = folder / "home"
    home.mkdir()
    return {
        **kept,
        "HOME": str(home),
        "TMPDIR": str(folder),
        "TERM": "xterm-256color",
        # Nothing here answers the question where the cursor is.
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_NO_CACHE_DIR": "1",
    }


def _download(lock: Path, wheels: Path) -> None:
    # With the index and the cache that pip uses here; what is in the cache is not fetched again.
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet")
    _run(*pip, "--no-deps", "--require-hashes", "--dest", str(wheels), "--requirement", str(lock))


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"{' '.join(words[:4])} … failed:\n{done.stderr[-2000:]}")


def _processor_seconds(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> float:
    process = subprocess.Popen(words, cwd=folder, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BenchError(f"{' '.join(words)} failed")
    return usage.ru_utime + usage.ru_stime
