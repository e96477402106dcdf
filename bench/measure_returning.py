"""Two thousand seated players who come back at once: how soon they have their tables, and the cost.

First their connections are dropped, as by a proxy that restarts; then once more, and they know
nothing of their tables, as after pages were loaded again; then the server is restarted as well, so
it has to load every table.
"""

import asyncio
import json
import socket
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.connection import run
from bench.figures import Figure, at_most
from bench.processes import BenchError, Listener, listening
from bench.returning import SEATS

TABLES = 500
SERVED_SECONDS = 30.0
FLAGS = (
    *("--log-format", "json", "--turn-seconds", "0"),
    # All come from one address.
    *("--max-connections-per-address", "0", "--max-tables-per-address", "0"),
)


class Returned(NamedTuple):
    """Seconds until everybody had their table, how many were cut, processor time for each in ms."""

    served: float
    closed: int
    time: float


def measure() -> Iterator[Figure]:
    """How soon all have their tables, how many were cut, and the server's processor time."""
    with TemporaryDirectory(prefix="blackqueen-bench-") as data:
        returned = run(_drive(data))
    players = TABLES * SEATS
    for name, seen in returned.items():
        yield Figure(
            f"returning.{name}.served", seen.served, f"s for {players:,}", at_most(SERVED_SECONDS)
        )
        yield Figure(f"returning.{name}.cut", seen.closed, "players", at_most(0))
        yield Figure(f"returning.{name}.time", seen.time, "ms/player")


async def _drive(data: str) -> dict[str, Returned]:
    program = str(Path(sys.executable).with_name("blackqueen"))
    command = [program, "serve", "--data", data, "--port", str(_free_port()), *FLAGS]
    returned = {}
    async with _players() as process:
        with listening(command) as server:
            await _told(process, f"open {server.url}")
            for name, word in {"back": "back", "anew": "anew"}.items():
                returned[name] = await _return(process, server, word)
            await _told(process, "leave")
        with listening(command) as server:
            returned["restart"] = await _return(process, server, "back")
    return returned


async def _return(process: Process, server: Listener, word: str) -> Returned:
    await _told(process, "leave")
    # The server has to have noticed that they are gone.
    await asyncio.sleep(2)
    before = server.cpu_seconds()
    told = await _told(process, f"{word} {server.url}")
    await asyncio.sleep(1)
    used = server.cpu_seconds() - before
    return Returned(told["served"], told["closed"], 1000 * used / (TABLES * SEATS))


@asynccontextmanager
async def _players() -> AsyncIterator[Process]:
    words = ("-m", "bench.returning", str(TABLES))
    process = await create_subprocess_exec(sys.executable, *words, stdin=PIPE, stdout=PIPE)
    try:
        yield process
    finally:
        process.kill()
        await process.wait()


async def _told(process: Process, command: str) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{command}\n".encode())
    line = await process.stdout.readline()
    if not line:
        raise BenchError(f"the players went away at {command!r}")
    told: dict[str, Any] = json.loads(line)
    return told


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
