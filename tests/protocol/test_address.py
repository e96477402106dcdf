"""Where a server is, as a person says it."""

import pytest

from protocol.address import server_address
from protocol.exits import Mistake


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("ws://host:8765", "ws://host:8765"),
        ("wss://cards.example/", "wss://cards.example"),
        ("host:8765", "ws://host:8765"),
        ("127.0.0.1:8765", "ws://127.0.0.1:8765"),
    ],
)
def test_an_address_may_leave_out_its_scheme(given: str, full: str) -> None:
    """A plain host and port mean a plain connection."""
    assert server_address(given) == full


def test_an_address_of_another_kind_is_refused() -> None:
    """With an example of a right one."""
    with pytest.raises(Mistake, match="ws://localhost"):
        server_address("http://host:8765")
