"""Crowds: what honest clients notice of attackers, and players who come back all at once.

Ten tables of honest clients play at a steady pace, at a server with its usual limits. First they
are alone, then a process of attackers connects. The limit is a ratio within one run: under attack
honest clients wait at most ten times as long as in calm. Beside them there are honest programs that
ask for more than people do, and wait for their turns where others ask for much.

Two thousand seated players come back: first their connections are dropped, as by a proxy that
restarts; then once more, and they know nothing of their tables, as after pages were loaded again;
then the server is restarted as well, so it has to load every table.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from bench.clients import Player, run
from bench.crowd import Crowd, crowd
from bench.figures import Figure, at_most, percentile
from bench.load import SEATS, Load
from bench.measure_server import lags
from bench.processes import BenchError, Listener, allow_many_sockets, free_ports, serving

TABLES = 10
MOVE_EVERY_SECONDS = 0.2
WARM_UP_SECONDS = 2.0
SECONDS = 8.0
RATIO = 10.0
ATTACKERS = 8
CROWD, TIMES = 500, 90
"""Spectators of one table, and how often each asks for the same at once."""
FEWER = 100
"""Of them, those who ask for other things than the table."""
ASKS = ("log", "review", "games", "list_tables", "watch")
"""Such things: commands that cost much."""
BUSY_MS = 500.0
"""Within this honest programs have 99 of 100 answers."""
SERVED_SECONDS = 5.0
EACH = 3
"""Honest programs of each kind that ask for more than people do."""
ASKED = {"ping": 0.03, "list_tables": 0.2, "games": 0.3}
"""What they ask for, and how many seconds they wait after each answer."""
COME_SECONDS = 0.3
"""How long those wait who come in anew each time."""

ATTACKS = {
    "pongs": "pongs",
    "late_pongs": "late_pongs",
    "mixed": "pings,fragments,tiny,messages,announce,half_open,drip,visit",
}
"""The ways of the attackers in each attack (`bench.attackers.WAYS`)."""


class Busy:
    """Programs at a server; `round_trips` are seconds from asking to the answer."""

    def __init__(self, url: str) -> None:
        self.round_trips: list[float] = []
        self._url = url

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """They ask inside the block; `BenchError` if one was refused."""
        async with asyncio.TaskGroup() as tasks:
            programs = [tasks.create_task(self._come(f"busy-{at}")) for at in range(EACH)]
            for type, pause in ASKED.items():
                for at in range(EACH):
                    asking = self._ask(f"busy-{type}-{at}", type, pause)
                    programs.append(tasks.create_task(asking))
            yield
            for program in programs:
                program.cancel()

    async def _ask(self, name: str, type: str, pause: float) -> None:
        player = Player(name)
        await player.enter(self._url)
        while True:
            began = perf_counter()
            await player.ask(type)
            self.round_trips.append(perf_counter() - began)
            await asyncio.sleep(pause)

    async def _come(self, name: str) -> None:
        for number in count():
            began = perf_counter()
            player = Player(f"{name}-{number}")
            await player.enter(self._url)
            self.round_trips.append(perf_counter() - began)
            player.hang_up()
            await asyncio.sleep(COME_SECONDS)


class Noticed(NamedTuple):
    """Figures of honest clients, in ms: round trips, and how late the server's loop was.

    `busy` are the round trips of programs that ask for more than people do.
    """

    p99: float
    busy: float
    worst_lag: float


def measure_attack() -> Iterator[Figure]:
    """Round trips and lags in calm and under each attack, and the time to serve a crowd."""
    with serving("--bot-delay", "0") as server:
        noticed, served = run(_drive(server))
    calm = noticed.pop("calm")
    yield Figure("attack.calm.p99", calm.p99, "ms")
    yield Figure("attack.calm.busy", calm.busy, "ms")
    yield Figure("attack.calm.lag", calm.worst_lag, "ms or less")
    yield Figure("attack.spectators", served, f"s for {CROWD}", at_most(SERVED_SECONDS))
    for name, seen in noticed.items():
        yield Figure(f"attack.{name}.p99", seen.p99, "ms", at_most(RATIO * calm.p99))
        yield Figure(f"attack.{name}.busy", seen.busy, "ms", at_most(BUSY_MS))
        yield Figure(
            f"attack.{name}.lag", seen.worst_lag, "ms or less", at_most(RATIO * calm.worst_lag)
        )


async def _drive(server: Listener) -> tuple[dict[str, Noticed], float]:
    """The figures of each attack, and the seconds until the crowd was shown a table."""
    load = Load(server.url)
    await load.open_tables(TABLES)
    load.play(MOVE_EVERY_SECONDS)
    busy = Busy(server.url)
    async with busy.asking():
        noticed, served = await _attacks(server, load, busy)
    load.hold()
    await asyncio.sleep(2 * MOVE_EVERY_SECONDS)
    load.check()
    load.hang_up()
    return noticed, served


async def _attacks(server: Listener, load: Load, busy: Busy) -> tuple[dict[str, Noticed], float]:
    notice = partial(_notice, server, load, busy)
    await asyncio.sleep(WARM_UP_SECONDS)
    noticed = {"calm": await notice(asyncio.sleep(SECONDS))}
    for name, ways in ATTACKS.items():
        noticed[name] = await notice(_attack(server, ways))
    # A separate table: the crowd's cost for the players it watches is a different question.
    watched = Load(server.url)
    await watched.open_tables(1)
    async with crowd() as spectators:
        served = await _watch(spectators, watched, CROWD)
        noticed["syncs"] = await notice(spectators.do("flood", TIMES, "sync"))
    for name in ASKS:
        async with crowd() as spectators:
            await _watch(spectators, watched, FEWER)
            noticed[name] = await notice(spectators.do("flood", TIMES, name))
    watched.hang_up()
    return noticed, served


async def _notice(
    server: Listener, load: Load, busy: Busy, meanwhile: Coroutine[Any, Any, object]
) -> Noticed:
    """What honest clients notice while something else happens."""
    before = await lags(server)
    load.round_trips.clear()
    busy.round_trips.clear()
    await meanwhile
    trips = [1000 * trip for trip in with_omitted(load.round_trips, MOVE_EVERY_SECONDS)]
    late = await lags(server) - before
    if not trips or not busy.round_trips:
        raise BenchError("nobody could make a move")
    answered = 1000 * percentile(busy.round_trips, 0.99)
    return Noticed(percentile(trips, 0.99), answered, 1000 * late.bound(1.0))


def with_omitted(trips: list[float], interval: float) -> list[float]:
    """The round trips, including those of moves that could not be made because one took long.

    A table that waits for seconds makes one move instead of many; each of these would have waited
    for the rest of that time.
    """
    return [left for trip in trips for left in (trip, *_waits(trip, interval))]


def _waits(trip: float, interval: float) -> list[float]:
    return [trip - n * interval for n in range(1, int(trip / interval) + 1)]


async def _attack(server: Listener, ways: str) -> None:
    async with crowd() as attackers:
        counts = await attackers.do("attack", server.url, ways.split(","), ATTACKERS, SECONDS)
    if not counts["connections"]:
        raise BenchError("the attackers did not attack")


async def _watch(spectators: Crowd, watched: Load, count: int) -> float:
    """Let spectators of a table come all at once; return the seconds that it took."""
    told = await spectators.do("watch", watched.url, watched.table, count)
    if told["closed"]:
        raise BenchError(f"{told['closed']} of {count} spectators were not let in: {told['why']}")
    return float(told["served"])


SEATED_TABLES = 500
RETURNED_SECONDS = 30.0
NOTICE_SECONDS = 2.0
"""The server has noticed after this that connections are gone."""
FLAGS = (
    *("--turn-seconds", "0", "--max-connections-per-address", "0"),
    *("--max-tables-per-address", "0"),
)


class Returned(NamedTuple):
    """Seconds until everybody had their table, how many were cut, processor time for each in ms."""

    served: float
    cut: int
    time: float


def measure_returning() -> Iterator[Figure]:
    """How soon all have their tables, how many were cut, and the server's processor time."""
    allow_many_sockets()
    with TemporaryDirectory(prefix="blackqueen-bench-") as data:
        returned = run(_drive_returning(data))
    unit = f"s for {SEATED_TABLES * SEATS:,}"
    for name, seen in returned.items():
        yield Figure(f"returning.{name}.served", seen.served, unit, at_most(RETURNED_SECONDS))
        yield Figure(f"returning.{name}.cut", seen.cut, "players", at_most(0))
        yield Figure(f"returning.{name}.time", seen.time, "ms/player")


async def _drive_returning(data: str) -> dict[str, Returned]:
    # The server has the same address after its restart.
    flags = (*FLAGS, "--port", str(*free_ports(1)))
    async with crowd() as players:
        with serving(*flags, data=data) as server:
            await players.do("seat", server.url, SEATED_TABLES)
            returned = {"back": await _return(players, server)}
            returned["anew"] = await _return(players, server, anew=True)
            await players.do("leave")
        with serving(*flags, data=data) as server:
            returned["restart"] = await _return(players, server)
    return returned


async def _return(players: Crowd, server: Listener, anew: bool = False) -> Returned:
    await players.do("leave")
    await asyncio.sleep(NOTICE_SECONDS)
    before = server.cpu_seconds()
    told = await players.do("come_back", server.url, anew)
    await asyncio.sleep(1)
    used = server.cpu_seconds() - before
    return Returned(told["served"], told["closed"], 1000 * used / (SEATED_TABLES * SEATS))
