"""Bots in processes of this machine: those with kernels, and those of described games.

Until a bot with kernels is ready (`server.bots.warming`) its standby plays in its place.

Bots of described games run in separate processes, at most one a game, and think for a shorter time
the more questions wait (`server.bots.thinking_time`). A description may make a bot
run for ever: its process is stopped then, and no other game's bots have waited for it.
"""

import asyncio
from collections.abc import Callable
from itertools import starmap
from time import perf_counter

import structlog

from bots import Decision
from bots.review import Judgement
from bots.roster import compiled_bots, is_compiled, standby
from server.bots import thinking
from server.bots.job_queue import BotName, Job
from server.bots.pending_answer import ForOthers, Observe, PendingAnswer
from server.bots.service import BotService, Meanwhile
from server.bots.thinking import BotQuestion, ReviewQuestion, judge_confined, serve, serve_confined
from server.bots.warming import Warming
from server.bots.workers import Processes, Worker

log = structlog.get_logger()

DESCRIBED_WORKERS = 2
HINTS_WAITING = 4
"""How many hints wait at most, for each process."""


class BotPool(BotService):
    """At most `workers` processes, started when they are warmed or the first slow bot is asked."""

    def __init__(self, workers: int, observe: Observe | None = None) -> None:
        super().__init__(observe)
        self._processes = Processes(workers, serve, renewed=self._load_again)
        self._confined = Processes(DESCRIBED_WORKERS, serve_confined, lane_share=1)
        self._warming = Warming(self._processes, self._ended)
        self._bot_ended = asyncio.Event()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        return self._processes.pids + self._confined.pids + self._warming.pids

    @property
    def ready(self) -> int:
        """How many compiled bots are ready."""
        return self._warming.ready

    @property
    def ready_bots(self) -> tuple[BotName, ...]:
        """The compiled bots that are ready."""
        return tuple(bot for bot in compiled_bots() if self._warming.is_ready(bot))

    @property
    def failed_bots(self) -> tuple[BotName, ...]:
        """The compiled bots that cannot be made ready."""
        return tuple(bot for bot in compiled_bots() if self._warming.has_failed(bot))

    @property
    def free(self) -> int:
        """How many processes of the games of the program have nothing to do."""
        return sum(worker.job is None for worker in self._processes.workers)

    async def warm(self) -> None:
        """Have all compiled bots of the roster made ready; no process starts if there are none."""
        if not compiled_bots():
            return
        started = perf_counter()
        log.info("bots_warming")
        for bot in compiled_bots():
            self._warming.want(bot, first=False)
        while any(starmap(self.is_cold, compiled_bots())):
            self._bot_ended.clear()
            await self._bot_ended.wait()
        log.info("bots_warmed", seconds=round(perf_counter() - started, 2))

    def prepare(self, game: str, strength: int) -> None:
        """Have a compiled bot made ready before those that no table waits for."""
        self._warming.want((game, strength))

    def meanwhile(self, game: str, strength: int, *, repeatable: bool) -> Meanwhile | None:
        """What happens if this bot is asked now; None if it answers itself."""
        bot = (game, strength)
        if not is_compiled(game, strength) or self._warming.is_ready(bot):
            return None
        if self._warming.has_failed(bot):
            return Meanwhile(standby(game, strength), 0.0)
        strongest = None if repeatable else standby(game, strength)
        return Meanwhile(strongest, self._warming.seconds_left(bot))

    def _load_again(self, worker: Worker) -> None:
        """Have a process that replaces a lost one load what that one had loaded."""
        self._warming.load_again(worker)

    def _ended(self, bot: BotName) -> None:
        super()._ended(bot)
        self._bot_ended.set()

    def have_answered(self, pending: PendingAnswer, seconds: float) -> None:
        """Have a question answered by a process."""
        described = pending.question.source is not None
        pending.wait(self._confined if described else self._processes, seconds)

    def think(
        self,
        question: BotQuestion,
        thought: Callable[[Decision | None], None],
        *,
        hint: bool,
        seconds: float,
    ) -> None:
        """Have `thought` called with the decision of a bot that is ready; None if it has none.

        No other bot plays for it: that is for those who asked.
        """
        pending = ForOthers(
            question,
            lambda decision, strength: thought(decision),
            self._observe,
            lambda: thought(None),
            hint=hint,
        )
        self.have_answered(pending, seconds)

    async def judge(self, question: ReviewQuestion) -> Judgement | None:
        """What a bot thinks of a decision, after all moves and hints; None if it fails.

        A bot that is still to be compiled is loaded for it, so prepare it first.
        """
        position, strength = question.moment.position, question.strength
        judged: asyncio.Future[object] = asyncio.get_running_loop().create_future()

        def done(result: object) -> None:
            if not judged.done():
                judged.set_result(result)

        loads = (position.game, strength) if is_compiled(position.game, strength) else None
        loads = None if question.plainly else loads
        job = Job(thinking.judge_moment, (question,), done, position.game, review=True, loads=loads)
        processes = self._processes
        if question.source is not None:
            # In a lane of its own, since moves at tables of the game do not wait for reviews.
            job.work, job.lane = judge_confined, f"review {position.game}"
            processes = self._confined
        processes.submit(job)
        try:
            result = await judged
        finally:
            if not judged.done() or judged.cancelled():
                processes.drop(job)
        if isinstance(result, Judgement):
            return result
        log.info("review_failed", reason=getattr(result, "reason", type(result).__name__))
        return None

    def hints_full(self, described: bool) -> bool:
        """Whether so many hints wait that one more would come too late."""
        return self.room_for_hints(described) <= 0

    def room_for_hints(self, described: bool) -> int:
        """How many more hints would come in time."""
        processes = self._confined if described else self._processes
        return HINTS_WAITING * len(processes.workers) - processes.hints_waiting

    def close(self) -> None:
        """Kill all processes. What was asked is not answered any more."""
        self._warming.close()
        self._processes.close()
        self._confined.close()
