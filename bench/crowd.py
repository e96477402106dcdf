"""Crowds of clients in a process of their own, so that they do not slow the clients that measure.

`python -m bench.crowd` reads commands from standard input, each on a line, and answers each with a
line of JSON when it is done:

    seat URL TABLES        four people sit down at each of so many tables, and play a few moves
    leave                  all connections are dropped without a word
    back URL               everybody comes back at once and says what they know of their table
    anew URL               the same, but they know nothing of it, like a page that is loaded again
    watch URL TABLE COUNT  so many spectators of one table come at once, from several addresses
    flood TIMES TYPE       each spectator sends this command so often and reads no answer
"""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from bench.clients import Message, Player, run
from bench.load import SEATS, first_action
from bench.processes import BenchError

MOVES = 24
"""Moves at each table before the connections are dropped."""
OPENING = 20
"""Tables that are opened at the same time."""
SERVED_SECONDS = 120.0
FLOOD_SECONDS = 8.0
FEATURES = ("legend", "choices.parts", "pick.way", "chat.apart", "notice.outage", "choices.prompt")
"""What the page asks to be sent."""
FACTS = 40
OF_A_TABLE = ("sync", "watch", "log", "review")
"""Commands that name a table."""
SOURCES = [f"127.0.0.{number}" for number in range(3, 9)]
"""So many addresses that each spectator gets a place."""


class Crowd:
    """The process of a crowd, which is told what to do."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def do(self, *words: object) -> dict[str, Any]:
        """Give a command and return what it answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{' '.join(map(str, words))}\n".encode())
        line = await self._process.stdout.readline()
        if not line:
            raise BenchError(f"the crowd ended at {words[0]!r}")
        told: dict[str, Any] = json.loads(line)
        return told


@asynccontextmanager
async def crowd() -> AsyncIterator[Crowd]:
    """Start the process of a crowd, and end it with all its connections."""
    words = ("-m", "bench.crowd")
    process = await create_subprocess_exec(sys.executable, *words, stdin=PIPE, stdout=PIPE)
    try:
        yield Crowd(process)
    finally:
        process.kill()
        await process.wait()


class Member(Player):
    """One client of a crowd. `closed` says why it lost its connection; `knows` is a number of an
    entry: the last that it was told of its table."""

    def __init__(self, name: str, source: str) -> None:
        super().__init__(name, source)
        self.table = ""
        self.closed = ""
        self.knows: int | None = None
        self.question: Message = {}
        self._token = ""
        self._legends: set[str] = set()
        self._shown = asyncio.Event()

    async def come(self, url: str, *, anew: bool = False) -> None:
        """Connect and say hello, with the token if there is one."""
        self._shown.clear()
        self.closed = ""
        hello: Message = {"features": FEATURES, "facts": FACTS, "legends": (*self._legends,)}
        if self._token:
            known = {} if anew or self.knows is None else {self.table: self.knows}
            hello |= {"token": self._token, "resume": known}
        self._token = (await self.enter(url, **hello))["token"]

    async def come_back(self, url: str, *, anew: bool) -> None:
        """Connect again; return when the table was shown, or the connection was closed."""
        await self._until_shown(self.come(url, anew=anew))

    async def watch(self, url: str, table: str) -> None:
        """Connect and follow a table; return when it was shown, or the connection was closed."""
        self.table = table
        await self._until_shown(self._come_and_watch(url, table))

    async def _come_and_watch(self, url: str, table: str) -> None:
        await self.enter(url)
        await self.ask("watch", table=table)

    async def _until_shown(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
            await self._shown.wait()
        except (BenchError, OSError, TimeoutError) as error:
            self.closed = self.closed or str(error) or type(error).__name__

    def heard(self, message: Message) -> None:
        """Note what is told of the table."""
        if message["type"] == "legend":
            self._legends.add(message["digest"])
        if self.table and message.get("table") == self.table:
            self.knows = message.get("seq", self.knows)
            self.question = message.get("question", self.question)
            self._shown.set()

    def lost(self) -> None:
        """Note that the server closed the connection."""
        self.closed = self.closed or "the server hung up"
        self._shown.set()


class Members:
    """All clients of the crowd: players, each table at an address of its own, or spectators."""

    def __init__(self) -> None:
        self._tables: list[list[Member]] = []
        self._spectators: list[Member] = []

    @property
    def _all(self) -> list[Member]:
        return [each for table in self._tables for each in table] + self._spectators

    async def seat(self, url: str, tables: int) -> dict[str, Any]:
        """Seat everybody, and play a few moves."""
        self._tables = [
            [Member(f"player-{at}-{seat}", _address(at)) for seat in range(SEATS)]
            for at in range(tables)
        ]
        limit = asyncio.Semaphore(OPENING)

        async def begin(players: list[Member]) -> None:
            async with limit:
                await self._begin(url, players)

        async with asyncio.TaskGroup() as tasks:
            for players in self._tables:
                tasks.create_task(begin(players))
        return {}

    async def leave(self) -> dict[str, Any]:
        """Drop all connections."""
        for each in self._all:
            each.hang_up()
        return {}

    async def come_back(self, url: str, *, anew: bool) -> dict[str, Any]:
        """Have everybody connect again; return when all have seen their table."""
        return await _served(self._all, (each.come_back(url, anew=anew) for each in self._all))

    async def watch(self, url: str, table: str, count: int) -> dict[str, Any]:
        """Have so many spectators come; return when all have seen the table."""
        at = [SOURCES[number % len(SOURCES)] for number in range(count)]
        self._spectators = [Member(f"crowd-{number}", at[number]) for number in range(count)]
        return await _served(self._all, (each.watch(url, table) for each in self._spectators))

    async def flood(self, times: int, type: str) -> dict[str, Any]:
        """Let each spectator ask for the same again and again."""
        for each in self._spectators:
            if not each.closed:
                each.flood(times, type, **({"table": each.table} if type in OF_A_TABLE else {}))
        await asyncio.sleep(FLOOD_SECONDS)
        return {}

    async def _begin(self, url: str, players: list[Member]) -> None:
        for player in players:
            await player.come(url)
        host, *others = players
        code = (await host.ask("create_table", game="black_queen", seats=SEATS))["table"]
        for player in players:
            player.table = code
        for player in others:
            await player.ask("join", table=code)
        await host.ask("start", table=code)
        for _ in range(MOVES):
            await self._move(players)

    async def _move(self, players: list[Member]) -> None:
        for player in players:
            turn = player.question.get("turn")
            if choices := player.question.get("choices"):
                player.question = {}
                action = first_action(choices)
                await player.ask("act", table=player.table, turn=turn, action=action)
                return
        await asyncio.sleep(0.01)


async def _served(
    everybody: list[Member], coming: Iterable[Coroutine[Any, Any, None]]
) -> dict[str, Any]:
    """The seconds until all had come, how many were closed instead, and why the first was."""
    began = monotonic()
    async with asyncio.timeout(SERVED_SECONDS), asyncio.TaskGroup() as tasks:
        for each in coming:
            tasks.create_task(each)
    closed = [each.closed for each in everybody if each.closed]
    return {"served": monotonic() - began, "closed": len(closed), "why": closed[:1]}


def _address(table: int) -> str:
    """An address of this machine."""
    return f"127.1.{table // 200}.{1 + table % 200}"


async def serve() -> None:
    """Do what the lines of standard input say."""
    members = Members()
    while line := await asyncio.to_thread(sys.stdin.readline):
        match line.split():
            case ["seat", url, tables]:
                told = await members.seat(url, int(tables))
            case ["leave"]:
                told = await members.leave()
            case ["back" | "anew" as word, url]:
                told = await members.come_back(url, anew=word == "anew")
            case ["watch", url, table, count]:
                told = await members.watch(url, table, int(count))
            case ["flood", times, type]:
                told = await members.flood(int(times), type)
            case _:
                raise BenchError(f"there is no command {line!r}")
        # This is a separate program; its lines are for the program that started it.
        print(json.dumps(told), flush=True)  # noqa: T201


if __name__ == "__main__":
    run(serve())
