"""What public events and several nodes cost a move, beside one server without them, in turns.

All processes run all the time, so that a machine that changes its speed is as fast for the one side
as for the other. Four scripted clients sit at each table; at nodes they are connected to the node
that has it, as clients are that were told where it is.
"""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median

from bench.clients import run
from bench.figures import Figure, Unmeasured, at_least, at_most
from bench.load import Load
from bench.measure_server import Played, stretch, warm_up
from bench.nodes import serving_database
from bench.processes import (
    UNLIMITED,
    Listener,
    allow_many_sockets,
    family_cpu_seconds,
    free_ports,
    mosquitto,
    new_database,
    postgresql,
    postmaster,
    running_mosquitto,
    running_postgresql,
    serving,
)

TABLES = 50
"""Tables of each server, so that what it costs to run counts alike."""

EVENT_ROUNDS, EVENT_SECONDS = 3, 2.5
EVENT_INTERVAL = 0.2
MOVES_FLOOR = 0.6
TRIP_LIMIT = 1.5

NODES = 3
NODE_ROUNDS, NODE_SECONDS = 4, 5.0
NODE_INTERVAL = 1.0
MOST = 1.05
"""How much a move may cost beside that of one process."""


@dataclass(slots=True)
class Side:
    """Servers, and who plays there; `others` are further processes whose time counts."""

    servers: list[Listener]
    others: tuple[int, ...] = ()
    loads: list[Load] = field(default_factory=list)

    def cpu_seconds(self) -> float:
        """Processor time so far of all processes, with their children."""
        return sum(map(family_cpu_seconds, (*(each.pid for each in self.servers), *self.others)))

    async def warm_up(self) -> None:
        """Let each server load what it loads once."""
        for server in self.servers:
            await warm_up(server)

    async def open_tables(self) -> None:
        """Begin matches at each server."""
        for server in self.servers:
            self.loads.append(load := Load(server.url))
            await load.open_tables(TABLES)

    def hang_up(self) -> None:
        """Close all connections."""
        for load in self.loads:
            load.hang_up()


Rounds = list[tuple[Played, Played]]
"""What the one side and the other did in each round."""


def measure_events() -> Iterator[Figure | Unmeasured]:
    """Moves per processor second and round trips with events, as a share of those without."""
    program = mosquitto()
    if program is None:
        yield Unmeasured("events", "needs Mosquitto and blackqueen[mqtt]")
        return
    allow_many_sockets()
    with (
        running_mosquitto(program) as broker,
        serving(*UNLIMITED) as without,
        serving(*UNLIMITED, "--events", broker.url) as telling,
    ):
        paced, saturated = run(_drive_events(Side([without]), Side([telling])))
    before, after = (median(times) for times in zip(*map(_micros, paced), strict=True))
    yield Figure("events.paced.time", after - before, "µs/move")
    trips = ratio(paced, lambda played: played.p50)
    yield Figure("events.paced.p50", trips, "× without", at_most(TRIP_LIMIT))
    moves = ratio(saturated, lambda played: played.moves_per_cpu_second)
    yield Figure("events.moves", moves, "× without", at_least(MOVES_FLOOR))
    trips = ratio(saturated, lambda played: played.p50)
    yield Figure("events.p50", trips, "× without", at_most(TRIP_LIMIT))


async def _drive_events(without: Side, telling: Side) -> tuple[Rounds, Rounds]:
    sides = (without, telling)
    for side in sides:
        await side.warm_up()
    paced = await _rounds(sides, EVENT_INTERVAL, EVENT_ROUNDS, EVENT_SECONDS)
    saturated = await _rounds(sides, 0, EVENT_ROUNDS, EVENT_SECONDS)
    for side in sides:
        side.hang_up()
    return paced, saturated


def measure_nodes() -> Iterator[Figure | Unmeasured]:
    """What a move costs at nodes, as a share of what it costs one process with a database."""
    folder = postgresql()
    if folder is None:
        yield Unmeasured("cluster", "needs PostgreSQL and blackqueen[postgres]")
        return
    allow_many_sockets()
    with running_postgresql(folder) as url, ExitStack() as stack:
        shared, database = new_database(url, "shared"), (postmaster(url),)
        single = stack.enter_context(serving_database(new_database(url, "alone")))
        nodes = []
        for port in map(str, free_ports(NODES)):
            flags = ("--node-url", f"ws://127.0.0.1:{port}", "--port", port)
            nodes.append(stack.enter_context(serving_database(shared, *flags)))
        idle, rounds = run(_drive_nodes(Side([single], database), Side(nodes, database)))
    for at, name in enumerate(("single", "nodes")):
        yield Figure(f"cluster.{name}.idle", idle[at], "ms/s")
        micros = median(1e6 / each[at].moves_per_cpu_second for each in rounds)
        yield Figure(f"cluster.{name}.move", micros, "µs/move")
        yield Figure(f"cluster.{name}.p50", median(each[at].p50 for each in rounds), "ms")
    moves = ratio(rounds, lambda played: 1 / played.moves_per_cpu_second)
    yield Figure("cluster.move", moves, "× one", at_most(MOST))


async def _drive_nodes(single: Side, nodes: Side) -> tuple[list[float], Rounds]:
    """The processor time of an idle server in ms a second, and the rounds."""
    sides = (single, nodes)
    for side in sides:
        await side.warm_up()
    # The database serves both sides.
    before = [sum(family_cpu_seconds(each.pid) for each in side.servers) for side in sides]
    await asyncio.sleep(NODE_SECONDS)
    after = [sum(family_cpu_seconds(each.pid) for each in side.servers) for side in sides]
    idle = [
        1000 * (late - early) / NODE_SECONDS / len(side.servers)
        for side, early, late in zip(sides, before, after, strict=True)
    ]
    rounds = await _rounds(sides, NODE_INTERVAL, NODE_ROUNDS, NODE_SECONDS)
    for side in sides:
        side.hang_up()
    return idle, rounds


async def _rounds(sides: tuple[Side, Side], interval: float, rounds: int, seconds: float) -> Rounds:
    """Let the sides play in turns, each begun by the other side than the one before."""
    for side in sides:
        if not side.loads:
            await side.open_tables()
    # A collection of this side's garbage would look like a slow answer.
    gc.collect()
    gc.freeze()
    played = []
    for number in range(rounds):
        order = sides if number % 2 else sides[::-1]
        first, second = [
            await stretch(side.cpu_seconds, side.loads, interval, seconds) for side in order
        ]
        played.append((first, second) if number % 2 else (second, first))
    return played


def ratio(rounds: Sequence[tuple[Played, Played]], value: Callable[[Played], float]) -> float:
    """The median over the rounds of the second side's value as a share of the first side's."""
    return median(value(second) / value(first) for first, second in rounds)


def _micros(played: tuple[Played, Played]) -> list[float]:
    """Processor time for a move of each side, in µs."""
    return [1e6 / each.moves_per_cpu_second for each in played]
