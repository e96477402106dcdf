"""Tests the upgrade of one process of 0.2.0 to nodes, and of nodes one by one, during play."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from protocol.connection import connect
from tests.counts import NIGHT
from tests.e2e.databases import on_postgresql
from tests.e2e.nodes import owners
from tests.e2e.played_table import MOVES, PATIENT, PlayedTable, go_on
from tests.e2e.processes import Programs
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at
from tests.e2e.whole_nodes import FLAGS, Nodes
from tests.releases import releases, shared_source

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

TABLES = 100 if NIGHT else 3


@pytest.fixture
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of the last release without nodes."""
    (release,) = (each for each in releases() if each.version == "0.2.0")
    return shared_source(release, tmp_path_factory)


@on_postgresql
async def test_tables_go_on_while_one_process_becomes_nodes(
    programs: Programs, before: Path, rng: Random
) -> None:
    """Matches go on while one process becomes nodes, and while nodes are replaced."""
    old = await programs.serve(*FLAGS, source=before)
    async with AsyncExitStack() as stack:
        entry = await stack.enter_async_context(proxy(old.port))
        tables = [
            PlayedTable(
                [
                    await stack.enter_async_context(connect(entry.url, name=who, patience=PATIENT))
                    for who in ("Ann", "Bea")
                ],
                rng,
            )
            for _ in range(TABLES)
        ]
        nodes = Nodes(programs, rng)
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play())
            await asyncio.gather(*(table.open() for table in tables))
            await go_on(tables)
            for table in tables:
                table.let(MOVES)
            await old.stop()
            await nodes.begin("a", "b")
            entry.lead_to(nodes.servers["a"].port)
            await go_on(tables)
            for replaced, other in (("b", "a"), ("a", "b")):
                entry.lead_to(nodes.servers[other].port)
                for table in tables:
                    table.let(MOVES)
                await nodes.servers[replaced].stop()
                await go_on(tables)
                assert owners(programs) == {other: TABLES}
                await nodes.begin(replaced)
            for table in tables:
                table.let_all()
        for table in tables:
            stored = table_at(programs.data, table.code)
            table.check(stored)
            assert all(log.losses == log.returns for log in table.logs)
    for server in nodes.servers.values():
        await server.stop()
