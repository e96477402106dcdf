"""A full server on real sockets: who gets in, who makes room, and what it reports."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from protocol.version import CLOSE_REFUSED, JSON
from tests.raw_client import raw_client
from tests.server.socket_server import SocketServer, open_socket_server

HELLO: dict[str, Any] = {"version": 1, "client": "c", "name": "Ann"}


async def readiness(server: SocketServer) -> str:
    """The answer of `/readyz`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    writer.write(b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
    answer = (await reader.read()).decode()
    writer.close()
    return answer


async def test_a_seat_in_play_comes_back_to_a_full_house(tmp_path: Path) -> None:
    """A guest makes room for a player with a seat in play, and not for another guest."""
    async with (
        open_socket_server(tmp_path, max_connections=2, max_connections_per_address=0) as server,
        AsyncExitStack() as stack,
    ):
        async with server.socket() as ann:
            token = (await ann.ask("hello", **HELLO))["token"]
            table = (await ann.ask("create_table", game="hearts"))["table"]
            assert (await ann.ask("start", table=table, fill=0))["type"] == "ok"
        # The server has to have noticed that she is gone.
        while server.game_server.admission.places.held:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.001)
        guests = [await stack.enter_async_context(server.client()) for _ in range(2)]
        assert "full: all 2 connections are in use" in (said := await readiness(server))
        assert said.startswith("HTTP/1.1 200 OK")
        async with server.client() as third:
            assert third.welcome["phrase"] == {"code": "refused_full"}
            assert await third.closed() == (CLOSE_REFUSED, "try_again")
        back = await stack.enter_async_context(server.socket())
        assert (await back.ask("hello", token=token, resume={table: 0}, **HELLO))["token"] == token
        assert await guests[1].closed() == (1013, "too many connections")
        for stays in (guests[0], back):
            assert (await stays.ask("ping"))["type"] == "pong"


async def test_one_address_behind_a_proxy_does_not_have_all_sockets(tmp_path: Path) -> None:
    """Clients behind a trusted proxy are counted by their address before hello."""
    settings = {"max_connections": 1, "trusted_proxies": ["127.0.0.1"]}
    async with open_socket_server(tmp_path, **settings) as server, AsyncExitStack() as stack:

        async def opened(client: str) -> None:
            names, headers = [Subprotocol(JSON)], {"X-Forwarded-For": client}
            await stack.enter_async_context(
                dial(server.url, subprotocols=names, additional_headers=headers)
            )

        for _ in range(40):
            await opened("198.51.100.1")
        with pytest.raises(InvalidStatus) as refused:
            await opened("198.51.100.1")
        assert refused.value.response.status_code == 503
        await opened("198.51.100.2")


async def test_a_newcomer_takes_the_place_of_an_address_with_many(tmp_path: Path) -> None:
    """A newcomer takes the newest guest's place of an address with many, else it is refused."""
    async with (
        open_socket_server(tmp_path, max_connections=3, max_connections_per_address=0) as server,
        server.client() as first,
        server.client(),
        server.client() as newest,
        raw_client(server.url, address="127.0.0.2") as other,
    ):
        assert other.welcome["type"] == "welcome"
        assert await newest.closed() == (1013, "too many connections")
        assert (await first.ask("ping"))["type"] == "pong"
        async with raw_client(server.url, address="127.0.0.2") as more:
            assert more.welcome["code"] == "try_again"
