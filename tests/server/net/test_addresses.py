"""Which address a client has: its own, or what a trusted proxy says."""

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
    """What a client writes into the header itself stands further left and is not believed."""
    assert client_address(peer, forwarded, TRUSTED) == address


def test_without_trusted_proxies_nothing_is_believed() -> None:
    """Anybody could write a header."""
    assert client_address("127.0.0.1", ["198.51.100.1"], ()) == "127.0.0.1"


def test_a_subscribers_ipv6_addresses_count_as_one() -> None:
    """A client could otherwise use another of its 2**64 addresses each time."""
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
    """Whether it is trusted or not; and the address of IPv6 counts as that of IPv4."""
    assert is_here(peer, Headers(headers)) is here


async def test_a_connection_knows_whether_its_client_is_here(tmp_path: Path) -> None:
    """Whatever the limits make of the address, and though the headers are not kept."""
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
    """One from elsewhere may be anybody who sends the header."""
    assert unnamed_proxy(peer, Headers(headers), TRUSTED) == proxy


async def test_a_host_reads_once_that_a_proxy_is_not_trusted(
    tmp_path: Path, log_events: list[EventDict]
) -> None:
    """All its clients would be banned with one."""
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
    """It may be a proxy that says nothing of its clients."""
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
    """With one connection an address, two clients of one proxy come in, and neither twice."""
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
    """Without the setting the header changes nothing."""
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
    """The type of what a client's hello is answered."""
    await websocket.send('{"type":"hello","id":1,"version":1,"client":"c"}')
    answer: str = json.loads(await websocket.recv())[0]["type"]
    return answer
