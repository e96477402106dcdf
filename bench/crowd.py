"""Many spectators of one table, as a process: `python -m bench.crowd URL TABLE COUNT`.

All connect at the same time. When each has been shown the table, a line of JSON says how long that
took. After a line on standard input each asks `--times` in a row for what `--ask` names, and reads
nothing of the answers; after `--seconds` a second line says how many were cut off.
"""

import argparse
import asyncio
import json
import sys
from time import monotonic
from typing import Any

import msgpack

from bench.connection import Connection, connect, run
from protocol.version import MSGPACK, VERSION

SERVED_SECONDS = 120.0
OF_A_TABLE = ("sync", "watch", "log", "review")
SOURCES = [f"127.0.0.{number}" for number in range(3, 9)]
"""So many addresses that each has its share of the places."""


class Spectator:
    """Follows one table."""

    def __init__(self, name: str) -> None:
        self.closed = False
        self._name = name
        self._heard = asyncio.Event()
        self._connection: Connection

    async def watch(self, url: str, table: str, source: str | None) -> None:
        """Connect and follow the table; returns when it was shown."""
        self._connection = await connect(url, self._receive, MSGPACK, source)
        self._connection.lost = self._lost
        await self._ask(type="hello", id=1, version=VERSION, client=self._name, name=self._name)
        await self._ask(type="watch", id=2, table=table)

    def ask_often(self, type: str, table: str, count: int) -> None:
        """Send a command `count` times, and read nothing of what comes."""
        if self.closed:
            return
        self._connection.go_deaf()
        fields = {"table": table} if type in OF_A_TABLE else {}
        asked = ({"type": type, "id": 3 + number, **fields} for number in range(count))
        self._connection.send(*map(msgpack.packb, asked))

    def hang_up(self) -> None:
        """Close the connection, if the server has not."""
        if not self.closed:
            self._connection.close()

    def _send(self, **fields: Any) -> None:
        self._connection.send(msgpack.packb(fields))

    async def _ask(self, **fields: Any) -> None:
        self._heard.clear()
        self._send(**fields)
        await self._heard.wait()

    def _receive(self, frame: bytes) -> None:
        self._heard.set()

    def _lost(self) -> None:
        self.closed = True
        self._heard.set()


async def crowd(
    url: str, table: str, count: int, ask: str, times: int, seconds: float, sources: list[str]
) -> None:
    """Have `count` spectators come and then send `ask` so many `times` each; print both results."""
    spectators = [Spectator(f"crowd-{number}") for number in range(count)]
    began = monotonic()
    async with asyncio.timeout(SERVED_SECONDS), asyncio.TaskGroup() as tasks:
        for number, spectator in enumerate(spectators):
            tasks.create_task(spectator.watch(url, table, sources[number % len(sources)]))
    _tell(served=monotonic() - began, closed=sum(spectator.closed for spectator in spectators))
    if times:
        await asyncio.to_thread(sys.stdin.readline)
        for spectator in spectators:
            spectator.ask_often(ask, table, times)
        await asyncio.sleep(seconds)
        _tell(closed=sum(spectator.closed for spectator in spectators))
    for spectator in spectators:
        spectator.hang_up()


def _tell(**fields: float) -> None:
    # This is a separate program; its lines are for the program that started it.
    print(json.dumps(fields), flush=True)  # noqa: T201


def main() -> None:
    """Run the crowd that the command line describes."""
    parser = argparse.ArgumentParser(prog="python -m bench.crowd")
    parser.add_argument("url")
    parser.add_argument("table")
    parser.add_argument("count", type=int)
    parser.add_argument("--ask", default="sync")
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--source", nargs="+", default=SOURCES)
    given = parser.parse_args()
    asked = (given.ask, given.times, given.seconds)
    run(crowd(given.url, given.table, given.count, *asked, given.source))


if __name__ == "__main__":
    main()
