"""What one move is made of: the bytes that each seat is sent, and the functions that run for it."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from io import StringIO
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

import server
from bench.clients import run
from bench.figures import Figure, at_most
from bench.processes import BenchError
from engine import GAMES, AnyGame, Match, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.facts import seen_by
from engine.recycle import games, load
from protocol.client_events import ClientEvent, TableEvent
from protocol.codec import codec_for
from protocol.connection import Client, connect
from protocol.events import Encoder, EventEncoder
from protocol.features import INTERNAL_VALUES
from protocol.mirror import TableMirror
from protocol.to_server import Act, AddBot, CreateTable, Start
from protocol.version import MSGPACK
from protocol.wire_form import QuestionParts
from server.bots.pool import BotPool
from server.event_loop import server_clock
from server.game_server import GameServer, ServerParts
from server.games.words import words_of
from server.net.gateway import Gateway
from server.ops.logs import configure
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.process import library_for
from server.store import Store
from server.table.choices_told import choices_told
from server.ticker import Ticker

DESCRIBED = "Hearts4"
MATCHES, MOST_MOVES = 3, 300
MOST_BYTES = 120
"""On average a seat, in the games of the program."""
_PLAYED = {"card_played", "option_taken"}
_MORE = {"deal_started", "deal_scored", "match_ended"}


def measure_bytes() -> Iterator[Figure]:
    """Bytes of a played card for a seat by game and form: on average, and for the seat with most.

    Matches are of random moves for the usual number of players, with a turn clock and reserves.
    Events in which a deal begins or ends are left out, because they tell more than a card.
    """
    for info in GAMES:
        yield from _of(GAMES.game(info.id), MOST_BYTES)
    yield from _of(Match(load(games.description(DESCRIBED), DESCRIBED)), None)


def _of(game: AnyGame, most: int | None) -> Iterator[Figure]:
    words = words_of(game.info, game.info.usual_seats)
    long, short = EventEncoder(codec_for(MSGPACK), False), words.encoders[False]
    for form, encoder in (("long", long), ("compact", short)):
        sizes = _played(game, encoder)
        name = f"bytes.{game.info.id}.{form}"
        limit = None if most is None or form == "long" else at_most(most)
        yield Figure(name, fmean(map(fmean, sizes)), "bytes", limit)
        yield Figure(f"{name}.worst", fmean(map(max, sizes)), "bytes")


def _played(game: AnyGame, encoder: Encoder) -> list[list[int]]:
    """The bytes by seat of each event in which a card is played."""
    seats, rng = game.info.usual_seats, Random(1)
    options = complete_options(game, seats, {})
    sizes: list[list[int]] = []
    for match in range(MATCHES):
        step = game.start(Setup(seats, options, Shuffler(seed_from_int(match))))
        for turn in range(MOST_MOVES):
            asked = game.to_act(step.state)
            if not asked:
                break
            choices = game.choices(step.state, asked[0])
            step = game.apply(step.state, asked[0], random_action(choices, rng))
            verbs = {fact.verb for fact, _ in step.facts}
            asked = game.to_act(step.state)
            told = [seen_by(step.facts, seat) for seat in range(seats)]
            asks = [QuestionParts(turn, asked, None, 119.99, (300,) * seats)] * seats
            for seat in asked:
                offered = choices_told(game, step.state, seat, {INTERNAL_VALUES})
                asks[seat] = asks[seat]._replace(choices=offered)
            if verbs & _PLAYED and not verbs & _MORE:
                sent = zip(told, asks, strict=True)
                sizes.append([len(encoder.encode("K7QX2", turn, t, None, q)) for t, q in sent])
    return sizes


SERVER = str(Path(server.__file__).parent)
GAME = "black_queen"
SEED, TRACED_MOVES = 1, 4
"""What a move does depends on the cards: the bot answers the fourth of this match."""


def measure_path() -> Iterator[Figure]:
    """How many functions and files of `server/` run for a move, a hello, a bot's move.

    Every function that is called meanwhile counts once, in whatever thread. There is no limit: a
    function that says what it does is worth its microsecond.
    """
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
        """Count what is called from now on for this."""
        self._now = self.seen[name] = set()

    def end(self) -> None:
        """Count nothing that is called from now on."""
        self._now = None

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note a call; this is what `sys.setprofile` is given."""
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
    for _ in range(TRACED_MOVES):
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
            gateway = Gateway(settings, house, metrics, now, tasks.create_task)
            ticking = tasks.create_task(ticker.run(house, now))
            async with gateway.listen() as listener:
                port = listener.sockets[0].getsockname()[1]
                yield f"ws://127.0.0.1:{port}"
            ticking.cancel()
    finally:
        library.close()
        bots.close()
        await store.close()
