"""What happens to the processes of a cluster while tables are played."""

import asyncio
import signal
from random import Random
from typing import TYPE_CHECKING

import psycopg

from tests.counts import NIGHT
from tests.e2e.cluster import ClusterProcesses, until_ready
from tests.e2e.nodes import owners
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS, Program
from tests.e2e.proxy import Proxy
from tests.e2e.stored import url_of
from tests.mosquitto import Mosquitto
from tests.postgres import Cluster

if TYPE_CHECKING:
    from tests.e2e.test_cluster_faults import PlayedTable

STILL_SECONDS = 1.0
"""How long a process stands still whose end nobody can see."""
AWAY_SECONDS = 12.0 if NIGHT else 0.0
"""How long broker and database are away that were killed; by night four times a lease."""
FLAGS = (
    *("--plain-bots", "--max-lobby-tables-per-address", "0"),
    *("--max-connections-per-address", "0"),
    *("--address-connections-per-second", "1000", "--address-connection-burst", "1000"),
    *("--address-messages-per-second", "10000", "--address-message-burst", "10000"),
)


class Faults:
    """What happens to the processes; after each fault all of them are there again."""

    def __init__(
        self, programs: Programs, broker: Mosquitto, database: Cluster, rng: Random
    ) -> None:
        self.cluster = ClusterProcesses(programs, broker)
        self.servers: dict[str, Server] = {}
        self.tables: list[PlayedTable] = []
        """Where moves can be let, for a fault that needs one."""
        self.lost = {"g1": 0, "g2": 0}
        """How often the connections of each gateway were lost."""
        self.names: dict[str, Proxy] = {}
        """Where the players of each gateway find it."""
        self._programs = programs
        self._broker = broker
        self._database = database
        self._rng = rng

    async def begin(self, *names: str) -> None:
        """Start these processes: g1 is a gateway, t1 a node with tables."""
        for server, name in zip(await asyncio.gather(*map(self._start, names)), names, strict=True):
            self.servers[name] = server
        await until_ready(*self.servers.values())

    async def kill_a_gateway(self) -> None:
        """Its players come in at the other one, by the same address."""
        killed = self._one_of("gateway", "g1", "g2")
        (other,) = {"g1", "g2"} - {killed}
        name = self.names[killed]
        name.lead_to(self.servers[other].port)
        await self.servers[killed].kill()
        await self.begin(killed)
        # For the next time: they are lost with this one's connections.
        name.lead_to(self.servers[killed].port)
        name.cut()
        self.lost[killed] += 2

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
        await stop_in_a_transaction(program, url_of(self._programs.data), self.tables)
        await self._until_taken_from(name)
        program.signal(signal.SIGCONT)
        assert await program.ended() == 1
        await self.begin(name)

    async def stop_a_gateway(self) -> None:
        """Its players wait, and none of their connections ends."""
        await self._stand_still(self._one_of("gateway", "g1", "g2"))

    async def _stand_still(self, name: str) -> None:
        """Stop a process for a while."""
        program = self.servers[name].program
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
        return await self.cluster.role("tables", name, *FLAGS)

    def _one_of(self, kind: str, *names: str) -> str:
        """The one that it happens to, drawn by the run's seed."""
        name = self._rng.choice(names)
        print(f"the {kind} {name}")
        return name

    def _busiest(self) -> str:
        """The node with most tables."""
        found = owners(self._programs)
        return max(found, key=lambda name: found[name])

    async def _until_taken_from(self, name: str) -> None:
        async with asyncio.timeout(60):
            while name in owners(self._programs):  # noqa: ASYNC110
                await asyncio.sleep(0.1)


async def stop_in_a_transaction(program: Program, url: str, tables: "list[PlayedTable]") -> None:
    """Stop a node that has locked its row, and written a move that it has not committed.

    Moves are let at the `tables` until there is one.
    """
    plain = url.replace("+psycopg", "")
    with psycopg.connect(plain) as blocking, psycopg.connect(plain, autocommit=True) as asking:
        # Nodes count a transaction in their row first, and then wait to write the entry.
        blocking.execute("LOCK TABLE entries IN SHARE MODE")
        async with asyncio.timeout(SECONDS):
            while not (waiting := program.ports & _sessions(asking, "wait_event_type = 'Lock'")):
                for table in tables:
                    table.let(1)
                await asyncio.sleep(0.05)
        program.signal(signal.SIGSTOP)
        blocking.rollback()
        async with asyncio.timeout(SECONDS):
            # Open, although nothing hinders it any more.
            while not waiting & _sessions(asking, "state = 'idle in transaction'"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)


def _sessions(asking: psycopg.Connection, which: str) -> set[int]:
    """The ports from which the program's sessions of a kind come."""
    rows = asking.execute(
        "SELECT client_port FROM pg_stat_activity"
        f" WHERE application_name = 'blackqueen' AND {which}".encode()
    )
    return {port for (port,) in rows.fetchall()}
