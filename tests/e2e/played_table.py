"""Plays a table to its end while servers fail; a test decides how many moves are made."""

import asyncio
from dataclasses import replace
from random import Random
from time import monotonic

from protocol.connection import Client
from protocol.to_client import Ok
from protocol.to_server import Act, CreateTable, Join, Start
from tests.counts import NIGHT
from tests.e2e.client_log import ClientLog
from tests.e2e.frames import Frames
from tests.e2e.players import HASTY, play
from tests.e2e.program import SECONDS
from tests.e2e.stored import StoredTable
from tests.e2e.test_kill import MOVES_OF_A_DEAL

DEALS = 4 if NIGHT else 1
"""How long a match is."""
MOVES = 2
"""The moves that people make at each table during a fault, and after it."""
PATIENT = replace(HASTY, opening=15.0)
"""Of a hundred who come in at once on a busy machine; earlier attempts are work for nobody."""


class PlayedTable:
    """A table of two people, each with a client, and two bots; people move only when allowed to."""

    def __init__(self, clients: list[Client], rng: Random) -> None:
        self.code = ""
        self.clients = clients
        self.logs = [ClientLog() for _ in clients]
        self.frames = Frames()
        self._rng = rng
        self._let = asyncio.Semaphore(0)

    async def open(self, game: str = "black_queen", seats: int = 4) -> None:
        """Start the match."""
        host, guest = self.clients
        opened = await host.ask(CreateTable, game=game, seats=seats, options={"deals": DEALS})
        assert opened.table is not None
        self.code = opened.table
        await guest.ask(Join, table=self.code)
        await host.ask(Start, table=self.code, fill=1)

    async def play(self) -> None:
        """Play the match to its end."""
        async with asyncio.TaskGroup() as tasks:
            for client, log in zip(self.clients, self.logs, strict=True):
                tasks.create_task(play(client, log, Random(self._rng.random()), self._let.acquire))

    @property
    def moves(self) -> int:
        """The number of people's moves that the server acknowledged."""
        answers = (each for log in self.logs for each in log.answers)
        return sum(isinstance(asked, Act) and isinstance(came, Ok) for asked, came in answers)

    def let(self, moves: int) -> None:
        """Allow people this many more moves."""
        for _ in range(moves):
            self._let.release()

    def let_all(self) -> None:
        """Allow people to play to the end of the match."""
        self.let(MOVES_OF_A_DEAL * DEALS)

    async def goes_on(self, since: int) -> None:
        """Wait until more moves than `since` have been acknowledged."""
        end = monotonic() + SECONDS
        while self.moves <= since:
            assert monotonic() < end, f"{self.code} stands still: {self}"
            await asyncio.sleep(0.02)

    def check(self, stored: StoredTable) -> None:
        """Check the log for every acknowledged move, once, and all received facts."""
        assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
        for log in self.logs:
            log.check(stored)

    def __str__(self) -> str:
        seen = [(log.last and log.last.seq, log.last and log.last.my_turn) for log in self.logs]
        return f"{self.moves} moves, {seen}, {self._let}"


async def go_on(tables: list[PlayedTable]) -> None:
    """Allow moves of people at all tables, and wait until each table has had one."""
    before = [table.moves for table in tables]
    for table in tables:
        table.let(MOVES)
    await asyncio.gather(*map(PlayedTable.goes_on, tables, before))
