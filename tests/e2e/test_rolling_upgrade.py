"""A cluster that is upgraded process by process, while everybody plays on.

The processes of before are those of the last release, a bot worker among them, which today's nodes
do not ask. A gateway of today is there from the beginning, so that both versions meet in every pair
of roles.
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
from tests.e2e.faults import FLAGS
from tests.e2e.nodes import owners
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.proxy import Proxy, proxy
from tests.e2e.stored import table_at
from tests.e2e.test_cluster_faults import DEALS, PATIENT, PlayedTable
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.releases import releases, source_of

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

BEFORE = releases()[-1]
"""The version that is upgraded."""
TABLES = 100 if NIGHT else 3
MOVES = 2
"""The moves that people make at each table while a process is replaced, and after it."""
STALLS = ("database_unavailable", "commit_failed")
"""What a node logs, of either version, that a machine with a hundred tables lets stand still.

The database ends its session after a second in a transaction, or its lease is over: its players
notice a pause.
"""
ROLES = {"g": "gateway", "t": "tables", "b": "bots"}


def forgive_stalls(programs: Programs) -> None:
    """Accept that nodes stood still now and then; everything else that is logged counts."""
    stalls = tuple(f'"event": "{event}"' for event in STALLS)
    for program in programs.all:
        lines = program.errors.splitlines()
        program.errors = "\n".join(
            line for line in lines if not any(stall in line for stall in stalls)
        )


@pytest.fixture
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of the version that is upgraded."""
    return source_of(BEFORE, tmp_path_factory.mktemp("before"))


class Upgrade:
    """Processes of two versions; g1 is a gateway, t1 has tables, b1 is a bot worker of before."""

    def __init__(self, programs: Programs, broker: Mosquitto, before: Path) -> None:
        self.servers: dict[str, Server] = {}
        self.name: Proxy
        """Where the players of the first gateway find it."""
        self._programs = programs
        self._cluster = ClusterProcesses(programs, broker)
        self._before = before

    async def begin(self, *names: str, old: bool = False) -> None:
        """Start these processes, in the version of before or in today's."""
        started = await asyncio.gather(*(self._start(name, old) for name in names))
        self.servers.update(zip(names, started, strict=True))
        await until_ready(*self.servers.values())

    async def replace_a_node(self, name: str) -> None:
        """The one gives its tables away when it is asked to, the other when it is stopped."""
        if name == "t1":
            await self._drain(name)
        await self.servers[name].stop()
        assert name not in owners(self._programs)
        await self.begin(name)

    async def replace_a_gateway(self, name: str) -> None:
        """Its players come in at the other one, and then at the new one."""
        self.name.lead_to(self.servers["g2"].port)
        await self.servers[name].stop()
        await self.begin(name)
        self.name.lead_to(self.servers[name].port)
        self.name.cut()

    async def _drain(self, node: str) -> None:
        """Have a node give its tables away, and wait until it has none."""
        asked = await self._programs.run("admin", "drain", node, "--data", str(self._programs.data))
        await asked.done()
        async with asyncio.timeout(SECONDS):
            while node in owners(self._programs):  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    async def _start(self, name: str, old: bool) -> Server:
        role, source = ROLES[name[0]], self._before if old else None
        # One answers administrators; both have the same folder.
        flags = (*FLAGS, *(["--admin"] if name == "t2" else []))
        if role == "gateway":
            return await self._cluster.gateway(name, *flags, source=source)
        return await self._cluster.role(role, name, *flags, source=source)


@on_postgresql
async def test_tables_go_on_while_their_cluster_is_upgraded(
    programs: Programs, mosquitto: Mosquitto, before: Path, rng: Random
) -> None:
    """Also where the players of a table are at gateways of both versions.

    Only the players of the gateway that is replaced come in again.
    """
    upgrade = Upgrade(programs, mosquitto, before)
    # The first compiles the modules of before, for all.
    await upgrade.begin("t1", old=True)
    await asyncio.gather(upgrade.begin("t2", "b1", "g1", old=True), upgrade.begin("g2"))
    async with AsyncExitStack() as stack:
        upgrade.name = await stack.enter_async_context(proxy(upgrade.servers["g1"].port))
        gateways = [upgrade.name.url, upgrade.servers["g2"].url]
        # The hosts of half of the tables are at either.
        tables = [
            PlayedTable(
                [
                    await stack.enter_async_context(connect(url, name=name, patience=PATIENT))
                    for name, url in zip(
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
            for replaced in (
                upgrade.replace_a_node("t1"),
                upgrade.replace_a_node("t2"),
                upgrade.servers.pop("b1").stop(),
                upgrade.replace_a_gateway("g1"),
            ):
                for table in tables:
                    table.let(MOVES)
                await replaced
                seen = [table.moves for table in tables]
                for table in tables:
                    table.let(MOVES)
                await asyncio.gather(*map(PlayedTable.goes_on, tables, seen))
            for table in tables:
                table.let(MOVES_OF_A_DEAL * DEALS)
        for table in tables:
            stored = table_at(programs.data, table.code)
            assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
            for log in table.logs:
                log.check(stored)
            at_first, at_second = table.logs
            assert at_first.losses == at_first.returns == 2
            assert at_second.losses == 0
    for server in upgrade.servers.values():
        await server.stop()
    if NIGHT:
        forgive_stalls(programs)
