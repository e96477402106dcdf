"""A cluster of real processes, each kind of which is killed or stopped while tables are played.

Two gateways, two nodes with tables, Mosquitto and PostgreSQL. After each fault all
tables go on; in the end each client agrees with its table's log, which has all promised moves once.
"""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from time import monotonic

import pytest

from protocol.connection import Client, connect
from protocol.to_client import Ok
from protocol.to_server import Act, CreateTable, Join, Start
from tests.counts import NIGHT
from tests.e2e.client_log import ClientLog
from tests.e2e.cluster import until_ready
from tests.e2e.faults import Faults
from tests.e2e.frames import Frames
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs
from tests.e2e.program import SECONDS
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at
from tests.e2e.test_disk import forgive
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.postgres import Cluster, running_cluster

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1800 if NIGHT else 240)]

TABLES, DEALS, TIMES = (100, 4, 3) if NIGHT else (10, 1, 1)
"""How many tables there are, how long their matches, and how often each fault happens."""
MOVES = 2
"""The moves that people make at each table during a fault, and after it."""
PATIENT = replace(HASTY, opening=15.0)
"""Of a hundred who come in at once on a busy machine; earlier attempts are work for nobody."""
OWN_FAULTS = ("command_failed", "request_failed", "resume_failed", "parcel_failed", "nodes_failed")
"""What is logged of faults of ours, whatever happens to others."""


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
        faults = Faults(programs, mosquitto, durable, rng)
        await faults.begin("g1", "g2", "t1", "t2")
        for name in faults.lost:
            between = proxy(faults.servers[name].port)
            faults.names[name] = await stack.enter_async_context(between)
        tables = [
            PlayedTable(
                [
                    await stack.enter_async_context(connect(at.url, name=who, patience=PATIENT))
                    for who, at in zip(("Ann", "Bea"), faults.names.values(), strict=True)
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
            for log, lost in zip(table.logs, faults.lost.values(), strict=True):
                assert log.losses == log.returns <= lost
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
