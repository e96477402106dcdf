"""A bare WebSocket echo on a free port: the lowest cost of a message with this library.

It runs on asyncio's own event loop, or on uvloop, as the server does, with the argument `uvloop`.
"""

import asyncio
import sys

from websockets.asyncio.server import ServerConnection, serve

from bench.connection import run
from protocol.safe_text import say


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
