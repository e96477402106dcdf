"""A cluster without its database, and without its broker, for longer than a lease holds.

Nobody loses their connection by it, everybody is told, whoever comes in meanwhile is let in
afterwards, and all matches are played to their end.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import pytest

from protocol.connection import Client, connect
from protocol.errors import ProtocolError
from protocol.features import INTERNAL_VALUES, OUTAGES
from protocol.to_client import Error
from protocol.to_server import Watch
from tests.counts import NIGHT
from tests.e2e.client_log import ClientLog
from tests.e2e.faults import Faults
from tests.e2e.players import watch
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at
from tests.e2e.test_cluster_faults import MOVES, OWN_FAULTS, PATIENT, PlayedTable
from tests.e2e.test_disk import forgive, ready
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.postgres import running_cluster

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

NAMES = ("g1", "g2", "t1", "t2", "b1")
BROKER = "the broker of the bus cannot be reached"
DATABASE = "no node with tables reaches its database"


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(2 * SECONDS):
        while not holds():  # noqa: ASYNC110 - other processes make it true
            await asyncio.sleep(0.05)


@contextmanager
def suppress_try_again() -> Iterator[None]:
    """What is asked inside may be refused for now."""
    try:
        yield
    except ProtocolError as error:
        if error.code != "try_again":
            raise


async def until_told(server: Server, words: str) -> None:
    """Wait until the page for its supervisor says why a process is not ready."""
    async with asyncio.timeout(2 * SECONDS):
        while True:
            status, told = await ready(server)
            if status == 503 and words in told:
                return
            await asyncio.sleep(0.05)


def outages(log: ClientLog) -> list[str]:
    """What a client was told of outages."""
    return [kind for kind in log.notices if kind.startswith("outage")]


@asynccontextmanager
async def client_at(url: str, name: str) -> AsyncIterator[Client]:
    """A player whose program wants to be told of outages."""
    wanted = (OUTAGES, INTERNAL_VALUES)
    async with connect(url, name=name, patience=PATIENT, wanted=wanted) as client:
        yield client


@pytest.mark.skipif(not NIGHT, reason="by day outages are short, in test_cluster_faults.py")
async def test_long_outages_cost_nobody_their_connection(
    programs: Programs,
    mosquitto: Mosquitto,
    tmp_path: Path,
    rng: Random,
) -> None:
    """Players and spectators are told, and of the end; each gateway and node says what is away."""
    async with AsyncExitStack() as stack:
        database = stack.enter_context(running_cluster(tmp_path / "cluster", fsync="on"))
        programs.use_database(stack.enter_context(database.database()))
        faults = Faults(programs, mosquitto, database, rng)
        await faults.begin(*NAMES)
        g1, g2, t1, t2, _ = faults.servers.values()
        cut = await stack.enter_async_context(proxy(g1.port))
        urls = [cut.url, g2.url]
        tables, watchers = [], []
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        for _ in range(2):
            players = [
                await stack.enter_async_context(client_at(url, who))
                for who, url in zip(("Ann", "Bea"), urls, strict=True)
            ]
            tables.append(table := PlayedTable(players, rng))
            tasks.create_task(table.play())
            await table.open()
            for url in (g1.url, g2.url):
                spectator = await stack.enter_async_context(client_at(url, "Walter"))
                await spectator.ask(Watch, table=table.code)
                watchers.append(log := ClientLog())
                tasks.create_task(watch(spectator, log))

        async def goes_on() -> None:
            before = [table.moves for table in tables]
            for table in tables:
                table.let(MOVES)
            await asyncio.gather(*map(PlayedTable.goes_on, tables, before))

        async def newcomer(url: str) -> None:
            """Come in, and see what the others see."""
            async with client_at(url, "Cem") as client:
                while not client.tables:
                    with suppress_try_again():
                        await client.ask(Watch, table=tables[0].code)

        await goes_on()
        await asyncio.to_thread(database.kill)
        for table in tables:
            table.let(MOVES)
        for gateway in (g1, g2):
            await until_told(gateway, DATABASE)
        for node in (t1, t2):
            await until_told(node, "the store does not answer")
        await until(lambda: all(outages(log) == ["outage"] for log in watchers))
        tried = cut.accepted
        cut.cut()
        coming = [tasks.create_task(newcomer(url)) for url in (g1.url, g2.url)]
        # Longer than the lease: one node has left its players to the other, which keeps them.
        left = "node_leaves_to_others"
        await until(lambda: any(left in node.program.errors for node in (t1, t2)))
        await until(lambda: cut.accepted >= tried + len(tables))
        for gateway in (g1, g2):
            await until_told(gateway, DATABASE)
        await asyncio.to_thread(database.start)
        await asyncio.gather(*coming)
        await until(lambda: all(outages(log) == ["outage", "outage_over"] for log in watchers))
        await goes_on()
        await asyncio.to_thread(mosquitto.kill)
        for table in tables:
            table.let(MOVES)
        for server in faults.servers.values():
            await until_told(server, BROKER)
        await until(lambda: all(outages(log)[2:] == ["outage"] for log in watchers))
        coming = [tasks.create_task(newcomer(url)) for url in (g1.url, g2.url)]
        await asyncio.to_thread(mosquitto.start)
        await asyncio.gather(*coming)
        await until(lambda: all(outages(log)[3:] == ["outage_over"] for log in watchers))
        await goes_on()
        for table in tables:
            table.let(MOVES_OF_A_DEAL)
        await until(lambda: all(log.over for log in watchers))
        await until(lambda: all(log.over for table in tables for log in table.logs))
        for table in tables:
            stored = table_at(programs.data, table.code)
            for log in table.logs:
                log.check(stored)
                codes = {answer.code for _, answer in log.answers if isinstance(answer, Error)}
                assert codes <= {"try_again"}
            ann, bea = table.logs
            assert (ann.losses, bea.losses) == (1, 0)
            assert outages(bea) == ["outage", "outage_over"] * 2
        assert [log.losses for log in watchers] == [0] * len(watchers)
        for server in faults.servers.values():
            await server.stop()
        for program in programs.all:
            assert not any(f'"{event}"' in program.errors for event in OWN_FAULTS), program
            forgive(program)
