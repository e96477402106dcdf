"""Seated players who come back all at once, as a process: `python -m bench.returning TABLES`.

It reads commands from standard input, each on a line, and answers each with a line of JSON:

    open URL     four people sit down at each table, and a match begins
    leave        all connections are dropped, without a word
    back URL     everybody comes back at once and says what they know of their table
    anew URL     the same, but they know nothing of it, like a page that is loaded again
"""

import argparse
import asyncio
import json
import sys
from time import monotonic
from typing import Any, TypeAlias

import msgpack

from bench.connection import Connection, connect, run
from bench.processes import BenchError
from protocol.version import MSGPACK, VERSION

Message: TypeAlias = dict[str, Any]

SEATS = 4
MOVES = 24
"""Moves at each table before the connections are dropped."""
OPENING = 20
"""Tables that are opened at the same time."""
SERVED_SECONDS = 120.0
FEATURES = ("legend", "choices.parts", "pick.way", "chat.apart", "notice.outage", "choices.prompt")
"""What the page asks to be sent."""
FACTS = 40


class Player:
    """One client. `knows` is the last entry of its table that it was told of; `closed` why not."""

    def __init__(self, name: str, source: str) -> None:
        self.table = ""
        self.knows: int | None = None
        self.closed = ""
        self._name = name
        self._source = source
        self._token = ""
        self._legends: set[str] = set()
        self._last_id = 0
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._shown = asyncio.Event()
        self.asked: Message = {}
        """The last question at its table."""
        self._connection: Connection | None = None

    async def come(self, url: str, resume: dict[str, int]) -> None:
        """Connect and say hello, with the token if there is one."""
        self._shown.clear()
        self.closed = ""
        self._connection = await connect(url, self._receive, MSGPACK, self._source, SERVED_SECONDS)
        self._connection.lost = self._lost
        hello: Message = {"version": VERSION, "client": self._name, "name": self._name}
        hello |= {"features": FEATURES, "facts": FACTS, "legends": (*self._legends,)}
        if self._token:
            hello |= {"token": self._token, "resume": resume}
        self._token = (await self.ask("hello", **hello))["token"]

    async def come_back(self, url: str, *, anew: bool) -> None:
        """Connect again; returns when the table was shown, or the connection was closed."""
        known = {} if anew or self.knows is None else {self.table: self.knows}
        try:
            await self.come(url, known)
            await self._shown.wait()
        except (BenchError, OSError, TimeoutError) as error:
            self.closed = self.closed or str(error) or type(error).__name__

    async def ask(self, type: str, **fields: Any) -> Message:
        """The answer to a command; `BenchError` if it is a refusal or does not come."""
        assert self._connection is not None
        self._last_id += 1
        number = self._last_id
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        self._connection.send(msgpack.packb({"type": type, "id": number, **fields}))
        answer: Message = await future
        if answer["type"] == "error":
            raise BenchError(f"{type} was refused: {answer['code']}: {answer['reason']}")
        return answer

    def drop(self) -> None:
        """Drop the connection."""
        if self._connection is not None:
            self._connection.close()

    def _receive(self, frame: bytes) -> None:
        for message in msgpack.unpackb(frame):
            if message["type"] == "legend":
                self._legends.add(message["digest"])
            elif message.get("id") in self._answers:
                self._answers.pop(message["id"]).set_result(message)
            if self.table and message.get("table") == self.table:
                self.knows = message.get("seq", self.knows)
                self.asked = message.get("question", self.asked)
                self._shown.set()

    def _lost(self) -> None:
        self.closed = self.closed or "the server hung up"
        self._shown.set()
        for future in self._answers.values():
            if not future.done():
                future.set_exception(BenchError(self.closed))


class Players:
    """Everybody at so many tables, each table at an address of its own."""

    def __init__(self, tables: int) -> None:
        self._tables = [
            [Player(f"player-{at}-{seat}", _source(at)) for seat in range(SEATS)]
            for at in range(tables)
        ]
        self._all = [player for table in self._tables for player in table]

    async def open(self, url: str) -> dict[str, float]:
        """Seat everybody, and play a few moves."""
        limit = asyncio.Semaphore(OPENING)

        async def begin(players: list[Player]) -> None:
            async with limit:
                await self._begin(url, players)

        async with asyncio.TaskGroup() as tasks:
            for players in self._tables:
                tasks.create_task(begin(players))
        return {"players": len(self._all)}

    async def leave(self) -> dict[str, float]:
        """Drop all connections."""
        for player in self._all:
            player.drop()
        return {"players": len(self._all)}

    async def come_back(self, url: str, *, anew: bool) -> dict[str, Any]:
        """The seconds until each has seen their table, and how many were closed before."""
        began = monotonic()
        async with asyncio.timeout(SERVED_SECONDS), asyncio.TaskGroup() as tasks:
            for player in self._all:
                tasks.create_task(player.come_back(url, anew=anew))
        closed = [player.closed for player in self._all if player.closed]
        return {"served": monotonic() - began, "closed": len(closed), "why": closed[:1]}

    async def _begin(self, url: str, players: list[Player]) -> None:
        for player in players:
            await player.come(url, {})
        host, *others = players
        code = (await host.ask("create_table", game="black_queen", seats=SEATS))["table"]
        for player in players:
            player.table = code
        for player in others:
            await player.ask("join", table=code)
        await host.ask("start", table=code)
        for _ in range(MOVES):
            await self._move(players)

    async def _move(self, players: list[Player]) -> None:
        for player in players:
            question = player.asked
            if choices := question.get("choices"):
                player.asked = {}
                await player.ask(
                    "act",
                    table=player.table,
                    turn=question["turn"],
                    action=choices["actions"][0],
                )
                return
        await asyncio.sleep(0.01)


def _source(table: int) -> str:
    """An address of this machine."""
    return f"127.1.{table // 200}.{1 + table % 200}"


async def serve(tables: int) -> None:
    """Do what the lines of standard input say."""
    players = Players(tables)
    while line := await asyncio.to_thread(sys.stdin.readline):
        word, _, url = line.strip().partition(" ")
        match word:
            case "open":
                told = await players.open(url)
            case "leave":
                told = await players.leave()
            case "back" | "anew":
                told = await players.come_back(url, anew=word == "anew")
            case _:
                raise BenchError(f"there is no command {word!r}")
        # This is a separate program; its lines are for the program that started it.
        print(json.dumps(told), flush=True)  # noqa: T201


def main() -> None:
    """Have the players of the command line wait for what they are to do."""
    parser = argparse.ArgumentParser(prog="python -m bench.returning")
    parser.add_argument("tables", type=int)
    run(serve(parser.parse_args().tables))


if __name__ == "__main__":
    main()
