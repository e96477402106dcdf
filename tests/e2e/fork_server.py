"""Starts `blackqueen` without the time for its imports, which are most of what a start takes.

A process that has imported the program forks into each one that a test starts (`forking.py`). The
new process has its own id, files, signals, environment and end, like any other. What differs: its
modules are loaded already, and `/proc` shows the command line and environment of the fork server.
By night all programs are started in the usual way.
"""

import asyncio
import atexit
import json
import os
import socket
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from functools import cache, partial
from io import FileIO
from pathlib import Path

from tests.counts import NIGHT

COMMAND = Path(sys.executable).with_name("blackqueen")
SUBCOMMANDS = ("serve", "play", "join", "tables", "devices", "watch", "bot", "admin", "replay")


def may_fork(words: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Return whether a fork is as good: nothing concerns how Python itself starts."""
    concerns_python = any(name.startswith(("PYTHON", "LC_ALL", "LC_CTYPE")) for name in environment)
    return not NIGHT and not concerns_python and bool(words) and words[0] in SUBCOMMANDS


class ForkServer:
    """A process that has imported the program, or that in the folder `source`, and forks."""

    def __init__(self, source: Path | None) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            (
                *(sys.executable, str(Path(__file__).with_name("forking.py"))),
                *(str(theirs.fileno()), str(COMMAND), *SUBCOMMANDS),
            ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**os.environ, **paths_of(source)},
            # Ctrl-C at the tests ends it by the end of its socket.
            start_new_session=True,
        )
        theirs.close()

    def order(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        ends: Sequence[int],
        *,
        terminal: bool = False,
    ) -> int:
        """Order a process with these ends as its input and outputs.

        Return a pipe in which the id of the process is written, and later its exit code.
        """
        told, report = os.pipe()
        order = json.dumps([list(words), dict(environment), str(folder), terminal])
        try:
            socket.send_fds(self._orders, [order.encode()], [*ends, report])
        finally:
            os.close(report)
        return told

    def end(self) -> None:
        """End the process. Programs that it has started go on."""
        self._orders.close()
        self._process.wait()


def paths_of(source: Path | None) -> dict[str, str]:
    """Return the environment in which Python finds another version's modules first."""
    return {} if source is None else {"PYTHONPATH": str(source)}


@cache
def fork_server(source: Path | None) -> ForkServer:
    """Return the fork server of all tests of this process, for today's program or a release."""
    server = ForkServer(source)
    atexit.register(server.end)
    return server


class ForkedProcess(asyncio.SubprocessTransport):
    """A process of the fork server, which tells its protocol what `asyncio` tells of others."""

    def __init__(self, protocol: asyncio.SubprocessProtocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._pid: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._code: int | None = None
        self._input: asyncio.BaseTransport | None = None
        self._open: dict[int, asyncio.BaseTransport] = {}

    async def start(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        *,
        stdin: int = DEVNULL,
        terminal: int | None = None,
        source: Path | None = None,
    ) -> None:
        """Start the process with pipes, or at a terminal, which then controls it."""
        loop = asyncio.get_running_loop()
        if terminal is None:
            ours, theirs = _pipes(stdin == PIPE)
        else:
            ours, theirs = {}, [os.dup(terminal) for _ in range(3)]
        ours[_REPORT] = fork_server(source).order(
            words, environment, folder, theirs, terminal=terminal is not None
        )
        for end in theirs:
            os.close(end)
        self._protocol.connection_made(self)
        for number, end in ours.items():
            file = FileIO(end, "r" if number else "w")
            if number == 0:
                self._input, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, file)
            else:
                self._open[number], _ = await loop.connect_read_pipe(
                    partial(_End, self, number), file
                )
        await self._pid

    def get_pid(self) -> int:
        return self._pid.result()

    def get_returncode(self) -> int | None:
        return self._code

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        return self._open.get(fd) if fd else self._input

    def send_signal(self, number: int) -> None:
        if self._code is None:
            os.kill(self.get_pid(), number)

    def close(self) -> None:
        for pipe in (self._input, *self._open.values()):
            if pipe is not None:
                pipe.close()

    def received(self, number: int, data: bytes) -> None:
        """Take what has come through a pipe."""
        if number != _REPORT:
            self._protocol.pipe_data_received(number, data)
            return
        for word in data.split():
            if not self._pid.done():
                self._pid.set_result(int(word))
            else:
                self._code = int(word)

    def ended(self, number: int) -> None:
        """Note the end of a pipe; that of the last one ends the connection."""
        self._open.pop(number).close()
        if not self._open:
            self._protocol.connection_lost(None)


_REPORT = 3
"""The pipe in which the fork server writes, beside those of a program."""


def _pipes(typed: bool) -> tuple[dict[int, int], list[int]]:
    """Return our ends of a program's pipes, by their numbers there, and its own ends."""
    ours, theirs = {}, []
    if typed:
        end, ours[0] = os.pipe()
        theirs.append(end)
    else:
        theirs.append(os.open(os.devnull, os.O_RDONLY))
    for number in (1, 2):
        ours[number], end = os.pipe()
        theirs.append(end)
    return ours, theirs


class _End(asyncio.Protocol):
    """Our end of a pipe of a process."""

    def __init__(self, process: ForkedProcess, number: int) -> None:
        self._process = process
        self._number = number

    def data_received(self, data: bytes) -> None:
        self._process.received(self._number, data)

    def connection_lost(self, error: Exception | None) -> None:
        self._process.ended(self._number)
