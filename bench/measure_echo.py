"""Messages that a bare echo answers per second of its processor time.

Bare means `websockets` on asyncio's own loop: the limit of the server is a share of that. The
server runs on uvloop if it is installed; there an echo answers nearly twice as many messages.
"""

import asyncio
import sys
from collections.abc import Iterator
from functools import partial

from bench.connection import Connection, connect, loop_factory, run
from bench.figures import Figure
from bench.processes import Listener, listening

CONNECTIONS = 200
WARM_UP_SECONDS = 0.5
SECONDS = 4.0
MESSAGE = b"x" * 64
"""About as long as a move."""


UNIT = "messages/CPU-s"


def measure() -> Iterator[Figure]:
    """Messages per second of processor time, on each event loop that is installed."""
    yield Figure("echo.messages", messages_per_cpu_second(), UNIT)
    if loop_factory() is not None:
        yield Figure("echo.uvloop", messages_per_cpu_second("uvloop"), UNIT)


def messages_per_cpu_second(*loop: str) -> float:
    """What this machine can do at the moment, on asyncio's own loop or on the named one."""
    with listening([sys.executable, "-m", "bench.echo_server", *loop]) as server:
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
