"""The pages of a process without players: whose requests they take a request for."""

import asyncio
from http import HTTPStatus
from pathlib import Path

import pytest

from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.transport.status_pages import StatusPages


@pytest.mark.parametrize(
    ("trusted", "forwarded", "counted"),
    [
        ("", "203.0.113.7", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "198.51.100.1, 2001:db8::7", "2001:db8::/64"),
    ],
)
async def test_a_request_counts_for_its_client(
    tmp_path: Path, trusted: str, forwarded: str, counted: str
) -> None:
    """Behind a trusted proxy by what this says, of IPv6 by the /64 network, as at a gateway."""
    heard: list[str] = []

    async def administrators(page: str, key: str, address: str) -> tuple[HTTPStatus, bytes, bool]:
        heard.append(address)
        return HTTPStatus.OK, b"{}", False

    async def ready() -> str:
        return ""

    settings = Settings(data=tmp_path, port=0, trusted_proxies=trusted)
    pages = StatusPages(settings, Metrics(), ready, str, lambda: 0.0, administrators)
    async with pages.listen() as listener:
        port = next(iter(listener.sockets)).getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"Host: 127.0.0.1:{port}\r\nX-Forwarded-For: {forwarded}\r\n\r\n"
        writer.write(f"GET /admin/nodes HTTP/1.1\r\n{head}".encode())
        async with asyncio.timeout(30.0):
            assert b" 200 " in await reader.readline()
        writer.close()
        await writer.wait_closed()
    assert heard == [counted]


async def test_a_request_with_a_body_is_told_so(tmp_path: Path) -> None:
    """As at a gateway, in place of an end without a word."""

    async def ready() -> str:
        return ""

    settings = Settings(data=tmp_path, port=0)
    pages = StatusPages(settings, Metrics(), ready, str, lambda: 0.0)
    async with pages.listen() as listener:
        port = next(iter(listener.sockets)).getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /readyz HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
        async with asyncio.timeout(30.0):
            assert b" 400 " in await reader.readline()
        writer.close()
        await writer.wait_closed()
