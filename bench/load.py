"""Scripted tables: four clients at each, which play the first choice they are offered.

How fast they answer can be changed while they play: not at all, at once, or at a steady pace.
"""

import asyncio
from collections.abc import Callable
from math import ceil
from time import perf_counter
from typing import Any, TypeAlias

import msgpack

from bench.connection import Connection, connect
from bench.processes import BenchError
from protocol.version import MSGPACK, VERSION

Message: TypeAlias = dict[str, Any]
"""A message as msgpack decodes it: parsing it into models would cost more than the server."""

SEATS = 4
ANSWER_SECONDS = 20.0
# The longest possible match, so that no table ends during the measurement.
GAME = {"game": "black_queen", "seats": SEATS, "options": {"deals": 100}}


def next_slot(now: float, interval: float, share: float) -> float:
    """A table's next time: once per `interval`, shifted by `share` of an interval.

    Different shares spread the tables over the interval, like real players.
    """
    offset = interval * share
    return offset + ceil((now - offset) / interval) * interval


class Load:
    """All scripted tables of one server; their players come in at each of its addresses in turn."""

    def __init__(self, *urls: str) -> None:
        self.urls = urls
        self.round_trips: list[float] = []
        """Seconds from sending a move to reading its `ok`, since the list was last emptied."""
        self.moved: Callable[[int], None] = lambda table: None
        """Called with the number of a table, from 0 on, when a move there is acknowledged."""
        self._interval: float | None = None
        self._tables = 0
        self._players: list[Player] = []
        self._parked: list[tuple[int, Callable[[], None]]] = []
        self._faults: list[str] = []
        self._loop = asyncio.get_running_loop()

    @property
    def table(self) -> str:
        """The code of one of the tables."""
        return self._players[0].table

    async def open_tables(self, count: int) -> None:
        """Seat four clients at each of `count` more tables and start their matches."""
        for _ in range(count):
            table, self._tables = self._tables, self._tables + 1
            host, *others = [await self._enter(table) for _ in range(SEATS)]
            code = (await host.ask("create_table", **GAME))["table"]
            for other in others:
                await other.ask("join", table=code)
            for player in (host, *others):
                player.table = code
            await host.ask("start", table=code)

    async def leave(self) -> None:
        """Everybody leaves the table, which closes it, and hangs up."""
        for player in self._players:
            await player.ask("leave", table=player.table)
        self.hang_up()

    def hang_up(self) -> None:
        """Close all connections and forget their players."""
        for player in self._players:
            player.hang_up()
        self._players.clear()

    def hold(self) -> None:
        """Stop answering questions; wait until moves under way are answered."""
        self._interval = None

    def play(self, interval: float = 0) -> None:
        """Answer one question per table every `interval` seconds; 0: each at once."""
        self._interval = interval
        parked, self._parked = self._parked, []
        for table, act in parked:
            self.schedule(table, act)

    def schedule(self, table: int, act: Callable[[], None]) -> None:
        """Let a player who is asked act at the next time of their table."""
        if self._interval is None:
            self._parked.append((table, act))
        elif self._interval == 0:
            act()
        else:
            share = table / self._tables
            self._loop.call_at(next_slot(self._loop.time(), self._interval, share), act)

    def fault(self, words: str) -> None:
        """Note what went wrong, for `check`."""
        self._faults.append(words)

    def check(self) -> None:
        """`BenchError` if any command was refused or a connection was lost."""
        if self._faults:
            raise BenchError(f"{len(self._faults)} faults under load, first: {self._faults[0]}")

    async def _enter(self, table: int) -> "Player":
        player = Player(self, table)
        url = self.urls[len(self._players) % len(self.urls)]
        self._players.append(player)
        await player.connect(url, f"load-{len(self._players)}")
        return player


class Player:
    """One scripted client with its connection and its seat."""

    def __init__(self, load: Load, number: int) -> None:
        self.table = ""
        self._load = load
        self._number = number
        self._last_id = 0
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._move = 0
        self._sent = 0.0
        self._turn = -1

    async def connect(self, url: str, name: str) -> None:
        """Connect and say hello under `name`."""
        self._connection: Connection = await connect(url, self._receive, MSGPACK)
        self._connection.lost = lambda: self._load.fault("a connection was lost")
        await self.ask("hello", version=VERSION, client=name, name=name)

    async def ask(self, type: str, **fields: Any) -> Message:
        """The answer to a command; `BenchError` if it is a refusal or does not come."""
        number = self._send(type, **fields)
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(ANSWER_SECONDS):
            answer: Message = await future
        if answer["type"] == "error":
            raise BenchError(f"{type} was refused: {answer['code']}: {answer['reason']}")
        return answer

    def hang_up(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _send(self, type: str, **fields: Any) -> int:
        self._last_id += 1
        self._connection.send(msgpack.packb({"type": type, "id": self._last_id, **fields}))
        return self._last_id

    def _receive(self, frame: bytes) -> None:
        now = perf_counter()
        for message in msgpack.unpackb(frame):
            kind = message["type"]
            if kind in ("event", "table"):
                question = message.get("question")
                if question is not None and "choices" in question:
                    self._asked(question)
            elif kind == "ok" and message["id"] == self._move:
                self._load.round_trips.append(now - self._sent)
                self._load.moved(self._number)
            elif message.get("id") in self._answers:
                self._answers.pop(message["id"]).set_result(message)
            elif kind == "error":
                self._load.fault(f"{message['code']}: {message['reason']}")

    def _asked(self, question: Message) -> None:
        # A snapshot may repeat a question that has an answer under way.
        if question["turn"] == self._turn:
            return
        self._turn = question["turn"]
        action = question["choices"]["actions"][0]
        self._load.schedule(self._number, lambda: self._act(action))

    def _act(self, action: str) -> None:
        self._sent = perf_counter()
        self._move = self._send("act", table=self.table, turn=self._turn, action=action)
