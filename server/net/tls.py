"""TLS for players and pages, if no proxy on this machine does that.

The files are read again once they have changed, so that a renewed certificate needs no restart.
"""

import ssl
from pathlib import Path
from time import monotonic
from typing import Any

import structlog

from server.ops.settings import Settings, SettingsError

log = structlog.get_logger()

LOOK_SECONDS = 60.0
"""How often the files are looked at, at most: when somebody connects."""
HANDSHAKE_SECONDS = 5.0
"""How long a client may take for the handshake, before anything of it is counted."""


def listening(settings: Settings) -> dict[str, Any]:  # keyword arguments of `serve`
    """Return the arguments of `websockets.serve` for TLS from the settings; empty for clear text.

    Raises `SettingsError` if the files cannot be used.
    """
    certificate = settings.tls_certificate_file
    if certificate is None:
        if settings.tls_key_file is not None:
            raise SettingsError("--tls-key-file: name the certificate by --tls-certificate-file")
        return {}
    try:
        context = _Certificate(certificate, settings.tls_key_file).context
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(
            f"--tls-certificate-file {certificate}: {_reason(error)}; it has to hold the "
            "certificate and those of its authorities, and the key too, or --tls-key-file names it"
        ) from None
    return {"ssl": context, "ssl_handshake_timeout": HANDSHAKE_SECONDS}


class _Certificate:
    """A certificate in files that may be replaced."""

    def __init__(self, certificate: Path, key: Path | None) -> None:
        self._certificate = certificate
        self._key = certificate if key is None else key
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._read()
        self._looked_at = monotonic()
        self.context.sni_callback = self._handshake

    def _read(self) -> None:
        self._seen = self._state()
        # A key with a password of its own is refused; without one the terminal would be asked.
        self.context.load_cert_chain(self._certificate, self._key, password="")

    def _state(self) -> tuple[tuple[int, int, int], ...]:
        found = (path.stat() for path in (self._certificate, self._key))
        return tuple((it.st_mtime_ns, it.st_size, it.st_ino) for it in found)

    def _handshake(self, *_: object) -> None:
        """Reload changed files during a handshake, for the next handshakes."""
        now = monotonic()
        if now < self._looked_at + LOOK_SECONDS:
            return
        self._looked_at = now
        try:
            if self._state() == self._seen:
                return
            self._read()
        except (OSError, ssl.SSLError) as error:
            log.warning("certificate_unread", reason=_reason(error))
        else:
            log.info("certificate_read")


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
