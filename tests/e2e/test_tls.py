"""Tests a server with TLS of its own, and its messages about files that it cannot use."""

import asyncio
import ssl
from pathlib import Path

import pytest

from deploy.cluster_secrets import Secrets
from protocol.connection import connect
from protocol.to_server import CreateTable
from tests.e2e.processes import Programs
from tests.e2e.test_refusals import USAGE, fails

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an authority, and its certificates for `localhost`."""
    folder = tmp_path_factory.mktemp("secrets")
    Secrets(folder).make()
    return folder


def flags(files: Path) -> tuple[str, ...]:
    certificate, key = str(files / "database.crt"), str(files / "database.key")
    return ("--tls-certificate-file", certificate, "--tls-key-file", key)


async def test_players_and_pages_come_by_tls_alone(
    programs: Programs, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs and browsers check the certificate; the server does not answer clear text."""
    server = await programs.serve(*flags(files))
    assert server.url.startswith("wss://127.0.0.1:")
    url = f"wss://localhost:{server.port}"
    monkeypatch.setenv("SSL_CERT_FILE", str(files / "ca.crt"))
    async with connect(url, name="Ann") as ann:
        assert (await ann.ask(CreateTable, game="schnapsen")).table
    trust = ssl.create_default_context(cafile=str(files / "ca.crt"))
    reader, writer = await asyncio.open_connection("localhost", server.port, ssl=trust)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    writer.close()
    reader, writer = await asyncio.open_connection("localhost", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert await reader.read() == b""
    writer.close()
    trusting = {"SSL_CERT_FILE": str(files / "ca.crt")}
    assert await (await programs.run("tables", url, environment=trusting)).ended() == 0
    refused = await programs.run("tables", url)
    assert await refused.ended() == 3
    assert f"{url} shows a certificate that is not trusted here" in refused.errors


@pytest.mark.parametrize(
    ("certificate", "key", "words"),
    [
        ("nothing.crt", "database.key", ("--tls-certificate-file", "nothing.crt", "No such file")),
        ("database.crt", "broker.key", ("--tls-certificate-file", "database.crt")),
        ("database.key", "database.key", ("--tls-certificate-file", "database.key")),
        (None, "database.key", ("--tls-key-file: name the certificate",)),
    ],
)
async def test_files_that_cannot_be_used_are_named(
    programs: Programs, files: Path, certificate: str | None, key: str, words: tuple[str, ...]
) -> None:
    """A server with certificate files that it cannot use does not start, and names them."""
    given = () if certificate is None else ("--tls-certificate-file", str(files / certificate))
    await fails(
        await programs.start_server(*given, "--tls-key-file", str(files / key)), USAGE, *words
    )
