"""A cluster of real processes, each kind of which is killed or stopped while tables are played.

Two gateways, two nodes with tables, two bot workers, Mosquitto and PostgreSQL. After each fault all
tables go on; in the end each client agrees with its table's log, which has all promised moves once.
"""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from time import monotonic

import psycopg
import pytest

from protocol.connection import Client, connect
from protocol.to_client import Ok
from protocol.to_server import Act, CreateTable, Join, Start
from tests.counts import NIGHT
from tests.e2e.client_log import ClientLog
from tests.e2e.cluster import ClusterProcesses, until_ready
from tests.e2e.frames import Frames
from tests.e2e.nodes import owners
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.proxy import Proxy, proxy
from tests.e2e.stored import table_at, url_of
from tests.e2e.test_disk import forgive
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.postgres import Cluster, running_cluster

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1800 if NIGHT else 240)]

TABLES, DEALS, TIMES = (100, 4, 3) if NIGHT else (10, 1, 1)
"""How many tables there are, how long their matches, and how often each fault happens."""
MOVES = 2
"""The moves that people make at each table during a fault, and after it."""
STILL_SECONDS = 1.0
"""How long a process stands still whose end nobody can see."""
AWAY_SECONDS = 12.0 if NIGHT else 0.0
"""How long broker and database are away that were killed; by night four times a lease."""
PATIENT = replace(HASTY, opening=15.0)
"""Of a hundred who come in at once on a busy machine; earlier attempts are work for nobody."""
OWN_FAULTS = ("command_failed", "request_failed", "resume_failed", "parcel_failed", "nodes_failed")
"""What is logged of faults of ours, whatever happens to others."""
FLAGS = (
    *("--max-lobby-tables-per-address", "0", "--max-connections-per-address", "0"),
    *("--address-connections-per-second", "1000", "--address-connection-burst", "1000"),
    *("--address-messages-per-second", "10000", "--address-message-burst", "10000"),
)


class PlayedTable:
    """A table of two people, one at each gateway, and two bots; moves are made as they are let."""

    def __init__(self, clients: list[Client], rng: Random) -> None:
        self.code = ""
        self.clients = clients
        self.logs = [ClientLog() for _ in clients]
        self.frames = Frames()
        self._rng = rng
        self._let = asyncio.Semaphore(0)

    async def open(self, game: str = "black_queen", seats: int = 4) -> None:
        """Begin the match."""
        host, guest = self.clients
        opened = await host.ask(CreateTable, game=game, seats=seats, options={"deals": DEALS})
        assert opened.table is not None
        self.code = opened.table
        await guest.ask(Join, table=self.code)
        await host.ask(Start, table=self.code, fill=1)

    async def play(self) -> None:
        """Play to the end."""
        async with asyncio.TaskGroup() as tasks:
            for client, log in zip(self.clients, self.logs, strict=True):
                tasks.create_task(play(client, log, Random(self._rng.random()), self._let.acquire))

    @property
    def moves(self) -> int:
        """How many moves of people were promised."""
        answers = (each for log in self.logs for each in log.answers)
        return sum(isinstance(asked, Act) and isinstance(came, Ok) for asked, came in answers)

    def let(self, moves: int) -> None:
        """Let people make so many more moves."""
        for _ in range(moves):
            self._let.release()

    async def goes_on(self, since: int) -> None:
        """Return when more moves than `since` have been promised."""
        end = monotonic() + SECONDS
        while self.moves <= since:
            assert monotonic() < end, f"{self.code} stands still: {self}"
            await asyncio.sleep(0.02)

    def __str__(self) -> str:
        seen = [(log.last and log.last.seq, log.last and log.last.my_turn) for log in self.logs]
        return f"{self.moves} moves, {seen}, {self._let}"


class Faults:
    """What happens to the processes; after each fault all of them are there again."""

    def __init__(self, programs: Programs, broker: Mosquitto, database: Cluster) -> None:
        self.cluster = ClusterProcesses(programs, broker)
        self.servers: dict[str, Server] = {}
        self.tables: list[PlayedTable] = []
        """Where moves can be let, for a fault that needs one."""
        self.lost = 0
        """How often the connections of the first gateway were lost."""
        self.name: Proxy
        """Where the players of the first gateway find it."""
        self._programs = programs
        self._broker = broker
        self._database = database

    async def begin(self, *names: str) -> None:
        """Start these processes: g1 is a gateway, t1 a node with tables, b1 a bot worker."""
        for server, name in zip(await asyncio.gather(*map(self._start, names)), names, strict=True):
            self.servers[name] = server
        await until_ready(*self.servers.values())

    async def kill_a_gateway(self) -> None:
        """Its players come in at the other one, by the same address."""
        self.lost += 1
        self.name.lead_to(self.servers["g2"].port)
        await self.servers["g1"].kill()
        await self.begin("g1")
        # For the next time: it is lost with this one's connections.
        self.name.cut()
        self.lost += 1
        self.name.lead_to(self.servers["g1"].port)

    async def kill_a_node(self) -> None:
        """The other one has its tables soon."""
        name = self._busiest()
        await self.servers[name].kill()
        await self._until_taken_from(name)
        await self.begin(name)

    async def stop_a_node(self) -> None:
        """The same; when it goes on it stores nothing, and ends."""
        name = self._busiest()
        program = self.servers[name].program
        program.signal(signal.SIGSTOP)
        await self._until_taken_from(name)
        program.signal(signal.SIGCONT)
        assert await program.ended() == 1
        await self.begin(name)

    async def stop_a_node_in_a_transaction(self) -> None:
        """It has locked its row, and written a move that it has not committed.

        The database ends such a session, and the others have its tables; the move is in no log.
        """
        name = self._busiest()
        program = self.servers[name].program
        url = url_of(self._programs.data).replace("+psycopg", "")
        with psycopg.connect(url) as blocking, psycopg.connect(url, autocommit=True) as asking:
            # Nodes count a transaction in their row first, and then wait to write the entry.
            blocking.execute("LOCK TABLE entries IN SHARE MODE")
            async with asyncio.timeout(SECONDS):
                while not (
                    waiting := program.ports & _sessions(asking, "wait_event_type = 'Lock'")
                ):
                    for table in self.tables:
                        table.let(1)
                    await asyncio.sleep(0.05)
            program.signal(signal.SIGSTOP)
            blocking.rollback()
            async with asyncio.timeout(SECONDS):
                # Open, although nothing hinders it any more.
                while not waiting & _sessions(asking, "state = 'idle in transaction'"):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        await self._until_taken_from(name)
        program.signal(signal.SIGCONT)
        assert await program.ended() == 1
        await self.begin(name)

    async def stop_a_gateway(self) -> None:
        """Its players wait, and none of their connections ends."""
        program = self.servers["g2"].program
        program.signal(signal.SIGSTOP)
        await asyncio.sleep(STILL_SECONDS)
        program.signal(signal.SIGCONT)

    async def kill_a_worker(self) -> None:
        """Its questions are asked of the other one, or answered by the bots' fallback."""
        await self.servers["b1"].kill()
        await self.begin("b1")

    async def stop_a_worker(self) -> None:
        """The same, without anybody being told."""
        program = self.servers["b2"].program
        program.signal(signal.SIGSTOP)
        await asyncio.sleep(STILL_SECONDS)
        program.signal(signal.SIGCONT)

    async def kill_the_broker(self) -> None:
        """With all that it had to deliver."""
        await asyncio.to_thread(self._broker.kill)
        await asyncio.sleep(AWAY_SECONDS)
        await asyncio.to_thread(self._broker.start)

    async def stop_the_broker(self) -> None:
        """What it had to deliver comes late."""
        self._broker.stop()
        await asyncio.sleep(STILL_SECONDS)
        self._broker.go_on()

    async def kill_the_database(self) -> None:
        """In the middle of transactions; each node finds its tables where they were."""
        await asyncio.to_thread(self._database.kill)
        await asyncio.sleep(AWAY_SECONDS)
        await asyncio.to_thread(self._database.start)

    async def stop_the_database(self) -> None:
        """In the middle of transactions, with all connections open."""
        with self._database.paused():
            await asyncio.sleep(STILL_SECONDS)

    async def _start(self, name: str) -> Server:
        if name.startswith("g"):
            return await self.cluster.gateway(name, *FLAGS)
        if name.startswith("t"):
            return await self.cluster.role("tables", name, *FLAGS)
        return await self.cluster.role("bots", name, "--plain-bots")

    def _busiest(self) -> str:
        """The node with most tables."""
        found = owners(self._programs)
        return max(found, key=lambda name: found[name])

    async def _until_taken_from(self, name: str) -> None:
        async with asyncio.timeout(60):
            while name in owners(self._programs):  # noqa: ASYNC110
                await asyncio.sleep(0.1)


def _sessions(asking: psycopg.Connection, which: str) -> set[int]:
    """The ports from which the program's sessions of a kind come."""
    rows = asking.execute(
        "SELECT client_port FROM pg_stat_activity"
        f" WHERE application_name = 'blackqueen' AND {which}".encode()
    )
    return {port for (port,) in rows.fetchall()}


@pytest.fixture
def durable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A PostgreSQL that a test may kill: it syncs what it commits."""
    with running_cluster(tmp_path_factory.mktemp("faults") / "cluster", fsync="on") as cluster:
        yield cluster


async def test_faults_of_every_kind_cost_nothing(
    programs: Programs,
    mosquitto: Mosquitto,
    durable: Cluster,
    rng: Random,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All tables go on after each; connections of a living gateway stay, and all logs are right.

    No frame had a card that its reader had not been shown.
    """
    async with AsyncExitStack() as stack:
        programs.use_database(stack.enter_context(durable.database()))
        faults = Faults(programs, mosquitto, durable)
        await faults.begin("g1", "g2", "t1", "t2", "b1", "b2")
        faults.name = await stack.enter_async_context(proxy(faults.servers["g1"].port))
        tables = [
            PlayedTable(
                [
                    await stack.enter_async_context(connect(url, name=who, patience=PATIENT))
                    for who, url in (("Ann", faults.name.url), ("Bea", faults.servers["g2"].url))
                ],
                rng,
            )
            for _ in range(TABLES)
        ]
        faults.tables = tables
        for table in tables:
            for client in table.clients:
                table.frames.hear(client, monkeypatch)
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play())
            await asyncio.gather(*(table.open() for table in tables))
            kinds = [
                faults.kill_a_gateway,
                faults.kill_a_node,
                faults.stop_a_node,
                faults.stop_a_node_in_a_transaction,
                faults.stop_a_gateway,
                faults.kill_a_worker,
                faults.stop_a_worker,
                faults.kill_the_broker,
                faults.stop_the_broker,
                faults.kill_the_database,
                faults.stop_the_database,
            ] * TIMES
            rng.shuffle(kinds)
            for fault in kinds:
                print(fault.__name__)
                for table in tables:
                    table.let(MOVES)
                await fault()
                await until_ready(*faults.servers.values())
                before = [table.moves for table in tables]
                for table in tables:
                    table.let(MOVES)
                await asyncio.gather(*map(PlayedTable.goes_on, tables, before))
            for table in tables:
                table.let(MOVES_OF_A_DEAL * DEALS)
        for table in tables:
            ann, bea = table.logs
            assert ann.losses == ann.returns <= faults.lost
            assert bea.losses == 0
            stored = table_at(programs.data, table.code)
            assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
            for log in table.logs:
                log.check(stored)
            table.frames.check(stored)
        for server in faults.servers.values():
            await server.stop()
        for program in programs.all:
            # What they say of a database that is away is for its administrator.
            assert not any(f'"{event}"' in program.errors for event in OWN_FAULTS), program
            forgive(program)
