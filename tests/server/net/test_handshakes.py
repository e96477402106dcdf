"""How connections begin: subprotocols, newer clients, plain pages, limits."""

import asyncio
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from protocol.features import FEATURES
from protocol.to_client import Welcome
from protocol.version import CLOSE_REFUSED, JSON, MSGPACK
from protocol.wire_form import wire_form
from tests.server.socket_server import SocketServer, open_socket_server

pytestmark = pytest.mark.usefixtures("background")


@pytest.mark.parametrize("offered", [None, ["chess.v1"], ["blackqueen.v9.json"]])
async def test_without_a_known_subprotocol_no_connection_is_made(
    server: SocketServer, offered: list[str] | None
) -> None:
    """A handshake without a known subprotocol is refused with HTTP 400."""
    names = None if offered is None else [Subprotocol(name) for name in offered]
    with pytest.raises(InvalidStatus) as refused:
        async with dial(server.url, subprotocols=names):
            pass
    assert refused.value.response.status_code == 400


async def exchange(server: SocketServer, request: bytes) -> bytes:
    """Everything that comes back on a connection on which `request` was written."""
    port = int(server.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /healthz HTTP/1.1", b"200"),
        (b"GET /readyz HTTP/1.1", b"200"),
        (b"GET /metrics HTTP/1.1", b"200"),
        (b"GET / HTTP/1.1", b"200"),
        (b"GET /?x=1 HTTP/1.1", b"200"),
        (b"GET /secret HTTP/1.1", b"404"),
        (b"GET /../../etc/passwd HTTP/1.1", b"404"),
    ],
)
async def test_plain_pages_are_few(
    server: SocketServer, request_line: bytes, status: bytes
) -> None:
    """The plain pages are health, readiness, figures and a welcome, and no others.

    Each answer says that no other follows on its connection.
    """
    answer = await exchange(server, request_line + b"\r\nHost: x\r\n\r\n")
    assert answer.split(b" ")[1] == status
    assert b"\r\nConnection: close\r\n" in answer


@pytest.mark.parametrize(
    ("request_bytes", "says"),
    [
        (b"GET /healthz HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", b"a request here has no body"),
        (b"HEAD / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}", b"a request here has no body"),
        (
            b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            b"a request here has no body",
        ),
        (b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", b"a request here has no body"),
        (b"GET / HTTP/2.0\r\n\r\n", b"no request that can be answered"),
        (b"HELLO\r\n\r\n", b"no request that can be answered"),
    ],
)
async def test_a_request_that_cannot_be_answered_is_told_so(
    server: SocketServer, request_bytes: bytes, says: bytes
) -> None:
    """An unreadable request is answered with 400, by a process without players too."""
    answer = await exchange(server, request_bytes)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert says in body
    assert f"Content-Length: {len(body)}".encode() in head


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"HELLO\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
    ],
    ids=["no HTTP", "TLS", "half a handshake", "POST", "long line", "many headers"],
)
async def test_what_is_no_websocket_is_turned_away(
    server: SocketServer, request_bytes: bytes
) -> None:
    """Requests that are no WebSocket end their connection, without flooding the log."""
    port = int(server.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request_bytes)
    writer.write_eof()
    await reader.read()
    writer.close()


async def test_a_connection_that_breaks_off_is_nothing_special(server: SocketServer) -> None:
    """A connection that breaks at any moment is no error."""
    port = int(server.url.rpartition(":")[2])
    for beginning in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n"):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(beginning)
        await writer.drain()
        writer.transport.abort()
    hello = {"type": "hello", "id": 1, "version": 1, "client": "c"}
    for message in (None, hello):
        async with server.socket() as raw:
            if message is not None:
                await raw.ask_message(message)
            raw.websocket.transport.write(b"\x81\xfe\x01")
            raw.websocket.transport.abort()


async def test_so_many_connections_and_no_more(tmp_path: Path) -> None:
    """Over the limits hello is refused, and a place that is left is free again."""
    limits = {"max_connections": 3, "max_connections_per_address": 2}
    async with open_socket_server(tmp_path / "small", **limits) as small:
        async with small.client(), small.client(), small.client() as third:
            assert third.welcome["code"] == "try_again"
            assert b"200 OK" in await exchange(small, b"GET /readyz HTTP/1.1\r\n\r\n")
            assert third.welcome["phrase"] == {"code": "refused_crowded"}
            assert await third.closed() == (CLOSE_REFUSED, "try_again")
        async with small.client() as raw:
            assert (await raw.ask("ping", id=2))["type"] == "pong"


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_a_hello_that_says_more_is_welcome(server: SocketServer, subprotocol: str) -> None:
    """Unknown fields of hello are ignored."""
    async with server.socket(subprotocol) as raw:
        hello = {"type": "hello", "id": 1, "version": 1, "client": "c", "name": "Zoe"}
        await raw.send_message(
            {**hello, "mood": "cheerful", "screens": [{"width": 80, "lit": True}]}
        )
        [welcome] = await raw.receive()
        assert (welcome["type"], welcome["name"]) == ("welcome", "Zoe")
        assert list(welcome["features"]) == list(FEATURES)
        # It is put together from pieces, and in the one form all the same.
        assert wire_form(TypeAdapter(Welcome).validate_python(welcome)) == {
            **welcome,
            "features": tuple(welcome["features"]),
        }
        listed = await raw.ask("list_tables", id=2, free=1)
        assert listed["tables"] == []
        refused = await raw.ask("list_tables", id=3, with_music=True)
        assert refused["code"] == "bad_message"
        assert "'with_music' of list_tables is not known" in refused["reason"]
        unknown = await raw.ask("dance", id=4)
        assert unknown["code"] == "bad_message"
