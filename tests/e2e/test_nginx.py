"""The server behind a real nginx, configured by the very file that the hosting guide hands out."""

import asyncio
import ssl
import subprocess
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.version import JSON
from tests.e2e.processes import Programs, free_port
from tests.needs import needs

pytestmark = pytest.mark.e2e

DOCUMENTED = Path(__file__).parents[2] / "deploy/nginx.conf"
HOST = "cards.example.org"
CERTIFICATE = f"/etc/letsencrypt/live/{HOST}/fullchain.pem"
KEY = f"/etc/letsencrypt/live/{HOST}/privkey.pem"
SECONDS = 30.0


def documented_settings() -> list[str]:
    """The server's settings that the file names, as flags."""
    lines = DOCUMENTED.read_text("utf-8").splitlines()
    settings = [line.split("BLACKQUEEN_")[1] for line in lines if "BLACKQUEEN_" in line]
    assert len(settings) == 2
    pairs = (setting.split("=") for setting in settings)
    return [
        word for name, value in pairs for word in (f"--{name.lower().replace('_', '-')}", value)
    ]


def site(folder: Path, port: int, upstream: int) -> str:
    """The documented file, with another port to listen on, another certificate and our server."""
    text = DOCUMENTED.read_text("utf-8")
    for there, here in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        (CERTIFICATE, str(folder / "certificate.pem")),
        (KEY, str(folder / "key.pem")),
        ("http://127.0.0.1:8765;", f"http://127.0.0.1:{upstream};"),
    ):
        assert text.count(there) == 1, there
        text = text.replace(there, here)
    return text


def certify(folder: Path) -> None:
    """A certificate for the documented name, which nobody but these tests trusts."""
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *(
                "-nodes",
                "-days",
                "2",
                "-subj",
                f"/CN={HOST}",
                "-addext",
                f"subjectAltName=DNS:{HOST}",
            ),
            *("-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")),
        ],
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )


@asynccontextmanager
async def nginx(folder: Path, port: int, upstream: int) -> AsyncIterator[None]:
    """nginx with the documented site, as one process."""
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder / 'pid'};\nerror_log stderr notice;\n"
        "events {}\nhttp {\naccess_log off;\n"
        f"{places}{site(folder, port, upstream)}\n}}\n"
    )
    process = await create_subprocess_exec(
        "nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf"), stderr=PIPE
    )
    assert process.stderr is not None
    try:
        said = b""
        async with asyncio.timeout(SECONDS):
            # It listens by the time it tells this.
            while b"getrlimit" not in said:
                line = await process.stderr.readline()
                assert line, f"nginx did not start:\n{said.decode()}"
                said += line
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


@dataclass
class Site:
    port: int
    trusted: ssl.SSLContext

    @asynccontextmanager
    async def player(
        self, origin: str | None = None, source: str = "127.0.0.1", forwarded: str | None = None
    ) -> AsyncIterator[ClientConnection]:
        """A connection to the public URL, from a page or from a program."""
        async with dial(
            f"wss://{HOST}/play",
            host="127.0.0.1",
            port=self.port,
            ssl=self.trusted,
            origin=None if origin is None else Origin(origin),
            subprotocols=[Subprotocol(JSON)],
            local_addr=(source, 0),
            additional_headers={} if forwarded is None else {"X-Forwarded-For": forwarded},
        ) as websocket:
            yield websocket

    async def refusal(
        self, origin: str | None = None, source: str = "127.0.0.1", forwarded: str | None = None
    ) -> int:
        with pytest.raises(InvalidStatus) as refused:
            async with self.player(origin, source, forwarded):
                pass
        return refused.value.response.status_code

    async def page(self, path: str) -> tuple[int, str]:
        """Status and body of a page over HTTPS."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=self.trusted, server_hostname=HOST
        )
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        answer = (await reader.read()).decode()
        writer.close()
        head, _, body = answer.partition("\r\n\r\n")
        return int(head.split()[1]), body


@pytest.fixture
async def behind_nginx(programs: Programs, rng: Random) -> AsyncIterator[Site]:
    """A server with the documented settings, one connection an address, and nginx before it."""
    needs("nginx", "openssl")
    folder = programs.folder / "nginx"
    folder.mkdir()
    certify(folder)
    server = await programs.serve(*documented_settings(), "--max-connections-per-address", "1")
    port = free_port(rng)
    trusted = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    async with nginx(folder, port, server.port):
        yield Site(port, trusted)
    await server.stop()


async def test_players_come_in_below_the_path(behind_nginx: Site) -> None:
    """A program and a page of the public URL are welcomed, and told where to invite others to."""
    for number, origin in enumerate((None, f"https://{HOST}"), start=1):
        async with behind_nginx.player(origin, source=f"127.0.0.{number}") as websocket:
            hello = '{"type":"hello","id":1,"version":1,"client":"c","name":"Zoe"}'
            await websocket.send(hello)
            welcome = str(await websocket.recv())
            assert '"type":"welcome"' in welcome
            assert f'"url":"wss://{HOST}/play"' in welcome


async def test_foreign_pages_are_refused_through_the_proxy(behind_nginx: Site) -> None:
    """The proxy passes Origin and Host on as they are."""
    for origin in ("https://evil.example", "null", f"http://{HOST}", f"https://{HOST}:8443"):
        assert await behind_nginx.refusal(origin) == HTTPStatus.FORBIDDEN


async def test_limits_by_address_see_the_player(behind_nginx: Site) -> None:
    """Two addresses have one connection each; a made up X-Forwarded-For gives no third."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(behind_nginx.player(source="127.0.0.5"))
        await stack.enter_async_context(behind_nginx.player(source="127.0.0.6"))
        assert await behind_nginx.refusal(source="127.0.0.5") == HTTPStatus.SERVICE_UNAVAILABLE
        spoofed = await behind_nginx.refusal(source="127.0.0.6", forwarded="6.6.6.6")
        assert spoofed == HTTPStatus.SERVICE_UNAVAILABLE


async def test_pages_lie_below_the_path(behind_nginx: Site) -> None:
    """The health pages are public; the metrics are not."""
    assert await behind_nginx.page("/play/healthz") == (200, "ok\n")
    assert (await behind_nginx.page("/play/readyz"))[0] == 200
    status, body = await behind_nginx.page("/play")
    assert (status, f"wss://{HOST}/play" in body) == (200, True)
    assert (await behind_nginx.page("/play/metrics"))[0] == 403
