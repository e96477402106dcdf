"""Makes compiled bots ready: one after the other is compiled, then loaded by the workers.

A bot is compiled in a process of its own, so that the bots that are ready go on meanwhile. What was
compiled is kept on disk; a bot that was compiled earlier is loaded by the workers at once.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from time import monotonic

import structlog

from bots.roster import can_keep, compiling_seconds, is_kept
from bots.search import compiled
from server.bots.job_queue import BotName, Job
from server.bots.process import Failed
from server.bots.thinking import serve, warm_here
from server.bots.workers import Processes, Worker

log = structlog.get_logger()

LOADING_SECONDS = 2.0
"""About what it takes the workers to load a bot that is compiled."""
FETCHING_SECONDS = 30.0
"""About what it takes to fetch Numba, where it is fetched when a bot first needs it."""
LATE_SHARE = 0.25
"""Of the time that it has taken so far, what takes longer than usual may take this share more."""


class Warming:
    """Makes bots ready in `processes`; `ended` is called with each that is, or cannot be."""

    def __init__(self, processes: Processes, ended: Callable[[BotName], None]) -> None:
        self._processes = processes
        self._ended = ended
        self._own: Processes | None = None
        self._queue: deque[BotName] = deque()
        self._current: BotName | None = None
        self._began = 0.0
        # What is done with it now, compiling or loading: since when, and what that usually takes.
        self._since, self._usual = 0.0, 0.0
        # How many times longer than usual the last bot took to compile: the machine may be busy.
        self._slowness = 1.0
        self._to_load = 0
        self._errors: list[str] = []
        self._ready: list[BotName] = []
        self._failed: set[BotName] = set()

    @property
    def ready(self) -> int:
        """How many bots are ready."""
        return len(self._ready)

    @property
    def pids(self) -> tuple[int, ...]:
        """The process that compiles, if there is one."""
        return () if self._own is None else self._own.pids

    def is_ready(self, bot: BotName) -> bool:
        """Whether the workers have loaded this bot."""
        return bot in self._ready

    def has_failed(self, bot: BotName) -> bool:
        """Whether this bot cannot be made ready."""
        return bot in self._failed

    def want(self, bot: BotName, *, first: bool = True) -> None:
        """Have a bot made ready; `first`: a table waits for it, so it comes before others."""
        if bot == self._current or bot in self._ready or bot in self._failed:
            return
        if bot in self._queue:
            if not first:
                return
            self._queue.remove(bot)
        if first:
            self._queue.appendleft(bot)
        else:
            self._queue.append(bot)
        if self._current is None:
            self._next()

    def seconds_left(self, bot: BotName) -> float:
        """About how long it takes until this bot is ready, if it is wanted now; from 1.

        It counts down, but what takes longer than it should is not always about to end: then it
        grows with the time that has passed, and as much as that of the bots behind it.
        """
        if self._current is None:
            return _seconds(bot) * self._slowness
        taken = monotonic() - self._since
        expected = self._usual * self._slowness
        left = max(1.0, expected - taken) if taken < expected else max(1.0, LATE_SHARE * taken)
        if bot == self._current:
            return left
        # Loading waits for the workers, which may have to do other things.
        slowness = taken / self._usual if self._usual > LOADING_SECONDS else 0.0
        return left + _seconds(bot) * max(self._slowness, slowness)

    def load_again(self, worker: Worker) -> None:
        """Have a worker whose process was lost load what it had loaded."""
        waiting = {chore.loads for chore in worker.chores}
        worker.chores.extend(
            Job(warm_here, bot, lambda result: None, loads=bot)
            for bot in self._ready
            if bot not in waiting
        )

    def close(self) -> None:
        """Kill the process that compiles."""
        if self._own is not None:
            self._own.close()
            self._own = None

    def _next(self) -> None:
        """Begin with the first bot that waits."""
        if not self._queue:
            self.close()
            return
        bot = self._current = self._queue.popleft()
        self._began, self._errors = monotonic(), []
        self._since, self._usual = self._began, _seconds(bot)
        log.info("bot_warming", game=bot[0], strength=bot[1])
        if is_kept(*bot) or not can_keep(*bot):
            self._load(bot)
            return
        if self._own is None:
            self._own = Processes(1, serve)
        self._own.submit(Job(warm_here, bot, partial(self._compiled, bot), loads=bot))

    def _compiled(self, bot: BotName, result: object) -> None:
        # The process that compiles may have fetched Numba before.
        compiled.look_again()
        reason = _reason(result)
        if not reason:
            now = monotonic()
            self._slowness = max(1.0, (now - self._since) / self._usual)
            self._since, self._usual = now, LOADING_SECONDS
            self._load(bot)
        elif compiled.fetchable() and not compiled.available():
            # Without Numba the others fail as well; each would try to fetch it first.
            others = tuple(self._queue)
            self._queue.clear()
            self._end(bot, reason, others)
        else:
            self._end(bot, reason)

    def _load(self, bot: BotName) -> None:
        workers = self._processes.workers
        self._to_load = len(workers)
        for worker in workers:
            job = Job(warm_here, bot, partial(self._loaded, bot), loads=bot)
            self._processes.chore(worker, job)

    def _loaded(self, bot: BotName, result: object) -> None:
        self._errors += filter(None, [_reason(result)])
        self._to_load -= 1
        if not self._to_load:
            # A worker that failed loads it once more when it is asked.
            all_failed = len(self._errors) == len(self._processes.workers)
            self._end(bot, self._errors[0] if all_failed else "")

    def _end(self, bot: BotName, reason: str, others: tuple[BotName, ...] = ()) -> None:
        """Note that a bot is ready, or that it and `others` fail for a reason."""
        if reason:
            for game, strength in (bot, *others):
                self._failed.add((game, strength))
                log.error("bot_not_warmed", game=game, strength=strength, reason=reason)
        else:
            game, strength = bot
            self._ready.append(bot)
            seconds = round(monotonic() - self._began, 2)
            log.info("bot_warmed", game=game, strength=strength, seconds=seconds)
        self._current = None
        asyncio.get_running_loop().call_soon(self._next_if_idle)
        for each in (bot, *others):
            self._ended(each)

    def _next_if_idle(self) -> None:
        if self._current is None:
            self._next()


def _seconds(bot: BotName) -> float:
    if is_kept(*bot):
        return LOADING_SECONDS
    fetching = 0.0 if compiled.available() else FETCHING_SECONDS
    return fetching + compiling_seconds(*bot)


def _reason(result: object) -> str:
    """What went wrong, as `warm_here` or the process says; nothing if all went well."""
    return result.reason if isinstance(result, Failed) else str(result)
