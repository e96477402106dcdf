"""The URL by which players reach the server, perhaps through a proxy."""

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

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
        """From a URL of a page (http, https) or of the WebSocket (ws, wss); else `ValueError`."""
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
        scheme = {"http": "ws", "https": "wss"}[self.scheme]
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{scheme}://{host}{port}{self.path}"
