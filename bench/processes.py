"""Servers and other programs of the measurement's own, and the resources they have used."""

import os
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic, sleep
from typing import IO
from urllib.request import urlopen

from bots.roster import compiled_bots

READY = re.compile(r"(?:Listening on|Health and figures at) ((?:ws|http)://\S+?)/?$")
BOTS_SECONDS = 300.0
START_SECONDS = 60.0
STOP_SECONDS = 20.0
LOOK_SECONDS = 0.02
# PostgreSQL refuses to run as root, and takes what this leaves for somebody else.
_AS_NOBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")

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


@contextmanager
def _running(
    command: Sequence[str], accepts: Callable[[], bool], stop: signal.Signals
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program; yield once it `accepts` connections, and end it by a signal."""
    with subprocess.Popen(command, stdout=DEVNULL, stderr=DEVNULL) as process:
        try:
            end = monotonic() + START_SECONDS
            while not accepts():
                if process.poll() is not None or monotonic() > end:
                    raise BenchError(f"{command[-1]} did not start")
                sleep(LOOK_SECONDS)
            yield process
        finally:
            process.send_signal(stop)
            process.wait(STOP_SECONDS)


def postgresql() -> Path | None:
    """The folder of the newest PostgreSQL here; None if it, or its driver, is not installed."""
    if find_spec("psycopg") is None:
        return None
    # Debian has a folder for each version.
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    newest = sorted(folders, key=lambda folder: int(re.sub(r"\D", "", folder.parent.name)))
    found = [folder for folder in newest if (folder / "postgres").exists()]
    if found:
        return found[-1]
    elsewhere = shutil.which("postgres")
    return None if elsewhere is None else Path(elsewhere).resolve().parent


@contextmanager
def running_postgresql(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL that syncs what it commits; yield the URL of an empty database."""
    import psycopg

    nobody = _AS_NOBODY if os.geteuid() == 0 else ()
    (port,) = free_ports(1)
    url = f"postgresql://cards@127.0.0.1:{port}/postgres"

    def accepts() -> bool:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            return False
        return True

    with TemporaryDirectory(prefix="blackqueen-bench-") as place:
        make = (str(folder / "initdb"), "--auth=trust", "--username=cards", "--encoding=UTF8")
        make_all = [*nobody, *make, "--locale=C", "-D", place]
        subprocess.run(make_all, check=True, stdout=DEVNULL, stderr=DEVNULL)
        flags = ("-h", "127.0.0.1", "-p", str(port), "-c", "unix_socket_directories=", "-D", place)
        with _running([*nobody, str(folder / "postgres"), *flags], accepts, signal.SIGINT):
            yield url


def new_database(url: str, name: str) -> str:
    """Make a database beside the one at `url`; return its URL."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{url.rpartition('/')[0]}/{name}"


def postmaster(url: str) -> int:
    """The id of the process that has started all others of the database at `url`."""
    import psycopg

    with psycopg.connect(url) as connection:
        pid = connection.info.backend_pid
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def mosquitto() -> str | None:
    """Mosquitto's path; None if it, or its client, is not installed."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    return None if find_spec("aiomqtt") is None else found


@contextmanager
def running_mosquitto(program: str) -> Iterator[Listener]:
    """Run a broker that keeps nothing on disk."""
    (port,) = free_ports(1)

    def accepts() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            return False
        return True

    with TemporaryDirectory(prefix="blackqueen-bench-") as folder:
        config = Path(folder, "mosquitto.conf")
        user = "user root\n" if os.geteuid() == 0 else ""
        config.write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n{user}"
        )
        with _running([program, "-c", str(config)], accepts, signal.SIGTERM) as process:
            yield Listener(process.pid, f"mqtt://127.0.0.1:{port}")


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
