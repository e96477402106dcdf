"""The real server, `blackqueen serve`, under scripted load over loopback sockets.

Every move is on disk before it is acknowledged, logs are written as in production; only the
limits on what one client may send are raised. Moves are counted by their acknowledgements.
"""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families

from bench.clients import run
from bench.figures import Figure, at_least, at_most, percentile
from bench.load import Load
from bench.measure_games import moves_per_second
from bench.measure_store import sync_milliseconds
from bench.processes import (
    UNLIMITED,
    Listener,
    allow_many_sockets,
    serving,
    wait_for_bots,
)
from bots.roster import strengths
from engine import GAMES

TABLES = 200
WARM_UP_SECONDS = 1.5
SATURATED_SECONDS = 8.0
PACED_SECONDS = 12.0
SETTLE_SECONDS = 1.0

MOVES_FLOOR = 6000.0
RULES = "black_queen"
SHARE_OF_RULES = 0.2
"""Of the moves that the rules alone make: the limit where the machine is slow just now."""
PACED_P99_MS = 60.0
TABLE_KIB = 120.0


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
    """Moves, round trips and memory, beside the rules alone and the disk."""
    allow_many_sockets()
    # A shared machine changes its speed by the minute, so both are measured before and after.
    before, disk = moves_per_second(RULES), sync_milliseconds()
    with serving(*UNLIMITED) as server:
        shown = run(_drive(server))
    rules = (before + moves_per_second(RULES)) / 2
    yield Figure("server.rules", rules, "moves/s")
    yield Figure("server.disk.p99", percentile(disk + sync_milliseconds(), 0.99), "ms")
    least = at_least(min(MOVES_FLOOR, SHARE_OF_RULES * rules))
    yield Figure("server.moves", shown.saturated.moves_per_cpu_second, "moves/CPU-s", least)
    yield Figure("server.p50", shown.saturated.p50, "ms")
    yield Figure("server.p99", shown.saturated.p99, "ms")
    yield Figure("server.paced.p50", shown.paced.p50, "ms")
    yield Figure("server.paced.p99", shown.paced.p99, "ms", at_most(PACED_P99_MS))
    yield Figure("server.memory", shown.table_kib, "KiB/table", at_most(TABLE_KIB))


async def _drive(server: Listener) -> Shown:
    await warm_up(server)
    empty = server.resident_kib()
    load = Load(server.url)
    await load.open_tables(TABLES)
    # A collection of this side's garbage would look like a slow answer.
    gc.collect()
    gc.freeze()
    await asyncio.sleep(SETTLE_SECONDS)
    table_kib = (server.resident_kib() - empty) / TABLES
    # The writes of the saturated period keep the disk busy for a while afterwards.
    paced = await stretch(server.cpu_seconds, [load], 1, PACED_SECONDS)
    saturated = await stretch(server.cpu_seconds, [load], 0, SATURATED_SECONDS)
    load.hang_up()
    return Shown(table_kib, saturated, paced)


async def warm_up(server: Listener) -> None:
    """Open and close one table, so that everything that is loaded once is loaded."""
    load = Load(server.url)
    await load.open_tables(1)
    load.play()
    await asyncio.sleep(SETTLE_SECONDS)
    load.hold()
    # Moves under way end.
    await asyncio.sleep(SETTLE_SECONDS)
    await load.leave()
    load.check()


async def stretch(
    used: Callable[[], float], loads: Sequence[Load], interval: float, seconds: float
) -> Played:
    """Let everybody play for `seconds` after a warm-up, at this interval (`Load.play`).

    `used` gives the processor time so far of the servers.
    """
    for load in loads:
        load.play(interval)
    await asyncio.sleep(WARM_UP_SECONDS)
    for load in loads:
        load.round_trips.clear()
    before = used()
    await asyncio.sleep(seconds)
    cpu = used() - before
    took = [1000 * trip for load in loads for trip in load.round_trips]
    for load in loads:
        load.hold()
    # Moves under way end before the next period begins.
    await asyncio.sleep(SETTLE_SECONDS)
    for load in loads:
        load.check()
    return Played(len(took) / cpu, percentile(took, 0.5), percentile(took, 0.99))


LAG_TABLES = 20
LAG_SECONDS = 10.0
LOOK_AGAIN_SECONDS = 0.5
SWING_SECONDS = 60.0
LAG_P99_MS = 20.0
LAG_WORST_MS = 100.0


def measure_lag() -> Iterator[Figure]:
    """How late the event loop is while twenty tables of the strongest bots play every game."""
    with serving("--bot-delay", "0", "--warm-bots") as server:
        wait_for_bots(server)
        lags = run(_drive_bots(server))
    yield Figure("lag.moves", lags.moves / LAG_SECONDS, "moves of bots/s")
    yield Figure("lag.p99", 1000 * lags.bound(0.99), "ms or less", at_most(LAG_P99_MS))
    yield Figure("lag.worst", 1000 * lags.bound(1.0), "ms or less", at_most(LAG_WORST_MS))


@dataclass(frozen=True, slots=True)
class Lags:
    """A server's counts: moves of its bots, and how often its loop was at most how late."""

    moves: float
    within: dict[float, float]

    def __sub__(self, earlier: "Lags") -> "Lags":
        within = {bound: count - earlier.within[bound] for bound, count in self.within.items()}
        return Lags(self.moves - earlier.moves, within)

    def bound(self, share: float) -> float:
        """The least bound in seconds that a `share` of the lags did not exceed."""
        total = max(self.within.values())
        return min(bound for bound, count in self.within.items() if count >= share * total)


def lags_of(metrics: str) -> Lags:
    """The counts in a page of metrics."""
    moves, within = 0.0, {}
    for family in text_string_to_metric_families(metrics):
        for sample in family.samples:
            if sample.name == "blackqueen_moves_total" and sample.labels["by"] == "bot":
                moves = sample.value
            elif sample.name == "blackqueen_loop_lag_seconds_bucket":
                within[float(sample.labels["le"])] = sample.value
    return Lags(moves, within)


async def lags(server: Listener) -> Lags:
    """The server's counts now."""
    return lags_of(await asyncio.to_thread(server.metrics))


async def _drive_bots(server: Listener) -> Lags:
    """The counts of a period in which all tables play; a match outlasts it."""
    load, games = Load(server.url), [info.id for info in GAMES]
    load.play()
    for at in range(LAG_TABLES):
        game = games[at % len(games)]
        await load.open_with_bots(game, strengths(game)[-1])
    async with asyncio.timeout(SWING_SECONDS):
        while (before := await lags(server)).moves < 10 * LAG_TABLES:  # noqa: ASYNC110 - metrics
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
    await asyncio.sleep(LAG_SECONDS)
    after = await lags(server)
    load.check()
    load.hang_up()
    return after - before
