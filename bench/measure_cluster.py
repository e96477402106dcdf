"""A cluster under load: what a move costs each role, broker and database, and what the bus adds.

Four scripted clients sit at each table, in turns at both gateways, which is the worst case: what
happens at a table goes to both. The growth model learns from the calmest and the busiest stretch,
and its prediction of those between is printed beside what was measured.
"""

import asyncio
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import killed_nodes
from bench.cluster import BOTS, GATEWAYS, PROGRAM, BenchCluster, Watch, cluster
from bench.connection import run
from bench.figures import Figure, Limit, Unmeasured, at_least, at_most, percentile
from bench.growth import (
    BROKER,
    CLIENTS,
    DATABASE,
    GATEWAY,
    TABLES,
    Measured,
    PlayedCluster,
    Size,
    fitted,
    in_steps,
)
from bench.load import Load
from bench.measure_bus import mosquitto, only_errors
from bench.measure_crowded import keep_playing
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
from engine.recycle import games

CALM, USUAL, MANY = 50, 200, 600
PACED_SECONDS, BUSY_SECONDS, BOT_SECONDS = 10.0, 8.0, 8.0
PACE = 1.0
BOT_TABLES = 8
BOT_GAME = "Hearts4"
"""A described game, whose bots are all asked of the process for bots."""
MODEL_SECONDS = 8.0
CELL = Size(tables=2000, interval=1.0, gateways=2, nodes=1, cores=8)
"""What the model is asked of that this machine could not play: 2,000 moves a second."""
ROLES = (GATEWAY, TABLES)
MOST_ADDED_MS = 5.0
MOST_MESSAGES = 0.5
LEAST_OF_ONE = 0.9
"""What of its moves a node keeps when there are two, at least."""
MOST_OF_ONE = 1.1
"""What a move may cost broker and database then, of what it costs with one node."""
MOST_OFF = {GATEWAY: 2.0, TABLES: 2.0, DATABASE: 2.0}
"""By what the model may miss what a move costs these parts, up or down; they cost most."""
MOST_OFF_GATHERED = 3.0
"""The same for messages, what they cost the broker, and p50: it gathers more than real processes
do, which read some sockets at a time."""


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
    one = yield from _of_nodes(broker, database, 1, alone[0])
    if nodes > 1:
        more = yield from _of_nodes(broker, database, nodes, alone[0])
        yield from compared(nodes, one, more)
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


def _of_nodes(
    broker: str, database: Path, nodes: int, alone: float
) -> Generator[Figure, None, list[Stretch]]:
    prefix = f"cluster.{nodes}"
    with cluster(broker, database, nodes, "--plain-bots") as found:
        stretches = run(_played(found))
    for each in stretches:
        yield from told_of(prefix, each, alone)
    with TemporaryDirectory(prefix="blackqueen-bench-") as folder:
        described = Path(folder, f"{BOT_GAME}.rcy")
        described.write_text(games.description(BOT_GAME), encoding="utf-8")
        # Nobody has to wait for a compiler.
        with cluster(broker, database, nodes, "--plain-bots", "--games", folder) as found:
            bots = run(_bots(found))
    yield Figure(f"{prefix}.bots.moves", bots, "moves/CPU-s")
    yield from predicted(prefix, nodes, stretches)
    return stretches


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


async def _bots(found: BenchCluster) -> float:
    """Choices of a game's strongest bots for each processor second of the process for bots."""
    name, game = "blackqueen_bot_choices_total", f"{BOT_GAME}.rcy"
    async with asyncio.TaskGroup() as tasks:
        urls = found.urls
        tables = [
            tasks.create_task(keep_playing(urls[at % GATEWAYS], game, at))
            for at in range(BOT_TABLES)
        ]
        await asyncio.sleep(WARM_UP_SECONDS)
        before = await asyncio.to_thread(found.counted, BOTS, name), found.seconds()[BOTS]
        await asyncio.sleep(BOT_SECONDS)
        after = await asyncio.to_thread(found.counted, BOTS, name), found.seconds()[BOTS]
        for table in tables:
            table.cancel()
    return (after[0] - before[0]) / max(after[1] - before[1], 1e-9)


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


def predicted(
    prefix: str, nodes: int, stretches: list[Stretch], seconds: float = MODEL_SECONDS
) -> Iterator[Figure]:
    """What the growth model says of the stretches between the calmest and the busiest.

    And of a cell, which is larger than any of them.
    """
    calm, *between, busy = stretches
    overhead = calm.used.messages / (1 + GATEWAYS)
    costs = fitted(
        in_steps(calm.used, calm.used, GATEWAYS), in_steps(busy.used, calm.used, GATEWAYS)
    )
    for of in between:
        size = Size(of.tables, of.interval, GATEWAYS, nodes)
        told, _, p50 = PlayedCluster(size, costs).play(seconds)
        named = f"{prefix}.{of.name}.model"
        shares = {
            part: told.seconds[part] / of.used.seconds[part] for part in (*ROLES, BROKER, DATABASE)
        }
        shares["messages"] = overhead * told.messages / of.used.messages
        shares["p50"] = 1000 * p50 / of.p50
        for what, share in shares.items():
            yield Figure(f"{named}.{what}", share, "× measured")
            most = at_most(MOST_OFF.get(what, MOST_OFF_GATHERED))
            yield Figure(f"{named}.{what}.off", max(share, 1 / max(share, 1e-9)), "×", most)
    told, moves, p50 = PlayedCluster(CELL, costs).play(seconds)
    for part in (*ROLES, BROKER, DATABASE):
        yield Figure(f"{prefix}.cell.{part}", moves * told.seconds[part], "cores")
    yield Figure(f"{prefix}.cell.messages", overhead * told.messages, "messages/move")
    yield Figure(f"{prefix}.cell.p50", 1000 * p50, "ms")


def compared(nodes: int, one: list[Stretch], more: list[Stretch]) -> Iterator[Figure]:
    """What nodes, broker and database do where there are several nodes, beside a single one.

    That is at equal batch size: two nodes gather half as much each, and what that costs, the lines
    of the cluster with one node say.
    """
    costs = fitted(one[0].used, one[-1].used)
    for of in more:
        named = f"cluster.ratio.{of.name}"
        busiest = of.tables == MANY
        expected = {part: cost.of(of.used.batches(part)) for part, cost in costs.items()}
        kept = expected[TABLES] / of.used.seconds[TABLES]
        least = at_least(LEAST_OF_ONE) if busiest else None
        yield Figure(f"{named}.tables.moves", kept, f"× one of {nodes}", least)
        for part in (BROKER, DATABASE):
            ratio = of.used.seconds[part] / expected[part]
            most = at_most(MOST_OF_ONE) if busiest else None
            yield Figure(f"{named}.{part}", ratio, "× one node", most)
