"""A cluster that is upgraded process by process, while everybody plays on.

The processes of before are those of an earlier commit: the last release has no roles. Its gateway
and today's have players from the beginning; its nodes give their tables away, one after the other,
in the middle of a deal.
"""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from protocol.connection import connect
from tests.counts import NIGHT
from tests.e2e.cluster import ClusterProcesses, until_ready
from tests.e2e.databases import on_postgresql
from tests.e2e.nodes import owners
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs
from tests.e2e.program import SECONDS
from tests.e2e.stored import table_at
from tests.e2e.test_cluster_faults import DEALS, PlayedTable
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.releases import Release, source_of

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

BEFORE = Release("the first whose messages grow", "7c18ce9ca8cedbe86f7a4d610674d4322886522f")
"""The version that is upgraded; the next release takes its place."""
TABLES = 10
FLAGS = ("--max-lobby-tables-per-address", "0", "--max-connections-per-address", "0")


@pytest.fixture
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of the version that is upgraded."""
    return source_of(BEFORE, tmp_path_factory.mktemp("before"))


async def drained(programs: Programs, node: str) -> None:
    """Have a node give its tables away, and wait until it has none."""
    asked = await programs.run("admin", "drain", node, "--data", str(programs.data))
    await asked.done()
    async with asyncio.timeout(SECONDS):
        while node in owners(programs):  # noqa: ASYNC110
            await asyncio.sleep(0.1)


@pytest.mark.skipif(not NIGHT, reason="two versions of all roles; at night")
@on_postgresql
async def test_tables_go_on_while_their_nodes_are_upgraded(
    programs: Programs, mosquitto: Mosquitto, before: Path, rng: Random
) -> None:
    """Also where the players of a table are at gateways of both versions; nobody comes in again."""
    cluster = ClusterProcesses(programs, mosquitto)
    flags = {"t1": FLAGS, "t2": (*FLAGS, "--admin")}
    nodes = {
        name: await cluster.role("tables", name, *flags[name], source=before) for name in flags
    }
    workers = [
        await cluster.role("bots", "b1", "--plain-bots", source=before),
        await cluster.role("bots", "b2", "--plain-bots"),
    ]
    gateways = [
        await cluster.gateway("g1", *FLAGS, source=before),
        await cluster.gateway("g2", *FLAGS),
    ]
    await until_ready(*nodes.values(), *gateways)
    async with AsyncExitStack() as stack:
        tables = [
            PlayedTable(
                [
                    await stack.enter_async_context(connect(at.url, name=name, patience=HASTY))
                    for name, at in zip(
                        ("Ann", "Bea")[:: 1 - 2 * (number % 2)], gateways, strict=True
                    )
                ],
                rng,
            )
            for number in range(TABLES)
        ]
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play())
            await asyncio.gather(*(table.open() for table in tables))
            for name, old in nodes.items():
                for table in tables:
                    table.let(2)
                if name == "t1":
                    await drained(programs, name)
                await old.stop()
                assert name not in owners(programs)
                nodes[name] = await cluster.role("tables", name, *flags[name])
                await until_ready(nodes[name])
                seen = [table.moves for table in tables]
                for table in tables:
                    table.let(2)
                await asyncio.gather(*map(PlayedTable.goes_on, tables, seen))
            for table in tables:
                table.let(MOVES_OF_A_DEAL * DEALS)
        for table in tables:
            stored = table_at(programs.data, table.code)
            assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
            for log in table.logs:
                assert log.losses == 0
                log.check(stored)
    for server in (*gateways, *workers, *nodes.values()):
        await server.stop()
