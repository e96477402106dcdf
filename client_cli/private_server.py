"""A private server for the time of a game: a process that never outlives the player.

Its bots may take long at first, because their kernels are being compiled; the player is told so.
"""

import asyncio
import ctypes
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from client_cli.effects import Remark
from client_cli.output import Output
from protocol.errors import ConnectionLost
from protocol.mirror import TableMirror

LOG_FILE = "server.log"
_READY = re.compile(r"Listening on (ws://\S+)")
_WARMED = re.compile(rb"bots_(not_)?warmed")
_START_SECONDS = 30
_STOP_SECONDS = 5
_PR_SET_PDEATHSIG = 1
_PATIENCE = 5
"""Seconds after which a player starts to wonder."""
_WARMING = Remark("The bots are still warming up; that takes longest the first time.")


class NoServer(ConnectionLost):
    """The private server did not start."""


@dataclass(frozen=True, slots=True)
class PrivateServer:
    """A running server: its address, and where its part of the log begins."""

    url: str
    log: Path
    begin: int = 0

    def warms_bots(self) -> bool:
        """Whether it is still loading what its bots need."""
        with self.log.open("rb") as log:
            log.seek(self.begin)
            said = log.read()
        return b"bots_warming" in said and not _WARMED.search(said)


@asynccontextmanager
async def private_server(data: Path, *flags: str) -> AsyncIterator[PrivateServer]:
    """A new `blackqueen serve` on a free port; its log goes to a file in `data`.

    It has a session of its own, so that Ctrl-C reaches only the player's program, which then stops
    it. On Linux the kernel also stops it if the player's program is killed.
    """
    words = (sys.executable, "-m", "blackqueen", "serve", "--port", "0", "--data", str(data))
    with (data / LOG_FILE).open("ab") as log:
        begin = log.tell()
        process = await asyncio.create_subprocess_exec(
            *words,
            *flags,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            preexec_fn=_ending_with_parent(),
        )
    try:
        yield PrivateServer(await _address(process, data), data / LOG_FILE, begin)
    finally:
        # Even a second Ctrl-C must not leave the process behind.
        await asyncio.shield(_stop(process))


async def _address(process: asyncio.subprocess.Process, data: Path) -> str:
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            async for raw in process.stdout:
                found = _READY.search(raw.decode("utf-8", "replace"))
                if found:
                    return found[1]
    except TimeoutError:
        raise NoServer(f"the private server does not answer; see {data / LOG_FILE}") from None
    raise NoServer(f"the private server did not start:\n{_tail(data / LOG_FILE)}")


async def _stop(process: asyncio.subprocess.Process) -> None:
    """Ask the server to end; end it if it does not within a few seconds."""
    if process.returncode is None:
        process.terminate()
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _tail(log: Path) -> str:
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-5:])


def _ending_with_parent() -> Callable[[], None] | None:
    """The first act of the new process on Linux: ask to be stopped when its parent dies."""
    if not sys.platform.startswith("linux"):
        return None
    library, parent = ctypes.CDLL(None), os.getpid()

    def ask() -> None:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return ask


async def report_warming(
    server: PrivateServer,
    table: Callable[[], TableMirror | None],
    output: Output,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Say so, if it is true, when a bot has taken that long for the first time."""
    seen, waited = -1, 0
    while waited < _PATIENCE:
        await sleep(1)
        now = table()
        if now is None:
            return
        waited = waited + 1 if now.seq == seen and _waits_for_bot(now) else 0
        seen = now.seq
    if server.warms_bots():
        output.remark(_WARMING)


def _waits_for_bot(table: TableMirror) -> bool:
    if table.my_turn:
        return False
    return any(table.info.seats[seat].kind == "bot" for seat in table.question.to_act)
