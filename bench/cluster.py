"""A cluster of real processes on this machine, and the processor time that it has used.

Two gateways, so many processes with tables, Mosquitto and PostgreSQL, all of the
measurement's own. `Watch` tells what happened between two moments.
"""

import asyncio
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from urllib.error import URLError
from urllib.request import urlopen

from bench.measure_bus import running_broker
from bench.measure_server import FLAGS
from bench.postgresql import postmaster, running
from bench.processes import BenchError, Listener, family_cpu_seconds, listening
from server.bus.broker import Broker
from server.bus.over_courier import presence

GATEWAY, TABLES, BROKER, DATABASE, CLIENTS = "gateway", "tables", "broker", "database", "clients"
GATEWAYS = 2
READY_SECONDS = 60.0
COUNTS = ("publish/messages/received", "publish/bytes/received")
"""What Mosquitto tells each second of the messages that others publish: how many, and bytes."""
PROGRAM = str(Path(sys.executable).with_name("blackqueen"))


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a cluster, for each move."""

    seconds: Mapping[str, float]
    """Processor time by part."""
    messages: float
    """Messages over the bus."""
    commits: float


@dataclass(frozen=True, slots=True)
class BenchCluster:
    """The processes of a cluster by role."""

    roles: dict[str, list[Listener]]
    broker: Listener
    database: int
    start_node: Callable[[int], Listener]

    @property
    def urls(self) -> list[str]:
        """Where players come in."""
        return [gateway.url for gateway in self.roles[GATEWAY]]

    def begin_node(self, at: int) -> None:
        """Start the process with tables at this place, as a new one or in place of a dead one."""
        nodes = self.roles[TABLES]
        nodes[at : at + 1] = [self.start_node(at + 1)]
        until_ready(nodes[at])

    def seconds(self) -> dict[str, float]:
        """Processor time so far of each part, children included; the clients are this process."""
        used = {
            role: sum(family_cpu_seconds(each.pid) for each in listeners)
            for role, listeners in self.roles.items()
        }
        used[BROKER] = self.broker.cpu_seconds()
        used[DATABASE] = family_cpu_seconds(self.database)
        used[CLIENTS] = process_time()
        return used

    def counted(self, role: str, name: str) -> float:
        """The sum of a figure of `/metrics` over the processes of a role and over its labels."""
        pattern = re.compile(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", re.MULTILINE)
        pages = (each.metrics() for each in self.roles[role])
        return sum(float(found) for page in pages for found in pattern.findall(page))


@contextmanager
def cluster(mosquitto: str, postgresql: Path, nodes: int, *flags: str) -> Iterator[BenchCluster]:
    """A cluster that takes players; `flags` are further ones of all processes."""
    with ExitStack() as stack:
        broker = stack.enter_context(running_broker(mosquitto, "sys_interval 1"))
        url = stack.enter_context(running(postgresql))

        def started(role: str, number: int, *words: str) -> Listener:
            data = stack.enter_context(TemporaryDirectory(prefix="blackqueen-bench-"))
            own = ("--roles", role, "--node", f"{role}-{number}", "--bus", broker.url)
            command = [PROGRAM, "serve", *FLAGS, *own, "--data", data, *words, *flags]
            return stack.enter_context(listening(command))

        psycopg = url.replace("postgresql:", "postgresql+psycopg:")

        def start_node(number: int) -> Listener:
            return started(TABLES, number, "--database-url", psycopg)

        tables = [start_node(at) for at in range(1, nodes + 1)]
        gateways = [started(GATEWAY, at) for at in range(1, GATEWAYS + 1)]
        for each in (*tables, *gateways):
            until_ready(each)
        roles = {GATEWAY: gateways, TABLES: tables}
        yield BenchCluster(roles, broker, postmaster(url), start_node)


def until_ready(listener: Listener) -> None:
    """Return when a process says that games can be played; `BenchError` if it does not."""
    end = monotonic() + READY_SECONDS
    url = listener.url.replace("ws://", "http://") + "/readyz"
    while True:
        try:
            urlopen(url).close()
        except URLError:
            if monotonic() > end:
                raise BenchError(f"{url} did not become ready") from None
        else:
            return


class Watch:
    """What a cluster does: `begin` and `end` around it, while `run` hears the broker's counts.

    `moves` tells how many moves were made so far.
    """

    def __init__(self, watched: BenchCluster, moves: list[float]) -> None:
        from server.bus.mqtt import MqttCourier  # an extra: without it there is nothing to measure

        self._cluster, self._moves = watched, moves
        self._told: dict[str, list[tuple[int, float]]] = {name: [] for name in COUNTS}
        self._seconds: dict[str, float] = {}
        self._commits = 0.0
        here = presence("bench", "watch", 1)
        self._courier = MqttCourier(Broker.at(watched.broker.url), "watch", Random(1), here)
        for name in COUNTS:
            self._courier.subscribe(f"$SYS/broker/{name}", self._heard)

    async def run(self) -> None:
        """Hear the broker's counts until cancelled."""
        await self._courier.run()

    async def begin(self) -> None:
        """Forget what was before."""
        self._commits = await self._committed()
        self._seconds = self._cluster.seconds()
        self._moves.clear()
        for told in self._told.values():
            told.clear()

    async def end(self) -> tuple[Measured, float]:
        """What was used for each move since then, and the bytes for each on the bus."""
        moves = len(self._moves)
        after = self._cluster.seconds()
        commits = await self._committed() - self._commits
        if not moves or any(len(told) < 2 for told in self._told.values()):
            raise BenchError("no moves were made, or the broker told no counts")
        spent = {part: (after[part] - self._seconds[part]) / moves for part in after}
        messages, in_bytes = map(self._rate, COUNTS)
        return Measured(spent, messages, commits / moves), in_bytes

    async def _committed(self) -> float:
        return await asyncio.to_thread(
            self._cluster.counted, TABLES, "blackqueen_commit_seconds_count"
        )

    def _rate(self, name: str) -> float:
        """How much for each move, between the first and the last time that the broker told."""
        (first, before), *_, (last, after) = self._told[name]
        return (after - before) / max(1, last - first)

    def _heard(self, topic: str, payload: bytes) -> None:
        name = topic.removeprefix("$SYS/broker/")
        self._told[name].append((len(self._moves), float(payload)))
