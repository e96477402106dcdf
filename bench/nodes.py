"""Nodes of one database that can be killed, a proxy before them, and real clients at tables."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from time import perf_counter

from bench.load import GAME, SEATS
from bench.processes import UNLIMITED, BenchError, Listener, free_ports, serving
from protocol.client_events import TableEvent, TableSnapshot, TableUnchanged
from protocol.connection import Client, connect
from protocol.errors import NOT_NOW, ProtocolError
from protocol.node_connection import NodeConnection
from protocol.to_server import Act, CreateTable, Join, Start, ToServer, Watch


@contextmanager
def serving_database(database: str, *flags: str) -> Iterator[Listener]:
    """Run a server with the PostgreSQL database at this URL."""
    there = database.replace("postgresql:", "postgresql+psycopg:")
    with serving(*UNLIMITED, "--plain-bots", "--database-url", there, *flags) as server:
        yield server


class Nodes:
    """So many nodes of one database, each at a port of its own; `words` are their further flags."""

    def __init__(self, database: str, count: int, *words: str) -> None:
        self.database = database
        self.ports = dict(zip("abcdefgh", free_ports(count), strict=False))
        self._words = words
        self._running: dict[str, tuple[ExitStack, Listener]] = {}

    def begin(self, name: str) -> None:
        """Begin a node; returns when it listens."""
        port = self.ports[name]
        at = ("--node-url", f"ws://127.0.0.1:{port}/n/{name}/", "--port", str(port))
        stack = ExitStack()
        server = stack.enter_context(serving_database(self.database, *at, *self._words))
        self._running[name] = stack, server

    def is_running(self, name: str) -> bool:
        """Whether a node was begun and not ended since, though it may have been killed."""
        return name in self._running

    def freeze(self, name: str) -> None:
        """Stop a node as it is: its sockets stay open, and nothing comes of what they are sent."""
        os.kill(self._running[name][1].pid, signal.SIGSTOP)

    def kill(self, name: str) -> None:
        """End a node without a chance to say anything."""
        os.kill(self._running[name][1].pid, signal.SIGKILL)

    def end(self, name: str) -> None:
        """End a node, which gives its tables to the others if it still lives."""
        self._running.pop(name)[0].close()

    def end_all(self) -> None:
        """End all nodes, none of which needs to be kind to the others any more."""
        for name in self._running:
            self.kill(name)
        for name in (*self._running,):
            self.end(name)

    def owners(self) -> dict[str, str]:
        """The node of each table, by the table's code, as the database says."""
        import psycopg

        with psycopg.connect(self.database) as connection:
            rows = connection.execute(
                "SELECT code, name FROM tables JOIN nodes ON name = owner AND epoch = owner_epoch"
            ).fetchall()
        return dict(rows)


HEALTH_SECONDS = 1.0
HEALTH_TIMEOUT_SECONDS = 3.0
REQUEST = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
PIECE = 65_536


class Entry:
    """Carries connections to the nodes at `ports`, each to the one that has fewest of them."""

    def __init__(self, ports: Iterable[int]) -> None:
        self.url = ""
        self.ports = (*ports,)
        self._ready = set(self.ports)
        self._carried: Counter[int] = Counter()

    async def look_after(self, port: int) -> None:
        """Ask a node again and again whether it is ready."""
        while True:
            try:
                async with asyncio.timeout(HEALTH_TIMEOUT_SECONDS):
                    is_ready = await _is_ready(port)
            except (OSError, TimeoutError):
                is_ready = False
            (self._ready.add if is_ready else self._ready.discard)(port)
            await asyncio.sleep(HEALTH_SECONDS)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a connection until either side ends it."""
        for port in sorted(self._ready, key=self._carried.__getitem__):
            try:
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
            self._carried[port] += 1
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(_carry(reader, far_writer))
                    tasks.create_task(_carry(far_reader, writer))
            finally:
                self._carried[port] -= 1
            return
        writer.transport.abort()


@asynccontextmanager
async def entry(ports: Iterable[int]) -> AsyncIterator[Entry]:
    """A proxy before the nodes at these ports."""
    proxy = Entry(ports)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", backlog=2048)
    async with server, asyncio.TaskGroup() as tasks:
        proxy.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        looks = [tasks.create_task(proxy.look_after(port)) for port in proxy.ports]
        try:
            yield proxy
        finally:
            for look in looks:
                look.cancel()


async def _is_ready(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(REQUEST)
        return b" 200 " in await reader.readline()
    finally:
        writer.transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(PIECE):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


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
