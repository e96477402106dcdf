"""Where a server is, as a person says it."""

from urllib.parse import urlsplit

from protocol.exits import Mistake


def server_address(url: str) -> str:
    """`url` with the scheme that a person may leave out; `Mistake` if no server can be there."""
    full = url if "://" in url else f"ws://{url}"
    if urlsplit(full).scheme not in ("ws", "wss"):
        raise Mistake(f"{url} is no address of a server; one looks like ws://localhost:8765")
    return full.rstrip("/")
