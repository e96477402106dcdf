"""What tables ask of bots, and the processes of this machine in which bots with kernels think.

Every question for a move is answered. If a bot is late, fails or is lost, the best move that it has
found so far is played. If there is none its standby plays for it: the strongest bot that needs no
compiling, or at a described game a search of a few milliseconds. If that fails too, any legal move
is played. The log says so. A hint is no move: if it does not come in time, the player who wanted it
is told so.

Quick bots answer in the event loop of the tables. All others are always given the facts, so that
the process with the tables need not load them. Until one is ready (`server.bots.warming`) its
standby plays in its place; at a table whose moves must be repeatable, which bot plays may not
depend on the time, so the table waits.

Bots of described games run in separate processes, at most one a game, and think for a shorter time
the more questions wait (`server.bots.thinking_time`). A description may make a bot
run for ever: its process is stopped then, and no other game's bots have waited for it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import starmap
from time import perf_counter
from typing import NamedTuple

import structlog

from bots import Budget, Decision
from bots.review import Judgement
from bots.roster import compiled_bots, is_compiled, standby, thinks_apart
from server.bots import thinking
from server.bots.job_queue import BotName, Job
from server.bots.pending_answer import Done, Observe, PendingAnswer
from server.bots.thinking import BotQuestion, ReviewQuestion, judge_confined, serve, serve_confined
from server.bots.warming import Warming
from server.bots.workers import Processes, Worker
from server.rate_limit import TokenBucket

log = structlog.get_logger()

DEADLINE_SECONDS = 5.0
REPEATABLE_SECONDS = 60.0
"""The deadline of a question with a budget: the same shall happen again, however busy the machine.
"""
HURRY_SHARE = 0.05
HURRY_SECONDS = 0.1
"""Of the event loop's time moves in a hurry may take this share, and so many seconds at once."""
DESCRIBED_WORKERS = 2
HINTS_WAITING = 4
"""How many hints wait at most, for each process."""


class Meanwhile(NamedTuple):
    """What happens until a bot is ready: one of `strength` plays; with None the table waits.

    `seconds` is about how long that takes, 0 if the bot can never be made ready here.
    """

    strength: int | None
    seconds: float


class BotPool:
    """At most `workers` processes, started when they are warmed or the first slow bot is asked.

    `on_ready` is called with each compiled bot that has become ready, or cannot be made ready.
    """

    def __init__(self, workers: int, observe: Observe | None = None) -> None:
        self.on_ready: Callable[[BotName], None] = lambda bot: None
        self._observe = observe or (lambda *choice: None)
        self._waiting: defaultdict[BotName, list[PendingAnswer]] = defaultdict(list)
        # Seconds of the event loop that moves in a hurry may take; the slowest is charged whole.
        self._hurry = TokenBucket.full(HURRY_SHARE, HURRY_SECONDS, perf_counter())
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

    def is_cold(self, game: str, strength: int) -> bool:
        """Whether that is a compiled bot that is not ready, and may still become so."""
        meanwhile = self.meanwhile(game, strength, repeatable=True)
        return meanwhile is not None and meanwhile.seconds > 0

    def needs_facts(self, game: str, strength: int) -> bool:
        """Whether a bot of a game wants the facts of the deal beside the view."""
        return thinks_apart(game, strength) or thinking.bot_of(game, strength).needs_facts

    def ask(
        self,
        question: BotQuestion,
        done: Done,
        *,
        no_hint: Callable[[], None] | None = None,
        hasty: Callable[[], Decision] | None = None,
    ) -> Callable[[], None]:
        """Have `done` called with the bot's decision: at once, or later from the event loop.

        With `no_hint` this is a hint, which comes after all moves; `no_hint` is called if there is
        none in time. `hasty` makes a move within milliseconds if the bot has found none, and if
        such moves have not taken too much of the event loop's time already.
        Call what is returned if nobody waits for the decision any more.
        """
        hurried = None if hasty is None else partial(self._in_a_hurry, hasty)
        pending = PendingAnswer(question, done, self._observe, no_hint, hurried)
        game, strength = question.position.game, question.strength
        if not thinks_apart(game, strength) and thinking.bot_of(game, strength).in_place:
            pending.think()
            return pending.drop
        repeatable = question.budget != Budget()
        meanwhile = self.meanwhile(game, strength, repeatable=repeatable)
        if meanwhile is None:
            self._have_answered(pending, REPEATABLE_SECONDS if repeatable else DEADLINE_SECONDS)
        elif meanwhile.strength is None:
            self._waiting[game, strength].append(pending)
            self.prepare(game, strength)
            return partial(self._stop_waiting, pending)
        else:
            pending.think_plainly()
        return pending.drop

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
        processes = self._confined if described else self._processes
        return processes.hints_waiting >= HINTS_WAITING * len(processes.workers)

    def close(self) -> None:
        """Kill all processes. What was asked is not answered any more."""
        self._warming.close()
        self._processes.close()
        self._confined.close()

    def _have_answered(self, pending: PendingAnswer, seconds: float) -> None:
        """Have a question answered by a bot that is ready, in a process."""
        described = pending.question.source is not None
        pending.wait(self._confined if described else self._processes, seconds)

    def _stop_waiting(self, pending: PendingAnswer) -> None:
        """Nobody waits for an answer any more, whose bot may not have become ready yet."""
        bot = (pending.question.position.game, pending.question.strength)
        waiting = self._waiting.get(bot, [])
        if pending in waiting:
            waiting.remove(pending)
            if not waiting:
                del self._waiting[bot]
        pending.drop()

    def _load_again(self, worker: Worker) -> None:
        """Have a process that replaces a lost one load what that one had loaded."""
        self._warming.load_again(worker)

    def _ended(self, bot: BotName) -> None:
        """A bot is ready, or cannot be made ready: questions that waited for it are answered."""
        ready = self.meanwhile(*bot, repeatable=True) is None
        for pending in self._waiting.pop(bot, ()):
            if ready:
                self._have_answered(pending, REPEATABLE_SECONDS)
            else:
                pending.think_plainly()
        self.on_ready(bot)
        self._bot_ended.set()

    def _in_a_hurry(self, choose: Callable[[], Decision]) -> Decision | None:
        """A move of `choose`, which runs in the event loop; None if there is no time for it."""
        started = perf_counter()
        if not self._hurry.take(started, 0.0):
            return None
        try:
            return choose()
        finally:
            now = perf_counter()
            self._hurry.charge(now, now - started)
