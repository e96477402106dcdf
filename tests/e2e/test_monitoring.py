"""Tests a real Prometheus at real servers, with the rules and the queries of `deploy/`.

One server is alone, the other is a node of several.
"""

import asyncio
import json
import re
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from protocol.connection import connect
from protocol.errors import ProtocolError
from protocol.to_server import CreateTable, Join, Start
from tests.deploy.monitoring import CONFIG, RULES, Told, figures_of, grouped_by, queries
from tests.e2e.client_log import ClientLog
from tests.e2e.databases import on_postgresql
from tests.e2e.deployed_proxies import running
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs, Server, free_port
from tests.needs import needs

pytestmark = pytest.mark.e2e

SECONDS = 60.0


class Prometheus:
    """A running Prometheus that answers on `port`."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def ask(self, path: str, **arguments: str) -> Told:
        """Return the answer to a query; an invalid query fails the test."""
        return await asyncio.to_thread(self._ask, path, arguments)

    async def until(self, query: str) -> None:
        """Wait until a query has an answer that is not empty."""
        async with asyncio.timeout(SECONDS):
            while not (await self.ask("query", query=query))["result"]:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)

    def _ask(self, path: str, arguments: dict[str, str]) -> Told:
        url = f"http://127.0.0.1:{self._port}/api/v1/{path}?{urlencode(arguments)}"
        try:
            with urlopen(url, timeout=SECONDS) as answer:
                told: Told = json.load(answer)
        except HTTPError as error:
            pytest.fail(f"{arguments}: {error.read().decode()}")
        data = told["data"]
        return data if isinstance(data, dict) else {"result": data}


@asynccontextmanager
async def prometheus(folder: Path, port: int, *servers: int) -> AsyncIterator[Prometheus]:
    """Start Prometheus with the documented files and shorter intervals."""
    targets = '", "'.join(f"127.0.0.1:{server}" for server in servers)
    config = CONFIG.read_text("utf-8").replace("127.0.0.1:8765", targets)
    (folder / "prometheus.yaml").write_text(config.replace(": 15s", ": 1s"), "utf-8")
    (folder / RULES.name).write_text(RULES.read_text("utf-8"), "utf-8")
    process = await create_subprocess_exec(
        "prometheus",
        f"--config.file={folder / 'prometheus.yaml'}",
        f"--storage.tsdb.path={folder / 'series'}",
        f"--web.listen-address=127.0.0.1:{port}",
        stderr=PIPE,
    )
    async with running(process, b"Server is ready"):
        yield Prometheus(port)


@asynccontextmanager
async def some_life(server: Server) -> AsyncIterator[None]:
    """Cause an event of every kind that is counted by labels, and sit at a table."""
    foreign = Request(f"http://127.0.0.1:{server.port}/", headers={"Host": "evil.example"})
    with pytest.raises(HTTPError):
        await asyncio.to_thread(urlopen, foreign)
    async with connect(server.url, name="Ann", patience=HASTY) as ann:
        with pytest.raises(ProtocolError):
            await ann.ask(Join, table="NONE")
        opened = await ann.ask(CreateTable, game="black_queen", seats=2, options={"deals": 1})
        await ann.ask(Start, table=opened.table, fill=0)
        await play(ann, ClientLog(), Random(1))
        await ann.ask(CreateTable, game="black_queen", seats=2)
        yield


async def sees_all(asked: Prometheus) -> None:
    """Run every query of `deploy/`."""
    await asked.until('blackqueen_commands_total{type="create_table",result="ok"} == 2')
    await asked.until('ALERTS{alertname="BlackqueenEventsBrokerLost"}')
    # The node is asked in its own turn.
    await asked.until("blackqueen_node_lease_sure")
    families = (await asked.ask("metadata")).keys() | {"up"}
    labels: dict[str, set[str]] = {}
    for series in (await asked.ask("series", **{"match[]": '{job="blackqueen"}'}))["result"]:
        labels.setdefault(series["__name__"], set()).update(series)
    for query in queries():
        await asked.ask("query", query=query)
        there: set[str] = set()
        for name, chosen in figures_of(query):
            family = re.sub("_(?:bucket|sum|count)$", "", name)
            assert family in families, f"no {name}: {query}"
            there |= labels.get(name, set())
            assert chosen <= labels.get(name, chosen), query
        assert grouped_by(query) <= there, query
    (group,) = (await asked.ask("rules"))["groups"]
    assert {rule["health"] for rule in group["rules"]} == {"ok"}


@on_postgresql
async def test_prometheus_understands_what_deploy_asks(programs: Programs, rng: Random) -> None:
    """Every query of `deploy/` parses, and the server exports each metric and label in it.

    If the configured broker is missing, its alert becomes pending.
    """
    needs("prometheus")
    folder = programs.folder / "prometheus"
    folder.mkdir()
    ports = [free_port(rng) for _ in range(2)]
    nobody = f"mqtt://127.0.0.1:{free_port(rng)}/cards"
    alone = ("--database-url", f"sqlite:///{programs.folder}/alone.sqlite3")
    address = ("--node-url", f"ws://127.0.0.1:{ports[1]}/n/a/")
    # It takes some seconds until it asks for the first time, so it comes first.
    async with prometheus(folder, free_port(rng), *ports) as asked:
        server, node = await asyncio.gather(
            programs.serve("--events", nobody, *alone, port=ports[0]),
            programs.serve(*address, port=ports[1]),
        )
        async with some_life(server):
            await sees_all(asked)
        for each in (node, server):
            await each.stop()
