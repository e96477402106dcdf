"""Messages that a bare echo answers per second of its processor time.

Bare means `websockets` on asyncio's own loop: the limit of the server is a share of that. The
server runs on uvloop if it is installed; there an echo answers nearly twice as many messages.

Run as a program, this module is the echo, on a free port; with the argument `uvloop` on that loop.
"""

import asyncio
import sys
from collections.abc import Iterator
from functools import partial

from websockets.asyncio.server import ServerConnection, serve

from bench.connection import Connection, connect, run
from bench.figures import Figure
from bench.processes import Listener, listening
from protocol.safe_text import say
from server.event_loop import fastest_loop

CONNECTIONS = 200
WARM_UP_SECONDS = 0.5
SECONDS = 4.0
MESSAGE = b"x" * 64
"""About as long as a move."""


UNIT = "messages/CPU-s"


def measure() -> Iterator[Figure]:
    """Messages per second of processor time, on each event loop that is installed."""
    yield Figure("echo.messages", messages_per_cpu_second(), UNIT)
    if fastest_loop() is not None:
        yield Figure("echo.uvloop", messages_per_cpu_second("uvloop"), UNIT)


def messages_per_cpu_second(*loop: str) -> float:
    """What this machine can do at the moment, on asyncio's own loop or on the named one."""
    with listening([sys.executable, "-m", "bench.measure_echo", *loop]) as server:
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


async def echo(connection: ServerConnection) -> None:
    """Send back every message of a connection."""
    async for message in connection:
        await connection.send(message)


async def main() -> None:
    """Serve until the process is stopped; the address is printed first."""
    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        say(f"Listening on ws://127.0.0.1:{port}", flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    if sys.argv[1:] == ["uvloop"]:
        run(main())
    else:
        asyncio.run(main())
