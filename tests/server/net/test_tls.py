"""A certificate that is renewed while the server runs."""

import asyncio
import shutil
import ssl
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from deploy.cluster_secrets import Secrets
from server.net import tls
from tests.server.socket_server import open_socket_server


async def shown(port: int) -> bytes | None:
    """The certificate shown to a new connection."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    found: bytes | None = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return found


async def test_a_renewed_certificate_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A renewed certificate is used for new connections; an unreadable one is ignored."""
    monkeypatch.setattr(tls, "LOOK_SECONDS", 0.0)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        Secrets(tmp_path / name).make()
    certificate, key = tmp_path / "server.crt", tmp_path / "server.key"

    def use(name: str) -> None:
        shutil.copy(tmp_path / name / "database.crt", certificate)
        shutil.copy(tmp_path / name / "database.key", key)

    use("first")
    settings = {"tls_certificate_file": certificate, "tls_key_file": key}
    async with open_socket_server(tmp_path / "data", **settings) as server:
        port = int(server.url.rpartition(":")[2])
        first = await shown(port)
        certificate.write_text("no certificate")
        with capture_logs() as logs:
            assert await shown(port) == first
        assert [entry["event"] for entry in logs] == ["certificate_unread"]
        assert await shown(port) == first
        use("second")
        await shown(port)
        assert await shown(port) not in (None, first)
