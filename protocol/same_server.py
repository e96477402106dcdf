"""Whether two addresses lead to one server, so that a client may send its token there."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def leads_on(entry: str, url: str) -> bool:
    """Whether a client that connected to `entry` may go to `url` with its token.

    It may where scheme, host and port are the same. On the machine itself ports may differ.
    """
    try:
        came, goes = _origin(entry), _origin(url)
    except ValueError:
        return False
    here = came[0] == goes[0] and is_this_machine(came[1]) and is_this_machine(goes[1])
    return here or came == goes


def is_this_machine(host: str) -> bool:
    """Whether a host name means the local machine, wherever it is looked up."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _origin(url: str) -> tuple[str, str, int]:
    """The scheme, host and port of a server; `ValueError` if the address has none."""
    parts = urlsplit(url)
    host = (parts.hostname or "").encode("idna").decode()
    if parts.scheme not in ("ws", "wss") or not host or " " in url or not url.isprintable():
        raise ValueError(f"{url!r} is no address of a server")
    return parts.scheme, host, parts.port or (443 if parts.scheme == "wss" else 80)
