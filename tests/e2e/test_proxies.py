"""The server behind real proxies, configured by the very files that the hosting guide hands out."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from http import HTTPStatus
from random import Random

import pytest

from tests.e2e.deployed_proxies import HOST, PROXIES, Site
from tests.e2e.processes import Programs, free_port
from tests.needs import needs

pytestmark = pytest.mark.e2e


@pytest.fixture(params=PROXIES)
async def behind_proxy(
    request: pytest.FixtureRequest, programs: Programs, rng: Random
) -> AsyncIterator[Site]:
    """A server with the documented settings, one connection an address, and a proxy before it."""
    proxy = PROXIES[request.param]
    needs(*proxy.programs)
    folder = programs.folder / "proxy"
    folder.mkdir()
    server = await programs.serve(*proxy.settings(), "--max-connections-per-address", "1")
    async with proxy.run(folder, free_port(rng), server.port) as site:
        yield site
    await server.stop()


async def test_players_come_in_below_the_path(behind_proxy: Site) -> None:
    """A program and a page of the public URL are welcomed, and told where to invite others to."""
    for number, origin in enumerate((None, f"https://{HOST}"), start=1):
        async with behind_proxy.player(origin, source=f"127.0.0.{number}") as websocket:
            hello = '{"type":"hello","id":1,"version":1,"client":"c","name":"Zoe"}'
            await websocket.send(hello)
            welcome = str(await websocket.recv())
            assert '"type":"welcome"' in welcome
            assert f'"url":"wss://{HOST}/play"' in welcome


async def test_foreign_pages_are_refused_through_the_proxy(behind_proxy: Site) -> None:
    """The proxy passes Origin and Host on as they are."""
    for origin in ("https://evil.example", "null", f"http://{HOST}", f"https://{HOST}:8443"):
        assert await behind_proxy.refusal(origin) == HTTPStatus.FORBIDDEN


async def test_limits_by_address_see_the_player(behind_proxy: Site) -> None:
    """Two addresses have one connection each; a made up X-Forwarded-For gives no third."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(behind_proxy.player(source="127.0.0.5"))
        await stack.enter_async_context(behind_proxy.player(source="127.0.0.6"))
        assert await behind_proxy.refusal(source="127.0.0.5") == HTTPStatus.SERVICE_UNAVAILABLE
        spoofed = await behind_proxy.refusal(source="127.0.0.6", forwarded="6.6.6.6")
        assert spoofed == HTTPStatus.SERVICE_UNAVAILABLE


async def test_pages_lie_below_the_path(behind_proxy: Site) -> None:
    """The health pages are public; the metrics are not."""
    assert await behind_proxy.page("/play/healthz") == (200, "ok\n")
    assert (await behind_proxy.page("/play/readyz"))[0] == 200
    status, body = await behind_proxy.page("/play")
    assert (status, f"wss://{HOST}/play" in body) == (200, True)
    assert (await behind_proxy.page("/play/metrics"))[0] == 403


async def test_the_page_finds_its_files_below_the_path(behind_proxy: Site) -> None:
    """At the root of the path, and where an invitation leads."""
    for path in ("/play", "/play/", "/play/t/PLUM"):
        status, document = await behind_proxy.page(path)
        (script,) = re.findall(r'<script type="module" src="([^"]+)"', document)
        assert (status, script.startswith("/play/")) == (200, True)
        assert (await behind_proxy.page(script))[0] == 200
