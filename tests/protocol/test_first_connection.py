"""The first connection of a client: how it fails, and the delays between attempts."""

import asyncio
import ssl
import subprocess
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.server import ServerConnection

from protocol.connection import connect
from protocol.dial import Backoff
from protocol.errors import ConnectionLost, ErrorCode, ProtocolError
from protocol.to_client import Pong
from protocol.to_server import Ping
from protocol.version import MSGPACK
from tests.needs import needs
from tests.protocol.model_socket_server import HASTY, ModelSocketServer, running, serving


@pytest.fixture
def unknown(tmp_path: Path) -> ssl.SSLContext:
    """A self-signed certificate for `localhost`."""
    needs("openssl")
    certificate, key = str(tmp_path / "own.crt"), str(tmp_path / "own.key")
    words = ("req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=localhost")
    made = ("openssl", *words, "-out", certificate, "-keyout", key)
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context


class TestTheFirstConnection:
    """A failed first connection raises an error that says what to check."""

    async def fails(self, url: str, patience: Backoff = HASTY) -> str:
        with pytest.raises(ConnectionLost) as caught:
            async with connect(url, patience=patience):
                raise AssertionError("there is no such server")
        return str(caught.value)

    async def test_nobody_is_there(self) -> None:
        """The error names a port on which nobody listens."""
        async with running() as server:
            url = server.url
        reason = await self.fails(url)
        assert reason == f"nothing answers at {url}. Is the server running, and on this port?"

    @pytest.mark.parametrize("url", ["", "localhost:80", "http://localhost", "ws://[::1", "ws://"])
    async def test_what_is_no_address(self, url: str) -> None:
        """The error names text that is no WebSocket address."""
        assert "is no address of a server; one looks like ws://" in await self.fails(url)

    async def test_something_else_listens(self) -> None:
        """The error says that the other side does not speak WebSocket."""

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            assert "404" in await self.fails(f"ws://127.0.0.1:{port}")

    async def test_a_certificate_that_is_not_trusted(self, unknown: ssl.SSLContext) -> None:
        """The error names an untrusted certificate as such, and does not blame the address."""
        async with await asyncio.start_server(
            lambda reader, writer: writer.close(), "127.0.0.1", 0, ssl=unknown
        ) as server:
            url = f"wss://localhost:{server.sockets[0].getsockname()[1]}"
            said = await self.fails(url)
        assert said.startswith(f"{url} shows a certificate that is not trusted here: self")
        assert "SSL_CERT_FILE" in said

    @pytest.mark.parametrize(
        ("kind", "body", "refused"),
        [
            ("text/plain; charset=utf-8", "your address is banned\nmore", True),
            ("text/html", "<html>Forbidden</html>", False),
            ("text/plain", "", False),
        ],
    )
    async def test_an_address_that_may_not_come_in(
        self, kind: str, body: str, refused: bool
    ) -> None:
        """The error shows the first line of a plain-text refusal, but no HTML page of a proxy."""

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = f"HTTP/1.1 403 Forbidden\r\nContent-Type: {kind}\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            if not refused:
                assert "403" in await self.fails(url)
                return
            with pytest.raises(ProtocolError) as caught:
                async with connect(url, patience=HASTY):
                    raise AssertionError("nobody may come in")
        assert (caught.value.code, caught.value.reason) == ("forbidden", "your address is banned")

    async def test_nobody_answers(self) -> None:
        """The error says that a server accepts connections but stays silent."""
        release = asyncio.Event()

        async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await release.wait()
            writer.close()

        async with await asyncio.start_server(hold, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            reason = await self.fails(f"ws://127.0.0.1:{port}", Backoff(opening=0.05))
            release.set()
        assert reason.startswith("no answer from")

    async def test_another_language(self) -> None:
        """The error says that a server offers none of our subprotocols."""

        async def listen(socket: ServerConnection) -> None:
            await socket.wait_closed()

        async with serving(listen) as url:
            with pytest.raises(ProtocolError, match=r"version_unsupported: .* does not speak"):
                async with connect(url):
                    raise AssertionError("it does not speak our language")

    async def test_hello_without_an_answer(self) -> None:
        """The error says that the server does not answer hello."""

        async def listen(socket: ServerConnection) -> None:
            await socket.wait_closed()

        async with serving(listen, MSGPACK) as url:
            reason = await self.fails(url, Backoff(opening=0.05))
        assert reason.endswith("does not answer our hello")

    async def test_hanging_up_on_hello(self) -> None:
        """The error says that the server closed on hello, with its reason if any."""
        for said, expected in (("no entry", "no entry"), ("", "received 1008")):

            async def slam(socket: ServerConnection, said: str = said) -> None:
                await socket.recv()
                await socket.close(1008, said)

            async with serving(slam, MSGPACK) as url:
                assert f"hung up on our hello: {expected}" in await self.fails(url)

    async def test_a_broken_line(self) -> None:
        """The error says that the connection broke without a close."""

        async def drop(socket: ServerConnection) -> None:
            await socket.recv()
            socket.transport.abort()

        async with serving(drop, MSGPACK) as url:
            assert "hung up on our hello: no close frame" in await self.fails(url)

    @pytest.mark.parametrize("code", ["unauthorized", "draining"])
    async def test_refusals(self, code: ErrorCode) -> None:
        """The error for a refused hello has its code, temporary or not."""
        async with running(ModelSocketServer(refuse_hello=[code])) as server:
            with pytest.raises(ProtocolError, match=code):
                async with connect(server.url, token="stolen"):
                    raise AssertionError("we are not welcome")

    async def test_proxies(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Proxies are used for remote servers, and never for one on this machine."""
        async with running() as server:
            for kind in ("no", "all", "https", "socks", "ws"):
                monkeypatch.delenv(f"{kind}_proxy", raising=False)
                monkeypatch.delenv(f"{kind}_proxy".upper(), raising=False)
            monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
            async with connect(server.url) as client:
                assert isinstance(await client.ask(Ping), Pong)
            assert "('127.0.0.1', 1)" in await self.fails("ws://cards.example:1234")


class TestPatience:
    def test_delays_grow_and_are_spread(self) -> None:
        """Each delay is random and at most twice the one before, within bounds."""
        patience, rng = Backoff(first=1.0, longest=5.0), Random(1)
        for attempt, most in enumerate([1.0, 2.0, 4.0, 5.0, 5.0]):
            delays = {patience.delay(attempt, rng) for _ in range(20)}
            assert len(delays) > 1
            assert all(most / 2 <= delay <= most for delay in delays)

    @pytest.mark.parametrize("asked", [0.0, 3.0, -1.0, float("nan")])
    def test_what_the_server_asks_for_is_the_least(self, asked: float) -> None:
        """The server's delay is a minimum, with a random part added."""
        delay = Backoff(first=1.0, longest=5.0).delay(0, Random(1), at_least=asked)
        least = 3.0 if asked == 3.0 else 0.0
        assert least + 0.5 <= delay <= least + 1.0
