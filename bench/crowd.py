"""Many spectators of one table, as a process: `python -m bench.crowd URL TABLE COUNT`.

All connect at the same time. When each has been shown the table, a line of JSON says how long that
took. After a line on standard input each asks for the table again, `--syncs` times in a row, and
reads the server's answers for `--seconds` seconds; a second line reports them.
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


class Spectator:
    """Counts the frames it is sent."""

    def __init__(self, name: str) -> None:
        self.frames = 0
        self.bytes = 0
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

    def sync(self, table: str, count: int) -> None:
        """Ask for the table `count` times."""
        if self.closed:
            return
        for number in range(count):
            self._send(type="sync", id=3 + number, table=table)

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
        self.frames += 1
        self.bytes += len(frame)
        self._heard.set()

    def _lost(self) -> None:
        self.closed = True
        self._heard.set()


async def crowd(url: str, table: str, count: int, syncs: int, seconds: float, source: str) -> None:
    """Have `count` spectators come and then ask `syncs` times each; print both results."""
    spectators = [Spectator(f"crowd-{number}") for number in range(count)]
    began = monotonic()
    async with asyncio.timeout(SERVED_SECONDS), asyncio.TaskGroup() as tasks:
        for spectator in spectators:
            tasks.create_task(spectator.watch(url, table, source))
    _tell(served=monotonic() - began, closed=sum(spectator.closed for spectator in spectators))
    if syncs:
        await asyncio.to_thread(sys.stdin.readline)
        before = sum(spectator.frames for spectator in spectators)
        for spectator in spectators:
            spectator.sync(table, syncs)
        await asyncio.sleep(seconds)
        _tell(
            frames=sum(spectator.frames for spectator in spectators) - before,
            closed=sum(spectator.closed for spectator in spectators),
        )
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
    parser.add_argument("--syncs", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--source", default="127.0.0.3", help="address they come from")
    given = parser.parse_args()
    run(crowd(given.url, given.table, given.count, given.syncs, given.seconds, given.source))


if __name__ == "__main__":
    main()
