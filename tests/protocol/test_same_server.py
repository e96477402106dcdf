"""To which addresses a client may send its token."""

import pytest

from protocol.same_server import leads_on


@pytest.mark.parametrize(
    ("entry", "url", "goes"),
    [
        ("wss://cards.example", "wss://cards.example/n/b/", True),
        ("wss://cards.example/play", "wss://CARDS.example:443/play/n/b/", True),
        ("ws://cards.example:80", "ws://cards.example/", True),
        ("wss://bücher.example", "wss://xn--bcher-kva.example/n/b/", True),
        ("ws://localhost:8765", "ws://127.0.0.1:8766/", True),
        ("wss://cards.example", "ws://cards.example/n/b/", False),
        ("wss://cards.example", "wss://cards.example:444/n/b/", False),
        ("wss://cards.example", "wss://other.example/n/b/", False),
        ("wss://cards.example", "wss://cards.example@other.example/", False),
        ("wss://cards.example", "wss://localhost/", False),
        ("wss://localhost", "ws://localhost/", False),
        ("wss://localhost", "wss://cards.example/", False),
        ("wss://cards.example", "https://cards.example/n/b/", False),
        ("wss://cards.example", "wss://cards.example/ n", False),
        ("wss://cards.example", "wss://[::1", False),
        ("", "wss://cards.example/n/b/", False),
    ],
)
def test_a_token_goes_no_further_than_to_its_server(entry: str, url: str, goes: bool) -> None:
    """A token goes only to its own scheme, host and port; on this machine ports may differ."""
    assert leads_on(entry, url) is goes
