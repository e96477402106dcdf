#!/usr/bin/env python3
"""A whole cluster on this machine, to try it out: `.venv/bin/python deploy/local_cluster.py`.

Starts Mosquitto, PostgreSQL (if its programs are installed; SQLite if not), two gateways and two
processes with tables (one with SQLite), on free ports and in a temporary folder.
With `--nodes N` there are N whole servers and PostgreSQL instead, and no broker.
With `--secure` broker and database have what `cluster_secrets.py` makes: TLS, passwords, and access
rules for each process. Processes of one kind start side by side. It says where to connect, and ends
and deletes everything at Ctrl-C. `--help` tells its flags and exit codes.
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from blackqueen.main import Parser
from deploy.cluster_secrets import Secrets
from deploy.local_processes import (
    Begun,
    NotStarted,
    Stopped,
    found,
    free_port,
    has_postgresql,
    running,
    until_open,
    until_ready,
)
from protocol.exits import Exit
from protocol.safe_text import complain, say
from server.ops.removed_settings import REMOVED_ROLES
from server.ops.settings import SettingsError
from server.ops.settings_sources import add_arguments, settings_from

PROGRAM = "deploy/local_cluster.py"
ITS_OWN = ("roles", "node", "node_url", "port", "bus", "data", "database_url", "admin")
"""The settings that differ from process to process, so that nobody can give one for all."""
EXITS = """Any other flag goes to every process of the server, such as `--bot-delay 0`.
Exit codes: 0 after Ctrl-C or SIGTERM, 1 if something does not start, 2 if a flag is wrong."""
# PostgreSQL refuses to run as root, and takes what this leaves for somebody else.
AS_NOBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")


class LocalCluster:
    """The processes in `folder`; each is ended with `stack`, the last first."""

    def __init__(
        self, folder: Path, stack: ExitStack, stop: Event, flags: Sequence[str] = ()
    ) -> None:
        self._folder = folder
        self._stack = stack
        self._stop = stop
        self._flags = tuple(flags)
        self._port = 0
        self._secrets: Path | None = None

    def start(self, gateways: int, nodes: int, *, secure: bool) -> list[str]:
        """Start everything; returns the addresses for players.

        `NotStarted` says what did not start; `Stopped` if nobody waits for it any more.
        """
        if nodes > 1 and not has_postgresql():
            raise NotStarted(
                "several processes with tables need PostgreSQL, which is not installed"
            )
        if secure:
            self._secure({"gateway": gateways, "tables": nodes})
        self._broker()
        database = self._database()
        for role, count, words in (
            ("tables", nodes, database),
            ("gateway", gateways, ()),
        ):
            ports = self._serve([f"{role}-{number + 1}" for number in range(count)], role, words)
        return [f"ws://127.0.0.1:{port}" for port in ports]

    def start_nodes(self, count: int) -> list[str]:
        """Start so many whole servers on one database; returns their addresses for players.

        Each is at a port of its own, which clients follow as they came by this machine. Raises as
        `start` does.
        """
        if not has_postgresql():
            raise NotStarted("nodes need PostgreSQL, which is not installed")
        database = self._database()
        ports = {f"node-{number}": free_port() for number in range(1, count + 1)}
        urls = {name: f"ws://127.0.0.1:{port}" for name, port in ports.items()}
        self._begin(
            {
                name: ("--node-url", url, "--port", str(ports[name]), *self._data(name), *database)
                for name, url in urls.items()
            }
        )
        return list(urls.values())

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
        self._open(port, self._run("mosquitto", program, "-c", str(config)))
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
        self._open(port, self._run("postgresql", *words, *only, end=signal.SIGINT))
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

    def _serve(self, names: Sequence[str], role: str, words: Sequence[str]) -> list[int]:
        """Start processes with a role side by side; the ports on which they listen."""
        return self._begin(
            {
                name: (
                    *("--roles", role, "--node", name, "--port", "0"),
                    *self._bus(f"{role}.{name}"),
                    *(self._data(name) if role == "tables" else ()),
                    *words,
                )
                for name in names
            }
        )

    def _data(self, name: str) -> tuple[str, ...]:
        """The words that give a process a folder of its own, where administrators find it."""
        return ("--data", str(self._folder / name), "--admin")

    def _begin(self, words: Mapping[str, Sequence[str]]) -> list[int]:
        """Start processes of the server with these words side by side; where they listen."""
        program = str(Path(sys.executable).with_name("blackqueen"))
        begun = {
            name: self._run(name, program, "serve", *own, *self._flags)
            for name, own in words.items()
        }
        ports = dict.fromkeys(words, 0)

        def tell(name: str, port: int) -> None:
            ports[name] = port
            self._tell(begun[name])

        until_ready(begun.values(), tell, self._stop)
        return list(ports.values())

    def _tell(self, begun: Begun) -> None:
        say(f"{begun.name}: process {begun.process.pid}, log {begun.log}", flush=True)

    def _open(self, port: int, begun: Begun) -> None:
        """Wait until a process that is not of the server accepts connections."""
        until_open(port, begun, self._stop)
        self._tell(begun)

    def _bus(self, user: str) -> Iterator[str]:
        """The words that lead a process to the broker."""
        if self._secrets is None:
            yield from ("--bus", f"mqtt://127.0.0.1:{self._port}")
            return
        # The certificate has this name.
        yield from ("--bus", f"mqtts://{user}@localhost:{self._port}/blackqueen-bus")
        yield from ("--bus-ca-file", str(self._secrets / "ca.crt"))
        yield from ("--bus-password-file", str(self._secrets / f"{user}.password"))

    def _run(self, name: str, *words: str, end: signal.Signals = signal.SIGTERM) -> Begun:
        """Start a process, which is ended with all others."""
        log = self._folder / f"{name}.log"
        return Begun(name, self._stack.enter_context(running(log, *words, end=end)), log)


def process_count(text: str) -> int:
    """A number of processes; `ArgumentTypeError` if that is none."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes, at least 1")
    return int(text)


def check(flags: Sequence[str]) -> None:
    """End the program if these are no flags for every process, before anything starts."""
    parser = Parser(prog="blackqueen serve")
    add_arguments(parser)
    arguments = parser.parse_args(flags)
    for name in ITS_OWN:
        if hasattr(arguments, name):
            flag = name.replace("_", "-")
            parser.error(f"argument --{flag}: each process of a local cluster has its own")
    try:
        settings_from(arguments)
    except SettingsError as error:
        complain("blackqueen serve", str(error))
        sys.exit(Exit.USAGE)


def main() -> int:
    """Run the cluster until Ctrl-C or SIGTERM."""
    parser = Parser(
        prog=PROGRAM,
        description="A cluster of blackqueen on this machine.",
        epilog=EXITS,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for flag, what, usual in (
        ("--gateways", "how many gateways", 2),
        ("--tables", "how many with tables", 2 if has_postgresql() else 1),
    ):
        words = f"{what} (default: {usual})"
        parser.add_argument(flag, metavar="N", type=process_count, default=usual, help=words)
    parser.add_argument(
        "--secure", action="store_true", help="TLS and passwords at broker and database"
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=process_count,
        help="so many whole servers on one database, without gateways and broker",
    )
    parser.add_argument("--bots", help=argparse.SUPPRESS)
    chosen, flags = parser.parse_known_args()
    if chosen.bots is not None:
        parser.error(f"argument --bots: {REMOVED_ROLES['bots']}")
    if chosen.nodes is not None and chosen.secure:
        parser.error("argument --secure: it is for a cluster with a broker, not for --nodes")
    check(flags)
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with TemporaryDirectory(prefix="blackqueen-") as folder, ExitStack() as stack:
        cluster = LocalCluster(Path(folder), stack, stop, flags)
        try:
            if chosen.nodes is None:
                first = "tables-1"
                addresses = cluster.start(chosen.gateways, chosen.tables, secure=chosen.secure)
            else:
                first, addresses = "node-1", cluster.start_nodes(chosen.nodes)
        except NotStarted as error:
            complain(PROGRAM, str(error))
            return 1
        except Stopped:
            return 0
        say(f"Administrators ask: blackqueen admin nodes --data {folder}/{first}")
        say(*(f"Players join with: blackqueen join {url}" for url in addresses))
        say("Ctrl-C ends all of it.", flush=True)
        # In pieces, so that a signal is heard.
        while not stop.wait(0.5):
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
