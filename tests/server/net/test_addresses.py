"""The address of a client: its own, or the one that a trusted proxy gives."""

import json
from contextlib import AsyncExitStack
from ipaddress import ip_network
from pathlib import Path

import pytest
from structlog.typing import EventDict
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as dial
from websockets.datastructures import Headers
from websockets.typing import Subprotocol

from protocol.version import JSON
from server.net.addresses import client_address, is_here, limited_as, unnamed_proxy
from tests.server.socket_server import open_socket_server

TRUSTED = (ip_network("127.0.0.1"), ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["6.6.6.6", "198.51.100.1, 10.1.2.3"], "198.51.100.1"),
        ("127.0.0.1", ["10.9.9.9, 10.1.2.3"], "10.9.9.9"),
        ("127.0.0.1", ["198.51.100.1, unknown"], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1, unknown, 10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("127.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("::ffff:127.0.0.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
        ("fd00::1", ["2001:DB8::1"], "2001:db8::1"),
        ("fe80::1%eth0", [], "fe80::1"),
        ("/run/socket", ["198.51.100.1"], "/run/socket"),
    ],
)
def test_the_rightmost_address_that_no_trusted_proxy_has(
    peer: str, forwarded: list[str], address: str
) -> None:
    """The client is the rightmost address in the header that is no trusted proxy."""
    assert client_address(peer, forwarded, TRUSTED) == address


def test_without_trusted_proxies_nothing_is_believed() -> None:
    """Without trusted proxies the header is ignored."""
    assert client_address("127.0.0.1", ["198.51.100.1"], ()) == "127.0.0.1"


def test_a_subscribers_ipv6_addresses_count_as_one() -> None:
    """IPv6 addresses of one subscriber's network count as one."""
    assert limited_as("2001:db8:1:2:3:4:5:6") == limited_as("2001:db8:1:2::1")
    assert limited_as("2001:db8:1:2::1") != limited_as("2001:db8:1:3::1")
    assert limited_as("198.51.100.1") != limited_as("198.51.100.2")
    assert limited_as("/run/socket") == "/run/socket"


@pytest.mark.parametrize(
    ("peer", "headers", "here"),
    [
        ("127.0.0.1", {"Host": "localhost:8765"}, True),
        ("127.0.0.1", {"Host": "127.0.0.1:8765"}, True),
        ("::1", {"Host": "[::1]:8765"}, True),
        ("::ffff:127.0.0.1", {"Host": "LocalHost"}, True),
        ("127.0.0.1", {"Host": "cards.example.org"}, False),
        ("127.0.0.1", {"Host": "127.0.0.1:8765", "X-Forwarded-For": "203.0.113.5"}, False),
        ("127.0.0.1", {"Host": "127.0.0.1:8765", "Forwarded": "for=203.0.113.5"}, False),
        ("203.0.113.5", {"Host": "localhost:8765"}, False),
        ("/run/socket", {"Host": "localhost"}, False),
    ],
)
def test_who_comes_through_a_proxy_is_not_on_this_machine(
    peer: str, headers: dict[str, str], here: bool
) -> None:
    """A client that comes through a proxy does not count as local."""
    assert is_here(peer, Headers(headers)) is here


async def test_a_connection_knows_whether_its_client_is_here(tmp_path: Path) -> None:
    """A connection knows whether its client is local, for IPv4 and IPv6."""
    async with open_socket_server(tmp_path) as server, server.client():
        (connection,) = server.game_server.connections
        assert connection.is_here
    proxied = {"X-Forwarded-For": "203.0.113.5"}
    async with (
        open_socket_server(tmp_path) as server,
        dial(server.url, subprotocols=[Subprotocol(JSON)], additional_headers=proxied) as client,
    ):
        await client.send('{"type":"hello","id":1,"version":1,"client":"x"}')
        await client.recv()
        (connection,) = server.game_server.connections
        assert not connection.is_here


@pytest.mark.parametrize(
    ("peer", "headers", "proxy"),
    [
        ("172.17.0.1", {"X-Forwarded-For": "203.0.113.5"}, "172.17.0.1"),
        ("::ffff:192.168.1.2", {"X-Forwarded-For": "203.0.113.5"}, "192.168.1.2"),
        ("100.64.0.1", {"Forwarded": "for=203.0.113.5"}, "100.64.0.1"),
        ("172.17.0.1", {"X-Real-IP": "203.0.113.5"}, "172.17.0.1"),
        ("172.17.0.1", {}, None),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.5"}, None),
        ("8.8.8.8", {"X-Forwarded-For": "203.0.113.5"}, None),
        ("", {"X-Forwarded-For": "203.0.113.5"}, None),
    ],
)
def test_a_proxy_nearby_that_is_not_trusted_is_noticed(
    peer: str, headers: dict[str, str], proxy: str | None
) -> None:
    """An untrusted proxy nearby is noticed, and one from elsewhere is not."""
    assert unnamed_proxy(peer, Headers(headers), TRUSTED) == proxy


async def test_a_host_reads_once_that_a_proxy_is_not_trusted(
    tmp_path: Path, log_events: list[EventDict]
) -> None:
    """A host is told once that a proxy is not trusted."""
    proxied = {"X-Forwarded-For": "203.0.113.5"}
    for trusted, warnings in (["127.0.0.1"], 0), ([], 1):
        async with open_socket_server(tmp_path, trusted_proxies=trusted) as server:
            for _ in range(2):
                async with dial(
                    server.url, subprotocols=[Subprotocol(JSON)], additional_headers=proxied
                ) as client:
                    await client.send('{"type":"hello","id":1,"version":1,"client":"x"}')
                    await client.recv()
        told = [event for event in log_events if event["event"] == "proxy_not_trusted"]
        assert len(told) == warnings


async def test_a_host_reads_once_that_an_address_nearby_is_crowded(
    tmp_path: Path, log_events: list[EventDict]
) -> None:
    """A host is told once that a nearby address has many clients."""
    async with (
        open_socket_server(tmp_path, max_connections_per_address=1) as server,
        server.client(),
        server.client(),
        server.client(),
    ):
        pass
    (told,) = [event for event in log_events if event["event"] == "near_address_crowded"]
    assert told["address"] == "127.0.0.1"
    assert "--trusted-proxies" in told["reason"]


async def test_limits_see_the_client_behind_a_trusted_proxy(tmp_path: Path) -> None:
    """Limits count the clients behind a trusted proxy."""
    limits = {"max_connections_per_address": 1, "trusted_proxies": ["127.0.0.1"]}
    async with open_socket_server(tmp_path, **limits) as server:
        ann, bea = ({"X-Forwarded-For": f"198.51.100.{number}"} for number in (1, 2))
        names = [Subprotocol(JSON)]
        answers = []
        async with AsyncExitStack() as stack:
            for who in (ann, bea, ann):
                dialled = dial(server.url, subprotocols=names, additional_headers=who)
                answers.append(await said_hello(await stack.enter_async_context(dialled)))
    assert answers == ["welcome", "welcome", "error"]


async def test_limits_do_not_believe_a_client_that_is_no_proxy(tmp_path: Path) -> None:
    """Limits ignore the header of other clients."""
    async with (
        open_socket_server(tmp_path, max_connections_per_address=1) as server,
        server.client(),
        dial(
            server.url,
            subprotocols=[Subprotocol(JSON)],
            additional_headers={"X-Forwarded-For": "198.51.100.1"},
        ) as spoofing,
    ):
        assert await said_hello(spoofing) == "error"


async def said_hello(websocket: ClientConnection) -> str:
    """The type of the answer to a client's hello."""
    await websocket.send('{"type":"hello","id":1,"version":1,"client":"c"}')
    answer: str = json.loads(await websocket.recv())[0]["type"]
    return answer
