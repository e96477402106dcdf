"""A crowd of clients in a process of its own, so that it does not slow the clients that measure."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from bench import attackers
from bench.clients import Follower, run
from bench.load import Load, served
from bench.processes import BenchError

MOVES = 24
"""Moves at each table before anybody leaves."""
LOOK_SECONDS = 0.1
FLOOD_SECONDS = 8.0
HELLO = {
    "features": ("legend", "choices.parts", "pick.way", "chat.apart", "choices.prompt"),
    "facts": 40,
    "legends": (),
}
"""What the page asks to be sent."""
OF_A_TABLE = ("sync", "watch", "log", "review")
"""Commands that name a table."""
SOURCES = [f"127.0.0.{number}" for number in range(3, 9)]
"""So many addresses that each spectator gets a place."""


class Members:
    """All clients of the crowd: players, each table at an address of its own, or spectators."""

    def __init__(self) -> None:
        self._load: Load | None = None
        self._spectators: list[Follower] = []

    async def seat(self, url: str, tables: int) -> None:
        """Seat four people at each of so many tables, and play a few moves."""
        self._load = load = Load(url, HELLO, lambda at: f"127.1.{at // 200}.{1 + at % 200}")
        await load.open_tables(tables)
        load.play()
        while len(load.round_trips) < tables * MOVES:
            load.check()
            await asyncio.sleep(LOOK_SECONDS)
        load.hold()
        await asyncio.sleep(LOOK_SECONDS)

    async def leave(self) -> None:
        """Drop all connections without a word."""
        assert self._load is not None, "they were seated"
        self._load.hang_up()

    async def come_back(self, url: str, anew: bool) -> dict[str, Any]:
        """Let all players come back at once; if `anew`, like a page that is loaded again.

        Else they say what they know of their table.
        """
        assert self._load is not None, "they were seated"
        return await served(self._load.players, lambda each: each.come(url, anew=anew))

    async def watch(self, url: str, table: str, count: int) -> dict[str, Any]:
        """Let so many spectators of one table come at once, from several addresses."""
        self._spectators = [
            Follower(f"crowd-{at}", SOURCES[at % len(SOURCES)]) for at in range(count)
        ]
        return await served(self._spectators, lambda each: each.watch(url, table))

    async def flood(self, times: int, type: str) -> None:
        """Let each spectator send a command so often, and read no answer."""
        for each in self._spectators:
            if not each.closed:
                each.flood(times, type, **({"table": each.table} if type in OF_A_TABLE else {}))
        await asyncio.sleep(FLOOD_SECONDS)

    async def attack(self, url: str, ways: list[str], count: int, seconds: float) -> dict[str, int]:
        """Attack for some seconds, in these ways (`bench.attackers.WAYS`)."""
        # A stream that is cut off while it waits to write says so twice.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        return await attackers.attack(url, ways, count, seconds, attackers.SOURCE)


class Crowd:
    """The process of a crowd, which is told what to do."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    async def do(self, what: str, *arguments: object) -> Any:
        """Have it call a method of `Members`, and return the result."""
        self._pipe.send((what, arguments))
        try:
            return await asyncio.to_thread(self._pipe.recv)
        except EOFError:
            raise BenchError(f"the crowd ended at {what!r}") from None


@asynccontextmanager
async def crowd() -> AsyncIterator[Crowd]:
    """Start the process of a crowd, and end it with all its connections."""
    context = get_context("spawn")
    pipe, theirs = context.Pipe()
    process = context.Process(target=_obey, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        yield Crowd(pipe)
    finally:
        process.kill()
        process.join()


def _obey(pipe: Connection) -> None:
    run(_do_all(pipe))


async def _do_all(pipe: Connection) -> None:
    members = Members()
    while True:
        what, arguments = await asyncio.to_thread(pipe.recv)
        pipe.send(await getattr(members, what)(*arguments))
