"""PostgreSQL and Mosquitto of the measurement's own, and free ports."""

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from bench.processes import BenchError, Listener

START_SECONDS = 30.0
# PostgreSQL refuses to run as root, and takes what this leaves for somebody else.
_AS_NOBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")


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
    nobody = _AS_NOBODY if os.geteuid() == 0 else ()
    (port,) = free_ports(1)
    with TemporaryDirectory(prefix="blackqueen-bench-") as place:
        make = (str(folder / "initdb"), "--auth=trust", "--username=cards", "--encoding=UTF8")
        make_all = [*nobody, *make, "--locale=C", "-D", place]
        subprocess.run(make_all, check=True, stdout=DEVNULL, stderr=DEVNULL)
        flags = ("-h", "127.0.0.1", "-p", str(port), "-c", "unix_socket_directories=")
        serve = [*nobody, str(folder / "postgres"), "-D", place, *flags]
        with subprocess.Popen(serve, stdout=DEVNULL, stderr=DEVNULL) as server:
            try:
                _wait(server, port)
                yield f"postgresql://cards@127.0.0.1:{port}/postgres"
            finally:
                server.send_signal(signal.SIGINT)
                server.wait(START_SECONDS)


def postmaster(url: str) -> int:
    """The id of the process that has started all others of the database at `url`."""
    import psycopg

    with psycopg.connect(url) as connection:
        pid = connection.info.backend_pid
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    import psycopg

    until = monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(f"postgresql://cards@127.0.0.1:{port}/postgres").close()
        except psycopg.OperationalError:
            if server.poll() is not None or monotonic() > until:
                raise BenchError("PostgreSQL did not start") from None
            sleep(0.05)
        else:
            return


def new_database(url: str, name: str) -> str:
    """Make a database beside the one at `url`; return its URL."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{url.rpartition('/')[0]}/{name}"


def mosquitto() -> str | None:
    """Mosquitto's path; None if it, or its client, is not installed."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    return None if find_spec("aiomqtt") is None else found


@contextmanager
def running_mosquitto(program: str) -> Iterator[Listener]:
    """Run a broker that keeps nothing on disk."""
    (port,) = free_ports(1)
    with TemporaryDirectory(prefix="blackqueen-bench-") as folder:
        config = Path(folder, "mosquitto.conf")
        user = "user root\n" if os.geteuid() == 0 else ""
        config.write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n{user}"
        )
        process = subprocess.Popen([program, "-c", str(config)], stdout=DEVNULL, stderr=DEVNULL)
        try:
            end = monotonic() + START_SECONDS
            while not _accepts(port):
                if process.poll() is not None or monotonic() > end:
                    raise BenchError("the broker did not start")
                sleep(0.01)
            yield Listener(process.pid, f"mqtt://127.0.0.1:{port}")
        finally:
            process.kill()
            process.wait()


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS).close()
    except OSError:
        return False
    return True


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
