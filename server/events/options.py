"""Where public events go, read from the settings before the server starts.

No message repeats the address: it may hold a password.
"""

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from server.bus.broker import Broker
from server.events.topics import checked_prefix
from server.ops.settings import Settings, SettingsError

PREFIX = "blackqueen"
"""What topics begin with if the address says nothing else."""
FORM = "mqtts://[USER@]HOST[:PORT][/PREFIX]"


@dataclass(frozen=True, slots=True)
class EventOptions:
    """The broker, and what the topics begin with."""

    broker: Broker
    prefix: str


def event_options(settings: Settings) -> EventOptions | None:
    """Where the settings want public events; None if nowhere. `SettingsError` if that cannot be."""
    if settings.events is None:
        return None
    if find_spec("aiomqtt") is None:
        raise SettingsError(
            "--events: needs an MQTT client, which `pip install 'blackqueen[mqtt]'` installs"
        )
    try:
        parts = urlsplit(settings.events)
        broker = replace(
            Broker.at(f"{parts.scheme}://{parts.netloc}"),
            certificates=_file(settings.events_ca_file),
            own_certificate=_file(settings.events_certificate_file),
            own_key=_file(settings.events_key_file),
        )
        prefix = checked_prefix(unquote(parts.path).strip("/") or PREFIX)
        if parts.query or parts.fragment:
            raise ValueError("the address ends with the prefix of the topics")
    except ValueError as error:
        raise SettingsError(f"--events: {error}; write {FORM}") from None
    if settings.events_password_file is not None:
        password = _text(settings.events_password_file)
        broker = replace(broker, password=password)
    if broker.password is not None and not broker.user:
        raise SettingsError(f"--events: a password needs a user; write {FORM}")
    files = (broker.certificates, broker.own_certificate, broker.own_key)
    if any(files) and not broker.tls:
        raise SettingsError("--events: certificates are for mqtts://, not for mqtt://")
    _check_files(broker)
    return EventOptions(broker, prefix)


def _check_files(broker: Broker) -> None:
    """`SettingsError` if the certificates cannot be used; it names the file."""
    files = {
        "--events-ca-file": broker.certificates,
        "--events-certificate-file": broker.own_certificate,
        "--events-key-file": broker.own_key,
    }
    for flag, path in files.items():
        try:
            if path is not None:
                path.open("rb").close()
        except OSError as error:
            raise SettingsError(f"{flag} {path}: {error.strerror}") from None
    try:
        broker.tls_context()
    except OSError as error:
        named = " and ".join(f"{flag} {path}" for flag, path in files.items() if path is not None)
        raise SettingsError(f"{named}: no certificates that fit ({error})") from None


def _file(path: Path | None) -> Path | None:
    return None if path is None else path.expanduser()


def _text(path: Path) -> str:
    """The first line of a file."""
    try:
        return path.expanduser().read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise SettingsError(f"--events-password-file {path}: {reason}") from None
