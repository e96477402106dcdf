"""What a flood of hints costs others: rounds of a table while somebody asks for hint after hint.

A round is a move of the only person at a table, and the bots' moves until that person is asked
again. The flood is one connection, whose messages are not limited here. It sits at several tables
of other described games, each of which needs a bot process, and asks for hints without waiting for
them. Whenever it is asked it moves, so that there is something new to compute. The bots at its
tables need no process.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, TypeAlias

import msgpack

from bench.connection import Connection, connect, run
from bench.figures import Figure, at_most
from bench.processes import BenchError, Listener, listening, wait_for_bots
from engine.recycle import games as included
from protocol.version import MSGPACK, VERSION

PHASE_SECONDS = 20.0
RECOVERY_SECONDS = 10.0
SETTLED_ROUNDS = 5
"""Rounds before anything is measured: processes are started and games made."""
FIVE = 5
ROUND_SECONDS = 60.0
HINTS_PER_SECOND = 40.0
THINKING_SECONDS = 0.2
"""Seconds after which the flood makes its moves."""
SLOWER = 2.5
"""How much slower other tables may become; a hint occupies a processor while it is computed."""
RECOVERED_SECONDS = 2.0

PLAYED = ("Agram2.rcy", "black_queen")
FLOODED = ("Hearts4.rcy", "Whist4.rcy", "Klaverjassen4.rcy")
STRENGTH = 2
FLAGS = ("--port", "0", "--bot-delay", "0", "--log-format", "json", "--warm-bots")
UNLIMITED = ("--messages-per-second", "1000000", "--message-burst", "1000000")
"""The price of a hint would end the flood at once; this measures the work that hints cause."""

Message: TypeAlias = dict[str, Any]
"""As msgpack holds it."""


def measure() -> Iterator[Figure]:
    """For each game a calm round, how much slower one is in the flood, and the time to recover."""
    program = str(Path(sys.executable).with_name("blackqueen"))
    games = str(Path(included.__file__).parent)
    with (
        TemporaryDirectory(prefix="blackqueen-bench-") as data,
        listening(
            [program, "serve", "--data", data, "--games", games, *FLAGS, *UNLIMITED]
        ) as server,
    ):
        wait_for_bots(server)
        measured = run(_drive(server))
    for game, (calm, flooded, recovery) in measured.items():
        name = f"hints.{game.partition('.')[0].lower()}"
        yield Figure(f"{name}.calm", 1000 * calm, "ms a round")
        yield Figure(f"{name}.slower", flooded / calm, "times", at_most(SLOWER))
        yield Figure(f"{name}.recovery", recovery, "s", at_most(RECOVERED_SECONDS))


async def _drive(server: Listener) -> dict[str, tuple[float, float, float]]:
    """For each game: a calm round, a round during the flood, and the seconds to recover."""
    async with asyncio.TaskGroup() as tasks:
        players = {game: await _rounds(server, game, tasks) for game in PLAYED}
        for player in players.values():
            await player.settle()
        begin = perf_counter()
        await asyncio.sleep(PHASE_SECONDS)
        flood = await _flood(server, tasks)
        begun = perf_counter()
        await asyncio.sleep(PHASE_SECONDS)
        flood.cancel()
        ended = perf_counter()
        await asyncio.sleep(RECOVERY_SECONDS)
        for player in players.values():
            player.close()
    measured = {}
    for game, player in players.items():
        calm, flooded = (
            median(player.between(*stretch)) for stretch in ((begin, begun), (begun, ended))
        )
        measured[game] = calm, flooded, recovery(player.rounds, ended, calm)
    return measured


def recovery(rounds: list[tuple[float, float]], ended: float, calm: float) -> float:
    """Seconds from the end of the flood until rounds take no more than twice as long as calm ones.

    Uses the median of five in a row, because a single round may be slow at any time. `rounds` has
    the end and the seconds of each.
    """
    after = [each for each in rounds if each[0] > ended]
    for first in range(len(after) - FIVE + 1):
        five = after[first : first + FIVE]
        if median(seconds for _, seconds in five) <= 2 * calm:
            return max(0.0, five[0][0] - five[0][1] - ended)
    return RECOVERY_SECONDS


class Person:
    """One connection that sits at tables with bots and moves by `move` whenever it is asked."""

    def __init__(self, name: str) -> None:
        self.asked: Callable[[str, Message], None] = lambda table, question: None
        self.over: Callable[[str], None] = lambda table: None
        self.closed = False
        self._name = name
        self._last_id = 0
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._turns: dict[str, int] = {}

    async def connect(self, server: Listener) -> None:
        """Connect and say hello."""
        self._connection: Connection = await connect(server.url, self._receive, MSGPACK)
        self._connection.lost = self._lost
        await self.ask("hello", version=VERSION, client=self._name, name=self._name)

    async def open(self, game: str, strength: int) -> str:
        """A table of a game whose match has begun, with bots at all other seats; its code."""
        table: str = (await self.ask("create_table", game=game))["table"]
        await self.ask("start", table=table, fill=strength)
        return table

    async def ask(self, type: str, **fields: Any) -> Message:
        """The answer to a command; `BenchError` if it is refused."""
        answer = self._answers[self._last_id + 1] = asyncio.get_running_loop().create_future()
        self.send(type, **fields)
        async with asyncio.timeout(ROUND_SECONDS):
            message: Message = await answer
        if message["type"] == "error":
            raise BenchError(f"{type} was refused: {message['code']}: {message['reason']}")
        return message

    def send(self, type: str, **fields: Any) -> None:
        """Send a command without waiting for its answer."""
        self._last_id += 1
        self._connection.send(msgpack.packb({"type": type, "id": self._last_id, **fields}))

    def act(self, table: str, question: Message) -> None:
        """Play the first choice of a question, unless the connection is closed."""
        if self.closed:
            return
        action = question["choices"]["actions"][0]
        self.send("act", table=table, turn=question["turn"], action=action)

    def close(self) -> None:
        """Close the connection."""
        self.closed = True
        self._connection.close()

    def _lost(self) -> None:
        self.closed = True

    def _receive(self, frame: bytes) -> None:
        for message in msgpack.unpackb(frame):
            if message.get("id") in self._answers:
                self._answers.pop(message["id"]).set_result(message)
            if message.get("info", {}).get("phase") == "finished" and message["type"] == "event":
                self.over(message["table"])
            question = message.get("question")
            if question is None or not question.get("choices", {}).get("actions"):
                continue
            if question["turn"] > self._turns.get(message["table"], -1):
                self._turns[message["table"]] = question["turn"]
                self.asked(message["table"], question)


class Rounds:
    """A person who plays at one table after the other; `rounds` has the end and seconds of each."""

    def __init__(self, person: Person, game: str, tasks: asyncio.TaskGroup) -> None:
        self.rounds: list[tuple[float, float]] = []
        self._person = person
        self._game = game
        self._moved = 0.0
        self._settled = asyncio.Event()
        self._tasks = tasks
        person.asked = self._asked
        person.over = self._over

    def close(self) -> None:
        """Close the connection of the person who plays."""
        self._person.close()

    async def settle(self) -> None:
        """Wait until `SETTLED_ROUNDS` rounds are played."""
        async with asyncio.timeout(ROUND_SECONDS):
            await self._settled.wait()

    def between(self, begin: float, end: float) -> list[float]:
        """Seconds of the rounds that ended in a period, and of the round under way at its end."""
        rounds = [seconds for at, seconds in self.rounds if begin < at <= end]
        if self._moved and end - self._moved > max(rounds, default=0.0):
            rounds.append(end - self._moved)
        return rounds

    def _asked(self, table: str, question: Message) -> None:
        now = perf_counter()
        if self._moved:
            self.rounds.append((now, now - self._moved))
        if len(self.rounds) >= SETTLED_ROUNDS:
            self._settled.set()
        self._moved = perf_counter()
        self._person.act(table, question)

    def _over(self, table: str) -> None:
        # This was not a round: the person was not asked again.
        self._moved = 0.0
        self._tasks.create_task(self._another(table))

    async def _another(self, table: str) -> None:
        await self._person.ask("leave", table=table)
        await self._person.open(self._game, STRENGTH)


async def _rounds(server: Listener, game: str, tasks: asyncio.TaskGroup) -> Rounds:
    person = Person(f"plays {game}")
    await person.connect(server)
    rounds = Rounds(person, game, tasks)
    await person.open(game, STRENGTH)
    return rounds


async def _flood(server: Listener, tasks: asyncio.TaskGroup) -> "asyncio.Task[None]":
    """A client that asks for hints; its connection is closed when this is cancelled."""
    person = Person("flood")
    await person.connect(server)
    loop = asyncio.get_running_loop()

    def soon(table: str, question: Message) -> None:
        loop.call_later(THINKING_SECONDS, partial(person.act, table, question))

    person.asked = soon
    tables = [await person.open(game, 0) for game in FLOODED]
    return tasks.create_task(_want_hints(person, tables))


async def _want_hints(person: Person, tables: list[str]) -> None:
    try:
        while True:
            for table in tables:
                if person.closed:
                    raise BenchError("the flood was cut off")
                person.send("hint", table=table)
                await asyncio.sleep(1 / HINTS_PER_SECOND)
    finally:
        person.asked = lambda table, question: None
        person.close()
