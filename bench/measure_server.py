"""The real server, `blackqueen serve`, under scripted load over loopback sockets.

Every move is on disk before it is acknowledged, logs are written as in production; only the
limits on what one client may send are raised. Moves are counted by their acknowledgements.
"""

import asyncio
import gc
import resource
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.connection import run
from bench.figures import Figure, Limit, at_least, at_most, percentile
from bench.load import Load
from bench.measure_disk import sync_milliseconds
from bench.measure_echo import UNIT, messages_per_cpu_second
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
    *("--port", "0", "--bot-delay", "0", "--log-format", "json"),
    *("--messages-per-second", UNLIMITED, "--message-burst", UNLIMITED),
    *("--max-connections", UNLIMITED, "--max-tables", UNLIMITED),
    *("--address-connections-per-second", "0"),
    *("--max-lobby-tables-per-address", "0"),
)


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a period of play: moves per processor second, round trips in ms."""

    moves_per_cpu_second: float
    p50: float
    p99: float


@dataclass(frozen=True, slots=True)
class Shown:
    """The results of one server: idle, saturated, and at one move per second and table."""

    table_kib: float
    saturated: Played
    paced: Played


def measure() -> Iterator[Figure]:
    """Moves, round trips and memory with few and with many tables."""
    allow_many_sockets()
    yield from _figures(FEW_TABLES, _with_server(FEW_TABLES))
    # A shared machine changes its speed by the minute, so the echo is measured before and after.
    before, disk = messages_per_cpu_second(), sync_milliseconds()
    shown = _with_server(MANY_TABLES)
    echo = (before + messages_per_cpu_second()) / 2
    yield Figure("server.echo", echo, UNIT)
    yield Figure("server.disk.p99", percentile(disk + sync_milliseconds(), 0.99), "ms")
    limits = {
        "moves": at_least(min(MOVES_FLOOR, SHARE_OF_ECHO * echo)),
        "paced.p99": at_most(PACED_P99_MS),
        "memory": at_most(TABLE_KIB),
    }
    yield from _figures(MANY_TABLES, shown, limits)


def _figures(tables: int, shown: Shown, limits: Mapping[str, Limit] | None = None) -> list[Figure]:
    saturated, paced = shown.saturated, shown.paced
    rows = (
        ("moves", saturated.moves_per_cpu_second, "moves/CPU-s"),
        ("p50", saturated.p50, "ms"),
        ("p99", saturated.p99, "ms"),
        ("paced.p50", paced.p50, "ms"),
        ("paced.p99", paced.p99, "ms"),
        ("memory", shown.table_kib, "KiB/table"),
    )
    return [
        Figure(f"server.{tables}.{name}", value, unit, (limits or {}).get(name))
        for name, value, unit in rows
    ]


def _with_server(tables: int) -> Shown:
    program = str(Path(sys.executable).with_name("blackqueen"))
    with (
        TemporaryDirectory(prefix="blackqueen-bench-") as data,
        listening([program, "serve", "--data", data, *FLAGS]) as server,
    ):
        return run(_drive(server, tables))


async def _drive(server: Listener, tables: int) -> Shown:
    await warm_up(server)
    empty = server.resident_kib()
    load = Load(server.url)
    await load.open_tables(tables)
    # A collection of this side's garbage would look like a slow answer.
    gc.collect()
    gc.freeze()
    await asyncio.sleep(SETTLE_SECONDS)
    table_kib = (server.resident_kib() - empty) / tables
    # The writes of the saturated period keep the disk busy for a while afterwards.
    paced = await stretch(server, load, 1, PACED_SECONDS)
    saturated = await stretch(server, load, 0, SATURATED_SECONDS)
    load.hang_up()
    return Shown(table_kib, saturated, paced)


async def warm_up(server: Listener) -> None:
    """Open and close one table, so that everything that is loaded once is loaded."""
    load = Load(server.url)
    await load.open_tables(1)
    load.play()
    await asyncio.sleep(SETTLE_SECONDS)
    load.hold()
    await load.leave()
    load.check()


async def stretch(server: Listener, load: Load, interval: float, seconds: float) -> Played:
    """Let everybody play for `seconds` after a warm-up, at this interval (`Load.play`)."""
    load.play(interval)
    await asyncio.sleep(WARM_UP_SECONDS)
    load.round_trips.clear()
    cpu = server.cpu_seconds()
    await asyncio.sleep(seconds)
    cpu = server.cpu_seconds() - cpu
    took = [1000 * trip for trip in load.round_trips]
    load.hold()
    # Moves under way end before the next period begins.
    await asyncio.sleep(SETTLE_SECONDS)
    load.check()
    return Played(len(took) / cpu, percentile(took, 0.5), percentile(took, 0.99))


def allow_many_sockets() -> None:
    """Allow as many open files as this user may have; the server inherits the limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
