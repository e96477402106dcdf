"""How soon tables go on whose node was killed: real processes, and players who are moving.

All tables are at one node. It is killed, and its tables go on at the other one; a new process takes
the place of the dead one, and is the next to have them.
"""

import asyncio
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter

from bench.cluster import BenchCluster
from bench.figures import Figure, Limit, at_most, percentile
from bench.load import Load
from bench.measure_server import SETTLE_SECONDS
from bench.processes import BenchError
from server.store import LeaseTimes

TABLES = 100
KILLS = 20
PACE = 1.0
"""Seconds between two moves at a table: none is without one when its node's lease is over."""
MOST_SECONDS = LeaseTimes().lasts + 2.0
DYING_SECONDS = 1.0
"""What is acknowledged so soon after the death, the dead node has sent; no lease ends earlier."""
WAIT_SECONDS = 60.0
SHARES = {"p50": 0.5, "p90": 0.9, "max": 1.0}


@dataclass(frozen=True, slots=True)
class Pause:
    """Seconds from a node's death to the next move at the first of its tables, and at all."""

    first: float
    all: float


async def pauses(cluster: BenchCluster, kills: int = KILLS, tables: int = TABLES) -> list[Pause]:
    """Kill the node that has the tables so many times; `cluster` has a single one."""
    load = Load(*cluster.urls)
    await load.open_tables(tables)
    load.play(PACE)
    moments = Random(1)
    found = []
    for number in range(kills):
        victim, heir = number % 2, 1 - number % 2
        await asyncio.to_thread(cluster.begin_node, heir)
        # Only a node that has renewed its lease for a while fences others.
        await asyncio.sleep(LeaseTimes().grace + LeaseTimes().renewal + moments.random())
        found.append(await _killed(cluster, victim, load, tables))
    load.hold()
    await asyncio.sleep(SETTLE_SECONDS)
    load.hang_up()
    load.check()
    return found


async def _killed(cluster: BenchCluster, victim: int, load: Load, tables: int) -> Pause:
    after: dict[int, float] = {}
    complete = asyncio.Event()

    def moved(table: int) -> None:
        took = perf_counter() - began
        if took > DYING_SECONDS:
            after.setdefault(table, took)
        if len(after) == tables:
            complete.set()

    began = perf_counter()
    os.kill(cluster.roles["tables"][victim].pid, signal.SIGKILL)
    load.moved = moved
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            await complete.wait()
    except TimeoutError:
        load.check()
        raise BenchError(f"{tables - len(after)} tables of a dead node stand still") from None
    finally:
        load.moved = _nothing
    return Pause(min(after.values()), max(after.values()))


def told_of(prefix: str, found: list[Pause]) -> Iterator[Figure]:
    """The distribution of the pauses; what is promised is the median of all tables'."""
    median = at_most(MOST_SECONDS)
    yield from _distribution(prefix, [pause.all for pause in found], median)
    yield from _distribution(f"{prefix}.first", [pause.first for pause in found])


def _distribution(
    prefix: str, seconds: list[float], median: Limit | None = None
) -> Iterator[Figure]:
    yield Figure(f"{prefix}.min", min(seconds), "s")
    for name, share in SHARES.items():
        limit = median if name == "p50" else None
        yield Figure(f"{prefix}.{name}", percentile(seconds, share), "s", limit)


def _nothing(table: int) -> None:
    pass
