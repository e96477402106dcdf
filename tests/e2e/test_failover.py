"""Tests PostgreSQL's failover: its standby is promoted while people play at several nodes."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from random import Random

import pytest

from protocol.connection import connect
from tests.counts import NIGHT, count
from tests.e2e.faults import AWAY_SECONDS
from tests.e2e.nodes import owners
from tests.e2e.played_table import MOVES, PATIENT, PlayedTable, go_on
from tests.e2e.processes import Programs
from tests.e2e.proxy import proxy
from tests.e2e.stored import ELSEWHERE, table_at
from tests.e2e.test_disk import forgive
from tests.e2e.whole_nodes import Nodes, until_ready
from tests.failover import DATABASE, Pair, running_pair

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

TABLES = count(2)


@pytest.fixture
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Start a primary, and a standby that has all that the primary commits."""
    with running_pair(tmp_path_factory.mktemp("failover")) as pair:
        yield pair


@pytest.mark.parametrize("way_out", ["killed", "silent"] if NIGHT else ["killed"])
async def test_a_promoted_standby_costs_no_move(
    programs: Programs, pair: Pair, rng: Random, way_out: str
) -> None:
    """If the primary is lost during transactions, nodes continue at the standby by themselves.

    The primary is killed, or it becomes unreachable without any connection being closed.

    When the old primary is back as if nothing had happened, it acknowledges nothing: a node that
    connects to it does not start, and the nodes at the new one play on.
    """
    primary, standby = pair
    nodes = Nodes(programs, rng)
    async with AsyncExitStack() as stack:
        way = await stack.enter_async_context(proxy(primary.port))
        programs.use_database(pair.url_by(way.port))
        # What is there is read where it is to stay.
        programs.data.joinpath(ELSEWHERE).write_text(standby.url(DATABASE))
        await nodes.begin(*"ab")
        tables = []
        for number in range(TABLES):
            at = [
                await stack.enter_async_context(proxy(nodes.servers[name].port))
                for name in ("ab"[number % 2], "ba"[number % 2])
            ]
            clients = [
                await stack.enter_async_context(connect(entry.url, name=who, patience=PATIENT))
                for who, entry in zip(("Ann", "Bea"), at, strict=True)
            ]
            tables.append(PlayedTable(clients, rng))
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play())
            await asyncio.gather(*(table.open() for table in tables))
            await go_on(tables)
            before = owners(programs)
            for table in tables:
                table.let(MOVES)
            if way_out == "killed":
                await asyncio.to_thread(primary.kill)
            else:
                way.silence()
            await asyncio.sleep(AWAY_SECONDS)
            await asyncio.to_thread(standby.promote)
            await until_ready(*nodes.servers.values())
            await go_on(tables)
            assert owners(programs) == before
            if way_out == "killed":
                await asyncio.to_thread(primary.start)
            way.thaw()
            refused = await programs.start_server("--node-url", "ws://127.0.0.1:1/n/d/")
            assert await refused.ended() == 1
            await go_on(tables)
            for table in tables:
                table.let_all()
        for table in tables:
            table.check(table_at(programs.data, table.code))
        for server in nodes.servers.values():
            await server.stop()
    for program in programs.all:
        forgive(program)
