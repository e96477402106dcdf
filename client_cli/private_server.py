"""A private server for the time of a game: a process that never outlives the player."""

import asyncio
import ctypes
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

from protocol.errors import ConnectionLost

LOG_FILE = "server.log"
_READY = re.compile(r"Listening on (ws://\S+)")
# Whoever also runs a server here may have set them; this one is the player's own, at this machine.
_ELSEWHERE = frozenset(
    f"BLACKQUEEN_{name}"
    for name in (
        "DATABASE_URL",
        "OPENING",
        "HOST",
        "ROLES",
        "BUS",
        "TLS_CERTIFICATE_FILE",
        "TLS_KEY_FILE",
    )
)
_START_SECONDS = 30
_STOP_SECONDS = 5
_PR_SET_PDEATHSIG = 1


class NoPrivateServer(ConnectionLost):
    """The private server did not start."""


@asynccontextmanager
async def private_server(data: Path, *flags: str, opening: str | None = None) -> AsyncIterator[str]:
    """The address of a new `blackqueen serve` on a free port, whose log goes to a file in `data`.

    `opening` is what its page opens once (`server.net.opening`), passed in the environment because
    other users of the machine can read the flags of programs. The server prepares bots when a table
    needs them.

    The server has a session of its own, so that Ctrl-C reaches only the player's program, which
    then stops it. On Linux the kernel also stops it if the player's program is killed.
    """
    program = (sys.executable, "-m", "blackqueen", "serve")
    words = (*program, "--port", "0", "--data", str(data))
    with _log_in(data) as log:
        process = await asyncio.create_subprocess_exec(
            *words,
            *flags,
            env=_environment(opening),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            preexec_fn=_ending_with_parent(),
        )
    try:
        yield await _address(process, data)
    finally:
        # Even a second Ctrl-C must not leave the process behind.
        await asyncio.shield(_stop(process))


def _environment(opening: str | None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    return kept if opening is None else {**kept, "BLACKQUEEN_OPENING": opening}


def _log_in(data: Path) -> BinaryIO:
    """The server's log, which only its owner can read."""
    return open(data / LOG_FILE, "ab", opener=lambda path, flags: os.open(path, flags, 0o600))


async def _address(process: asyncio.subprocess.Process, data: Path) -> str:
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            async for raw in process.stdout:
                found = _READY.search(raw.decode("utf-8", "replace"))
                if found:
                    return found[1]
    except TimeoutError:
        raise NoPrivateServer(
            f"the private server does not answer; see {data / LOG_FILE}"
        ) from None
    raise NoPrivateServer(f"the private server did not start:\n{_tail(data / LOG_FILE)}")


async def _stop(process: asyncio.subprocess.Process) -> None:
    """Ask the server to end; kill it if it does not within a few seconds."""
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
    """Ask Linux to stop the new process when its parent dies; runs first in it."""
    if not sys.platform.startswith("linux"):
        return None
    library, parent = ctypes.CDLL(None), os.getpid()

    def ask() -> None:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return ask
