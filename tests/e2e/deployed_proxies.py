"""Runs the proxies of `deploy/` as they are documented, on a port of the test's own."""

import asyncio
import os
import signal
import ssl
import subprocess
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.version import JSON
from tests.repository import ROOT

DEPLOY = ROOT / "deploy"
HOST = "cards.example.org"
CERTIFICATE = f"/etc/letsencrypt/live/{HOST}/fullchain.pem"
KEY = f"/etc/letsencrypt/live/{HOST}/privkey.pem"
SECONDS = 60.0


async def _cannot() -> None:
    raise AssertionError("this proxy was not started so that it can reload")


@dataclass
class Site:
    """A proxy's public site on `port`; `authority` is a file by which its certificate is trusted.

    `reload` makes the proxy read its configuration again, and returns when that is in effect.
    """

    port: int
    authority: Path
    reload: Callable[[], Awaitable[None]] = _cannot
    host: str = HOST

    @property
    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))

    @asynccontextmanager
    async def player(
        self, origin: str | None = None, source: str = "127.0.0.1", forwarded: str | None = None
    ) -> AsyncIterator[ClientConnection]:
        """Connect to the public URL, as a page does or as a program does."""
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

    async def reached(self) -> None:
        """Wait until the site shows its certificate, which a proxy may need a moment to make."""
        async with asyncio.timeout(SECONDS):
            while True:
                try:
                    await self.page("/play/healthz")
                except (OSError, EOFError):
                    await asyncio.sleep(0.05)
                else:
                    return

    async def page(self, path: str) -> tuple[int, str]:
        """Return status and body of a page over HTTPS."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=self.trusted, server_hostname=self.host
        )
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = (await reader.read()).decode()
        writer.close()
        head, _, body = answer.partition("\r\n\r\n")
        return int(head.split()[1]), body


@dataclass(frozen=True)
class Proxy:
    """A proxy of `deploy/`: its file, the programs that it needs, and the function that runs it.

    `run` is given a folder, the port to listen on and the server's port.
    """

    file: str
    programs: tuple[str, ...]
    run: Callable[[Path, int, int], AbstractAsyncContextManager[Site]]

    def settings(self) -> list[str]:
        """Return the server's settings that the file names, as flags."""
        lines = (DEPLOY / self.file).read_text("utf-8").splitlines()
        settings = [line.split("BLACKQUEEN_")[1] for line in lines if "BLACKQUEEN_" in line]
        assert len(settings) == 2
        pairs = (setting.split("=") for setting in settings)
        return [
            word for name, value in pairs for word in (f"--{name.lower().replace('_', '-')}", value)
        ]


def documented(file: str, changes: Mapping[str, str]) -> str:
    """Return a file of `deploy/` with the changes that a test needs."""
    return changed((DEPLOY / file).read_text("utf-8"), changes)


def changed(text: str, changes: Mapping[str, str]) -> str:
    """Return a text with each of these changes, whose old part must occur exactly once."""
    for there, here in changes.items():
        assert text.count(there) == 1, there
        text = text.replace(there, here)
    return text


@asynccontextmanager
async def running(process: Process, ready: bytes) -> AsyncIterator[None]:
    """Run a proxy, from the moment it reports that it is ready until the context ends."""
    assert process.stderr is not None
    try:
        said = b""
        async with asyncio.timeout(SECONDS):
            while ready not in said:
                line = await process.stderr.readline()
                assert line, f"the proxy did not start:\n{said.decode()}"
                said += line
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


def certify(folder: Path) -> None:
    """Make a certificate for the documented name and this machine that only these tests trust."""
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
                f"subjectAltName=DNS:{HOST},DNS:localhost",
            ),
            *("-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")),
        ],
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )


@asynccontextmanager
async def nginx(folder: Path, port: int, upstream: int) -> AsyncIterator[Site]:
    """Run nginx with the documented site."""
    text = documented("nginx.conf", {"http://127.0.0.1:8765;": f"http://127.0.0.1:{upstream};"})
    async with nginx_serving(folder, port, text) as proxied:
        yield proxied


@asynccontextmanager
async def nginx_serving(
    folder: Path, port: int, text: str, *, reloads: bool = False
) -> AsyncIterator[Site]:
    """Run nginx with this text of a site; the certificate is one of our own.

    nginx is one process, or, if it `reloads`, a master with workers as in an installation.
    """
    certify(folder)
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    changes = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        CERTIFICATE: str(folder / "certificate.pem"),
        KEY: str(folder / "key.pem"),
    }
    site = changed(text, changes)
    processes = f"master_process {'on' if reloads else 'off'};\nworker_processes 1;\n"
    # As root its workers would become another user, who may not write here.
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"daemon off;\n{processes}{user}pid {folder / 'pid'};\nerror_log stderr notice;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}{site}\n}}\n"
    )
    process = await create_subprocess_exec(
        "nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf"), stderr=PIPE
    )
    # It listens by the time it tells this.

    def workers() -> set[str]:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        return set(children.read_text().split())

    async def reload() -> None:
        before = workers()
        process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(SECONDS):
            while workers() <= before:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async with running(process, b"getrlimit"):
        yield Site(port, folder / "certificate.pem", reload)


@asynccontextmanager
async def caddy(folder: Path, port: int, upstream: int) -> AsyncIterator[Site]:
    """Run Caddy with the documented site; the authority of its certificate is in `folder`."""
    site = documented(
        "Caddyfile",
        {
            f"{HOST} {{": f"https://{HOST}:{port} {{\n\ttls internal\n",
            "127.0.0.1:8765": f"127.0.0.1:{upstream}",
        },
    )
    async with caddy_serving(folder, port, site) as proxied:
        yield proxied


@asynccontextmanager
async def caddy_serving(
    folder: Path, port: int, site: str, *, admin: int | None = None, host: str = HOST
) -> AsyncIterator[Site]:
    """Run Caddy on `port` with this text of a site, for which Caddy makes a certificate itself.

    Caddy can reload if it has a port for its `admin`.
    """
    config = folder / "Caddyfile"
    config.write_text(
        f"{{\n\tadmin {'off' if admin is None else f'127.0.0.1:{admin}'}\n\n\tskip_install_trust\n"
        "\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n"
        f"\tstorage file_system {folder / 'storage'}\n}}\n{site}"
    )
    words = ("--adapter", "caddyfile", "--config", str(config))
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
    process = await create_subprocess_exec("caddy", "run", *words, stderr=PIPE, env=environment)

    async def reload() -> None:
        at = ("--force", "--address", f"127.0.0.1:{admin}")
        asked = await create_subprocess_exec(
            "caddy", "reload", *words, *at, stderr=PIPE, env=environment
        )
        _, said = await asked.communicate()
        assert asked.returncode == 0, said.decode()

    async with running(process, b"certificate obtained successfully"):
        authority = folder / "storage/pki/authorities/local/root.crt"
        proxied = Site(port, authority, reload, host)
        await proxied.reached()
        yield proxied


PROXIES: Mapping[str, Proxy] = {
    "nginx": Proxy("nginx.conf", ("nginx", "openssl"), nginx),
    "caddy": Proxy("Caddyfile", ("caddy",), caddy),
}
"""The proxies that the guide documents."""
