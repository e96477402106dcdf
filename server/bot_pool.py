"""Where bots think: in place if they are quick, in processes of their own if they are not.

Whatever happens, an asked bot answers: one that is late, broken or lost with its process gets a
legal move played for it, and the log says so.

Bots with kernels think in those processes alone, and are given all facts: this process need not
even load them to know that. As soon as it starts it has one process load the kernels of a bot, then
the others, so that none of them compiles what another is compiling, and so on bot by bot.

Described games are thought about in a process of their own. A description may make a bot think
for ever: that process ends itself then, and no other game's bots have waited for it.
"""

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from os import getpid
from random import Random
from time import perf_counter, sleep
from typing import Literal, TypeAlias

import structlog

from bots import Bot, Budget, Decision, Position, make_bot, strengths
from bots.arena import warm
from bots.random_bot import random_action
from bots.roster import compiled_bots, thinks_apart
from engine import AnyGame, Catalogue
from server.bot_processes import Processes, serve, serve_confined
from server.descriptions import Source, make_game

log = structlog.get_logger()

DEADLINE_SECONDS = 5.0
DESCRIBED_BUDGET = Budget(milliseconds=1500, samples=400)
"""What a bot of a described game may use: how long its playouts are, the description decides."""
DESCRIBED_WORKERS = 1
WARMING_SECONDS = 60.0
"""The deadline as long as kernels are being loaded, or compiled after an installation.

It is that of a request with a budget too: the same shall happen again, however busy the machine.
"""

ROUNDS, YIELD_SECONDS = 100, 0.05
"""How often the processes are asked to load a bot until each has; how long one that has waits."""


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a bot needs, so that any process can answer. `seed` makes it repeatable.

    A bot that searches is repeatable only with a `budget` that the clock has no part in.
    `source` makes the game if it is a described one.
    """

    strength: int
    position: Position
    seed: bytes
    budget: Budget = field(default_factory=Budget)
    source: Source | None = None


Lateness: TypeAlias = Literal["", "late", "failed"]
Done: TypeAlias = Callable[[Decision], None]
Observe: TypeAlias = Callable[[float, Lateness], None]
"""Told the seconds of each choice, and what was wrong with it if anything."""


class BotPool:
    """At most `workers` processes, started when they are warmed or the first slow bot is asked."""

    def __init__(self, workers: int, observe: Observe | None = None) -> None:
        self._workers = workers
        self._observe = observe or (lambda seconds, lateness: None)
        self._processes = Processes(workers, serve)
        self._confined = Processes(DESCRIBED_WORKERS, serve_confined)
        self._warming = False

    async def warm(self) -> None:
        """Have all processes load the kernels of the roster; none is started if there are none."""
        if not compiled_bots():
            return
        started = perf_counter()
        self._warming = True
        log.info("bots_warming")
        try:
            # Bot by bot: a question that comes meanwhile waits for one of them at most.
            for game, strength in compiled_bots():
                if error := await self._warm(game, strength):
                    log.error("bot_not_warmed", game=game, strength=strength, reason=error)
        except BrokenProcessPool:
            self._processes.lost()
            log.error("bots_not_warmed", reason="a process was lost")
        else:
            log.info("bots_warmed", seconds=round(perf_counter() - started, 2))
        finally:
            self._warming = False

    async def _warm(self, game: str, strength: int) -> str:
        """Have each process load a bot's kernels; what went wrong in the last one where it did."""
        loop, error = asyncio.get_running_loop(), ""
        ready: set[int] = set()
        # Who takes a task is up to the pool, and it may be one that has done it.
        for tasks in (1, *[self._workers] * ROUNDS):
            if len(ready) == self._workers:
                break
            executor = self._processes.executor()
            rounds = [
                loop.run_in_executor(executor, warm_here, game, strength) for _ in range(tasks)
            ]
            for process, failed in await asyncio.gather(*rounds):
                ready.add(process)
                error = failed or error
        return error

    def needs_facts(self, game: str, strength: int) -> bool:
        return thinks_apart(game, strength) or _bot(game, strength).needs_facts

    def ask(self, request: Request, done: Done) -> None:
        """Have `done` called with the bot's decision: at once, or later from the event loop."""
        question = _Question(request, done, self._observe)
        game, strength = request.position.game, request.strength
        if not thinks_apart(game, strength) and _bot(game, strength).in_place:
            question.think()
            return
        loop = asyncio.get_running_loop()
        processes, work = self._processes, think
        if request.source is not None:
            processes, work = self._confined, think_confined
        try:
            thought = loop.run_in_executor(processes.executor(), work, request)
        except BrokenProcessPool:
            # The next question gets new processes.
            processes.lost()
            question.fall_back("failed")
            return
        patient = self._warming or request.budget != Budget()
        deadline = WARMING_SECONDS if patient else DEADLINE_SECONDS
        question.timer = loop.call_later(deadline, question.fall_back, "late")
        thought.add_done_callback(question.thought)

    def close(self) -> None:
        self._processes.close()
        self._confined.close()


class _Question:
    """A request on its way; answered once, by whatever comes first."""

    def __init__(self, request: Request, done: Done, observe: Observe) -> None:
        self.timer: asyncio.TimerHandle | None = None
        self._request = request
        self._done: Done | None = done
        self._observe = observe
        self._started = perf_counter()

    def think(self) -> None:
        """Answer here and now."""
        try:
            decision = think(self._request)
        except Exception as error:
            self._failed(type(error).__name__)
        else:
            self._decided(decision)

    def thought(self, thought: asyncio.Future[Decision]) -> None:
        if thought.cancelled():
            return
        error = thought.exception()
        if error is None:
            self._decided(thought.result())
        else:
            self._failed(type(error).__name__)

    def fall_back(self, why: Lateness) -> None:
        """Play any legal move in the bot's place."""
        if self._done is not None:
            log.warning("bot_replaced", reason=why, strength=self._request.strength)
            rng = Random(self._request.seed)
            self._answer(Decision(random_action(self._request.position.choices, rng)), why)

    def _decided(self, decision: Decision) -> None:
        if self._request.position.choices.allows(decision.action):
            self._answer(decision)
        else:
            self._failed("illegal_action")

    def _failed(self, reason: str) -> None:
        # Neither the bot's words nor its move: both may tell of hidden cards.
        log.error("bot_failed", game=self._request.position.game, reason=reason)
        self.fall_back("failed")

    def _answer(self, decision: Decision, lateness: Lateness = "") -> None:
        done, self._done = self._done, None
        if done is None:
            return
        if self.timer is not None:
            self.timer.cancel()
        self._observe(perf_counter() - self._started, lateness)
        done(decision)


def think(request: Request) -> Decision:
    """Let the bot choose; runs in whatever process it is called in."""
    rng = Random(request.seed)
    if request.source is None:
        bot = _bot(request.position.game, request.strength)
        return bot.choose(request.position, request.budget, rng)
    bot = _described_bot(request.source, request.strength)
    budget = DESCRIBED_BUDGET if request.budget == Budget() else request.budget
    return bot.choose(request.position, budget, rng)


def think_confined(request: Request) -> Decision:
    """The same where a description may make it think for ever; then the process ends.

    Only time on the processor counts. By then the question has been answered for the bot.
    """
    signal.setitimer(signal.ITIMER_PROF, DEADLINE_SECONDS)
    try:
        return think(request)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def warm_here(game: str, strength: int) -> tuple[int, str]:
    """Make a bot ready in the process this is called in: which that is, and what went wrong."""
    if (game, strength) in _tried:
        # Another process is to have the next task of this kind.
        sleep(YIELD_SECONDS)
        return getpid(), ""
    _tried.add((game, strength))
    try:
        warm(game, _bot(game, strength))
    except Exception as error:
        return getpid(), repr(error)
    return getpid(), ""


_tried: set[tuple[str, int]] = set()
"""The bots that this process has made ready, or could not."""


@lru_cache(maxsize=64)
def _bot(game: str, strength: int) -> Bot:
    return make_bot(game, _offered(game, strength))


@lru_cache(maxsize=16)
def _described_bot(source: Source, strength: int) -> Bot:
    game = source.game
    return make_bot(game, _offered(game, strength), Catalogue((_described_game(source),)))


@lru_cache(maxsize=8)
def _described_game(source: Source) -> AnyGame:
    return make_game(source)


def _offered(game: str, strength: int) -> int:
    """That strength, or the best below it that can be played here.

    A table may have been stored by a server that could offer more.
    """
    return max(each for each in strengths(game) if each <= strength)
