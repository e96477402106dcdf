"""A PostgreSQL for tests, in a folder and on a free port, with a database for each test."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TypeVar

import psycopg

from tests.needs import not_run

START_SECONDS = 60.0
USER = "cards"
# PostgreSQL refuses to run as root, and takes what this leaves for somebody else.
AS_NOBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs; without it the test cannot run."""
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    newest_first = sorted(folders, key=lambda folder: -int(re.sub(r"\D", "", folder.parent.name)))
    found = shutil.which(name, path=os.pathsep.join([*map(str, newest_first), os.defpath]))
    return found or shutil.which(name) or not_run(f"{name} of PostgreSQL is not installed")


def command(name: str, *words: str) -> tuple[str, ...]:
    """The words that start one of PostgreSQL's programs, as root in another user's name."""
    return (*(AS_NOBODY if os.geteuid() == 0 else ()), program(name), *words)


class Cluster:
    """PostgreSQL in `folder`. Nothing is synced to the disk, which only matters if that fails.

    Its commands begin with `inside`.
    """

    def __init__(self, folder: Path, inside: Sequence[str] = (), **settings: str) -> None:
        self.folder = folder
        self.inside = tuple(inside)
        self.port = _free_port()
        self.settings = {"fsync": "off", **settings}
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Create the files of the cluster."""
        locale = ("--locale=C", "--encoding=UTF8")
        words = ("--no-sync", "--auth=trust", "--username", USER, *locale)
        subprocess.run(
            (*self.inside, *command("initdb", *words, "--pgdata", str(self.folder))),
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start the cluster, and wait until it accepts connections that write."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "shared_buffers": "16MB",
            **self.settings,
        }
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                (*self.inside, *command("postgres", "-D", str(self.folder), *flags)),
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                if self._is_up():
                    return
            except psycopg.OperationalError:
                assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)

    def _is_up(self) -> bool:
        """Whether the cluster has replayed its log; `OperationalError` without a connection."""
        return self.ask("SELECT pg_is_in_recovery()") is False

    @property
    def log(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.log")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """Stop the cluster; all clients are disconnected."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Kill the cluster and all its processes, as a crash of the machine would."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        self._end(signal.SIGKILL)
        for child in children:
            _signal(int(child), signal.SIGKILL)
            _wait_for_end(int(child))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Suspend the cluster and all its processes, with connections open."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        stopped = [self.pid, *map(int, children)]
        for pid in stopped:
            _signal(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in stopped:
                _signal(pid, signal.SIGCONT)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(START_SECONDS)
            self._process = None

    def url(self, database: str, driver: str = "postgresql+psycopg") -> str:
        return f"{driver}://{USER}@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def database(self, template: str = "template0") -> Iterator[str]:
        """The URL of a new database, deleted afterwards."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def has(self, database: str) -> bool:
        """Whether the cluster has a database of this name."""
        with psycopg.connect(self.url("postgres", driver="postgresql")) as connection:
            query = "SELECT FROM pg_database WHERE datname = %s"
            return connection.execute(query, (database,)).fetchone() is not None

    def ask(self, query: str) -> object:
        """The single value that a query finds."""
        with psycopg.connect(self.url("postgres", driver="postgresql")) as connection:
            found = connection.execute(query.encode()).fetchone()
        return None if found is None else found[0]

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Execute a statement, for example one that does not run in a transaction."""
        url = self.url(database, driver="postgresql")
        with psycopg.connect(url, autocommit=True) as connection:
            # The statement is the tests' own; psycopg asks for a literal, against injections.
            connection.execute(statement.encode())


C = TypeVar("C", bound=Cluster)


@contextmanager
def running_cluster(folder: Path, inside: Sequence[str] = (), **settings: str) -> Iterator[Cluster]:
    """A running cluster that is stopped and removed afterwards, whatever its state."""
    with running(Cluster(folder, inside, **settings)) as cluster:
        yield cluster


@contextmanager
def running(cluster: C) -> Iterator[C]:
    """Create and start a cluster, and stop and remove it afterwards."""
    cluster.create()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(cluster.folder, ignore_errors=bool(cluster.inside))


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _wait_for_end(pid: int) -> None:
    until = time.monotonic() + START_SECONDS
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < until, f"process {pid} does not end"
        time.sleep(0.01)
