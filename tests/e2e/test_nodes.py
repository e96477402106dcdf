"""Processes with tables that share a database in PostgreSQL."""

import asyncio
from contextlib import AsyncExitStack
from random import Random
from urllib.request import urlopen

import pytest

from protocol.connection import connect
from tests.e2e.cluster import ClusterProcesses, until_ready
from tests.e2e.databases import on_postgresql
from tests.e2e.nodes import owners
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at, url_of
from tests.e2e.test_cluster_faults import DEALS, PlayedTable
from tests.e2e.test_disk import forgive
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.server.node.nodes import stored_tables

pytestmark = pytest.mark.e2e

TABLES = 5
FLAGS = ("--plain-bots", "--address-pages-per-second", "0")
IN_MEMORY = 'blackqueen_tables{phase="playing"}'


async def figure(server: Server, name: str) -> float:
    """A figure of a process by its name and labels."""

    def get() -> str:
        with urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=30) as page:
            text: str = page.read().decode()
        return text

    lines = (await asyncio.to_thread(get)).splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), 0.0)


async def until_figure(server: Server, name: str, value: float) -> None:
    """Wait until a figure of a process has this value."""
    async with asyncio.timeout(SECONDS):
        while await figure(server, name) != value:
            pass


async def admin_nodes(programs: Programs) -> list[list[str]]:
    """The words of each line of `blackqueen admin nodes` below the head."""
    program = await programs.run("admin", "nodes", "--data", str(programs.data))
    await program.done()
    return [line.split() for line in program.lines[1:]]


@on_postgresql
async def test_a_node_without_network_is_replaced_and_ends(
    programs: Programs, mosquitto: Mosquitto, rng: Random
) -> None:
    """All its traffic is held back while it stores a move; another one has its tables by then.

    What it has sent arrives in the end, and changes nothing for the log or for anybody. It says so
    in one line, and is started again.
    """
    url = url_of(programs.data)
    await stored_tables(url, programs.folder, TABLES)
    cluster = ClusterProcesses(programs, mosquitto)
    port = int(url.rpartition(":")[2].partition("/")[0])
    async with AsyncExitStack() as stack:
        to_database, to_broker = [
            await stack.enter_async_context(proxy(each)) for each in (port, mosquitto.port)
        ]
        words = (
            *("--database-url", url.replace(f":{port}/", f":{to_database.port}/")),
            *("--bus", cluster.bus.replace(f":{mosquitto.port}/", f":{to_broker.port}/")),
        )
        first = await cluster.role("tables,bots", "t1", *FLAGS, *words)
        assert owners(programs) == {"t1": TABLES}
        gateway = await cluster.gateway("g1")
        await until_ready(gateway)
        clients = [
            await stack.enter_async_context(connect(gateway.url, name=name, patience=HASTY))
            for name in ("Ann", "Bea")
        ]
        table = PlayedTable(clients, rng)
        await table.open()
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        tasks.create_task(table.play())
        second = await cluster.role("tables,bots", "t2", "--admin", *FLAGS)
        async with asyncio.timeout(SECONDS):
            while (nodes := await admin_nodes(programs))[-1][0] != "3":
                pass
        assert [line for line in nodes if "tables" in line] == [
            ["tables.t1", "tables", "here", "held", str(TABLES + 1)],
            ["tables.t2", "tables", "here", "held", "0"],
        ]
        table.let(1)
        await table.goes_on(0)
        to_database.silence()
        table.let(MOVES_OF_A_DEAL * DEALS)
        async with asyncio.timeout(SECONDS):
            # It stores something, and renews its lease.
            while to_database.held < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        to_broker.silence()
        await table.goes_on(table.moves)
        await until_figure(second, IN_MEMORY, TABLES + 1)
        assert owners(programs) == {"t2": TABLES + 1}
        assert first.program.code is None
        to_database.thaw()
        to_broker.thaw()
        assert await first.program.ended() == 1
    assert first.program.errors.splitlines()[-1] == (
        "blackqueen serve: node t1: another node has taken over; it stores nothing any more"
    )
    forgive(first.program)
    stored = table_at(programs.data, table.code)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
    for log in table.logs:
        assert log.losses == 0
        log.check(stored)
    assert await figure(second, "blackqueen_node_lease_sure") == 1
    await gateway.stop()
    await second.stop()
    assert owners(programs) == {}
