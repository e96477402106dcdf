"""Where a broker is and how to get in, read from the settings before the server starts.

No message repeats the address: it may hold a password.
"""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from server.events.broker import Broker
from server.ops.encryption import REMEDY, is_this_machine
from server.ops.settings import SettingsError


class BrokerSettings(NamedTuple):
    """The settings of one broker, whose flags begin with `flag`; `form` shows an address."""

    flag: str
    form: str
    address: str
    password_file: Path | None
    ca_file: Path | None
    certificate_file: Path | None
    key_file: Path | None
    trusted_network: bool
    secret: bool = True
    """Whether what crosses the broker is not for everybody."""


def broker_of(chosen: BrokerSettings, usual_prefix: str) -> tuple[Broker, str]:
    """The broker, and what topics there begin with. `SettingsError` if that cannot be."""
    flag, form = chosen.flag, chosen.form
    if find_spec("aiomqtt") is None:
        raise SettingsError(
            f"{flag}: needs an MQTT client, which `pip install 'blackqueen[mqtt]'` installs"
        )
    try:
        parts = urlsplit(chosen.address)
        broker = replace(
            Broker.at(f"{parts.scheme}://{parts.netloc}"),
            certificates=_file(chosen.ca_file),
            own_certificate=_file(chosen.certificate_file),
            own_key=_file(chosen.key_file),
        )
        prefix = checked_prefix(unquote(parts.path).strip("/") or usual_prefix)
        if parts.query or parts.fragment:
            raise ValueError("the address ends with the prefix of the topics")
    except ValueError as error:
        raise SettingsError(f"{flag}: {error}; write {form}") from None
    if chosen.password_file is not None:
        broker = replace(broker, password=_text(flag, chosen.password_file))
    if broker.password is not None and not broker.user:
        raise SettingsError(f"{flag}: a password needs a user; write {form}")
    files = (broker.certificates, broker.own_certificate, broker.own_key)
    if any(files) and not broker.tls:
        raise SettingsError(f"{flag}: certificates are for mqtts://, not for mqtt://")
    told = chosen.secret or broker.password is not None
    if told and not (broker.tls or chosen.trusted_network or is_this_machine(broker.host)):
        what = "hidden cards and tokens" if chosen.secret else "the password"
        raise SettingsError(
            f"{flag}: mqtt:// sends {what} to {broker.host} in clear text; write {form}, {REMEDY}"
        )
    _check_files(flag, broker)
    return broker, prefix


def checked_prefix(prefix: str) -> str:
    """`prefix` if topics may begin with it; `ValueError` if not."""
    if not prefix or not all(prefix.split("/")):
        raise ValueError("a prefix of topics has no empty level")
    if prefix.startswith("$") or set(prefix) & set("+#\0") or len(prefix.encode()) > 100:
        raise ValueError("a prefix of topics has no +, # or NUL, no $ in front, and 100 bytes")
    return prefix


def _check_files(flag: str, broker: Broker) -> None:
    """`SettingsError` if the certificates cannot be used; it names the file."""
    files = {
        f"{flag}-ca-file": broker.certificates,
        f"{flag}-certificate-file": broker.own_certificate,
        f"{flag}-key-file": broker.own_key,
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


def _text(flag: str, path: Path) -> str:
    """The first line of a file."""
    try:
        return path.expanduser().read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise SettingsError(f"{flag}-password-file {path}: {reason}") from None
