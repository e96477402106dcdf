"""Tests the server behind real proxies, with the configuration files of the hosting guide."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from random import Random

import pytest

from tests.e2e.deployed_proxies import (
    DEPLOY,
    HOST,
    PROXIES,
    SECONDS,
    Site,
    caddy_serving,
    documented,
    nginx_serving,
)
from tests.e2e.processes import Programs, free_port
from tests.needs import needs

pytestmark = pytest.mark.e2e


@pytest.fixture(params=PROXIES)
async def behind_proxy(
    request: pytest.FixtureRequest, programs: Programs, rng: Random
) -> AsyncIterator[Site]:
    """Start a server with the documented settings, one connection an address, behind a proxy."""
    proxy = PROXIES[request.param]
    needs(*proxy.programs)
    folder = programs.folder / "proxy"
    folder.mkdir()
    server = await programs.serve(*proxy.settings(), "--max-connections-per-address", "1")
    async with proxy.run(folder, free_port(rng), server.port) as site:
        yield site
    await server.stop()


async def test_players_and_pages_come_in_below_the_path(behind_proxy: Site) -> None:
    """Programs and pages of the public URL are welcomed with the URL for their invitations.

    The page finds its files at the root of the path, and where an invitation leads. The health
    pages are public; the metrics are not.
    """
    for number, origin in enumerate((None, f"https://{HOST}"), start=1):
        async with behind_proxy.player(origin, source=f"127.0.0.{number}") as websocket:
            hello = '{"type":"hello","id":1,"version":1,"client":"c","name":"Zoe"}'
            await websocket.send(hello)
            welcome = str(await websocket.recv())
            assert '"type":"welcome"' in welcome
            assert f'"url":"wss://{HOST}/play"' in welcome
    assert await behind_proxy.page("/play/healthz") == (200, "ok\n")
    assert (await behind_proxy.page("/play/readyz"))[0] == 200
    status, body = await behind_proxy.page("/play")
    assert (status, f"wss://{HOST}/play" in body) == (200, True)
    assert (await behind_proxy.page("/play/metrics"))[0] == 403
    for path in ("/play", "/play/", "/play/t/PLUM"):
        status, document = await behind_proxy.page(path)
        (script,) = re.findall(r'<script type="module" src="([^"]+)"', document)
        assert (status, script.startswith("/play/")) == (200, True)
        assert (await behind_proxy.page(script))[0] == 200


async def test_whoever_may_not_come_in_is_refused_through_the_proxy(behind_proxy: Site) -> None:
    """The proxy passes Origin and Host on unchanged, so foreign pages are refused.

    Two addresses have one connection each; a made up X-Forwarded-For gives no third.
    """
    for origin in ("https://evil.example", "null", f"http://{HOST}", f"https://{HOST}:8443"):
        assert await behind_proxy.refusal(origin) == HTTPStatus.FORBIDDEN
    async with AsyncExitStack() as stack:
        for source, forwarded, answer in (
            ("127.0.0.5", None, "welcome"),
            ("127.0.0.6", None, "welcome"),
            ("127.0.0.5", None, "error"),
            ("127.0.0.6", "6.6.6.6", "error"),
        ):
            websocket = await stack.enter_async_context(
                behind_proxy.player(source=source, forwarded=forwarded)
            )
            await websocket.send('{"type":"hello","id":1,"version":1,"client":"c"}')
            assert f'"type":"{answer}"' in str(await websocket.recv())


class StandIn:
    """A stand-in for a node that answers with its name, or whether it takes players."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ready = True

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[str]:
        """Answer until the context ends; yield the address."""
        async with await asyncio.start_server(self._answer, "127.0.0.1", 0) as server:
            yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        refused = b"/readyz" in request.partition(b"\r\n")[0] and not self.ready
        status = "503 Service Unavailable" if refused else "200 OK"
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(self.name)}\r\nConnection: close\r\n\r\n"
        writer.write(f"{head}{self.name}".encode())
        await writer.drain()
        writer.close()


async def test_caddy_leads_players_to_nodes_that_take_them(tmp_path: Path, rng: Random) -> None:
    """Caddy leads players to the nodes that are ready, and to no others.

    The address of a node leads to that node alone, also while it takes no new players.
    """
    needs("caddy")
    nodes = {name: StandIn(name) for name in "abc"}
    async with AsyncExitStack() as stack:
        at = {name: await stack.enter_async_context(each.listen()) for name, each in nodes.items()}
        port = free_port(rng)
        changes = {
            "{$HOST} {": f"https://{HOST}:{port} {{\n\ttls internal\n",
            "node-a:8765 node-b:8765 node-c:8765": " ".join(at.values()),
            **{f"@{name} node-{name}:8765": f"@{name} {own}" for name, own in at.items()},
            "health_interval 1s": "health_interval 100ms",
        }
        # Caddy knows this since 2.7, Debian's is older.
        text = documented("cluster/Caddyfile", changes).replace("stream_close_delay 24h", "")
        async with caddy_serving(tmp_path, port, text) as site:

            async def until_only(*names: str) -> None:
                seen: set[str] = set()
                while seen != set(names):
                    seen = {(await site.page("/play"))[1] for _ in range(12)}

            async with asyncio.timeout(SECONDS):
                await until_only("a", "b", "c")
                nodes["a"].ready = False
                await until_only("b", "c")
                await leads_to_each(site, *nodes)
                nodes["a"].ready = True
                await until_only("a", "b", "c")


async def test_nginx_leads_players_to_nodes(tmp_path: Path, rng: Random) -> None:
    """nginx leads players to any node, and by the address of a node to that node alone."""
    needs("nginx", "openssl")
    async with AsyncExitStack() as stack:
        at = [await stack.enter_async_context(StandIn(name).listen()) for name in "abc"]
        text = (DEPLOY / "cluster/nginx.conf").read_text("utf-8")
        for number, own in enumerate(at, start=8771):
            text = text.replace(f"127.0.0.1:{number}", own)
        site = await stack.enter_async_context(nginx_serving(tmp_path, free_port(rng), text))
        assert {(await site.page("/play"))[1] for _ in range(12)} == set("abc")
        await leads_to_each(site, *"abc")


async def leads_to_each(site: Site, *nodes: str) -> None:
    """Check that each node's address leads to that node, and that its metrics are not public."""
    for name in nodes:
        for path in (f"/play/n/{name}", f"/play/n/{name}/"):
            assert await site.page(path) == (HTTPStatus.OK, name)
        assert (await site.page(f"/play/n/{name}/metrics"))[0] == HTTPStatus.FORBIDDEN
    assert (await site.page("/play/metrics"))[0] == HTTPStatus.FORBIDDEN
