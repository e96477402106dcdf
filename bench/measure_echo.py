"""Messages a bare echo answers per second of its processor time."""

import asyncio
import sys
from collections.abc import Iterator
from functools import partial

from bench.connection import Connection, connect
from bench.figures import Figure
from bench.loops import run
from bench.processes import Listener, listening

CONNECTIONS = 200
WARM_UP_SECONDS = 0.5
SECONDS = 4.0
MESSAGE = b"x" * 64
"""About as long as a move."""


def measure() -> Iterator[Figure]:
    yield Figure("echo.messages", messages_per_cpu_second(), "messages/CPU-s")


def messages_per_cpu_second() -> float:
    """What this machine can do just now; the server's limit is a share of it."""
    with listening([sys.executable, "-m", "bench.echo_server"]) as server:
        return run(_play(server))


async def _play(server: Listener) -> float:
    connections: list[Connection] = []
    answered = 0
    running = True

    def again(at: int, _: bytes) -> None:
        nonlocal answered
        answered += 1
        if running:
            connections[at].send(MESSAGE)

    connections += [await connect(server.url, partial(again, at)) for at in range(CONNECTIONS)]
    for connection in connections:
        connection.send(MESSAGE)
    await asyncio.sleep(WARM_UP_SECONDS)
    before, cpu = answered, server.cpu_seconds()
    await asyncio.sleep(SECONDS)
    rate = (answered - before) / (server.cpu_seconds() - cpu)
    running = False
    for connection in connections:
        connection.close()
    return rate
