"""The address that hosts are told, by which invited players reach the server."""

from pathlib import Path
from typing import Any

import pytest

from server.ops import public_url
from server.ops.public_url import own_url
from tests.server.client import TestClient
from tests.server.harness import open_server

HERE, ELSEWHERE = "127.0.0.1", "192.0.2.1"


async def told(folder: Path, address: str, **settings: Any) -> str | None:
    """The address in the welcome of a client at `address`."""
    async with open_server(folder, **settings) as server:
        url: str | None = (await TestClient(server, address=address).hello(name="Ann")).get("url")
        return url


async def test_a_host_on_the_server_s_machine_is_told_how_others_reach_it(tmp_path: Path) -> None:
    """A host on the server's machine is told an address that others can reach."""
    assert await told(tmp_path, HERE, host="192.0.2.7") == "ws://192.0.2.7:8765"
    assert await told(tmp_path, HERE, host="192.0.2.7", port=0) is None


async def test_others_invite_to_the_address_by_which_they_came(tmp_path: Path) -> None:
    """Other hosts invite to the address by which they came, unless there is a public one."""
    assert await told(tmp_path, ELSEWHERE, host="192.0.2.7") is None
    public = "https://cards.example.org/play"
    for address in (HERE, ELSEWHERE):
        assert await told(tmp_path, address, public_url=public) == "wss://cards.example.org/play"


async def test_a_server_for_this_machine_alone_has_no_address(tmp_path: Path) -> None:
    """A server for this machine alone tells no address."""
    assert await told(tmp_path, HERE) is None
    for host in ("127.0.0.1", "localhost", "::1"):
        assert own_url(host, 8765, tls=False) is None


@pytest.mark.parametrize(
    ("network", "url"),
    [("192.0.2.9", "ws://192.0.2.9:80"), ("127.0.0.1", None), (None, None)],
)
def test_who_listens_everywhere_is_reached_by_the_network(
    network: str | None, url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that listens everywhere tells the machine's network address."""
    monkeypatch.setattr(public_url, "_network_address", lambda: network)
    assert own_url("0.0.0.0", 80, tls=False) == own_url("::", 80, tls=False) == url


def test_other_hosts_are_named_as_they_are() -> None:
    """A named host is used as it is, with brackets for IPv6."""
    assert own_url("cards.example.org", 8765, tls=False) == "ws://cards.example.org:8765"
    assert own_url("2001:db8::1", 8765, tls=False) == "ws://[2001:db8::1]:8765"
    assert own_url("2001:db8::1", 8765, tls=True) == "wss://[2001:db8::1]:8765"


def test_the_machine_is_asked_without_sending_anything() -> None:
    """The machine's network address is found without sending anything."""
    found = own_url("0.0.0.0", 8765, tls=False)
    assert found is None or found.startswith("ws://")
