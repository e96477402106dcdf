"""The processes of several nodes on this machine: they are found, begun, waited for, and ended."""

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

SECONDS = 60.0
"""How long a process may take to start or to end."""
LOOK_SECONDS = 0.05
"""How often it is looked whether processes are ready."""
ANSWER_SECONDS = 10.0
"""How long a process may take to say whether it is ready."""
LAST_LINES = 5
"""What is told of the log of a process that does not start."""
ADDRESS = re.compile(r"^Listening on \w+://\S+:(\d+)/?$", re.MULTILINE)
"""The line in which a process of the server says where it listens."""
FOLDERS = "/usr/sbin:/usr/local/sbin"


class NotStarted(Exception):
    """A process did not start; the message says which, and what it has written."""


class Stopped(Exception):
    """Whoever has begun the processes wants them to end, also before all are ready."""


class Begun(NamedTuple):
    """A process that may not be ready yet, and the file to which it writes."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def found(name: str) -> str | None:
    """The path of a program; those of PostgreSQL, the newest, lie in folders of their own."""
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    newest = sorted(map(str, versions), key=lambda path: -int(Path(path).parent.name.split(".")[0]))
    return shutil.which(name, path=os.pathsep.join([*newest, os.defpath, FOLDERS]))


@contextmanager
def running(
    log: Path, *words: str, end: signal.Signals = signal.SIGTERM
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes to `log`; it is asked to end by `end`, and killed if it does not."""
    with log.open("ab") as output:
        # A group of its own: Ctrl-C is for this program, which ends them in order.
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.send_signal(end)
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def until_open(port: int, begun: Begun, stop: Event) -> None:
    """Wait until a process accepts connections; `NotStarted` or `Stopped` if it does not come."""
    _until_all([begun], lambda _: _accepts(port), stop)


def until_ready(begun: Iterable[Begun], tell: Callable[[str, int], None], stop: Event) -> None:
    """Wait until games can be played at processes of the server, as each of them says.

    `tell` is called with the name of each that is ready, and the port where it listens.
    """

    def is_ready(one: Begun) -> bool:
        port = _port(one.log)
        if not _is_ready(port):
            return False
        tell(one.name, port)
        return True

    _until_all(begun, is_ready, stop)


def _until_all(begun: Iterable[Begun], is_ready: Callable[[Begun], bool], stop: Event) -> None:
    waiting, limit = list(begun), monotonic() + SECONDS
    while waiting := [one for one in waiting if not is_ready(one)]:
        for name, process, log in waiting:
            if process.poll() is not None or monotonic() > limit:
                last = log.read_text(errors="replace").splitlines()[-LAST_LINES:]
                raise NotStarted("\n".join([f"{name} did not start:", *last]))
        if stop.wait(LOOK_SECONDS):
            raise Stopped


def _port(log: Path) -> int:
    """Where a process says that it listens; 0 if it has not said it."""
    said = ADDRESS.search(log.read_text(errors="replace"))
    return int(said[1]) if said else 0


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _is_ready(port: int) -> bool:
    if port == 0:
        return False
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=ANSWER_SECONDS) as page:
            return bool(page.status == 200)
    except (URLError, OSError):
        return False
