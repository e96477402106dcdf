"""Whole nodes that share a database in PostgreSQL: processes that can be killed and begun again."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure_server import FLAGS
from bench.processes import Listener, listening


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
