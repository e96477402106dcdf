"""Makes compiled bots ready: one after the other is compiled, then loaded by the workers.

A bot is compiled in a process of its own, so that the ready bots go on meanwhile. Compiled code is
kept on disk; a bot that was compiled earlier is loaded by the workers at once.
"""

import asyncio
from collections import deque
from time import monotonic

import structlog

from bots.roster import can_keep, compiling_seconds, is_kept
from bots.search import compiled
from server.bots.job_queue import BotName, Job
from server.bots.process import Failed
from server.bots.thinking import serve, warm_here
from server.bots.workers import Processes, Worker
from server.ops.isolation import BackgroundTasks, isolated
from server.ops.tracing import caused_by

log = structlog.get_logger()

LOADING_SECONDS = 2.0
"""About what it takes the workers to load a bot that is compiled."""
FETCHING_SECONDS = 30.0
"""About what it takes to fetch Numba, where it is fetched when a bot first needs it."""
LATE_SHARE = 0.25
"""Of the time that it has taken so far, what takes longer than usual may take this share more."""


class Warming:
    """Makes bots ready in `processes`."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._own: Processes | None = None
        self._queue: deque[BotName] = deque()
        self._current: BotName | None = None
        # What is done with it now, compiling or loading: since when, and what that usually takes.
        self._since, self._usual = 0.0, 0.0
        # How many times longer than usual the last bot took to compile: the machine may be busy.
        self._slowness = 1.0
        self._ready: list[BotName] = []
        self._failed: set[BotName] = set()
        self._one_ended = asyncio.Event()
        self._background = BackgroundTasks("bot_not_warmed")

    @property
    def ready(self) -> int:
        """The number of bots that are ready."""
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

    async def ended(self, bot: BotName) -> None:
        """Wait until this bot is ready, or cannot be made ready."""
        while not (self.is_ready(bot) or self.has_failed(bot)):
            await self._one_ended.wait()

    def want(self, bot: BotName, *, first: bool = True) -> None:
        """Request a bot; with `first` a table waits for it, so it comes before others."""
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
            self._begin_next()

    def seconds_left(self, bot: BotName) -> float:
        """Estimate the seconds until this bot is ready, if it is requested now; at least 1.

        The estimate counts down. If compiling takes longer than expected, the estimate grows again
        with the time that has passed, and with the estimates of the bots ahead.
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
        """Make a worker whose process was lost load the bots that it had loaded."""
        waiting = {chore.loads for chore in worker.chores}
        worker.chores.extend(
            Job(warm_here, bot, loads=bot) for bot in self._ready if bot not in waiting
        )

    def close(self) -> None:
        """Kill the process that compiles."""
        if self._own is not None:
            self._own.close()
            self._own = None

    def _begin_next(self) -> None:
        """Start on the first bot that waits."""
        self._current = self._queue.popleft() if self._queue else None
        if self._current is None:
            self.close()
            return
        self._since, self._usual = monotonic(), _seconds(self._current)
        with caused_by(None):
            self._background.spawn(self._make_ready(self._current))

    async def _make_ready(self, bot: BotName) -> None:
        with isolated("bot_not_warmed"):
            await self._compile_and_load(bot)
        # Wakes all who wait now; questions that waited for this bot come before the next one.
        self._one_ended.set()
        self._one_ended.clear()
        self._begin_next()

    async def _compile_and_load(self, bot: BotName) -> None:
        game, strength = bot
        log.info("bot_warming", game=game, strength=strength)
        began, failed = self._since, [bot]
        reason = await self._compile(bot)
        if not reason:
            reason = await self._load(bot)
        elif compiled.fetchable() and not compiled.available():
            # Without Numba the others fail as well; each would try to fetch it first.
            failed += self._queue
            self._queue.clear()
        if not reason:
            self._ready.append(bot)
            seconds = round(monotonic() - began, 2)
            log.info("bot_warmed", game=game, strength=strength, seconds=seconds)
            return
        for game, strength in failed:
            self._failed.add((game, strength))
            log.error("bot_not_warmed", game=game, strength=strength, reason=reason)

    async def _compile(self, bot: BotName) -> str:
        """Compile a bot; return what went wrong, or "", also if the workers have to compile it."""
        if is_kept(*bot) or not can_keep(*bot):
            return ""
        if self._own is None:
            self._own = Processes(1, serve)
        reason = _reason(await self._own.run(Job(warm_here, bot, loads=bot)))
        # The process that compiles may have fetched Numba before.
        compiled.look_again()
        if not reason:
            now = monotonic()
            self._slowness = max(1.0, (now - self._since) / self._usual)
            self._since, self._usual = now, LOADING_SECONDS
        return reason

    async def _load(self, bot: BotName) -> str:
        """Let every worker load a bot; return what went wrong if none has loaded it, or ""."""
        jobs = [Job(warm_here, bot, loads=bot) for _ in self._processes.workers]
        for worker, job in zip(self._processes.workers, jobs, strict=True):
            self._processes.chore(worker, job)
        reasons = [_reason(await job.result) for job in jobs]
        # A worker that failed loads it once more when it is asked.
        return reasons[0] if all(reasons) else ""


def _seconds(bot: BotName) -> float:
    if is_kept(*bot):
        return LOADING_SECONDS
    fetching = 0.0 if compiled.available() else FETCHING_SECONDS
    return fetching + compiling_seconds(*bot)


def _reason(result: object) -> str:
    """Return what went wrong, according to `warm_here` or the process; "" if all went well."""
    return result.reason if isinstance(result, Failed) else str(result)
