"""Where the broker is and how to get in: an address, and credentials that are never shown."""

import ssl
from dataclasses import dataclass, field
from hashlib import scrypt
from pathlib import Path
from urllib.parse import unquote, urlsplit

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The scheme of each address, without and with TLS, and its usual port."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's address; `certificates` is a file of authorities other than the system's.

    `own_certificate` is a file to show to the broker, and `own_key` the file of its key, if that
    is another one.
    """

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    certificates: Path | None = None
    own_certificate: Path | None = None
    own_key: Path | None = None

    @classmethod
    def at(cls, url: str, certificates: Path | None = None) -> "Broker":
        """The broker of `mqtt://[USER:PASSWORD@]HOST[:PORT]`, or of `mqtts://…` for TLS.

        `ValueError` if it is no such address; its message does not repeat the address.
        """
        parts = urlsplit(url)
        if parts.scheme not in PORTS:
            raise ValueError("a broker's address begins with mqtts:// or mqtt://")
        try:
            host, port = parts.hostname, parts.port or PORTS[parts.scheme]
        except ValueError:
            raise ValueError("the port of a broker is a number from 1 to 65535") from None
        if not host or parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError("a broker's address is mqtts://[USER:PASSWORD@]HOST[:PORT]")
        user, password = (
            None if text is None else unquote(text) for text in (parts.username, parts.password)
        )
        return cls(host, port, parts.scheme == "mqtts", user, password, certificates)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"

    def identifier(self, name: str) -> str:
        """What the broker is to know the client `name` as: the same after every start.

        A broker throws a client out when another one comes with its identifier, whoever that is.
        So nobody can tell it without the password, or the key, that the client comes in by; and as
        brokers log it, the way back takes long.
        """
        secret = (self.password or "").encode()
        if self.own_certificate is not None:
            secret += (self.own_key or self.own_certificate).read_bytes()
        if not secret:
            return name
        key = scrypt(secret, salt=f"{self.user} {name}".encode(), n=2**14, r=8, p=1, dklen=8)
        return f"{name}-{key.hex()}"

    def tls_context(self) -> ssl.SSLContext | None:
        """How to check the broker's certificate; None without TLS. `OSError` without the files."""
        if not self.tls:
            return None
        context = ssl.create_default_context(cafile=self.certificates)
        if self.own_certificate is not None:
            # A key with a password of its own is refused; without one the terminal would be asked.
            context.load_cert_chain(self.own_certificate, self.own_key, password="")
        return context
