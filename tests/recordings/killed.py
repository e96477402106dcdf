"""A server of its own process that is killed: part of what it wrote is in the log of the database
alone, as after a power cut.
"""

import asyncio
import shutil
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

from bots import strengths
from engine.choices import random_action
from protocol.connection import Client, connect
from protocol.to_server import Act, AddBot, CreateTable, Join, Start
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs
from tests.recordings.party import GAMES

EVENTS = 30
"""After so many of each table the server is killed."""


async def record_killed(folder: Path) -> tuple[Path, dict[str, str], list[Client]]:
    """Where the database lies, what is to be said about each table, and who was there."""
    games = folder / "hosted"
    games.mkdir()
    shutil.copy(GAMES / "GoFish3.rcy", games)
    programs = Programs(folder)
    server = await programs.serve("--games", str(games), "--grace-seconds", "600")
    rng = Random(20_251_122)
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(connect(server.url, name=name, patience=HASTY))
            for name in ("Ann", "Ben", "Cem", "Dee", "Eve")
        ]
        ann, ben, cem, dee, eve = people
        cards = await _open(ann, "black_queen", 4)
        await ben.ask(Join, table=cards)
        await ann.ask(Start, table=cards, fill=strengths("black_queen")[-1])
        fish = await _open(cem, "GoFish3.rcy", 3)
        await dee.ask(Join, table=fish)
        await cem.ask(Start, table=fish, fill=1)
        lobby = await _open(eve, "hearts", 4, settings={"private": True})
        await eve.ask(AddBot, table=lobby, strength=1)
        async with asyncio.TaskGroup() as tasks:
            for client in (ann, ben, cem, dee):
                tasks.create_task(_play(client, Random(rng.random())))
        await server.kill()
    await programs.end()
    about = {
        cards: "in play when the server was killed",
        fish: "a described game in play when the server was killed",
        lobby: "in the lobby when the server was killed",
    }
    return server.data, about, people


async def _open(client: Client, game: str, seats: int, **fields: Any) -> str:
    answer = await client.ask(CreateTable, game=game, seats=seats, **fields)
    assert answer.table is not None
    return answer.table


async def _play(client: Client, rng: Random) -> None:
    asked = 0
    async for _ in client.events():
        table = next(iter(client.session.tables.values()))
        if table.seq >= EVENTS:
            return
        if table.my_turn and table.question.turn != asked:
            asked = table.question.turn
            action = random_action(table.choices, rng)
            await client.ask(Act, table=table.table, turn=asked, action=action)
