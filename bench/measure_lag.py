"""How late the server's event loop is while twenty tables of the strongest bots play.

The tables play every game in turn. At each sits one client that moves at random; all other players
are the server's own bots. When a match is over the client opens another table.
"""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from prometheus_client.parser import text_string_to_metric_families

from bench.connection import run
from bench.figures import Figure, at_most
from bench.processes import BenchError, Listener, listening, wait_for_bots
from bots.roster import strengths
from engine import GAMES
from engine.choices import random_action
from protocol.connection import Client, connect
from protocol.errors import ConnectionLost, ProtocolError
from protocol.mirror import TableMirror
from protocol.playing import SeatPlayer, always
from protocol.to_server import CreateTable, Leave, Start

TABLES = 20
SECONDS = 10.0
LOOK_AGAIN_SECONDS = 0.5
OPEN_SECONDS = 60.0
P99_MS = 20.0
WORST_MS = 100.0

FLAGS = ("--port", "0", "--bot-delay", "0", "--log-format", "json", "--warm-bots")


def measure() -> Iterator[Figure]:
    """Moves per second of the bots, and how late the event loop was."""
    program = str(Path(sys.executable).with_name("blackqueen"))
    with (
        TemporaryDirectory(prefix="blackqueen-bench-") as data,
        listening([program, "serve", "--data", data, *FLAGS]) as server,
    ):
        wait_for_bots(server)
        lags = run(_drive(server))
    yield Figure("lag.moves", lags.moves / SECONDS, "moves of bots/s")
    yield Figure("lag.p99", 1000 * lags.bound(0.99), "ms or less", at_most(P99_MS))
    yield Figure("lag.worst", 1000 * lags.bound(1.0), "ms or less", at_most(WORST_MS))


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


async def _drive(server: Listener) -> Lags:
    games = [info.id for info in GAMES]
    try:
        async with asyncio.TaskGroup() as tasks:
            tables = [
                tasks.create_task(_keep_playing(server, games[at % len(games)], at))
                for at in range(TABLES)
            ]
            before = await _in_full_swing(server)
            await asyncio.sleep(SECONDS)
            after = await asyncio.to_thread(_counts, server)
            for table in tables:
                table.cancel()
    except* (ProtocolError, ConnectionLost) as errors:
        raise BenchError(f"a table could not be played: {errors.exceptions[0]!r}") from None
    return after - before


async def _in_full_swing(server: Listener) -> Lags:
    """The counts once all tables are open."""
    async with asyncio.timeout(OPEN_SECONDS):
        while True:
            now = await asyncio.to_thread(_counts, server)
            if now.moves >= 10 * TABLES:
                return now
            await asyncio.sleep(LOOK_AGAIN_SECONDS)


async def _keep_playing(server: Listener, game: str, number: int) -> None:
    rng = Random(number)

    async def choose(table: TableMirror) -> str:
        return random_action(table.choices, rng)

    async with connect(server.url, name=f"Player {number}") as client:
        while True:
            code = await _open(client, game)
            await SeatPlayer(client, code, always(choose)).play()
            await client.ask(Leave, table=code)


async def _open(client: Client, game: str) -> str:
    """A table whose match has begun, with the strongest bots on all other seats."""
    code = (await client.ask(CreateTable, game=game)).table
    assert code is not None, "who creates a table is told its code"
    await client.ask(Start, table=code, fill=strengths(game)[-1])
    return code


def _counts(server: Listener) -> Lags:
    return lags_of(server.metrics())
