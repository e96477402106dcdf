"""The real server, `blackqueen serve`, under scripted load over loopback sockets.

Every move is on disk before it is acknowledged, logs are written as in production; only the
limits on what one client may send are raised. Moves are counted by their acknowledgements.
"""

import asyncio
import gc
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figures import Figure, at_least, at_most, percentile
from bench.load import Load
from bench.loops import run
from bench.measure_echo import messages_per_cpu_second
from bench.processes import Listener, listening

FEW_TABLES, MANY_TABLES = 50, 200
WARM_UP_SECONDS = 1.5
SATURATED_SECONDS = 8.0
PACED_SECONDS = 12.0
SETTLE_SECONDS = 1.0

MOVES_FLOOR = 6000.0
SHARE_OF_ECHO = 0.16
PACED_P99_MS = 60.0
TABLE_KIB = 120.0

UNLIMITED = "1000000"
FLAGS = (
    *("--port", "0", "--bot-delay", "0", "--log-format", "json", "--no-warm-bots"),
    *("--messages-per-second", UNLIMITED, "--message-burst", UNLIMITED),
    *("--max-connections", UNLIMITED, "--max-tables", UNLIMITED),
)


@dataclass(frozen=True, slots=True)
class Played:
    """What a stretch of play showed: moves per processor second, round trips in ms."""

    moves_per_cpu_second: float
    p50: float
    p99: float


@dataclass(frozen=True, slots=True)
class Shown:
    """What one server showed: idle, saturated, and at one move a second and table."""

    table_kib: float
    saturated: Played
    paced: Played


def measure() -> Iterator[Figure]:
    _allow_many_sockets()
    floor = at_least(min(MOVES_FLOOR, SHARE_OF_ECHO * messages_per_cpu_second()))
    for tables in (FEW_TABLES, MANY_TABLES):
        shown = _with_server(tables)
        full = tables == MANY_TABLES
        prefix = f"server.{tables}"
        moves = shown.saturated.moves_per_cpu_second
        yield Figure(f"{prefix}.moves", moves, "moves/CPU-s", floor if full else None)
        yield Figure(f"{prefix}.p50", shown.saturated.p50, "ms")
        yield Figure(f"{prefix}.p99", shown.saturated.p99, "ms")
        paced, memory = at_most(PACED_P99_MS), at_most(TABLE_KIB)
        yield Figure(f"{prefix}.paced.p50", shown.paced.p50, "ms")
        yield Figure(f"{prefix}.paced.p99", shown.paced.p99, "ms", paced if full else None)
        yield Figure(f"{prefix}.memory", shown.table_kib, "KiB/table", memory if full else None)


def _with_server(tables: int) -> Shown:
    program = str(Path(sys.executable).with_name("blackqueen"))
    with (
        TemporaryDirectory(prefix="blackqueen-bench-") as data,
        listening([program, "serve", "--data", data, *FLAGS]) as server,
    ):
        return run(_drive(server, tables))


async def _drive(server: Listener, tables: int) -> Shown:
    await _warm_up(server)
    empty = server.resident_kib()
    load = Load(server.url)
    await load.open_tables(tables)
    # A collection of this side's garbage would look like a slow answer.
    gc.collect()
    gc.freeze()
    await asyncio.sleep(SETTLE_SECONDS)
    table_kib = (server.resident_kib() - empty) / tables
    saturated = await _stretch(server, load, 0, SATURATED_SECONDS)
    paced = await _stretch(server, load, 1, PACED_SECONDS)
    load.hang_up()
    return Shown(table_kib, saturated, paced)


async def _warm_up(server: Listener) -> None:
    """One table that comes and goes, so that what is loaded once is loaded."""
    load = Load(server.url)
    await load.open_tables(1)
    load.play()
    await asyncio.sleep(SETTLE_SECONDS)
    load.hold()
    await load.leave()
    load.check()


async def _stretch(server: Listener, load: Load, interval: float, seconds: float) -> Played:
    load.play(interval)
    await asyncio.sleep(WARM_UP_SECONDS)
    load.round_trips.clear()
    cpu = server.cpu_seconds()
    await asyncio.sleep(seconds)
    cpu = server.cpu_seconds() - cpu
    took = [1000 * trip for trip in load.round_trips]
    load.hold()
    # What is under way ends before the next stretch begins.
    await asyncio.sleep(SETTLE_SECONDS)
    load.check()
    return Played(len(took) / cpu, percentile(took, 0.5), percentile(took, 0.99))


def _allow_many_sockets() -> None:
    """As many open files as this user may have; the server inherits it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
