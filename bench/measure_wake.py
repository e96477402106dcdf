"""A restart with ten thousand tables in the middle of a match: how late live tables' clocks are.

The stored tables are all due at the same moment, when their players' time to come back is over.
Bots at live tables wait for a fixed time before each move; the delay beyond that is the lateness of
the table's clock, including the commit and the way to the client.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.request import urlopen

from websockets.asyncio.client import ClientConnection, connect

from bench.connection import run
from bench.figures import Figure, at_least, at_most, percentile
from bench.measure_server import FLAGS
from bench.processes import BenchError, Listener, listening
from engine import GAMES, complete_options
from protocol.to_server import TableSettings
from protocol.version import JSON
from server.ops.settings import Settings
from server.store import Store, TableRow, Write
from server.table.clocks import Clocks, Timing
from server.table.entries import Acted, Body, BotAdded, Dealt, Entry, Opened, Seated, Started
from server.table.fold import advance, open_table
from server.table.messages import info_message
from server.table.settings import settings_json
from server.tables.rows import entry_rows, players_of

STORED, BATCH, MOVES = 10_000, 200, 24
LIVE = 10
BOT_DELAY = 0.25
GRACE_SECONDS = 10.0
CALM_SECONDS = 5.0
PATIENCE_SECONDS = 500.0
GAME = "black_queen"


@dataclass
class Clock:
    """How late bots were, in milliseconds; `calm` is before the stored tables were due."""

    calm: list[float] = field(default_factory=list)
    waking: list[float] = field(default_factory=list)


def measure() -> Iterator[Figure]:
    """How late live tables' bots are before and while stored tables are loaded."""
    with TemporaryDirectory() as folder:
        run(_store(Path(folder)))
        flags = ("--data", folder, "--grace-seconds", str(GRACE_SECONDS))
        tables = ("--max-tables-per-player", "100")
        command = (sys.executable, "-m", "blackqueen", "serve", *FLAGS, *tables, *flags)
        with listening(command) as server:
            clock, seconds = run(_watch(server))
    calm, worst = max(clock.calm), max(clock.waking)
    yield Figure("wake.calm.worst", calm, "ms")
    yield Figure("wake.p99", percentile(clock.waking, 0.99), "ms")
    yield Figure("wake.worst", worst, "ms", at_most(10 * calm + 50))
    yield Figure("wake.tables", STORED / seconds, "tables/s", at_least(STORED / PATIENCE_SECONDS))


async def _store(folder: Path) -> None:
    """Write the tables as a killed server would have left them."""
    store = await Store.open(Settings(data=folder).database)
    entries, row = _match()
    for first in range(0, STORED, BATCH):
        codes = [f"T{number:05}" for number in range(first, min(first + BATCH, STORED))]
        rows = tuple(
            row._replace(code=code, summary=row.summary.replace("CODE", code)) for code in codes
        )
        logs = tuple(row for code in codes for row in entry_rows(code, entries))
        await store.save(Write(tables=rows, entries=logs))
    await store.close()


def _match() -> tuple[list[Entry], TableRow]:
    game, rng = GAMES.game(GAME), Random(1)
    options = dict(complete_options(game, 4, {}))
    settings = TableSettings()
    opened = Opened(GAME, game.info.version, 4, options, settings)
    bots = [BotAdded(seat, 0, "Ada") for seat in range(1, 4)]
    begun: list[Body] = [opened, Seated(0, "nobody", "Ann"), *bots, Started()]
    state, entries = open_table(game, opened), []
    for body in (*begun, Dealt(rng.randbytes(32).hex()), *[None] * MOVES):
        if body is None:
            seat = state.to_act[0]
            body = Acted(seat, rng.choice(game.choices(state.play, seat).actions))
        entries.append(Entry(state.seq + 1, 1.0, body))
        state = advance(game, state, (entries[-1],)).state
    info = info_message("CODE", game, state, Clocks(Timing()), present=False)
    summary = {
        "info": info,
        "settings": settings_json(settings),
        "players": players_of(state),
    }
    row = TableRow(
        "CODE", GAME, state.version, False, "playing", 1.0, state.seq, 1.0, json.dumps(summary)
    )
    return entries, row


async def _watch(server: Listener) -> tuple[Clock, float]:
    """The clock's lateness, and the seconds in which the stored tables were loaded."""
    clock, started = Clock(), perf_counter()
    due = started + GRACE_SECONDS
    async with asyncio.TaskGroup() as tasks:
        watching = tasks.create_task(_play(server.url, clock, started + CALM_SECONDS))
        most = 0
        # Nobody comes back to them: each pauses after it has been in memory for the grace period.
        while (sleeping := await asyncio.to_thread(_woken, server.url)) or not most:
            most = max(most, sleeping)
            if perf_counter() > due + PATIENCE_SECONDS:
                raise BenchError("the stored tables were not loaded in time")
            await asyncio.sleep(0.5)
        watching.cancel()
    return clock, perf_counter() - due - GRACE_SECONDS


def _woken(url: str) -> int:
    """Stored tables that are in memory now."""
    with urlopen(url.replace("ws://", "http://") + "/metrics") as page:
        lines = page.read().decode().splitlines()
    counts = [line.rpartition(" ")[2] for line in lines if line.startswith("blackqueen_tables{")]
    return max(0, int(sum(map(float, counts))) - LIVE)


async def _play(url: str, clock: Clock, calm_until: float) -> None:
    """Sit at every live table and play what is offered, at once."""
    async with connect(url, subprotocols=[JSON], max_size=None) as websocket:  # type: ignore[list-item]
        number = 1
        await _say(websocket, type="hello", id=number, version=1, client="bench", name="Ann")
        settings = {"bot_delay": BOT_DELAY}
        for _ in range(LIVE):
            number += 1
            await _say(websocket, type="create_table", id=number, game=GAME, settings=settings)
        since: dict[str, float] = {}
        async for frame in websocket:
            for message in json.loads(frame):
                table = message.get("table")
                if message["type"] == "ok" and message["id"] <= LIVE + 1:
                    number += 1
                    await _say(websocket, type="start", id=number, table=table, fill=0)
                if message["type"] not in ("event", "table"):
                    continue
                now, question = perf_counter(), message.get("question") or {}
                if table in since:
                    late = 1000 * (now - since.pop(table) - BOT_DELAY)
                    (clock.calm if now < calm_until else clock.waking).append(late)
                if question.get("choices"):
                    number += 1
                    action = question["choices"]["actions"][0]
                    turn = question["turn"]
                    await _say(
                        websocket, type="act", id=number, table=table, turn=turn, action=action
                    )
                elif question.get("to_act"):
                    since[table] = now


async def _say(websocket: ClientConnection, **message: Any) -> None:
    await websocket.send(json.dumps(message))
