"""The broker's address and credentials, read from the settings at the start.

No error message repeats the address, which may hold a password.
"""

import ssl
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from protocol.same_server import is_this_machine
from server.ops.encryption import REMEDY
from server.ops.settings import Settings, SettingsError

FLAG = "--events"
FORM = "mqtts://[USER@]HOST[:PORT][/PREFIX]"
PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The scheme of each address, without and with TLS, and its usual port."""
PREFIX = "blackqueen"
"""What topics begin with if the address says nothing else."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's address, the prefix of its topics, and credentials that are never printed.

    `certificates` is a file of authorities other than the system's, `own_certificate` one to show
    to the broker, and `own_key` the file of its key, if that is another one.
    """

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    prefix: str = PREFIX
    certificates: Path | None = None
    own_certificate: Path | None = None
    own_key: Path | None = None

    @classmethod
    def at(cls, url: str) -> "Broker":
        """Parse `mqtt://[USER:PASSWORD@]HOST[:PORT][/PREFIX]`, or `mqtts://…` for TLS.

        Raises `ValueError` if it is no such address; its message does not repeat the address.
        """
        parts = urlsplit(url)
        if parts.scheme not in PORTS:
            raise ValueError("a broker's address begins with mqtts:// or mqtt://")
        try:
            host, port = parts.hostname, parts.port or PORTS[parts.scheme]
        except ValueError:
            raise ValueError("the port of a broker is a number from 1 to 65535") from None
        if not host:
            raise ValueError("a broker's address names its host")
        if parts.query or parts.fragment:
            raise ValueError("the address ends with the prefix of the topics")
        user, password = (
            None if text is None else unquote(text) for text in (parts.username, parts.password)
        )
        prefix = checked_prefix(unquote(parts.path).strip("/") or PREFIX)
        return cls(host, port, parts.scheme == "mqtts", user, password, prefix)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"

    def tls_context(self) -> ssl.SSLContext | None:
        """Make the TLS context; None without TLS. `OSError` if a certificate file is missing."""
        if not self.tls:
            return None
        context = ssl.create_default_context(cafile=self.certificates)
        if self.own_certificate is not None:
            # A key with a password of its own is refused; without one the terminal would be asked.
            context.load_cert_chain(self.own_certificate, self.own_key, password="")
        return context


def broker_of(settings: Settings) -> Broker | None:
    """Return the configured broker or None; raise `SettingsError` for wrong settings."""
    if settings.events is None:
        return None
    if find_spec("aiomqtt") is None:
        raise SettingsError(
            f"{FLAG}: needs an MQTT client, which `pip install 'blackqueen[mqtt]'` installs"
        )
    try:
        broker = replace(
            Broker.at(settings.events),
            certificates=_file(settings.events_ca_file),
            own_certificate=_file(settings.events_certificate_file),
            own_key=_file(settings.events_key_file),
        )
    except ValueError as error:
        raise SettingsError(f"{FLAG}: {error}; write {FORM}") from None
    if settings.events_password_file is not None:
        broker = replace(broker, password=_first_line(settings.events_password_file))
    if broker.password is not None and not broker.user:
        raise SettingsError(f"{FLAG}: a password needs a user; write {FORM}")
    files = (broker.certificates, broker.own_certificate, broker.own_key)
    if any(files) and not broker.tls:
        raise SettingsError(f"{FLAG}: certificates are for mqtts://, not for mqtt://")
    # Everybody may know what the broker is told, but not the password.
    may_be_read = broker.password is None or settings.trusted_network
    if not (broker.tls or may_be_read or is_this_machine(broker.host)):
        raise SettingsError(
            f"{FLAG}: mqtt:// sends the password to {broker.host} in clear text; "
            f"write {FORM}, {REMEDY}"
        )
    _check_files(broker)
    return broker


def checked_prefix(prefix: str) -> str:
    """Return `prefix` if topics may begin with it, else raise `ValueError`."""
    if not prefix or not all(prefix.split("/")):
        raise ValueError("a prefix of topics has no empty level")
    if prefix.startswith("$") or set(prefix) & set("+#\0") or len(prefix.encode()) > 100:
        raise ValueError("a prefix of topics has no +, # or NUL, no $ in front, and 100 bytes")
    return prefix


def _check_files(broker: Broker) -> None:
    """Raise `SettingsError`, which names the file, if the certificates cannot be used."""
    files = {
        f"{FLAG}-ca-file": broker.certificates,
        f"{FLAG}-certificate-file": broker.own_certificate,
        f"{FLAG}-key-file": broker.own_key,
    }
    for name, path in files.items():
        try:
            if path is not None:
                path.open("rb").close()
        except OSError as error:
            raise SettingsError(f"{name} {path}: {error.strerror}") from None
    try:
        broker.tls_context()
    except OSError as error:
        named = " and ".join(f"{name} {path}" for name, path in files.items() if path is not None)
        raise SettingsError(f"{named}: no certificates that fit ({error})") from None


def _file(path: Path | None) -> Path | None:
    return None if path is None else path.expanduser()


def _first_line(path: Path) -> str:
    try:
        return path.expanduser().read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise SettingsError(f"{FLAG}-password-file {path}: {reason}") from None
