"""Tests each kind of fault at one of three nodes or at PostgreSQL while people play."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from random import Random

import pytest

from protocol.connection import connect
from tests.counts import NIGHT
from tests.e2e.faults import AWAY_SECONDS, STILL_SECONDS, stop_in_a_transaction
from tests.e2e.nodes import owners
from tests.e2e.played_table import MOVES, PATIENT, PlayedTable, go_on
from tests.e2e.processes import Programs
from tests.e2e.program import SECONDS
from tests.e2e.proxy import Proxy, proxy
from tests.e2e.stored import table_at, url_of
from tests.e2e.test_disk import forgive
from tests.e2e.whole_nodes import Nodes, until_ready
from tests.postgres import Cluster, running_cluster

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1800 if NIGHT else 240)]

TABLES, TIMES = (100, 3) if NIGHT else (10, 1)
"""How many tables there are, and how often each fault happens."""
OWN_FAULTS = ("command_failed", "request_failed", "resume_failed", "nodes_failed")
"""What is logged of faults of ours, whatever happens to others."""


@pytest.fixture
def durable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a PostgreSQL that a test may kill: it syncs all commits."""
    with running_cluster(tmp_path_factory.mktemp("faults") / "cluster", fsync="on") as cluster:
        yield cluster


class Faults:
    """Causes faults of `nodes` and their `database`; after each fault all of them run again.

    Players connect by `entries`, which lead to running nodes.
    """

    def __init__(self, nodes: Nodes, programs: Programs, database: Cluster, rng: Random) -> None:
        self.entries: list[Proxy] = []
        self.tables: list[PlayedTable] = []
        self._nodes = nodes
        self._programs = programs
        self._database = database
        self._rng = rng

    async def kill_a_node(self) -> None:
        """Kill a node; other nodes take its tables over soon."""
        name = self._busiest()
        self._lead_away_from(name)
        await self._nodes.servers[name].kill()
        await self._begin_again(name)

    async def stop_a_node(self) -> None:
        """Suspend a node; other nodes take over, and the resumed node stores nothing and ends."""
        name = self._busiest()
        self._nodes.servers[name].program.signal(signal.SIGSTOP)
        await self._goes_on_too_late(name)

    async def stop_a_node_in_a_transaction(self) -> None:
        """Suspend a node in a transaction, which the database ends; its move is in no log."""
        name = self._busiest()
        program = self._nodes.servers[name].program
        await stop_in_a_transaction(program, url_of(self._programs.data), self.tables)
        await self._goes_on_too_late(name)

    async def end_a_node(self) -> None:
        """Tell a node to stop; it hands its tables over."""
        name = self._busiest()
        self._lead_away_from(name)
        await self._nodes.servers[name].stop()
        await self._nodes.begin(name)

    async def kill_the_database(self) -> None:
        """Kill the database during transactions; each node continues its tables afterwards."""
        await asyncio.to_thread(self._database.kill)
        await asyncio.sleep(AWAY_SECONDS)
        await asyncio.to_thread(self._database.start)

    async def stop_the_database(self) -> None:
        """Suspend the database during transactions, with all connections open."""
        with self._database.paused():
            await asyncio.sleep(STILL_SECONDS)

    def _busiest(self) -> str:
        """Return the node with most tables."""
        found = owners(self._programs)
        return max(found, key=lambda name: found[name])

    def _lead_away_from(self, name: str) -> None:
        """Lead new connections to other nodes, as a proxy with health checks does."""
        others = [each.port for other, each in self._nodes.servers.items() if other != name]
        for entry in self.entries:
            entry.lead_to(self._rng.choice(others))

    async def _goes_on_too_late(self, name: str) -> None:
        self._lead_away_from(name)
        await self._until_taken_from(name)
        program = self._nodes.servers[name].program
        program.signal(signal.SIGCONT)
        assert await program.ended() == 1
        await self._nodes.begin(name)

    async def _begin_again(self, name: str) -> None:
        await self._until_taken_from(name)
        await self._nodes.begin(name)

    async def _until_taken_from(self, name: str) -> None:
        async with asyncio.timeout(SECONDS):
            while name in owners(self._programs):  # noqa: ASYNC110
                await asyncio.sleep(0.1)


async def test_faults_of_every_kind_cost_nothing_at_whole_nodes(
    programs: Programs, durable: Cluster, rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each kind of fault all tables continue, and all logs are right.

    No frame had a card that its receiver had not been shown.
    """
    async with AsyncExitStack() as stack:
        programs.use_database(stack.enter_context(durable.database()))
        nodes = Nodes(programs, rng)
        faults = Faults(nodes, programs, durable, rng)
        await nodes.begin("a", "b", "c")
        for server in nodes.servers.values():
            faults.entries.append(await stack.enter_async_context(proxy(server.port)))
        for number in range(TABLES):
            at = [faults.entries[(number + seat) % 3] for seat in range(2)]
            clients = [
                await stack.enter_async_context(connect(entry.url, name=who, patience=PATIENT))
                for who, entry in zip(("Ann", "Bea"), at, strict=True)
            ]
            faults.tables.append(table := PlayedTable(clients, rng))
            for client in clients:
                table.frames.hear(client, monkeypatch)
        tables = faults.tables
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play())
            await asyncio.gather(*(table.open() for table in tables))
            kinds = [
                faults.kill_a_node,
                faults.stop_a_node,
                faults.stop_a_node_in_a_transaction,
                faults.end_a_node,
                faults.kill_the_database,
                faults.stop_the_database,
            ] * TIMES
            rng.shuffle(kinds)
            for fault in kinds:
                print(fault.__name__, owners(programs))
                for table in tables:
                    table.let(MOVES)
                await fault()
                await until_ready(*nodes.servers.values())
                await go_on(tables)
            for table in tables:
                table.let_all()
        for table in tables:
            stored = table_at(programs.data, table.code)
            table.check(stored)
            table.frames.check(stored)
        for server in nodes.servers.values():
            await server.stop()
        for program in programs.all:
            # What they say of a database that is away is for its administrator.
            assert not any(f'"{event}"' in program.errors for event in OWN_FAULTS), program
            forgive(program)
