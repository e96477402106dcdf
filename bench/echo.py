"""How many messages a bare WebSocket echo answers: the server's limit is a share of that.

Bare means `websockets` on asyncio's own loop (ADR 8). Run as a program, this module is the echo, on
a free port.
"""

import asyncio
import sys
from functools import partial

from websockets.asyncio.server import ServerConnection, serve

from bench.clients import Connection, connect, run
from bench.processes import Listener, listening
from protocol.safe_text import say

CONNECTIONS = 200
WARM_UP_SECONDS = 0.5
SECONDS = 4.0
MESSAGE = b"x" * 64
"""About as long as a move."""


def messages_per_cpu_second() -> float:
    """Messages that the echo answers for a second of its processor time, at this moment."""
    with listening([sys.executable, "-m", "bench.echo"]) as server:
        return run(_drive(server))


async def _drive(server: Listener) -> float:
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
    asyncio.run(main())
