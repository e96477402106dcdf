"""What connections cost that are silent, and players who come back all at once.

A thousand connections ask for a sign of life as often as clients do whose table is in play, who
notice a silent server by it: programs by a ping of WebSocket, the page by a command, as browsers
let it send nothing else.

Two thousand seated players come back: first their connections are dropped, as by a proxy that
restarts; then once more, and they know nothing of their tables, as after pages were loaded again;
then the server is restarted as well, so it has to load every table.
"""

import asyncio
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.clients import Player, run
from bench.crowd import Crowd, crowd
from bench.figures import Figure, at_most
from bench.load import SEATS
from bench.processes import UNLIMITED, Listener, allow_many_sockets, serving
from bench.services import free_ports
from protocol.dial import PATIENT

CONNECTIONS = 1000
SECONDS = 20.0
"""The period after which the server itself asks a silent connection for a sign of life."""
BEAT_SECONDS = 0.05
MOST = 10.0
"""Milliseconds of the server for a connection and minute: a core has 6,000 of them then."""

TABLES = 500
SERVED_SECONDS = 30.0
NOTICE_SECONDS = 2.0
"""The server has noticed after this that connections are gone."""
FLAGS = (
    "--turn-seconds",
    "0",
    "--max-connections-per-address",
    "0",
    "--max-tables-per-address",
    "0",
)


def measure_idle() -> Iterator[Figure]:
    """The server's processor time for a connection and minute, by what its client sends."""
    allow_many_sockets()
    with serving(*UNLIMITED) as server:
        calm, silent, pings, commands = run(_drive_idle(server))
    unit = "ms/minute"
    yield Figure("idle.silent", silent - calm, unit, at_most(MOST))
    yield Figure("idle.pings", pings - calm, unit, at_most(MOST))
    yield Figure("idle.commands", commands - calm, unit, at_most(MOST))


async def _drive_idle(server: Listener) -> list[float]:
    used = [await _used(server)]
    players = [Player(f"idle-{number}") for number in range(CONNECTIONS)]
    for player in players:
        await player.enter(server.url)
    ways: list[Callable[[Player], object]] = [
        lambda player: None,
        lambda player: player.ping(),
        lambda player: player.send("ping"),
    ]
    for way in ways:
        async with asyncio.TaskGroup() as tasks:
            speaking = tasks.create_task(_speak(players, way))
            # What was said before is over.
            await asyncio.sleep(BEAT_SECONDS)
            used.append(await _used(server))
            speaking.cancel()
    for player in players:
        player.hang_up()
    return used


async def _used(server: Listener) -> float:
    """Milliseconds of the server's processor time for each of the connections in a minute."""
    before = server.cpu_seconds()
    await asyncio.sleep(SECONDS)
    return 1000 * (server.cpu_seconds() - before) * 60 / SECONDS / CONNECTIONS


async def _speak(players: list[Player], way: Callable[[Player], object]) -> None:
    """Have each speak as often as a client whose table is in play, spread over the time."""
    beats = round(PATIENT.table / BEAT_SECONDS)
    while True:
        for beat in range(beats):
            for player in players[beat::beats]:
                way(player)
            await asyncio.sleep(BEAT_SECONDS)


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
    unit = f"s for {TABLES * SEATS:,}"
    for name, seen in returned.items():
        yield Figure(f"returning.{name}.served", seen.served, unit, at_most(SERVED_SECONDS))
        yield Figure(f"returning.{name}.cut", seen.cut, "players", at_most(0))
        yield Figure(f"returning.{name}.time", seen.time, "ms/player")


async def _drive_returning(data: str) -> dict[str, Returned]:
    # The server has the same address after its restart.
    flags = (*FLAGS, "--port", str(*free_ports(1)))
    async with crowd() as players:
        with serving(*flags, data=data) as server:
            await players.do("seat", server.url, TABLES)
            returned = {word: await _return(players, server, word) for word in ("back", "anew")}
            await players.do("leave")
        with serving(*flags, data=data) as server:
            returned["restart"] = await _return(players, server, "back")
    return returned


async def _return(players: Crowd, server: Listener, word: str) -> Returned:
    await players.do("leave")
    await asyncio.sleep(NOTICE_SECONDS)
    before = server.cpu_seconds()
    told = await players.do(word, server.url)
    await asyncio.sleep(1)
    used = server.cpu_seconds() - before
    return Returned(told["served"], told["closed"], 1000 * used / (TABLES * SEATS))
