#!/usr/bin/env python3
"""Several nodes on this machine, to try them out: `.venv/bin/python deploy/local_cluster.py`.

Starts PostgreSQL, whose programs have to be installed, and three whole servers on it, on free ports
and in a temporary folder. It says where to connect, and ends and deletes everything at Ctrl-C.
`--help` tells its flags and exit codes.
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from blackqueen.main import Parser
from deploy.local_processes import (
    Begun,
    NotStarted,
    Stopped,
    found,
    free_port,
    running,
    until_open,
    until_ready,
)
from protocol.exits import Exit
from protocol.safe_text import complain, say
from server.ops.settings import SettingsError
from server.ops.settings_sources import add_arguments, settings_from

PROGRAM = "deploy/local_cluster.py"
NODES = 3
REMOVED = ("--gateways", "--tables", "--secure", "--bots")
"""What the program took while there were processes by role."""
ITS_OWN = ("node_url", "port", "data", "database_url", "admin")
"""The settings that differ from node to node, so that nobody can give one for all."""
EXITS = """Any other flag goes to every node, such as `--bot-delay 0`.
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

    def start(self, count: int) -> list[str]:
        """Start so many nodes on one database; returns their addresses for players.

        Each is at a port of its own, which clients follow as they came by this machine.
        `NotStarted` says what did not start; `Stopped` if nobody waits for it any more.
        """
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

    def _database(self) -> tuple[str, ...]:
        """Start PostgreSQL; the words that name the database."""
        initdb, postgres = found("initdb"), found("postgres")
        if initdb is None or postgres is None:
            raise NotStarted("nodes need PostgreSQL, which is not installed")
        nobody = AS_NOBODY if os.geteuid() == 0 else ()
        files, port = self._folder / "postgresql", free_port()
        usual = ("--no-sync", "--username=cards", "--auth=trust", "--locale=C", "--encoding=UTF8")
        command = (*nobody, initdb, *usual, "--pgdata", str(files))
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        words = (*nobody, postgres, "-D", str(files), f"--port={port}")
        only = ("--listen-addresses=127.0.0.1", "--unix-socket-directories=")
        begun = self._run("postgresql", *words, *only, end=signal.SIGINT)
        until_open(port, begun, self._stop)
        self._tell(begun)
        return ("--database-url", f"postgresql+psycopg://cards@127.0.0.1:{port}/postgres")

    def _data(self, name: str) -> tuple[str, ...]:
        """The words that give a process a folder of its own, where administrators find it."""
        return ("--data", str(self._folder / name), "--admin")

    def _begin(self, words: Mapping[str, Sequence[str]]) -> None:
        """Start nodes with these words side by side, and wait until they are ready."""
        program = str(Path(sys.executable).with_name("blackqueen"))
        begun = {
            name: self._run(name, program, "serve", *own, *self._flags)
            for name, own in words.items()
        }
        until_ready(begun.values(), lambda name, _: self._tell(begun[name]), self._stop)

    def _tell(self, begun: Begun) -> None:
        say(f"{begun.name}: process {begun.process.pid}, log {begun.log}", flush=True)

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
            parser.error(f"argument --{flag}: each node has its own")
    try:
        settings_from(arguments)
    except SettingsError as error:
        complain("blackqueen serve", str(error))
        sys.exit(Exit.USAGE)


def main() -> int:
    """Run the nodes until Ctrl-C or SIGTERM."""
    parser = Parser(
        prog=PROGRAM,
        description="Several nodes of blackqueen on this machine.",
        epilog=EXITS,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=process_count,
        default=NODES,
        help="how many whole servers there are (default: %(default)s)",
    )
    for flag in REMOVED:
        parser.add_argument(flag, nargs="?", help=argparse.SUPPRESS)
    chosen, flags = parser.parse_known_args()
    for flag in REMOVED:
        if flag in sys.argv[1:]:
            parser.error(f"argument {flag}: all processes are whole servers now; use --nodes N")
    check(flags)
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with TemporaryDirectory(prefix="blackqueen-") as folder, ExitStack() as stack:
        cluster = LocalCluster(Path(folder), stack, stop, flags)
        try:
            addresses = cluster.start(chosen.nodes)
        except NotStarted as error:
            complain(PROGRAM, str(error))
            return 1
        except Stopped:
            return 0
        say(f"Administrators ask: blackqueen admin nodes --data {folder}/node-1")
        say(*(f"Players join with: blackqueen join {url}" for url in addresses))
        say("Ctrl-C ends all of it.", flush=True)
        # In pieces, so that a signal is heard.
        while not stop.wait(0.5):
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
