"""Processes that listen: starting a server or another program, and the resources it has used."""

import os
import re
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic, sleep
from typing import IO
from urllib.request import urlopen

from bots.roster import compiled_bots

READY = re.compile(r"(?:Listening on|Health and figures at) ((?:ws|http)://\S+?)/?$")
BOTS_SECONDS = 300.0
START_SECONDS = 60.0
STOP_SECONDS = 20.0

FLAGS = ("--port", "0", "--log-format", "json")
UNLIMITED = (
    *("--bot-delay", "0", "--messages-per-second", "1000000", "--message-burst", "1000000"),
    *("--max-connections", "1000000", "--max-connections-per-address", "0"),
    *("--max-tables", "1000000", "--max-tables-per-address", "0"),
    *("--max-lobby-tables-per-address", "0", "--address-connections-per-second", "0"),
)
"""Flags of a server that takes as much as it can of clients at one address."""

_TICKS = os.sysconf("SC_CLK_TCK")


class BenchError(Exception):
    """Nothing could be measured; the message says what went wrong."""


def family_cpu_seconds(pid: int) -> float:
    """Processor time so far of a process, of those that it has started, and of theirs.

    Those that have ended count as far as their parent has waited for them.
    """
    parents, used = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(folder.name)
        parents[number] = int(fields[1])
        used[number] = sum(map(int, fields[11:15])) / _TICKS

    def belongs(number: int) -> bool:
        while number not in (pid, 0):
            number = parents.get(number, 0)
        return number == pid

    return sum(seconds for number, seconds in used.items() if belongs(number))


@dataclass(frozen=True, slots=True)
class Listener:
    """A process that listens at `url`."""

    pid: int
    url: str

    def cpu_seconds(self) -> float:
        """Processor time of all its threads so far, in user and system mode."""
        # The name in parentheses may contain anything; fields are counted from after it.
        after_name = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / _TICKS

    def metrics(self) -> str:
        """What it counts, as Prometheus reads it."""
        with urlopen(self.url.replace("ws://", "http://") + "/metrics") as answer:
            page: bytes = answer.read()
        return page.decode()

    def resident_kib(self) -> int:
        """Its memory in use, shared pages included."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
        if found is None:
            raise BenchError(f"process {self.pid} has ended")
        return int(found.group(1))


def wait_for_bots(server: Listener) -> None:
    """Wait until all bots of a server with ``--warm-bots`` are ready."""
    end = monotonic() + BOTS_SECONDS
    wanted = len(compiled_bots())
    while f"blackqueen_bots_ready {wanted:.1f}\n" not in server.metrics():
        if monotonic() > end:
            raise BenchError("the server's bots did not become ready")
        sleep(0.5)


def allow_many_sockets() -> None:
    """Allow as many open files as this user may have; servers inherit the limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextmanager
def serving(*flags: str, data: str | None = None) -> Iterator[Listener]:
    """Run `blackqueen serve` with these flags; its data goes to a new folder, or to `data`."""
    program = str(Path(sys.executable).with_name("blackqueen"))
    with ExitStack() as stack:
        folder = data or stack.enter_context(TemporaryDirectory(prefix="blackqueen-bench-"))
        command = [program, "serve", "--data", folder, *FLAGS, *flags]
        yield stack.enter_context(listening(command))


@contextmanager
def listening(command: Sequence[str]) -> Iterator[Listener]:
    """Run `command`, which prints its address on standard output; stop it at the end.

    What it writes to standard error goes to a file, as in production, and is shown if it fails.
    """
    with TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True
        )
        try:
            assert process.stdout is not None
            url = _announced(process.stdout)
            if url is None:
                process.kill()
                process.wait()
                log.seek(0)
                raise BenchError(f"{' '.join(command)} did not start:\n{log.read()[-2000:]}")
            yield Listener(process.pid, url)
        finally:
            _stop(process)


def _announced(output: IO[str]) -> str | None:
    end = monotonic() + START_SECONDS
    # `select` takes no descriptor of a process that has a thousand of them.
    waiting = select.poll()
    waiting.register(output, select.POLLIN)
    while waiting.poll(1000 * max(0.0, end - monotonic())):
        line = output.readline()
        if not line:
            return None
        if found := READY.search(line):
            return found.group(1)
    return None


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
