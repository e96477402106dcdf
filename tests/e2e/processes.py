"""Starts real programs under test, reads them with a timeout on every wait, and ends all by pid.

Each process has a mark in its environment, which its children inherit. So a process that is left
behind is found and ended, however it was started.
"""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from socket import SO_REUSEADDR, SOL_SOCKET, socket
from uuid import uuid4

from tests.e2e.fork_server import COMMAND, ForkedProcess, may_fork, paths_of
from tests.e2e.program import Program, trouble
from tests.e2e.stored import ELSEWHERE
from tests.releases import SHARED

STOP_SECONDS = 30.0

READY = re.compile(r"^Listening on (wss?://127\.0\.0\.1:(\d+))$")
MARK = "E2E_TEST"


@dataclass(frozen=True, slots=True)
class Server:
    """A running `blackqueen serve` that is ready at `url`."""

    program: Program
    url: str
    port: int
    data: Path

    async def kill(self) -> None:
        """Kill the server without warning, as a power cut would."""
        self.program.signal(signal.SIGKILL)
        await self.program.ended()

    async def stop(self) -> None:
        """Tell the server to stop, and check that it ends cleanly."""
        self.program.signal(signal.SIGTERM)
        await self.program.done()


class Programs:
    """Starts programs in an environment of the test's own, below `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.all: list[Program] = []
        self._mark = uuid4().hex
        kept = {k: v for k, v in os.environ.items() if not k.startswith("BLACKQUEEN_")}
        self._environment = {
            **kept,
            MARK: self._mark,
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_DATA_HOME": str(folder / "share"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
            "TMPDIR": str(folder),
        }

    def use_database(self, url: str) -> None:
        """Let every server store in the database at `url`."""
        self._environment["BLACKQUEEN_DATABASE_URL"] = url
        self.data.mkdir()
        self.data.joinpath(ELSEWHERE).write_text(url)

    async def run(
        self,
        *words: str,
        typed: bool = False,
        environment: Mapping[str, str] | None = None,
        source: Path | None = None,
        forked: bool = True,
    ) -> Program:
        """Start `blackqueen WORDS`; without `typed` its standard input is empty.

        `source` is the folder of another version of the program. By day today's program and
        releases come from a fork server, unless they may not be `forked`.
        """
        stdin = PIPE if typed else DEVNULL
        lasts = source is None or source.name.startswith(SHARED)
        if lasts and forked and may_fork(words, environment or {}):
            return await self._fork(words, stdin, environment, source)
        if source is None:
            return await self._start((str(COMMAND), *words), stdin, environment)
        command = (sys.executable, "-m", "blackqueen", *words)
        return await self._start(command, stdin, {**(environment or {}), **paths_of(source)})

    async def python(
        self,
        code: str,
        *flags: str,
        words: tuple[str, ...] = (),
        source: Path | None = None,
    ) -> Program:
        """Start Python with a piece of code, which finds the words in `sys.argv`."""
        command = (sys.executable, *flags, "-c", code, *words)
        return await self._start(command, DEVNULL, paths_of(source))

    async def start_server(
        self,
        *flags: str,
        data: Path | None = None,
        port: int = 0,
        module: str = "",
        source: Path | None = None,
        forked: bool = True,
    ) -> Program:
        """Start a server without delays for bots, and do not wait until it is ready.

        `module` is a module of the tests to start in place of the program; for `source` and
        `forked` see `run`.
        """
        words = ("--port", str(port), "--data", str(data or self.data), "--bot-delay", "0")
        if not module:
            return await self.run("serve", *words, *flags, source=source, forked=forked)
        command = (sys.executable, "-m", module, *words, *flags)
        return await self._start(command, DEVNULL, paths_of(Path(__file__).parents[2]))

    async def serve(
        self,
        *flags: str,
        data: Path | None = None,
        port: int = 0,
        module: str = "",
        source: Path | None = None,
        forked: bool = True,
    ) -> Server:
        """Start a server and wait until it is ready."""
        program = await self.start_server(
            *flags, data=data, port=port, module=module, source=source, forked=forked
        )
        ready = READY.match(await program.line(lambda text: True))
        assert ready, f"no word of an address\n{program}"
        return Server(program, ready[1], int(ready[2]), data or self.data)

    def running(self) -> set[int]:
        """Return the pids of all processes started here that run, with their descendants."""
        marked = {
            int(folder.name)
            for folder in Path("/proc").iterdir()
            if folder.name.isdecimal() and self._is_ours(folder)
        }
        return marked | {program.pid for program in self.all if program.code is None}

    async def all_gone(self) -> None:
        """Wait until no process that was started here still runs, nor any of their descendants."""
        async with asyncio.timeout(STOP_SECONDS):
            while self.running():  # noqa: ASYNC110 - other people's children tell us nothing
                await asyncio.sleep(0.02)

    async def end(self) -> None:
        """End all processes that still run, and print all their output if the test fails."""
        for program in self.all:
            if program.code is None:
                program.signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_SECONDS):
                for program in self.all:
                    await program.ended()
        finally:
            left_behind = self.running()
            for pid in left_behind:
                os.kill(pid, signal.SIGKILL)
            for program in self.all:
                print(program)
        assert not left_behind, "these processes were left behind or did not stop"
        for program in self.all:
            found = trouble("\n".join([*program.lines, program.errors]))
            assert not found, f"trouble in the output:\n{found}\n{program}"

    async def _start(
        self, words: tuple[str, ...], stdin: int, environment: Mapping[str, str] | None
    ) -> Program:
        loop = asyncio.get_running_loop()
        _, program = await loop.subprocess_exec(
            lambda: Program(words),
            *words,
            stdin=stdin,
            stdout=PIPE,
            stderr=PIPE,
            env={**self._environment, **(environment or {})},
            cwd=self.folder,
        )
        self.all.append(program)
        return program

    async def _fork(
        self,
        words: tuple[str, ...],
        stdin: int,
        environment: Mapping[str, str] | None,
        source: Path | None,
    ) -> Program:
        program = Program((str(COMMAND), *words))
        environment = {**self._environment, **(environment or {}), **paths_of(source)}
        await ForkedProcess(program).start(
            words, environment, self.folder, stdin=stdin, source=source
        )
        self.all.append(program)
        return program

    def _is_ours(self, folder: Path) -> bool:
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            return False  # ended meanwhile, or another user's
        return f"{MARK}={self._mark}".encode() in environment


def free_port(rng: Random) -> int:
    """Return a port that a test can use again, below those the system assigns to others."""
    while True:
        port = rng.randrange(20_000, 32_000)
        with socket() as probe:
            probe.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
