"""A server with two tables: the rules of one raise at a chosen call, the other is healthy."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from engine import AnyGame, Catalogue
from server.ops.settings import Settings
from server.table.clocks import Clocks, Timing
from server.table.entries import Entry, Seated
from server.table.messages import info_message
from server.table.state import TableState
from server.tables.rows import entry_rows
from tests.server.client import TestClient
from tests.server.controllable_store import MemoryStore
from tests.server.faults.failing_game import FailingGame
from tests.server.harness import FAST_SETTINGS, ServerHarness
from tests.server.log_builder import LogBuilder
from tests.server.table.minimal_games import BothAtOnce

OTHER_TURN_SECONDS = 10
_codes = count(1)


@dataclass
class FaultHarness:
    """A server whose table `healthy` is in play by `others`, and clients for another table.

    `players` and the `spectator` are for a table whose rules raise. `loop_errors` are exceptions
    that reached the event loop.
    """

    server: ServerHarness
    store: MemoryStore
    failing: FailingGame
    players: tuple[TestClient, ...]
    spectator: TestClient
    others: tuple[TestClient, TestClient]
    healthy: str
    loop_errors: list[str] = field(default_factory=list)

    @property
    def everybody(self) -> tuple[TestClient, ...]:
        """All clients, at both tables."""
        return (*self.players, self.spectator, *self.others)

    @property
    def game(self) -> AnyGame:
        """The game without faults."""
        return self.failing.game

    def known(self, code: str) -> TableState | None:
        """A table as it is now, if it is in memory and open."""
        table = self.server.game_server.live.get(code)
        return None if table is None or table.state.phase == "closed" else table.state

    def store_table(self, log: LogBuilder, entries: int) -> str:
        """Store a sleeping table with the first `entries` of a log; returns its code."""
        code = f"TABLE{next(_codes)}"
        for seq, entry in enumerate(log.entries[:entries], start=1):
            body = entry.body
            if isinstance(body, Seated):
                body = replace(body, player=self.players[body.seat].player)
            self.store.logs[code].extend(entry_rows(code, (Entry(seq, self.server.now, body),)))
        state = log.states[entries - 1]
        info = info_message(code, log.game, state, Clocks(Timing()))
        players = [client.player for client in self.players]
        self.server.game_server.live.directory.update(code, info, players)
        return code


@asynccontextmanager
async def open_harness(
    folder: Path, game: AnyGame, people: int, sampling_bots: dict[str, AnyGame]
) -> AsyncIterator[FaultHarness]:
    """The harness for a game, with everybody connected and the healthy table in play."""
    failing = FailingGame(game)
    sampling_bots[game.info.id] = failing
    settings: dict[str, Any] = {**FAST_SETTINGS, "data": folder, "chat_per_minute": 10**6}
    chosen = Settings(**settings)
    store = await MemoryStore.open(chosen.database)
    store.logs, store.outcomes, store.players_only = defaultdict(list), {}, True
    server = ServerHarness(chosen, Catalogue((failing, BothAtOnce())), store)
    errors: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: errors.append(repr(context.get("exception")))
    )
    try:
        names = ("Ann", "Bea", "Cid", "Dan")[:people]
        players = tuple([await server.client(name) for name in names])
        spectator, eve, fay = [await server.client(name) for name in ("Walter", "Eve", "Fay")]
        slow = {"turn_seconds": OTHER_TURN_SECONDS}
        options = {"rounds": 4}
        healthy = await eve.open_table(game="both_at_once", options=options, settings=slow)
        await fay.ask("join", table=healthy)
        await eve.ask("start", table=healthy)
        yield FaultHarness(server, store, failing, players, spectator, (eve, fay), healthy, errors)
    finally:
        server.pool.close()
        server.library.close()
        await store.close()
