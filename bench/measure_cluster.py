"""A cluster under load: what a move costs each role, broker and database, and what the bus adds.

Four scripted clients sit at each table, in turns at both gateways, which is the worst case: what
happens at a table goes to both.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import killed_nodes
from bench.cluster import (
    BROKER,
    CLIENTS,
    DATABASE,
    GATEWAY,
    PROGRAM,
    TABLES,
    BenchCluster,
    Measured,
    Watch,
    cluster,
)
from bench.connection import run
from bench.figures import Figure, Limit, Unmeasured, at_most, percentile
from bench.load import Load
from bench.measure_bus import mosquitto, only_errors
from bench.measure_server import (
    FLAGS,
    SETTLE_SECONDS,
    WARM_UP_SECONDS,
    allow_many_sockets,
    stretch,
    warm_up,
)
from bench.postgresql import programs, running
from bench.processes import listening

CALM, USUAL, MANY = 50, 200, 600
PACED_SECONDS, BUSY_SECONDS = 10.0, 8.0
PACE = 1.0
ROLES = (GATEWAY, TABLES)
MOST_ADDED_MS = 5.0
MOST_MESSAGES = 0.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """So many tables for a while: the figures of each move, and round trips in ms."""

    tables: int
    interval: float
    used: Measured
    in_bytes: float
    p50: float
    p99: float

    @property
    def name(self) -> str:
        """How its figures are called."""
        return f"{self.tables}.paced" if self.interval else f"{self.tables}.busy"

    def moves_per_cpu_second(self, part: str) -> float:
        """Moves that a processor second of this part is enough for."""
        return 1 / max(self.used.seconds[part], 1e-9)


def measure(nodes: int = 2) -> Iterator[Figure | Unmeasured]:
    """The figures of a cluster with one process with tables, and then with `nodes`, if more."""
    only_errors()
    broker, database = mosquitto(), programs()
    if broker is None or database is None or find_spec("psycopg") is None:
        yield Unmeasured("cluster", "needs Mosquitto, PostgreSQL and blackqueen[mqtt,postgres]")
        return
    allow_many_sockets()
    alone = _single(database)
    yield Figure("cluster.single.p50", alone[0], "ms")
    yield Figure("cluster.single.p99", alone[1], "ms")
    yield from _of_nodes(broker, database, 1, alone[0])
    if nodes > 1:
        yield from _of_nodes(broker, database, nodes, alone[0])
        with cluster(broker, database, 1, "--plain-bots") as found:
            yield from killed_nodes.told_of("cluster.failover", run(killed_nodes.pauses(found)))


def _single(database: Path) -> tuple[float, float]:
    """p50 and p99 of one process with the same database, in ms."""

    async def drive() -> tuple[float, float]:
        await warm_up(server)
        load = Load(server.url)
        await load.open_tables(USUAL)
        played = await stretch(server, load, PACE, PACED_SECONDS)
        load.hang_up()
        return played.p50, played.p99

    with (
        running(database) as url,
        TemporaryDirectory(prefix="blackqueen-bench-") as data,
        listening(
            [PROGRAM, "serve", *FLAGS, "--data", data, "--database-url", url, "--plain-bots"]
        ) as server,
    ):
        return run(drive())


def _of_nodes(broker: str, database: Path, nodes: int, alone: float) -> Iterator[Figure]:
    with cluster(broker, database, nodes, "--plain-bots") as found:
        stretches = run(_played(found))
    for each in stretches:
        yield from told_of(f"cluster.{nodes}", each, alone)


async def _played(found: BenchCluster) -> list[Stretch]:
    load = Load(*found.urls)
    watch = Watch(found, load.round_trips)
    watching = asyncio.ensure_future(watch.run())  # noqa: TID251 - ended below
    stretches = []
    try:
        await load.open_tables(CALM)
        stretches.append(await _stretch(watch, load, CALM, PACE))
        await load.open_tables(USUAL - CALM)
        stretches.append(await _stretch(watch, load, USUAL, PACE))
        stretches.append(await _stretch(watch, load, USUAL, 0.0))
        await load.open_tables(MANY - USUAL)
        stretches.append(await _stretch(watch, load, MANY, 0.0))
        load.hang_up()
    finally:
        watching.cancel()
        await asyncio.wait((watching,))
    return stretches


async def _stretch(watch: Watch, load: Load, tables: int, interval: float) -> Stretch:
    await asyncio.sleep(SETTLE_SECONDS)
    load.play(interval)
    await asyncio.sleep(WARM_UP_SECONDS)
    await watch.begin()
    await asyncio.sleep(PACED_SECONDS if interval else BUSY_SECONDS)
    took = [1000 * trip for trip in load.round_trips]
    used, in_bytes = await watch.end()
    load.hold()
    await asyncio.sleep(SETTLE_SECONDS)
    load.check()
    return Stretch(tables, interval, used, in_bytes, percentile(took, 0.5), percentile(took, 0.99))


def told_of(prefix: str, of: Stretch, alone: float) -> Iterator[Figure]:
    """The figures of a stretch; `alone` is p50 of one process, in ms."""
    named = f"{prefix}.{of.name}"
    added: Limit | None = at_most(alone + MOST_ADDED_MS)
    yield Figure(f"{named}.p50", of.p50, "ms", added if of.name == f"{USUAL}.paced" else None)
    yield Figure(f"{named}.p99", of.p99, "ms")
    for role in ROLES:
        yield Figure(f"{named}.{role}.moves", of.moves_per_cpu_second(role), "moves/CPU-s")
    for part in (BROKER, DATABASE, CLIENTS):
        yield Figure(f"{named}.{part}", 1e6 * of.used.seconds[part], "µs/move")
    few = at_most(MOST_MESSAGES) if of.tables == MANY else None
    yield Figure(f"{named}.messages", of.used.messages, "messages/move", few)
    yield Figure(f"{named}.bytes", of.in_bytes, "bytes/move")
    yield Figure(f"{named}.commits", of.used.commits, "commits/move")
