"""A move at three nodes, beside one process by itself with the same PostgreSQL, in turns.

Four scripted clients sit at each table, and are connected to the node that has it, as clients are
who have been told where it is. All processes run all the time, and nobody else is on the database.
"""

import asyncio
import gc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from statistics import median

from bench.connection import run
from bench.figures import Figure, Unmeasured, at_most, percentile
from bench.load import Load
from bench.measure_server import (
    SETTLE_SECONDS,
    WARM_UP_SECONDS,
    allow_many_sockets,
    warm_up,
)
from bench.nodes import free_ports, new_database, postmaster, programs, running, serving
from bench.processes import Listener, family_cpu_seconds

NODES = 3
TABLES = 50
"""How many tables each process has, so that what it costs to be there counts alike."""
PACE = 1.0
"""Seconds between two moves at a table."""
ROUNDS = 4
SECONDS = 5.0
MOST = 1.05
"""How much a move may cost beside that of one process."""


@dataclass(slots=True)
class Side:
    """Servers with one database, who plays there, and what each round showed."""

    servers: list[Listener]
    loads: list[Load] = field(default_factory=list)
    micros: list[float] = field(default_factory=list)
    """Processor time of servers and database for a move, in µs."""
    idle: float = 0.0
    """Processor time of one of the servers while nothing happens, in ms a second."""
    p50: list[float] = field(default_factory=list)
    """Round trips of moves, in ms."""


def measure() -> Iterator[Figure | Unmeasured]:
    """What a move costs at nodes, as a share of what it costs one process by itself."""
    folder = programs()
    if folder is None or find_spec("psycopg") is None:
        yield Unmeasured("cluster", "needs PostgreSQL and blackqueen[postgres]")
        return
    allow_many_sockets()
    with running(folder) as url, ExitStack() as stack:
        alone = Side([stack.enter_context(serving(new_database(url, "alone")))])
        shared = new_database(url, "shared")
        addresses = [f"ws://127.0.0.1:{port}" for port in free_ports(NODES)]
        nodes = Side(
            [
                stack.enter_context(
                    serving(shared, "--node-url", at, "--port", at.rpartition(":")[2])
                )
                for at in addresses
            ]
        )
        run(_drive(alone, nodes, postmaster(url)))
    for name, side in (("single", alone), ("nodes", nodes)):
        yield Figure(f"cluster.{name}.idle", side.idle, "ms/s")
        yield Figure(f"cluster.{name}.move", median(side.micros), "µs/move")
        yield Figure(f"cluster.{name}.p50", median(side.p50), "ms")
    yield Figure("cluster.move", ratio(alone.micros, nodes.micros), "× one", at_most(MOST))


def ratio(alone: Sequence[float], nodes: Sequence[float]) -> float:
    """The median of what each round shows."""
    return median(late / early for early, late in zip(alone, nodes, strict=True))


async def _drive(alone: Side, nodes: Side, database: int) -> None:
    sides = (alone, nodes)
    for server in (*alone.servers, *nodes.servers):
        await warm_up(server)
    before = [_seconds(side) for side in sides]
    await asyncio.sleep(SECONDS)
    for side, used in zip(sides, before, strict=True):
        side.idle = 1000 * (_seconds(side) - used) / SECONDS / len(side.servers)
    for side in sides:
        for server in side.servers:
            side.loads.append(load := Load(server.url))
            await load.open_tables(TABLES)
    # A collection of this side's garbage would look like a slow answer.
    gc.collect()
    gc.freeze()
    for number in range(ROUNDS):
        for side in sides if number % 2 else sides[::-1]:
            await _turn(side, database)
    for side in sides:
        for load in side.loads:
            load.hang_up()


async def _turn(side: Side, database: int) -> None:
    for load in side.loads:
        load.play(PACE)
    await asyncio.sleep(WARM_UP_SECONDS)
    for load in side.loads:
        load.round_trips.clear()
    used = _seconds(side, database)
    await asyncio.sleep(SECONDS)
    used = _seconds(side, database) - used
    took = [1000 * trip for load in side.loads for trip in load.round_trips]
    for load in side.loads:
        load.hold()
    await asyncio.sleep(SETTLE_SECONDS)
    for load in side.loads:
        load.check()
    side.micros.append(1e6 * used / len(took))
    side.p50.append(percentile(took, 0.5))


def _seconds(side: Side, *others: int) -> float:
    """Processor time so far of the servers and of other processes, children included."""
    return sum(map(family_cpu_seconds, (*(each.pid for each in side.servers), *others)))
