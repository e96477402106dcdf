"""What a thousand connections cost that say nothing but that they are there.

They ask for a sign of life as often as clients do whose table is in play, who notice a silent
server by it: programs by a ping, the page by a command, as browsers let it send nothing else.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.connection import Connection, connect, run
from bench.figures import Figure, at_most
from bench.measure_server import FLAGS, allow_many_sockets
from bench.processes import Listener, listening
from protocol.dial import PATIENT
from protocol.version import JSON, VERSION

CONNECTIONS = 1000
SECONDS = 20.0
"""As long as the server takes to ask everybody who says nothing."""
BEAT_SECONDS = 0.05
MOST = 10.0
"""Milliseconds of the server for a connection and minute: a core has 6,000 of them then."""
MORE_FLAGS = ("--max-connections-per-address", "0")


class Silent:
    """A connection of a player at no table."""

    def __init__(self) -> None:
        self.last_id = 1
        self._welcomed = asyncio.Event()
        self._connection: Connection

    async def enter(self, url: str, name: str) -> None:
        """Connect and say hello."""
        self._connection = await connect(url, self._receive, JSON)
        self._say(type="hello", id=1, version=VERSION, client=name, name=name)
        await self._welcomed.wait()

    def ping(self) -> None:
        """Ask as a program does."""
        self._connection.ping()

    def command(self) -> None:
        """Ask as the page does."""
        self.last_id += 1
        self._say(type="ping", id=self.last_id)

    def hang_up(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _say(self, **fields: object) -> None:
        self._connection.send_text(json.dumps(fields).encode())

    def _receive(self, frame: bytes) -> None:
        self._welcomed.set()


def measure() -> Iterator[Figure]:
    """The server's processor time for a connection and minute, by what its client sends."""
    allow_many_sockets()
    program = str(Path(sys.executable).with_name("blackqueen"))
    with (
        TemporaryDirectory(prefix="blackqueen-bench-") as data,
        listening([program, "serve", "--data", data, *FLAGS, *MORE_FLAGS]) as server,
    ):
        calm, silent, pings, commands = run(_drive(server))
    unit = "ms/minute"
    yield Figure("idle.silent", silent - calm, unit, at_most(MOST))
    yield Figure("idle.pings", pings - calm, unit, at_most(MOST))
    yield Figure("idle.commands", commands - calm, unit, at_most(MOST))


async def _drive(server: Listener) -> list[float]:
    calm = await _used(server)
    everybody = [Silent() for _ in range(CONNECTIONS)]
    for number, each in enumerate(everybody):
        await each.enter(server.url, f"silent-{number}")
    ways: list[Callable[[Silent], None]] = [_say_nothing, Silent.ping, Silent.command]
    used = []
    for way in ways:
        async with asyncio.TaskGroup() as tasks:
            speaking = tasks.create_task(_speak(everybody, way))
            # What was said before is over.
            await asyncio.sleep(BEAT_SECONDS)
            used.append(await _used(server))
            speaking.cancel()
    for each in everybody:
        each.hang_up()
    return [calm, *used]


async def _used(server: Listener) -> float:
    """Milliseconds of the server's processor time for each of the connections in a minute."""
    before = server.cpu_seconds()
    await asyncio.sleep(SECONDS)
    return 1000 * (server.cpu_seconds() - before) * 60 / SECONDS / CONNECTIONS


async def _speak(everybody: list[Silent], way: Callable[[Silent], None]) -> None:
    """Have each speak as often as a client whose table is in play, spread over the time."""
    beats = round(PATIENT.table / BEAT_SECONDS)
    while True:
        for beat in range(beats):
            for each in everybody[beat::beats]:
                way(each)
            await asyncio.sleep(BEAT_SECONDS)


def _say_nothing(connection: Silent) -> None:
    pass
