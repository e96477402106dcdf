"""Whole nodes that share a database: a PostgreSQL, processes that can be killed, and a proxy."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from bench.measure_server import FLAGS
from bench.processes import BenchError, Listener, listening

POSTGRESQL_SECONDS = 30.0
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
                server.wait(POSTGRESQL_SECONDS)


def postmaster(url: str) -> int:
    """The process that has started all others of the database at `url`."""
    import psycopg

    with psycopg.connect(url) as connection:
        pid = connection.info.backend_pid
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    import psycopg

    until = monotonic() + POSTGRESQL_SECONDS
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
    """Make a database beside the one at `url`; its own URL."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{url.rpartition('/')[0]}/{name}"


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


@contextmanager
def serving(database: str, *words: str) -> Iterator[Listener]:
    """A server with the database at this URL."""
    program = str(Path(sys.executable).with_name("blackqueen"))
    there = database.replace("postgresql:", "postgresql+psycopg:")
    with TemporaryDirectory(prefix="blackqueen-bench-") as data:
        command = [program, "serve", *FLAGS, "--plain-bots", "--data", data]
        with listening([*command, "--database-url", there, *words]) as server:
            yield server


class Nodes:
    """So many nodes of one database, each at a port of its own; `words` are their further flags."""

    def __init__(self, database: str, count: int, *words: str) -> None:
        self.database = database
        self.ports = dict(zip("abcdefgh", free_ports(count), strict=False))
        self._words = words
        self._running: dict[str, tuple[ExitStack, Listener]] = {}

    def begin(self, name: str) -> None:
        """Begin a node; returns when it listens."""
        port = self.ports[name]
        at = ("--node-url", f"ws://127.0.0.1:{port}/n/{name}/", "--port", str(port))
        stack = ExitStack()
        server = stack.enter_context(serving(self.database, *at, *self._words))
        self._running[name] = stack, server

    def is_running(self, name: str) -> bool:
        """Whether a node was begun and not ended since, though it may have been killed."""
        return name in self._running

    def freeze(self, name: str) -> None:
        """Stop a node as it is: its sockets stay open, and nothing comes of what they are sent."""
        os.kill(self._running[name][1].pid, signal.SIGSTOP)

    def kill(self, name: str) -> None:
        """End a node without a chance to say anything."""
        os.kill(self._running[name][1].pid, signal.SIGKILL)

    def end(self, name: str) -> None:
        """End a node, which gives its tables to the others if it still lives."""
        self._running.pop(name)[0].close()

    def end_all(self) -> None:
        """End all nodes, none of which needs to be kind to the others any more."""
        for name in self._running:
            self.kill(name)
        for name in (*self._running,):
            self.end(name)

    def owners(self) -> dict[str, str]:
        """The node of each table, by the table's code, as the database says."""
        import psycopg

        with psycopg.connect(self.database) as connection:
            rows = connection.execute(
                "SELECT code, name FROM tables JOIN nodes ON name = owner AND epoch = owner_epoch"
            ).fetchall()
        return dict(rows)


HEALTH_SECONDS = 1.0
HEALTH_TIMEOUT_SECONDS = 3.0
REQUEST = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
PIECE = 65_536


class Entry:
    """Carries connections to the nodes at `ports`, each to the one that has fewest of them."""

    def __init__(self, ports: Iterable[int]) -> None:
        self.url = ""
        self.ports = (*ports,)
        self._ready = set(self.ports)
        self._carried: Counter[int] = Counter()

    async def look_after(self, port: int) -> None:
        """Ask a node again and again whether it is ready."""
        while True:
            try:
                async with asyncio.timeout(HEALTH_TIMEOUT_SECONDS):
                    is_ready = await _is_ready(port)
            except (OSError, TimeoutError):
                is_ready = False
            (self._ready.add if is_ready else self._ready.discard)(port)
            await asyncio.sleep(HEALTH_SECONDS)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a connection until either side ends it."""
        for port in sorted(self._ready, key=self._carried.__getitem__):
            try:
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
            self._carried[port] += 1
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(_carry(reader, far_writer))
                    tasks.create_task(_carry(far_reader, writer))
            finally:
                self._carried[port] -= 1
            return
        writer.transport.abort()


@asynccontextmanager
async def entry(ports: Iterable[int]) -> AsyncIterator[Entry]:
    """A proxy before the nodes at these ports."""
    proxy = Entry(ports)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", backlog=2048)
    async with server, asyncio.TaskGroup() as tasks:
        proxy.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        looks = [tasks.create_task(proxy.look_after(port)) for port in proxy.ports]
        try:
            yield proxy
        finally:
            for look in looks:
                look.cancel()


async def _is_ready(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(REQUEST)
        return b" 200 " in await reader.readline()
    finally:
        writer.transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(PIECE):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
