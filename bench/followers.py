"""Real clients at tables of whole nodes: when each sees its table again, and what that took."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from time import perf_counter

from bench.load import GAME, SEATS
from bench.processes import BenchError
from protocol.client_events import TableEvent, TableSnapshot, TableUnchanged
from protocol.connection import Client, connect
from protocol.errors import NOT_NOW, ProtocolError
from protocol.node_connection import NodeConnection
from protocol.to_server import Act, CreateTable, Join, Start, ToServer, Watch

BACK_SECONDS = 60.0
LOOK_SECONDS = 0.02
OPENING = 10
"""Tables that are opened at the same time."""


class Follower:
    """A client at one table. `hellos` counts since `mark`, and `back` is when it saw its table."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.table = ""
        self.hellos = 0
        self.back: float | None = None
        said = client.session.connected

        def connected(at: NodeConnection | None = None) -> list[ToServer]:
            self.hellos += 1
            return said(at)

        client.session.connected = connected  # type: ignore[method-assign] # to count hellos

    def mark(self) -> None:
        """Begin to count anew."""
        self.hellos, self.back = 0, None

    async def hear(self) -> None:
        """Note when the table shows itself."""
        async for event in self.client.events():
            if self.back is None and isinstance(event, TableSnapshot | TableEvent | TableUnchanged):
                self.back = perf_counter()

    async def move(self) -> float | None:
        """Make a move if this client is asked for one; the seconds until it was acknowledged."""
        mirror = self.client.tables.get(self.table)
        if mirror is None or not mirror.choices.actions:
            return None
        turn, action, sent = mirror.question.turn, mirror.choices.actions[0], perf_counter()
        try:
            await self.client.ask(Act, table=self.table, turn=turn, action=action)
        except ProtocolError as error:
            if error.code not in NOT_NOW:
                raise
            return None
        return perf_counter() - sent


class Followers:
    """Tables with four players each, and so many who watch, all of whom come in by `url`."""

    def __init__(
        self, url: str, watching: int, stack: AsyncExitStack, tasks: asyncio.TaskGroup
    ) -> None:
        self.tables: dict[str, list[Follower]] = {}
        self._url = url
        self._watching = watching
        self._stack = stack
        self._tasks = tasks

    @property
    def all(self) -> list[Follower]:
        """Everybody."""
        return [each for table in self.tables.values() for each in table]

    async def open(self, tables: int) -> None:
        """Begin matches at so many more tables."""
        limit = asyncio.Semaphore(OPENING)

        async def begin(number: int) -> None:
            async with limit:
                await self._open(number)

        async with asyncio.TaskGroup() as tasks:
            for number in range(len(self.tables), len(self.tables) + tables):
                tasks.create_task(begin(number))

    async def _open(self, number: int) -> None:
        names = [f"follower-{number}-{at}" for at in range(SEATS + self._watching)]
        host, *others = followers = [await self._enter(name) for name in names]
        opened = await host.client.ask(CreateTable, **GAME)
        assert opened.table is not None
        for at, each in enumerate(others, start=1):
            await each.client.ask(Join if at < SEATS else Watch, table=opened.table)
        await host.client.ask(Start, table=opened.table)
        for each in followers:
            each.table = opened.table
        self.tables[opened.table] = followers

    async def _enter(self, name: str) -> Follower:
        client = await self._stack.enter_async_context(connect(self._url, name=name))
        follower = Follower(client)
        self._tasks.create_task(follower.hear())
        return follower

    def mark(self) -> None:
        """Begin to count anew."""
        for each in self.all:
            each.mark()

    async def all_back(self, codes: Sequence[str], since: float) -> list[float]:
        """The seconds after which everybody at each of these tables had seen it again."""
        until = perf_counter() + BACK_SECONDS
        while True:
            waiting = [c for c in codes if any(each.back is None for each in self.tables[c])]
            if not waiting:
                return [max(each.back or 0.0 for each in self.tables[c]) - since for c in codes]
            if perf_counter() > until:
                raise BenchError(f"{len(waiting)} tables of a dead node stand still: {waiting[:5]}")
            await asyncio.sleep(LOOK_SECONDS)

    async def play(self, code: str, took: dict[str, list[float]]) -> None:
        """Make move after move at a table; `took` gets the time of each."""
        while True:
            for each in self.tables[code][:SEATS]:
                seconds = await each.move()
                if seconds is not None:
                    took[code].append(seconds)
            await asyncio.sleep(LOOK_SECONDS)


@asynccontextmanager
async def followers(url: str, watching: int) -> AsyncIterator[Followers]:
    """Nobody yet; all hang up at the end."""
    async with asyncio.TaskGroup() as tasks, AsyncExitStack() as stack:
        yield Followers(url, watching, stack, tasks)
