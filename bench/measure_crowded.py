"""How often a bot is replaced where many tables of described games play at once.

At each table sits one client that moves at random; all other players are the server's own bots of
strength 2, which search. When a match is over the client opens another table.
"""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from prometheus_client.parser import text_string_to_metric_families

from bench.connection import run
from bench.figures import Figure, at_most
from bench.processes import BenchError, Listener, listening
from engine.choices import random_action
from engine.recycle import games
from protocol.connection import connect
from protocol.errors import ConnectionLost, ProtocolError
from protocol.mirror import TableMirror
from protocol.playing import SeatPlayer, always
from protocol.to_server import CreateTable, Leave, Start

NAMES = (
    "Agram3",
    "BlindMan4",
    "Carnival4",
    "CrazyEights4",
    "Golf4",
    "Hearts4",
    "Klaverjassen4",
    "Pairs4",
    "Rummy2",
    "Whist4",
)
TABLES = 20
STRENGTH = 2
SECONDS = 20.0
REPLACED_LIMIT = 1.0
"""Percent of the bots' answers."""

FLAGS = ("--port", "0", "--bot-delay", "0", "--log-format", "json")


def measure() -> Iterator[Figure]:
    """The bots' answers per second, and how many of them somebody else had to give."""
    program = str(Path(sys.executable).with_name("blackqueen"))
    with TemporaryDirectory(prefix="blackqueen-bench-") as data:
        folder = Path(data, "games")
        folder.mkdir()
        for name in NAMES:
            text = games.description(name)
            Path(folder, f"{name}.rcy").write_text(text, encoding="utf-8")
        command = [program, "serve", "--data", data, "--games", str(folder), *FLAGS]
        with listening(command) as server:
            answers = run(_drive(server))
    yield Figure("crowded.answers", answers.given / SECONDS, "answers of bots/s")
    share = 100 * answers.replaced / max(answers.given, 1)
    yield Figure("crowded.replaced", share, "% of answers", at_most(REPLACED_LIMIT))


@dataclass(frozen=True, slots=True)
class Answers:
    """How many answers of bots a server counts, and how many of them were not the bot's own."""

    given: float
    replaced: float


def answers_of(metrics: str) -> Answers:
    """The counts in a page of metrics."""
    given = replaced = 0.0
    for family in text_string_to_metric_families(metrics):
        for sample in family.samples:
            if sample.name == "blackqueen_bot_seconds_count":
                given += sample.value
            elif sample.name == "blackqueen_late_bots_total":
                replaced += sample.value
    return Answers(given, replaced)


async def _drive(server: Listener) -> Answers:
    try:
        async with asyncio.TaskGroup() as tasks:
            playing = [
                tasks.create_task(keep_playing(server.url, f"{NAMES[at % len(NAMES)]}.rcy", at))
                for at in range(TABLES)
            ]
            await asyncio.sleep(SECONDS)
            answers = await asyncio.to_thread(lambda: answers_of(server.metrics()))
            for table in playing:
                table.cancel()
    except* (ProtocolError, ConnectionLost) as errors:
        raise BenchError(f"a table could not be played: {errors.exceptions[0]!r}") from None
    return answers


async def keep_playing(url: str, game: str, number: int) -> None:
    """Play match after match of a game with bots that search until cancelled."""
    rng = Random(number)

    async def choose(table: TableMirror) -> str:
        return random_action(table.choices, rng)

    async with connect(url, name=f"Player {number}") as client:
        while True:
            code = (await client.ask(CreateTable, game=game)).table
            assert code is not None, "who creates a table is told its code"
            await client.ask(Start, table=code, fill=STRENGTH)
            await SeatPlayer(client, code, always(choose)).play()
            await client.ask(Leave, table=code)
