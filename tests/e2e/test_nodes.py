"""Processes with tables that share a database in PostgreSQL."""

import asyncio
import signal
from urllib.request import urlopen

import pytest

from tests.e2e.cluster import ClusterProcesses
from tests.e2e.databases import on_postgresql
from tests.e2e.nodes import owners
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.stored import url_of
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
async def test_a_node_that_stands_still_is_replaced_and_ends(
    programs: Programs, mosquitto: Mosquitto
) -> None:
    """Another one has its tables; it says so in one line when it goes on, and is started again."""
    await stored_tables(url_of(programs.data), programs.folder, TABLES)
    cluster = ClusterProcesses(programs, mosquitto)
    first = await cluster.role("tables,bots", "t1", *FLAGS)
    second = await cluster.role("tables,bots", "t2", "--admin", *FLAGS)
    assert owners(programs) == {"t1": TABLES}
    async with asyncio.timeout(SECONDS):
        while (nodes := await admin_nodes(programs))[-1][0] != "2":
            pass
    assert nodes == [
        ["tables.t1", "tables", "here", "held", str(TABLES)],
        ["tables.t2", "tables", "here", "held", "0"],
        ["2", "of", "2", "on", "the", "bus"],
    ]
    first.program.signal(signal.SIGSTOP)
    await until_figure(second, IN_MEMORY, TABLES)
    assert owners(programs) == {"t2": TABLES}
    first.program.signal(signal.SIGCONT)
    assert await first.program.ended() == 1
    assert first.program.errors.splitlines()[-1] == (
        "blackqueen serve: node t1: another node has taken over; it stores nothing any more"
    )
    assert await figure(second, "blackqueen_node_lease_sure") == 1
    await second.stop()
    assert owners(programs) == {}
