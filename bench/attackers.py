"""Attacking clients.

Each attacker sends what its way says as fast as the server takes it, and reconnects at once
whenever it is disconnected.
"""

import asyncio
import json
import struct
from asyncio import StreamReader, StreamWriter
from collections import Counter
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeAlias

from websockets.uri import parse_uri

from protocol.version import JSON

Way: TypeAlias = Callable[[StreamReader, StreamWriter], Awaitable[None]]

SOURCE = "127.0.0.2"
"""The attackers' address; any address in 127.0.0.0/8 is this machine."""
CHUNK = 65_536
TEXT, CONTINUATION, BINARY, PONG, PING = 1, 0, 2, 10, 9

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: " + JSON.encode() + b"\r\n\r\n"
)


def frame(
    opcode: int, payload: bytes = b"", final: bool = True, announced: int | None = None
) -> bytes:
    """A masked frame whose mask changes nothing; `announced` is a false length."""
    length = len(payload) if announced is None else announced
    head = bytes([0x80 * final | opcode])
    if length < 126:
        head += bytes([0x80 | length])
    elif length < 65_536:
        head += struct.pack("!BH", 0x80 | 126, length)
    else:
        head += struct.pack("!BQ", 0x80 | 127, length)
    return head + bytes(4) + payload


def command(type: str, id: int, **fields: object) -> bytes:
    """A frame with a command in JSON."""
    return frame(TEXT, json.dumps({"type": type, "id": id, **fields}).encode())


def hello(name: str = "Mallory") -> bytes:
    """A frame with the first command of a connection."""
    return command("hello", 1, version=1, client=name, name=name)


async def open_websocket(reader: StreamReader, writer: StreamWriter) -> None:
    """Send a WebSocket handshake and read the answer."""
    writer.write(REQUEST)
    await reader.readuntil(b"\r\n\r\n")


async def say_hello(reader: StreamReader, writer: StreamWriter) -> None:
    """Open a WebSocket, say hello and read the welcome."""
    await open_websocket(reader, writer)
    writer.write(hello())
    await reader.readuntil(b"welcome")


async def pour(writer: StreamWriter, data: bytes) -> None:
    """Send `data` again and again; ends with an error when the connection ends."""
    while True:
        writer.write(data)
        await writer.drain()


def flood(data: bytes, greeted: bool = False, first: bytes = b"") -> Way:
    """A way that sends `first` once and then `data` for ever; `greeted`: it says hello before."""

    async def way(reader: StreamReader, writer: StreamWriter) -> None:
        await (say_hello if greeted else open_websocket)(reader, writer)
        writer.write(first)
        await pour(writer, data * (CHUNK // len(data)))

    return way


async def half_open(reader: StreamReader, writer: StreamWriter) -> None:
    """A handshake that is begun and never finished."""
    writer.write(REQUEST[:-2])
    await reader.read()


async def drip(reader: StreamReader, writer: StreamWriter) -> None:
    """A handshake a byte at a time."""
    while not reader.at_eof():
        for byte in REQUEST[:-2]:
            if writer.is_closing():
                # A transport of uvloop takes nothing more, and says so in its own way.
                raise ConnectionResetError
            writer.write(bytes([byte]))
            await asyncio.sleep(0.001)


async def announce(reader: StreamReader, writer: StreamWriter) -> None:
    """The header of a far too large frame, and then as much of it as the server takes."""
    await open_websocket(reader, writer)
    writer.write(frame(BINARY, announced=2**62))
    await pour(writer, bytes(CHUNK))


async def visit(reader: StreamReader, writer: StreamWriter) -> None:
    """Connect, say hello, disconnect: what a new connection costs."""
    await say_hello(reader, writer)


async def hold(reader: StreamReader, writer: StreamWriter) -> None:
    """Say hello and stay, as a guest with nothing to do."""
    await say_hello(reader, writer)
    await _read_on(reader)


async def play(reader: StreamReader, writer: StreamWriter) -> None:
    """Open a table, start its match against bots, and stay there."""
    await say_hello(reader, writer)
    writer.write(command("create_table", 2, game="hearts"))
    await reader.readuntil(b'"table":"')
    table = (await reader.readuntil(b'"'))[:-1].decode()
    writer.write(command("start", 3, table=table, fill=0))
    await _read_on(reader)


async def _read_on(reader: StreamReader) -> None:
    while await reader.read(CHUNK):
        pass
    raise ConnectionResetError


WAYS: dict[str, Way] = {
    "pongs": flood(frame(PONG)),
    "late_pongs": flood(frame(PONG), greeted=True),
    "pings": flood(frame(PING, bytes(125)), greeted=True),
    "fragments": flood(
        frame(CONTINUATION, b"a", final=False), greeted=True, first=frame(TEXT, b"a", final=False)
    ),
    "tiny": flood(frame(TEXT), greeted=True),
    "messages": flood(command("ping", 2), greeted=True),
    "announce": announce,
    "half_open": half_open,
    "drip": drip,
    "visit": visit,
    "hold": hold,
    "play": play,
}


class Attackers:
    """All attackers of one address; they count their connections and how often they were closed."""

    def __init__(self, url: str, until: float, source: str) -> None:
        self.counts: Counter[str] = Counter()
        self._uri = parse_uri(url)
        self._until = until
        self._source = source

    async def attack(self, way: Way) -> None:
        """Attack again and again until the time is over."""
        while (left := self._until - monotonic()) > 0:
            try:
                async with asyncio.timeout(left):
                    await self._once(way)
            except TimeoutError:
                return
            except (OSError, asyncio.IncompleteReadError):
                self.counts["closed"] += 1

    async def _once(self, way: Way) -> None:
        reader, writer = await asyncio.open_connection(
            self._uri.host, self._uri.port, local_addr=(self._source, 0)
        )
        self.counts["connections"] += 1
        try:
            await way(reader, writer)
        finally:
            writer.transport.abort()


async def attack(
    url: str, ways: list[str], count: int, seconds: float, source: str
) -> Counter[str]:
    """The counts of `count` attackers, who take turns with the ways, after so many seconds."""
    attackers = Attackers(url, monotonic() + seconds, source)
    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(attackers.attack(WAYS[ways[number % len(ways)]]))
    return attackers.counts
