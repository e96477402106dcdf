"""Tests two nodes behind a real proxy that reloads its configuration while people play."""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from protocol.connection import connect
from tests.counts import NIGHT, count
from tests.e2e.databases import on_postgresql
from tests.e2e.deployed_proxies import DEPLOY, HOST, Site, caddy_serving, changed, nginx_serving
from tests.e2e.nodes import owners
from tests.e2e.played_table import PATIENT, PlayedTable, go_on
from tests.e2e.processes import Programs, free_port
from tests.e2e.stored import table_at
from tests.e2e.whole_nodes import Nodes
from tests.needs import needs

pytestmark = [pytest.mark.e2e, on_postgresql, pytest.mark.timeout(240)]

RELOADS = count(2)
Serving: TypeAlias = Callable[[Path, Random, Nodes, int], AbstractAsyncContextManager[Site]]


@asynccontextmanager
async def nginx(folder: Path, rng: Random, nodes: Nodes, port: int) -> AsyncIterator[Site]:
    """Run nginx for three nodes, of which the third does not exist."""
    name_of_site = {f"server_name {HOST};": "server_name localhost;"}
    text = changed((DEPLOY / "cluster/nginx.conf").read_text("utf-8"), name_of_site)
    for name, documented in {"a": 8771, "b": 8772, "c": 8773}.items():
        text = text.replace(f"127.0.0.1:{documented}", _at(nodes, name))
    async with nginx_serving(folder, port, text, reloads=True) as site:
        yield site


@asynccontextmanager
async def caddy(folder: Path, rng: Random, nodes: Nodes, port: int) -> AsyncIterator[Site]:
    """Run Caddy for three nodes; a Caddy before 2.7 is not told to keep connections."""
    at = {name: _at(nodes, name) for name in "abc"}
    changes = {
        "{$HOST} {": f"https://localhost:{port} {{\n\ttls internal\n",
        "node-a:8765 node-b:8765 node-c:8765": " ".join(at.values()),
        **{f"@{name} node-{name}:8765": f"@{name} {own}" for name, own in at.items()},
        "health_interval 1s": "health_interval 200ms",
    }
    text = changed((DEPLOY / "cluster/Caddyfile").read_text("utf-8"), changes)
    if not keeps_connections("caddy"):
        text = text.replace("stream_close_delay 24h", "")
    async with caddy_serving(folder, port, text, admin=free_port(rng), host="localhost") as site:
        yield site


def _at(nodes: Nodes, name: str) -> str:
    # Where nobody listens: below what programs of this machine take.
    return f"127.0.0.1:{nodes.servers[name].port if name in nodes.servers else 9}"


def keeps_connections(proxy: str) -> bool:
    """Whether connections outlive a reload of the proxy that is installed here."""
    if proxy == "nginx":
        return True
    said = subprocess.run(["caddy", "version"], capture_output=True, check=True, text=True)
    found = re.match(r"v?(\d+)\.(\d+)", said.stdout)
    assert found, said.stdout
    return (int(found[1]), int(found[2])) >= (2, 7)


PROXIES: dict[str, tuple[Serving, tuple[str, ...]]] = {
    "nginx": (nginx, ("nginx", "openssl")),
    "caddy": (caddy, ("caddy",)),
}


@pytest.mark.parametrize("proxy", PROXIES if NIGHT else ["nginx"])
async def test_a_proxy_reloads_while_people_play(
    programs: Programs, rng: Random, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    """Reloads of the proxy lose no move; players of an older Caddy notice a short pause.

    Clients are led to the node of their table by its address at the proxy.
    """
    serving, needed = PROXIES[proxy]
    needs(*needed)
    folder = programs.folder / "proxy"
    folder.mkdir()
    port = free_port(rng)
    public = f"//localhost:{port}/play"
    nodes = Nodes(
        programs, rng, "--public-url", f"https:{public}", "--trusted-proxies", "127.0.0.1"
    )
    nodes.own = {name: ("--node-url", f"wss:{public}/n/{name}/") for name in "ab"}
    await nodes.begin(*"ab")
    async with serving(folder, rng, nodes, port) as site, AsyncExitStack() as stack:
        monkeypatch.setenv("SSL_CERT_FILE", str(site.authority))
        tables = []
        for _ in range(3):
            clients = [
                await stack.enter_async_context(
                    connect(f"wss:{public}", name=who, patience=PATIENT)
                )
                for who in ("Ann", "Bea")
            ]
            tables.append(PlayedTable(clients, rng))
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play())
            await asyncio.gather(*(table.open() for table in tables))
            before = owners(programs)
            for _ in range(RELOADS):
                await go_on(tables)
                for table in tables:
                    table.let(4)
                await site.reload()
            await go_on(tables)
            for table in tables:
                table.let_all()
        assert owners(programs) == before
        for table in tables:
            table.check(table_at(programs.data, table.code))
            for log in table.logs:
                assert log.returns == log.losses
                assert log.losses == 0 or not keeps_connections(proxy)
    for server in nodes.servers.values():
        await server.stop()
