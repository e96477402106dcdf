#!/usr/bin/env python3
"""A whole cluster on this machine, to try it out: `.venv/bin/python deploy/local_cluster.py`.

Starts Mosquitto, PostgreSQL (if its programs are installed; SQLite if not), two gateways, two
processes with tables (one with SQLite) and two for bots, on free ports and in a temporary folder.
With `--secure` broker and database have what `cluster_secrets.py` makes: TLS, passwords, and access
rules for each process. It says where to connect, and ends and deletes everything at Ctrl-C.
"""

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

from deploy.cluster_secrets import Secrets
from protocol.safe_text import complain, say

SECONDS = 60.0
"""How long a process may take to start or to end."""
LAST_LINES = 5
"""What is told of the log of a process that does not start."""
ADDRESS = re.compile(r"^(?:Listening on|Roles: .*) \w+://\S+:(\d+)/?$", re.MULTILINE)
"""The line in which a process of the server says where it listens."""
FOLDERS = "/usr/sbin:/usr/local/sbin"
# PostgreSQL refuses to run as root, and takes what this leaves for somebody else.
AS_NOBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")


class NotStarted(Exception):
    """A process did not start; the message says which, and what it has written."""


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


def has_postgresql() -> bool:
    """Whether PostgreSQL's programs are installed."""
    return None not in (found("initdb"), found("postgres"))


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


def until_open(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a process accepts connections."""
    _until(lambda: _accepts(port), process, log)


def port_when_ready(process: subprocess.Popen[bytes], log: Path) -> int:
    """Wait until a process of the server says that games can be played; where it listens."""
    _until(lambda: _is_ready(_port(log)), process, log)
    return _port(log)


def _port(log: Path) -> int:
    """Where a process says that it listens; 0 if it has not said it."""
    said = ADDRESS.search(log.read_text(errors="replace"))
    return int(said[1]) if said else 0


def _until(condition: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    end = monotonic() + SECONDS
    while not condition():
        if process.poll() is not None or monotonic() > end:
            last = log.read_text(errors="replace").splitlines()[-LAST_LINES:]
            raise NotStarted("\n".join([f"{log.stem} did not start:", *last]))
        sleep(0.05)


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _is_ready(port: int) -> bool:
    if port == 0:
        return False
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=SECONDS) as page:
            return bool(page.status == 200)
    except (URLError, OSError):
        return False


class LocalCluster:
    """The processes in `folder`; each is ended with `stack`, the last first."""

    def __init__(self, folder: Path, stack: ExitStack, flags: Sequence[str] = ()) -> None:
        self._folder = folder
        self._stack = stack
        self._flags = tuple(flags)
        self._port = 0
        self._secrets: Path | None = None
        self.pids: dict[str, int] = {}

    def start(self, gateways: int, nodes: int, workers: int, *, secure: bool) -> list[str]:
        """Start everything; returns the addresses for players."""
        if secure:
            counts = {"gateway": gateways, "tables": nodes, "bots": workers}
            self._secure(counts)
        self._broker()
        database = self._database()
        if nodes > 1 and not database:
            raise NotStarted(
                "several processes with tables need PostgreSQL, which is not installed"
            )
        for number in range(1, nodes + 1):
            data = ("--data", str(self._folder / f"tables-{number}"))
            self._serve(f"tables-{number}", "tables", "--admin", *data, *database)
        for number in range(1, workers + 1):
            self._serve(f"bots-{number}", "bots")
        return [self._gateway(number) for number in range(1, gateways + 1)]

    def _gateway(self, number: int) -> str:
        return f"ws://127.0.0.1:{self._serve(f'gateway-{number}', 'gateway')}"

    def _secure(self, counts: Mapping[str, int]) -> None:
        """Make the secrets of so many processes of each role."""
        self._secrets = self._folder / "secrets"
        names = {
            role: [f"{role}-{number}" for number in range(1, count + 1)]
            for role, count in counts.items()
        }
        Secrets(self._secrets).make(names)

    def _broker(self) -> None:
        program = found("mosquitto")
        if program is None:
            raise NotStarted("mosquitto is not installed; it is the broker between the processes")
        port, config = free_port(), self._folder / "mosquitto.conf"
        as_root = ["user root"] if os.geteuid() == 0 else []
        lines = [f"listener {port} 127.0.0.1", "set_tcp_nodelay true"]
        if self._secrets is None:
            lines.append("allow_anonymous true")
        else:
            files = {"certfile": "broker.crt", "keyfile": "broker.key", "acl_file": "acl"}
            files["password_file"] = "passwords"
            lines += [f"{setting} {self._secrets / name}" for setting, name in files.items()]
        config.write_text("\n".join([*lines, "persistence false", *as_root, ""]))
        until_open(port, *self._run("mosquitto", program, "-c", str(config)))
        self._port = port

    def _database(self) -> tuple[str, ...]:
        """The words that name the database; none for a file in the data folder."""
        initdb, postgres = found("initdb"), found("postgres")
        if initdb is None or postgres is None:
            return ()
        nobody = AS_NOBODY if os.geteuid() == 0 else ()
        files, port = self._folder / "postgresql", free_port()
        made, settings, rest = self._database_secrets()
        usual = ("--no-sync", "--username=cards", "--locale=C", "--encoding=UTF8")
        command = (*nobody, initdb, *usual, *made, "--pgdata", str(files))
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        words = (*nobody, postgres, "-D", str(files), f"--port={port}", *settings)
        only = ("--listen-addresses=127.0.0.1", "--unix-socket-directories=")
        until_open(port, *self._run("postgresql", *words, *only, end=signal.SIGINT))
        # The certificate has this name.
        host = "127.0.0.1" if self._secrets is None else "localhost"
        return ("--database-url", f"postgresql+psycopg://cards@{host}:{port}/postgres{rest}")

    def _database_secrets(self) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """What the database is made with and started with, and what ends its address."""
        if self._secrets is None:
            return ("--auth=trust",), (), ""
        # Who runs it is neither the user of its container nor, as root, one who may read all.
        for name in ("database.key", "database.password"):
            copy = self._folder / name
            copy.touch(mode=0o600)
            copy.write_bytes((self._secrets / name).read_bytes())
        secrets, own = self._secrets, self._folder
        made = ("--auth=scram-sha-256", f"--pwfile={own / 'database.password'}")
        files = (
            f"--ssl-cert-file={secrets / 'database.crt'}",
            f"--ssl-key-file={own / 'database.key'}",
        )
        rest = (
            f"?sslmode=verify-full&sslrootcert={secrets / 'ca.crt'}&passfile={secrets / 'pgpass'}"
        )
        return made, ("--ssl=on", *files), rest

    def _serve(self, name: str, role: str, *words: str) -> int:
        """Start a process of the server; the port on which it listens."""
        program = str(Path(sys.executable).with_name("blackqueen"))
        own = ("serve", "--roles", role, "--node", name, "--port", "0")
        bus = self._bus(f"{role}.{name}")
        return port_when_ready(*self._run(name, program, *own, *bus, *words, *self._flags))

    def _bus(self, user: str) -> Iterator[str]:
        """The words that lead a process to the broker."""
        if self._secrets is None:
            yield from ("--bus", f"mqtt://127.0.0.1:{self._port}")
            return
        # The certificate has this name.
        yield from ("--bus", f"mqtts://{user}@localhost:{self._port}/blackqueen-bus")
        yield from ("--bus-ca-file", str(self._secrets / "ca.crt"))
        yield from ("--bus-password-file", str(self._secrets / f"{user}.password"))

    def _run(
        self, name: str, *words: str, end: signal.Signals = signal.SIGTERM
    ) -> tuple[subprocess.Popen[bytes], Path]:
        """Start a process; its log is the second of what is returned."""
        log = self._folder / f"{name}.log"
        process = self._stack.enter_context(running(log, *words, end=end))
        self.pids[name] = process.pid
        return process, log


def process_count(text: str) -> int:
    """A number of processes; `ValueError` if that is none."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def main() -> int:
    """Run the cluster until Ctrl-C or SIGTERM."""
    parser = argparse.ArgumentParser(description="A cluster of blackqueen on this machine.")
    parser.add_argument(
        "--gateways", type=process_count, default=2, help="how many gateways (default: 2)"
    )
    parser.add_argument(
        "--tables", type=process_count, default=None, help="how many with tables (default: 2)"
    )
    parser.add_argument(
        "--bots", type=process_count, default=2, help="how many for bots (default: 2)"
    )
    parser.add_argument(
        "--secure", action="store_true", help="TLS and passwords at broker and database"
    )
    chosen, flags = parser.parse_known_args()
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with TemporaryDirectory(prefix="blackqueen-") as folder, ExitStack() as stack:
        cluster = LocalCluster(Path(folder), stack, flags)
        try:
            addresses = cluster.start(
                chosen.gateways,
                chosen.tables or (2 if has_postgresql() else 1),
                chosen.bots,
                secure=chosen.secure,
            )
        except NotStarted as error:
            complain("local_cluster", str(error))
            return 1
        for name, pid in cluster.pids.items():
            say(f"{name}: process {pid}, log {folder}/{name}.log")
        say(f"Administrators ask: blackqueen admin nodes --data {folder}/tables-1")
        say(*(f"Players join with: blackqueen join {url}" for url in addresses))
        say("Ctrl-C ends all of it.", flush=True)
        # In pieces, so that a signal is heard.
        while not stop.wait(0.5):
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
