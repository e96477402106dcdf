"""How much of the server runs for one move, one hello, one move of a bot.

Every function of `server/` that is called meanwhile counts once, in whatever thread, and so does
every file that has one. These are figures to look at: a function that says what it does is worth
its microsecond, so there is no limit, and nothing is to be written in place for them.
"""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

import server
from bench.connection import run
from bench.figures import Figure
from bench.processes import BenchError
from protocol.client_events import ClientEvent, TableEvent
from protocol.connection import Client, connect
from protocol.mirror import TableMirror
from protocol.to_server import Act, AddBot, CreateTable, Start
from server.bots.pool import BotPool
from server.event_loop import server_clock
from server.game_server import GameServer, ServerParts
from server.net.gateway import Gateway
from server.ops.logs import configure
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.process import library_for
from server.store import Store
from server.ticker import Ticker

SERVER = str(Path(server.__file__).parent)
GAME = "black_queen"
SEED, MOVES = 1, 4
"""What a move does depends on the cards: the bot answers the fourth of this match."""


def measure() -> Iterator[Figure]:
    """Functions and files for each of them."""
    configure("json", stream=StringIO())
    with TemporaryDirectory() as folder, _traced() as trace:
        run(_play(Path(folder), trace))
    for name, codes in trace.seen.items():
        functions = {(code.co_filename, code.co_qualname) for code in codes}
        yield Figure(f"path.{name}.functions", len(functions), "functions")
        yield Figure(f"path.{name}.files", len({file for file, _ in functions}), "files")


class Trace:
    """The functions that were called, by what they were called for."""

    def __init__(self) -> None:
        self.seen: dict[str, set[CodeType]] = {}
        self._now: set[CodeType] | None = None

    def begin(self, name: str) -> None:
        """What is called from now on is for this."""
        self._now = self.seen[name] = set()

    def end(self) -> None:
        """It is for nothing that is measured."""
        self._now = None

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """What `sys.setprofile` wants to be given."""
        if self._now is None or event != "call":
            return
        if frame.f_code.co_filename.startswith(SERVER):
            self._now.add(frame.f_code)


@contextmanager
def _traced() -> Iterator[Trace]:
    """A trace of this thread and those that are started meanwhile."""
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def _play(folder: Path, trace: Trace) -> None:
    async with _served(folder) as url:
        trace.begin("hello")
        async with connect(url, name="Ann") as ann:
            trace.end()
            await _match(ann, trace)


async def _match(ann: Client, trace: Trace) -> None:
    """Move at a table with a bot, which answers each move with one of its own."""
    events = ann.events()
    table = (await ann.ask(CreateTable, game=GAME, seats=2, seed=SEED)).table
    assert table is not None, "it was opened"
    await ann.ask(AddBot, table=table, seat=1, strength=0)
    await ann.ask(Start, table=table)
    # What is made once, at the first moves, does not count.
    for _ in range(MOVES):
        mirror = await _asked(events)
        action = mirror.choices.actions[0]
        trace.begin("move")
        await ann.ask(Act, table=table, turn=mirror.question.turn, action=action)
        trace.begin("bot")
    await _asked(events)
    trace.end()


async def _asked(events: AsyncIterator[ClientEvent]) -> TableMirror:
    """The table, once the player is asked for a move."""
    async for event in events:
        if isinstance(event, TableEvent) and event.mirror.my_turn and event.mirror.choices:
            return event.mirror
    raise BenchError("the server has ended")


@asynccontextmanager
async def _served(folder: Path) -> AsyncIterator[str]:
    """A server in this process; its address."""
    settings = Settings(data=folder, port=0, bot_delay=0.2, allow_seeds=True)
    store, bots, metrics, now = (
        await Store.open(settings.database),
        BotPool(1),
        Metrics(),
        server_clock(),
    )
    ticker, library = Ticker(), library_for(settings, store)
    house = GameServer(ServerParts(settings, library, store, bots, metrics, now, ticker.wake))
    await library.refresh()
    await house.open()
    try:
        async with asyncio.TaskGroup() as tasks:
            gateway = Gateway(settings, house, metrics, house.ready, now, tasks.create_task)
            ticking = tasks.create_task(ticker.run(house, now))
            async with gateway.listen() as listener:
                port = listener.sockets[0].getsockname()[1]
                yield f"ws://127.0.0.1:{port}"
            ticking.cancel()
    finally:
        library.close()
        bots.close()
        await store.close()
