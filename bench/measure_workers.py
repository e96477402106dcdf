"""What it costs to ask a bot worker over the bus, beside a process of the pool.

The question is of the middle of a deal of Hearts, with all facts, to a player that needs next to no
time: what is left is the way there and back. One question is asked after the other.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from time import monotonic, process_time

from bench.connection import run
from bench.figures import Figure, Unmeasured, percentile
from bench.measure_bus import mosquitto, only_errors, peer, running_broker
from bench.processes import Listener, listening
from bots import Decision, position_of
from engine import GAMES, Setup, Shuffler, complete_options
from engine.choices import random_action
from engine.facts import seen_by
from server.bots.bus_service import BotsOverBus
from server.bots.pending_answer import PendingAnswer
from server.bots.pool import BotPool
from server.bots.service import DEADLINE_SECONDS, BotService
from server.bots.thinking import BotQuestion

SECONDS = 4.0
WARM_UP_SECONDS = 0.5
MOVES = 40
"""How far the deal is."""
STRENGTH = 0


def measure() -> Iterator[Figure | Unmeasured]:
    """Time and processor time for each question, in the pool and over the bus."""
    only_errors()
    yield from run(_in_pool())
    program = mosquitto()
    if program is None:
        yield Unmeasured("workers.bus", "needs Mosquitto and blackqueen[mqtt]")
        return
    with running_broker(program) as broker:
        command = [sys.executable, "-m", "bench.bot_worker", broker.url, "worker"]
        with listening(command) as worker:
            yield from run(_over_bus(broker, worker))


def a_question() -> BotQuestion:
    """What somebody is asked in the middle of a deal of Hearts."""
    game, rng = GAMES.game("hearts"), Random(1)
    options = complete_options(game, 4, {})
    step = game.start(Setup(4, options, Shuffler(rng.randbytes(32))))
    facts = [*step.facts]
    for _ in range(MOVES):
        action = random_action(game.choices(step.state, game.to_act(step.state)[0]), rng)
        step = game.apply(step.state, game.to_act(step.state)[0], action)
        facts += step.facts
    seat = game.to_act(step.state)[0]
    known = tuple(seen_by(facts, seat))
    position = position_of(game, step.state, seat, options, known)
    return BotQuestion(STRENGTH, position, rng.randbytes(32), lane="K7QX")


async def _in_pool() -> list[Figure]:
    pool = BotPool(1)
    try:
        return await _asked("workers.pool", pool, {"asker": process_time})
    finally:
        pool.close()


async def _over_bus(broker: Listener, worker: Listener) -> list[Figure]:
    async with peer(broker.url, "tables") as bus:
        bots = BotsOverBus(bus, asyncio.get_running_loop().time)
        while not bots.workers.fresh:  # noqa: ASYNC110 - a moment
            await asyncio.sleep(0.01)
        return await _asked(
            "workers.bus",
            bots,
            {
                "asker": process_time,
                "worker": worker.cpu_seconds,
                "broker": broker.cpu_seconds,
            },
        )


async def _asked(
    name: str, bots: BotService, clocks: dict[str, Callable[[], float]]
) -> list[Figure]:
    """The figures of one way to ask; `clocks` tell the processor time of each process."""
    question, numbers = a_question(), count()

    async def ask() -> None:
        answered = asyncio.Event()

        def done(decision: Decision, strength: int) -> None:
            answered.set()

        # A worker would know the answer to the same question.
        asked = replace(question, seed=next(numbers).to_bytes(8, "big"))
        pending = PendingAnswer(asked, done, lambda *choice: None)
        bots.have_answered(pending, DEADLINE_SECONDS)
        await answered.wait()

    await _again(ask, WARM_UP_SECONDS)
    before = {part: clock() for part, clock in clocks.items()}
    took = await _again(ask, SECONDS)
    used = {part: clock() - before[part] for part, clock in clocks.items()}
    milliseconds = [1000 * seconds for seconds in took]
    return [
        Figure(f"{name}.p50", percentile(milliseconds, 0.5), "ms"),
        Figure(f"{name}.p99", percentile(milliseconds, 0.99), "ms"),
        *(
            Figure(f"{name}.{part}", 1e6 * seconds / len(took), "µs/question")
            for part, seconds in used.items()
        ),
    ]


async def _again(ask: Callable[[], Awaitable[None]], seconds: float) -> list[float]:
    """How long each question takes, one after the other for so many seconds."""
    took: list[float] = []
    end = monotonic() + seconds
    while (began := monotonic()) < end or not took:
        await ask()
        took.append(monotonic() - began)
    return took
