"""A PostgreSQL of the measurement's own, in a temporary folder and on a free port."""

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from bench.processes import BenchError

START_SECONDS = 30.0
# PostgreSQL refuses to run as root, and takes what this leaves for somebody else.
_AS_NOBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")


def programs() -> Path | None:
    """The folder of the newest PostgreSQL here; Debian has one for each version."""
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    newest = sorted(folders, key=lambda folder: int(re.sub(r"\D", "", folder.parent.name)))
    found = [folder for folder in newest if (folder / "postgres").exists()]
    if found:
        return found[-1]
    elsewhere = shutil.which("postgres")
    return None if elsewhere is None else Path(elsewhere).resolve().parent


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """The URL of an empty database, for as long as the context lasts; it syncs what it commits."""
    nobody = _AS_NOBODY if os.geteuid() == 0 else ()
    with TemporaryDirectory(prefix="blackqueen-bench-") as place, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
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
    """The process that has started all others of the database at `url`."""
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
