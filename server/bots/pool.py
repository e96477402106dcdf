"""Where bots choose: in this process if they are quick, in processes of their own if not.

Every question for a move is answered. If a bot is late, fails or is lost with its process, a legal
move is played for it, and the log says so. A hint is no move: if it does not come in time, the
player who wanted it is told so.

Bots with kernels run in those processes only and are always given the facts, so this process need
not load them. At the start one process loads the kernels of a bot and then the others do, bot by
bot, so that no two processes compile the same kernel.

Bots of described games run in separate processes, at most one a game. A description may make a bot
run for ever: its process is stopped then, and no other game's bots have waited for it.
"""

import asyncio
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Literal, TypeAlias

import structlog

from bots import Budget, Decision
from bots.random_bot import random_action
from bots.roster import compiled_bots, is_compiled, thinks_apart
from server.bots import thinking
from server.bots.job_queue import Job
from server.bots.process import Failed
from server.bots.thinking import BotQuestion, serve, serve_confined, think_confined, warm_here
from server.bots.workers import Processes, Worker
from server.ops.isolation import isolated

log = structlog.get_logger()

DEADLINE_SECONDS = 5.0
DESCRIBED_WORKERS = 2
HINTS_WAITING = 4
"""How many hints wait at most, for each process."""
WARMING_SECONDS = 60.0
"""The deadline as long as kernels are being loaded, or compiled after an installation.

It is that of a request with a budget too: the same shall happen again, however busy the machine.
"""


Lateness: TypeAlias = Literal["", "late", "failed"]
Done: TypeAlias = Callable[[Decision], None]
Observe: TypeAlias = Callable[[float, Lateness], None]
"""Called with the seconds of each choice, and what was wrong with it if anything."""


class BotPool:
    """At most `workers` processes, started when they are warmed or the first slow bot is asked."""

    def __init__(self, workers: int, observe: Observe | None = None) -> None:
        self._observe = observe or (lambda seconds, lateness: None)
        self._processes = Processes(workers, serve, renewed=self._warm_again)
        self._confined = Processes(DESCRIBED_WORKERS, serve_confined, lane_share=1)
        self._warming = False
        self._warmed: list[tuple[str, int]] = []

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        return self._processes.pids + self._confined.pids

    async def warm(self) -> None:
        """Have all processes load the kernels of the roster; none is started if there are none."""
        if not compiled_bots():
            return
        started = perf_counter()
        self._warming = True
        log.info("bots_warming")
        first, *others = self._processes.workers
        try:
            # Bot by bot: a question that comes meanwhile waits for one of them at most.
            for game, strength in compiled_bots():
                errors = [*await self._warm([first], game, strength)]
                errors += await self._warm(others, game, strength)
                if reason := next(filter(None, errors), ""):
                    log.error("bot_not_warmed", game=game, strength=strength, reason=reason)
                else:
                    self._warmed.append((game, strength))
            log.info("bots_warmed", seconds=round(perf_counter() - started, 2))
        finally:
            self._warming = False

    async def _warm(self, workers: list[Worker], game: str, strength: int) -> list[str]:
        """Have these processes load a bot's kernels; what went wrong in each, if anything."""
        waiting = []
        for worker in workers:
            answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
            job = Job(warm_here, (game, strength), _settler(answer), loads=(game, strength))
            self._processes.chore(worker, job)
            waiting.append(answer)
        results = await asyncio.gather(*waiting)
        return [each.reason if isinstance(each, Failed) else str(each) for each in results]

    def _warm_again(self, worker: Worker) -> None:
        """Have a process that replaces a lost one load what that one had loaded."""
        worker.chores.extend(
            Job(warm_here, bot, lambda result: None, loads=bot)
            for bot in self._warmed
            if all(chore.arguments != bot for chore in worker.chores)
        )

    def needs_facts(self, game: str, strength: int) -> bool:
        """Whether a bot of a game wants the facts of the deal beside the view."""
        return thinks_apart(game, strength) or thinking.bot_of(game, strength).needs_facts

    def ask(
        self, question: BotQuestion, done: Done, *, no_hint: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Have `done` called with the bot's decision: at once, or later from the event loop.

        With `no_hint` this is a hint, which comes after all moves; `no_hint` is called if there is
        none in time. Call what is returned if nobody waits for the decision any more.
        """
        pending = _PendingAnswer(question, done, self._observe, no_hint)
        game, strength = question.position.game, question.strength
        if not thinks_apart(game, strength) and thinking.bot_of(game, strength).in_place:
            pending.think()
            return pending.drop
        patient = self._warming or question.budget != Budget()
        deadline = WARMING_SECONDS if patient else DEADLINE_SECONDS
        pending.wait(self._confined if question.source else self._processes, deadline)
        return pending.drop

    def hints_full(self, described: bool) -> bool:
        """Whether so many hints wait that one more would come too late."""
        processes = self._confined if described else self._processes
        return processes.hints_waiting >= HINTS_WAITING * len(processes.workers)

    def close(self) -> None:
        """Kill all processes. What was asked is not answered any more."""
        self._processes.close()
        self._confined.close()


class _PendingAnswer:
    """A question that is not answered yet: the first answer counts, unless it is dropped."""

    def __init__(
        self,
        question: BotQuestion,
        done: Done,
        observe: Observe,
        no_hint: Callable[[], None] | None = None,
    ) -> None:
        self._question = question
        self._done: Done | None = done
        self._no_hint = no_hint
        self._observe = observe
        self._started = perf_counter()
        self._timer: asyncio.TimerHandle | None = None
        self._stop_work: Callable[[], None] = lambda: None

    def think(self) -> None:
        """Answer here and now."""
        try:
            decision = thinking.think(self._question)
        except Exception as error:
            self._failed(type(error).__name__)
        else:
            self._decided(decision)

    def wait(self, processes: Processes, seconds: float) -> None:
        """Have one of the processes answer, within so many seconds."""
        question, game = self._question, self._question.position.game
        work, lane = thinking.think, question.lane
        if question.source is not None:
            work, lane = think_confined, game
        loads = (game, question.strength) if is_compiled(game, question.strength) else None
        hint = self._no_hint is not None
        job = Job(work, (question,), self._thought, lane, hint=hint, loads=loads)
        self._stop_work = lambda: processes.drop(job)
        self._timer = asyncio.get_running_loop().call_later(seconds, self._fall_back, "late")
        processes.submit(job)

    def drop(self) -> None:
        """Nobody waits for the answer any more."""
        if self._done is not None:
            self._end()
            self._stop_work()

    def _thought(self, result: object) -> None:
        if isinstance(result, Decision):
            self._decided(result)
        else:
            self._failed(result.reason if isinstance(result, Failed) else type(result).__name__)

    def _fall_back(self, why: Lateness) -> None:
        """Play any legal move in the bot's place, or say that there is no hint."""
        question, no_hint = self._question, self._no_hint
        if why == "late":
            self._stop_work()
        log.warning("bot_replaced", reason=why, strength=question.strength)
        if no_hint is None:
            rng = Random(question.seed)
            self._answer(Decision(random_action(question.position.choices, rng)), why)
        else:
            self._end()
            no_hint()

    def _decided(self, decision: Decision) -> None:
        if self._question.position.choices.allows(decision.action):
            self._answer(decision)
        else:
            self._failed("illegal_action")

    def _failed(self, reason: str) -> None:
        # Neither the bot's words nor its move: both may show hidden cards.
        log.error("bot_failed", game=self._question.position.game, reason=reason)
        self._fall_back("failed")

    def _answer(self, decision: Decision, lateness: Lateness = "") -> None:
        done = self._done
        self._end()
        if done is not None:
            with isolated("count_failed"):
                self._observe(perf_counter() - self._started, lateness)
            done(decision)

    def _end(self) -> None:
        self._done = None
        if self._timer is not None:
            self._timer.cancel()


def _settler(answer: "asyncio.Future[object]") -> Callable[[object], None]:
    def settle(result: object) -> None:
        if not answer.done():
            answer.set_result(result)

    return settle
