"""Server addresses as people type them."""

import re
from urllib.parse import SplitResult, urlsplit

from protocol.exits import UsageError
from protocol.pasted import link
from protocol.same_server import is_this_machine

PORT = 8765
"""Where a server listens unless it is told otherwise."""
_PLAIN = re.compile(r"wss?://[A-Za-z0-9._~:/\[\]-]{1,256}")
_WEB = re.compile("^(?:http|ws)(s?)://", re.IGNORECASE)
_EXAMPLE = f"ws://localhost:{PORT}"
_NO_ADDRESS = f" is no address of a server; one looks like {_EXAMPLE}"


def server_address(url: str) -> str:
    """`url` with its omitted parts filled in; `UsageError` if it can be no server's address.

    A host alone stands for a server on the default port, without a proxy. The address of a page, or
    of a table's page, gives that of its server.
    """
    said = link(url).server
    full = _WEB.sub(_socket, said) if "://" in said else f"ws://{said}"
    if fault := _fault(full):
        raise UsageError(f"{url if url and _is_one_word(url) else repr(url)}{fault}")
    full = full.rstrip("/")
    parts = urlsplit(full)
    bare = "://" not in said and parts.port is None and not parts.path and not parts.query
    return f"{full}:{PORT}" if bare else full


def invitation(told: str | None, own: str) -> str:
    """The address to invite others to: what the server says of itself, or else the `own` one.

    People paste it into a shell, so only an address that means nothing else there is taken over.
    """
    if told is None or _PLAIN.fullmatch(told) is None or _fault(told):
        return own
    return told


def works_only_here(address: str) -> bool:
    """Whether `address` leads to the machine on which it is typed, as `ws://localhost` does."""
    return is_this_machine(urlsplit(address).hostname or "")


def _fault(address: str) -> str:
    """The fault of `address`, as the end of a sentence; empty if it has none."""
    try:
        parts = urlsplit(address)
        # Only what can be encoded so can be looked up.
        host = (parts.hostname or "").encode("idna")
    except ValueError:
        return _NO_ADDRESS
    if parts.scheme not in ("ws", "wss") or parts.fragment or not _is_one_word(address):
        return _NO_ADDRESS
    if not host:
        return f" names no host; an address looks like {_EXAMPLE}"
    return "" if _port_fits(parts) else ": a port is from 1 to 65535"


def _socket(scheme: re.Match[str]) -> str:
    """The WebSocket scheme for a page's scheme."""
    return "wss://" if scheme[1] else "ws://"


def _is_one_word(text: str) -> bool:
    return text.isprintable() and " " not in text


def _port_fits(parts: SplitResult) -> bool:
    """Whether the port is valid; most addresses name none."""
    try:
        return parts.port != 0 and not parts.netloc.endswith(":")
    except ValueError:
        return False
