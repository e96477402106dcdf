"""The address of a node: its name follows from it, and contradictions are refused."""

from typing import Any

import pytest

from server.ops.node_url import NodeUrl, node_url
from server.ops.settings import Settings, SettingsError

DATABASE = "postgresql+psycopg://cards@localhost/cards"
PUBLIC = "https://cards.example/play"


def url_of(given: str, **more: Any) -> NodeUrl | None:
    return node_url(
        Settings(**{"node_url": given, "database_url": DATABASE, "public_url": PUBLIC, **more})
    )


def refusal(given: str, **more: Any) -> str:
    with pytest.raises(SettingsError) as refused:
        url_of(given, **more)
    return str(refused.value)


def test_a_server_without_an_address_is_no_such_node() -> None:
    """A server without an address is no such node."""
    assert node_url(Settings()) is None


@pytest.mark.parametrize(
    ("given", "name", "address", "path"),
    [
        ("wss://cards.example/n/a/", "a", "wss://cards.example/n/a/", "/n/a"),
        ("https://cards.example/play/n/b", "b", "wss://cards.example/play/n/b/", "/play/n/b"),
        ("wss://cards.example:443/a", "a", "wss://cards.example/a/", "/a"),
    ],
)
def test_a_nodes_name_is_the_end_of_its_path(
    given: str, name: str, address: str, path: str
) -> None:
    """The name of a node is the end of its address's path, in normalised form."""
    assert url_of(given) == NodeUrl(name, address, path)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("ws://localhost:8766", "localhost-8766"),
        ("ws://127.0.0.1:8766/", "127.0.0.1-8766"),
        ("ws://[::1]:8766", "--1-8766"),
        ("ws://localhost:8766/n/a", "a"),
    ],
)
def test_nodes_of_one_machine_differ_by_their_ports(given: str, name: str) -> None:
    """Nodes of one machine differ by their ports, without a proxy or public address."""
    found = url_of(given, public_url=None)
    assert found is not None
    assert found.name == name
    assert url_of(given, public_url="http://localhost:8765") == found


def test_an_address_where_clients_do_not_go_is_refused() -> None:
    """A node's address must have the scheme, host and port of the public address."""
    for other in ("ws://cards.example/n/a", "wss://cards.example:8443/n/a", "wss://a.example/n/a"):
        assert "scheme, host and port" in refusal(other)
    assert "scheme, host and port" in refusal("ws://localhost:8766")
    assert "name that with --public-url" in refusal("wss://cards.example/n/a", public_url=None)
    assert "this is the address of the whole server" in refusal("wss://cards.example/play/")
    assert "at most 40" in refusal("wss://cards.example/n/who~is~that")
    assert "at most 40" in refusal(f"wss://cards.example/{'a' * 41}")


def test_a_node_with_an_address_shares_a_database() -> None:
    """A node with an address needs PostgreSQL."""
    node = "wss://cards.example/n/a/"
    assert "database in PostgreSQL" in refusal(node, database_url=None)
    assert "database in PostgreSQL" in refusal(node, database_url="sqlite:///cards.sqlite3")
