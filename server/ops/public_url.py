"""The URL by which players reach the server, perhaps through a proxy."""

import socket
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from protocol.same_server import is_this_machine

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
WEB = {"ws": "http", "wss": "https", "http": "http", "https": "https"}


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """The public URL as a browser's page would name it: http or https."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def parse(cls, url: str) -> Self:
        """Parse a URL of a page or of the WebSocket, or raise `ValueError`."""
        parts = urlsplit(url)
        odd = parts.query or parts.fragment or "@" in parts.netloc or not url.isascii()
        if parts.scheme not in PORTS or not parts.hostname or odd or not url.isprintable():
            raise ValueError("a URL looks like https://cards.example.org/play")
        if any(character in url for character in " \"'`$&;|<>\\"):
            raise ValueError("players copy the URL into a shell; leave out what a shell would read")
        port = parts.port or PORTS[parts.scheme]
        return cls(WEB[parts.scheme], parts.hostname, port, parts.path.rstrip("/"))

    @property
    def websocket(self) -> str:
        """The URL to give to `blackqueen join`."""
        return self._with({"http": "ws", "https": "wss"}[self.scheme])

    @property
    def page(self) -> str:
        """The URL that people open in a browser."""
        return f"{self._with(self.scheme)}/"

    def _with(self, scheme: str) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{scheme}://{host}{port}{self.path}"


def own_url(host: str, port: int, *, tls: bool) -> str | None:
    """Return the URL by which other machines reach a server that listens at `host` and `port`.

    Returns None if only this machine does, or if it has no address in a network.
    """
    address: str | None = host
    if host in ("0.0.0.0", "::"):
        address = _network_address()
    if address is None or is_this_machine(address):
        return None
    return listening_url(address, port, tls=tls)


def listening_url(host: str, port: int, *, tls: bool) -> str:
    """Return the URL of a server at this address, for programs."""
    shown = f"[{host}]" if ":" in host else host
    return f"{'wss' if tls else 'ws'}://{shown}:{port}"


def _network_address() -> str | None:
    """Return this machine's address in its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # An address for documentation, so that only the routes of this machine are asked.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return address
