"""How soon tables of three whole nodes go on where one is killed, stopped or ended: real clients.

They come in by a proxy that asks the nodes whether they are ready, and go to their tables' nodes.
Nobody moves where a node is killed or stopped, so that nobody notices by a move without an answer.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from bench.clients import run
from bench.figures import Figure, Unmeasured, at_most, percentile
from bench.load import SEATS
from bench.nodes import Followers, Nodes, entry, followers
from bench.processes import allow_many_sockets, new_database, postgresql, running_postgresql
from protocol.dial import PATIENT
from server.store import LeaseTimes

NODES = 3
TABLES, WATCHING = 9, 1
KILLS, STOPS, ENDS = 20, 5, 3
CLIENTS = 1000
FLAGS = ("--turn-seconds", "0", "--grace-seconds", "300", "--address-pages-per-second", "0")
MOST_SECONDS = LeaseTimes().lasts + 2.0
MOST_STOPPED_SECONDS = 10.0
MOST_HELLOS = 3
MOST_CROWD_SECONDS = MOST_SECONDS + 5.5
"""A third of a thousand clients come back at the same time: some six seconds of two processors."""
MOST_MILLISECONDS = 1000.0
STEADY_SECONDS = LeaseTimes().grace + LeaseTimes().renewal
"""A node that has been there for so long takes over the tables of others."""
SETTLE_SECONDS = 1.5
ASKED_SECONDS = PATIENT.table + 1.0
"""After this all clients have asked for a sign of life: they have more patience until then with a
server where they have lost another connection."""


@dataclass(slots=True)
class Shown:
    """Seconds until all tables of a node had shown themselves again to all who follow them."""

    killed: list[float] = field(default_factory=list)
    stopped: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    """The longest that a move took at each table of a node while it ended."""
    crowd: list[float] = field(default_factory=list)
    """Of each table with all clients, and how many hellos each client sent."""
    hellos: list[int] = field(default_factory=list)


def measure() -> Iterator[Figure | Unmeasured]:
    """What players notice of a node that is killed, stopped or ended."""
    folder = postgresql()
    if folder is None:
        yield Unmeasured("kills", "needs PostgreSQL and blackqueen[postgres]")
        return
    allow_many_sockets()
    with running_postgresql(folder) as url:
        nodes = Nodes(new_database(url, "shared"), NODES, *FLAGS)
        try:
            shown = run(_drive(nodes))
        finally:
            nodes.end_all()
    yield from figures_of(shown)


def figures_of(shown: Shown) -> Iterator[Figure]:
    """What is told of these pauses; a table is back when the last who follows it has seen it."""
    yield Figure("kills.p50", percentile(shown.killed, 0.5), "s", at_most(MOST_SECONDS))
    yield Figure("kills.worst", max(shown.killed), "s")
    yield Figure("kills.stopped.p50", percentile(shown.stopped, 0.5), "s")
    worst = at_most(MOST_STOPPED_SECONDS)
    yield Figure("kills.stopped.worst", max(shown.stopped), "s", worst)
    moves = [1000 * each for each in shown.moves]
    yield Figure("kills.ended.p50", percentile(moves, 0.5), "ms")
    yield Figure("kills.ended.worst", max(moves), "ms", at_most(MOST_MILLISECONDS))
    yield Figure("kills.crowd.p50", percentile(shown.crowd, 0.5), "s")
    yield Figure("kills.crowd.worst", max(shown.crowd), "s", at_most(MOST_CROWD_SECONDS))
    yield Figure("kills.crowd.hellos", max(shown.hellos), "hellos", at_most(MOST_HELLOS))


async def _drive(nodes: Nodes) -> Shown:
    for name in nodes.ports:
        await asyncio.to_thread(nodes.begin, name)
    shown = Shown()
    async with (
        entry(nodes.ports.values()) as proxy,
        followers(proxy.url, WATCHING) as who,
        asyncio.TaskGroup() as tasks,
    ):
        await who.open(TABLES)
        faults = Faults(nodes, who, Random(1), tasks)
        for _ in range(KILLS):
            shown.killed.append(max(await faults.kill()))
        for _ in range(STOPS):
            shown.stopped.append(max(await faults.stop()))
        for _ in range(ENDS):
            shown.moves += await faults.end()
        await who.open((CLIENTS - len(who.all)) // (SEATS + WATCHING))
        shown.crowd += await faults.kill()
        await asyncio.sleep(SETTLE_SECONDS)
        shown.hellos += [each.hellos for each in who.all]
    return shown


class Faults:
    """What happens to one of the nodes, by chance, and what who follows their tables notices."""

    def __init__(self, nodes: Nodes, who: Followers, rng: Random, tasks: asyncio.TaskGroup) -> None:
        self._nodes = nodes
        self._who = who
        self._rng = rng
        self._tasks = tasks
        self._begun = dict.fromkeys(nodes.ports, perf_counter())
        self._beginning: asyncio.Task[None] | None = None

    async def kill(self) -> list[float]:
        """Kill a node that has tables."""
        name, codes = await self._victim()
        began = perf_counter()
        self._nodes.kill(name)
        took = await self._who.all_back(codes, began)
        await self._begin_again(name)
        return took

    async def stop(self) -> list[float]:
        """Stop a node that has tables, and kill it when they go on."""
        await asyncio.sleep(ASKED_SECONDS)
        name, codes = await self._victim()
        began = perf_counter()
        self._nodes.freeze(name)
        took = await self._who.all_back(codes, began)
        self._nodes.kill(name)
        await self._begin_again(name)
        return took

    async def end(self) -> list[float]:
        """End a node while people move at its tables; the longest time of a move at each."""
        name, codes = await self._victim()
        took: dict[str, list[float]] = defaultdict(list)
        async with asyncio.TaskGroup() as playing:
            tasks = [playing.create_task(self._who.play(code, took)) for code in codes]
            await asyncio.sleep(SETTLE_SECONDS)
            for each in took.values():
                each.clear()
            await asyncio.to_thread(self._nodes.end, name)
            await asyncio.sleep(SETTLE_SECONDS)
            for task in tasks:
                task.cancel()
        await self._begin_again(name)
        return [max(took[code]) for code in codes]

    async def _victim(self) -> tuple[str, list[str]]:
        """A node with tables, and these; others are there that may take them over."""
        await self.all_begun()
        await asyncio.sleep(
            max(0.0, sorted(self._begun.values())[1] + STEADY_SECONDS - perf_counter())
        )
        owners = await asyncio.to_thread(self._nodes.owners)
        name = self._rng.choice(sorted(set(owners.values())))
        self._who.mark()
        return name, [code for code, owner in owners.items() if owner == name]

    async def _begin_again(self, name: str) -> None:
        await self.all_begun()
        self._begun[name] = float("inf")
        self._beginning = self._tasks.create_task(self._begin(name))

    async def _begin(self, name: str) -> None:
        await asyncio.to_thread(self._end_and_begin, name)
        self._begun[name] = perf_counter()

    def _end_and_begin(self, name: str) -> None:
        if self._nodes.is_running(name):
            self._nodes.end(name)
        self._nodes.begin(name)

    async def all_begun(self) -> None:
        """Return when no node is on its way."""
        if self._beginning is not None:
            await self._beginning
