"""Attacks at a real socket: whatever arrives is counted, and cut off in time.

Other players go on meanwhile; how little they notice is measured by `blackqueen bench attack`.
"""

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.protocol import Event

from bench.attackers import (
    BINARY,
    CONTINUATION,
    PING,
    PONG,
    REQUEST,
    TEXT,
    command,
    frame,
    open_websocket,
    say_hello,
)
from server.net.websocket import MOST_PARTS, PIECE, CountedConnection
from tests.server.socket_server import SocketServer, background_match, open_socket_server

CUT_OFF = b"\x03\xf0too much traffic"
"""Code 1008 and the reason, as they stand in a close frame."""
MOST_WAITING = 16
"""Frames that `websockets` keeps for the application before it stops reading."""
FLOOD = 3000
"""Frames: more than any budget of them, and of small ones fewer bytes than any of those."""


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Everything that was parsed: one request a connection, and frames."""
    parsed: list[Event] = []

    class Watched(CountedConnection):
        def process_event(self, event: Event) -> None:
            parsed.append(event)
            super().process_event(event)

    monkeypatch.setattr("server.net.websocket.CountedConnection", Watched)
    return parsed


@asynccontextmanager
async def caller(server: SocketServer) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A bare TCP connection."""
    at = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def flood(writer: StreamWriter, data: bytes) -> None:
    """Send as much as the server takes before it closes."""
    with suppress(OSError):
        for _ in range(FLOOD // 10):
            writer.write(10 * data)
            await writer.drain()


async def all_said(reader: StreamReader) -> bytes:
    """Everything that the server sends until it closes."""
    said = b""
    with suppress(OSError):
        while more := await reader.read(65_536):
            said += more
    return said


def cut(server: SocketServer, reason: str) -> bool:
    line = f'blackqueen_connections_cut_total{{reason="{reason}"}} 1.0'
    return line in server.metrics.render()[1].decode()


async def attacked(server: SocketServer, welcomed: bool, first: bytes, data: bytes) -> bytes:
    """What an attacker receives after sending `data` again and again."""
    async with caller(server) as (reader, writer):
        await (say_hello if welcomed else open_websocket)(reader, writer)
        writer.write(first)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(flood(writer, data))
            hearing = tasks.create_task(all_said(reader))
        return hearing.result()


@pytest.mark.parametrize(
    ("welcomed", "first", "data"),
    [
        (False, b"", frame(PONG)),
        (True, b"", frame(PONG)),
        (True, b"", frame(PING, b"?" * 125)),
        (True, frame(TEXT, b"a", final=False), frame(CONTINUATION, b"a", final=False)),
    ],
    ids=["pongs before hello", "pongs", "pings", "fragments of one message"],
)
async def test_a_flood_of_frames_is_cut_off(
    tmp_path: Path, frames: list[Event], welcomed: bool, first: bytes, data: bytes
) -> None:
    """A flood of frames is closed with 1008, parsed no further than its budget and one piece."""
    async with open_socket_server(tmp_path) as server, background_match(server.url):
        frames.clear()
        assert CUT_OFF in await attacked(server, welcomed, first, data)
        assert cut(server, "frames")
        others = 100
        budget = 264 if welcomed else 64
        assert budget < len(frames) <= 2 + budget + PIECE // len(data) + others


@pytest.mark.parametrize("data", [frame(TEXT), frame(BINARY, b"\0"), command("ping", 2)])
async def test_a_flood_of_messages_is_told_so_first(tmp_path: Path, data: bytes) -> None:
    """A flood of small messages gets `rate_limited`, and then 1008."""
    async with open_socket_server(tmp_path) as server:
        said = await attacked(server, welcomed=True, first=b"", data=data)
        assert said.count(b"rate_limited") >= 20
        assert b"\x03\xf0too many messages" in said
        assert cut(server, "messages")


@pytest.mark.parametrize("part", [b"", b"a"])
async def test_a_message_without_end_is_cut_off(tmp_path: Path, part: bytes) -> None:
    """A message without end is cut off, in small, slow or empty parts too."""
    patient = {"frames_per_second": 1e9, "frame_burst": 10**9}
    async with (
        open_socket_server(tmp_path, **patient) as server,
        caller(server) as (reader, writer),
    ):
        await say_hello(reader, writer)
        text = b'{"type":"ping","id":2}'
        writer.write(frame(TEXT, text[:1], final=False))
        for at in range(1, MOST_PARTS):
            writer.write(frame(PING) + frame(CONTINUATION, text[at : at + 1], at == MOST_PARTS - 1))
        said = b""
        while b"pong" not in said:
            said += (piece := await reader.read(65_536))
            assert piece, said
        writer.write(frame(TEXT, part, final=False))
        writer.write(MOST_PARTS * frame(CONTINUATION, part, final=False))
        assert CUT_OFF in await all_said(reader)
        assert cut(server, "frames")


async def test_many_small_parts_hold_up_nothing_that_follows(tmp_path: Path) -> None:
    """A message in too many small parts is waited for, and the messages behind it are read."""
    async with open_socket_server(tmp_path) as server, caller(server) as (reader, writer):
        await say_hello(reader, writer)
        text = b'{"type":"ping","id":2}'.ljust(PIECE // len(frame(TEXT, b"x")) + MOST_WAITING - 1)
        parts = [frame(CONTINUATION, bytes([byte]), final=False) for byte in text[1:-1]]
        first = frame(TEXT, text[:1], final=False)
        writer.write(first + b"".join(parts) + frame(CONTINUATION, text[-1:]))
        await reader.readuntil(b"pong")
        writer.write(command("ping", 3))
        await reader.readuntil(b"pong")


async def test_bytes_are_counted_before_hello(tmp_path: Path) -> None:
    """Before hello a connection may send no more bytes than a hello needs."""
    async with open_socket_server(tmp_path) as server:
        message = frame(TEXT, b" " * 60_000)
        assert CUT_OFF in await attacked(server, welcomed=False, first=b"", data=message)
        assert cut(server, "bytes")


async def test_bytes_are_counted_after_hello(tmp_path: Path) -> None:
    """After hello the number of longest messages is limited."""
    async with open_socket_server(tmp_path, byte_burst=200_000) as server:
        message = frame(TEXT, b" " * 65_536)
        assert CUT_OFF in await attacked(server, welcomed=True, first=b"", data=message)
        assert cut(server, "bytes")


async def test_bytes_of_long_ago_are_not_counted_again(tmp_path: Path) -> None:
    """A client that has sent many small messages in its time may send a larger one at last."""
    settings = {"message_burst": 10_000, "message_bytes": 1024, "byte_burst": 2048}
    # So many bytes a second that what was sent is forgotten at once.
    async with (
        open_socket_server(tmp_path, bytes_per_second=10**9, **settings) as server,
        caller(server) as (reader, writer),
    ):
        await say_hello(reader, writer)
        for number in range(2, 100):
            writer.write(command("ping", number))
            await reader.readuntil(b'"id":%d}' % number)
        writer.write(command("ping", 100) + frame(PONG, b" " * 120) * 5)
        await reader.readuntil(b'"id":100}')
        assert not cut(server, "bytes")


async def test_a_request_without_end_is_cut_off(tmp_path: Path, frames: list[Event]) -> None:
    """A handshake with endless headers is cut off."""
    async with open_socket_server(tmp_path) as server, caller(server) as (reader, writer):
        writer.write(REQUEST[:-2])
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(flood(writer, b"X: " + b"x" * 4000 + b"\r\n"))
            hearing = tasks.create_task(all_said(reader))
        assert hearing.result() == b""
        assert frames == []


async def test_a_huge_frame_is_not_waited_for(tmp_path: Path) -> None:
    """A frame announced as too long is refused by its header with 1009."""
    async with open_socket_server(tmp_path) as server, caller(server) as (reader, writer):
        await say_hello(reader, writer)
        writer.write(frame(BINARY, announced=2**62))
        assert b"\x03\xf1" in await all_said(reader)


async def test_a_handshake_that_is_not_ended_is_hung_up_on(tmp_path: Path) -> None:
    """An unfinished handshake is closed after `hello_seconds`, also if it trickles in."""
    async with open_socket_server(tmp_path, hello_seconds=0.2) as server:
        async with caller(server) as (reader, writer):
            writer.write(REQUEST[:-2])
            assert await all_said(reader) == b""
        async with caller(server) as (reader, writer), asyncio.TaskGroup() as tasks:

            async def drip() -> None:
                with suppress(OSError):
                    for byte in REQUEST[:-2] * 1000:
                        writer.write(bytes([byte]))
                        await asyncio.sleep(0)
                        await writer.drain()

            dripping = tasks.create_task(drip())
            said = await all_said(reader)
            # While a byte waits for its turn here, the time is ours; so the bytes may end first.
            assert said == b"" or said.startswith(b"HTTP/1.1 4")
            dripping.cancel()


async def test_the_time_for_hello_begins_with_the_connection(tmp_path: Path) -> None:
    """The time for hello starts with the connection, and pings do not extend it: 4001."""
    async with (
        open_socket_server(tmp_path, hello_seconds=0.2) as server,
        caller(server) as (reader, writer),
    ):
        await open_websocket(reader, writer)
        writer.write(10 * frame(PING))
        said = await all_said(reader)
        assert said.count(frame(PONG)[:1]) == 10
        assert b"\x0f\xa1hello_first" in said


async def test_who_does_not_read_the_pongs_is_cut_off(tmp_path: Path) -> None:
    """A client that does not read its pongs is cut off."""
    much = {"byte_burst": 10**9, "frame_burst": 10**9, "send_buffer_bytes": 4096}
    async with open_socket_server(tmp_path, **much) as server:
        at = urlsplit(server.url)
        with socket.socket() as small:
            small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            small.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(small, (at.hostname, at.port))
            reader, writer = await asyncio.open_connection(sock=small, limit=1024)
            await say_hello(reader, writer)
            writer.transport.pause_reading()  # type: ignore[attr-defined]  # it is a socket's
            pings = 512 * frame(PING, b"?" * 125)
            with suppress(OSError):
                while not cut(server, "unread"):
                    writer.write(pings)
                    await writer.drain()
                    await asyncio.sleep(0)
            writer.transport.abort()
        assert cut(server, "unread")


async def test_who_connects_too_fast_waits_and_then_is_refused(tmp_path: Path) -> None:
    """With one connection every ten seconds the second waits, and is then refused."""
    slow = {"address_connections_per_second": 0.1, "address_connection_burst": 1}
    async with open_socket_server(tmp_path, **slow) as server:
        async with caller(server) as (reader, writer):
            await open_websocket(reader, writer)
        async with caller(server) as (reader, writer):
            writer.write(REQUEST)
            assert await all_said(reader) == b""
        assert cut(server, "arrivals")


async def test_much_at_once_is_carried_out_in_order(tmp_path: Path) -> None:
    """A hundred commands in one packet are carried out in turns, in order."""
    async with open_socket_server(tmp_path) as server, caller(server) as (reader, writer):
        await say_hello(reader, writer)
        writer.write(b"".join(command("ping", number) for number in range(2, 92)))
        said = b""
        while said.count(b"pong") < 90:
            said += await reader.read(65_536)
        places = [said.index(b'"id":%d}' % number) for number in range(2, 92)]
        assert places == sorted(places)


async def test_what_was_said_before_the_end_is_heard(tmp_path: Path) -> None:
    """Commands sent just before a client's close are carried out."""
    async with open_socket_server(tmp_path) as server, caller(server) as (reader, writer):
        await say_hello(reader, writer)
        table = command("create_table", 2, game="black_queen", seats=2)
        writer.write(b"".join(command("ping", number) for number in range(3, 60)) + table)
        writer.write_eof()
        await all_said(reader)
        while not len(server.game_server.tables.directory):  # noqa: ASYNC110 - the test's own time limit ends it
            await asyncio.sleep(0)
