"""Parsing server addresses as people type them."""

import re

import pytest

from protocol.address import invitation, server_address, works_only_here
from protocol.exits import UsageError


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("ws://host:8765", "ws://host:8765"),
        ("wss://cards.example/", "wss://cards.example"),
        ("host:8765", "ws://host:8765"),
        ("127.0.0.1:8765", "ws://127.0.0.1:8765"),
        ("[::1]:8765", "ws://[::1]:8765"),
        ("bücher.example", "ws://bücher.example:8765"),
        ("127.0.0.1", "ws://127.0.0.1:8765"),
        ("[::1]/", "ws://[::1]:8765"),
        ("ws://host", "ws://host"),
        ("host/cards", "ws://host/cards"),
        ("ws://host/cards/", "ws://host/cards"),
    ],
)
def test_an_address_may_leave_out_its_scheme(given: str, full: str) -> None:
    """An address may omit its scheme and its port: the defaults are a plain connection and port."""
    assert server_address(given) == full


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("ftp://host:8765", "ftp://host:8765 is no address of a server; one looks like ws://"),
        ("ws://[::1", "ws://[::1 is no address of a server"),
        ("ws://my host", "'ws://my host' is no address of a server"),
        ("ws://ho\nst", r"'ws://ho\nst' is no address of a server"),
        ("ws://host#table", "ws://host#table is no address of a server"),
        (f"ws://{'a' * 64}", "aaaa is no address of a server"),
        ("ws://..", "ws://.. names no host"),
        ("", "'' names no host; an address looks like ws://"),
        ("ws://", "ws:// names no host"),
        ("wss:///path", "wss:///path names no host"),
        (":8765", ":8765 names no host"),
        ("ws://h:99999", "ws://h:99999: a port is from 1 to 65535"),
        ("h:-1", "h:-1: a port is from 1 to 65535"),
        ("ws://h:0", "ws://h:0: a port is from 1 to 65535"),
        ("ws://h:abc/", "ws://h:abc/: a port is from 1 to 65535"),
        ("h:", "h:: a port is from 1 to 65535"),
        ("ws:/h", "ws:/h: a port is from 1 to 65535"),
    ],
)
def test_what_is_no_address_is_refused(given: str, told: str) -> None:
    """An invalid address is refused before connecting, by an error that quotes and explains it."""
    with pytest.raises(UsageError, match=re.escape(told)):
        server_address(given)


@pytest.mark.parametrize(
    "told", ["wss://cards.example.org/play", "ws://[2001:db8::1]:8765", "ws://10.0.0.1:80/a-b~c_d"]
)
def test_others_are_invited_to_where_the_server_says_it_is(told: str) -> None:
    """Invitations use the address that the server gives, since one's own may be localhost."""
    assert invitation(told, "ws://localhost:8765") == told


@pytest.mark.parametrize(
    "told",
    [
        None,
        "",
        "https://cards.example.org",
        "ws://host/$(reboot)",
        "ws://host/;reboot",
        "ws://host/`reboot`",
        "ws://host --option",
        "ws://host\n",
        "ws:///nowhere",
        "ws://host:0",
        "ws://" + "x" * 1000,
    ],
)
def test_an_invitation_never_means_more_than_an_address(told: str | None) -> None:
    """An odd address from the server is not used in an invitation, which is pasted into a shell."""
    assert invitation(told, "ws://localhost:8765") == "ws://localhost:8765"


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("ws://localhost:8765", True),
        ("ws://127.0.0.2:8765", True),
        ("ws://[::1]:8765", True),
        ("ws://192.0.2.7:8765", False),
        ("wss://cards.example.org/play", False),
        ("", False),
    ],
)
def test_some_addresses_lead_to_the_machine_where_they_are_typed(address: str, here: bool) -> None:
    """Loopback addresses are recognised, since nobody can be invited from elsewhere with one."""
    assert works_only_here(address) is here
