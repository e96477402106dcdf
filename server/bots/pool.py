"""Where bots choose: in this process if they are quick, in processes of their own if not.

Every question for a move is answered. If a bot is late, fails or is lost with its process, the best
move that it has found so far is played. If there is none its standby plays for it: the strongest
bot that needs no compiling, or at a described game a search of a few milliseconds. If that fails
too, any legal move is played. The log says so. A hint is no move: if it does not come in time, the
player who wanted it is told so.

Bots with kernels run in those processes only and are always given the facts, so this process need
not load them. Until one is ready (`server.bots.warming`) its standby plays in its place; at a table
whose moves must be repeatable, which bot plays may not depend on the time, so the table waits.

Bots of described games run in separate processes, at most one a game, and think for a shorter time
the more questions wait (`server.bots.thinking_time`). A description may make a bot
run for ever: its process is stopped then, and no other game's bots have waited for it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import starmap
from random import Random
from time import perf_counter
from typing import Literal, NamedTuple, TypeAlias

import structlog

from bots import Budget, Decision
from bots.random_bot import random_action
from bots.roster import (
    compiled_bots,
    is_compiled,
    standby,
    standby_plays_at_once,
    thinks_apart,
)
from server.bots import thinking
from server.bots.job_queue import BotName, Job, Load
from server.bots.process import Failed
from server.bots.thinking import BotQuestion, serve, serve_confined, think_confined
from server.bots.thinking_time import described_budget
from server.bots.warming import Warming
from server.bots.workers import Processes, Worker
from server.ops.isolation import isolated
from server.rate_limit import TokenBucket

log = structlog.get_logger()

DEADLINE_SECONDS = 5.0
DESCRIBED_WORKERS = 2
HURRY_SHARE = 0.05
HURRY_SECONDS = 0.1
"""Of the event loop's time moves in a hurry may take this share, and so many seconds at once."""
HINTS_WAITING = 4
"""How many hints wait at most, for each process."""
REPEATABLE_SECONDS = 60.0
"""The deadline of a question with a budget: the same shall happen again, however busy the machine.
"""


Lateness: TypeAlias = Literal["", "late", "failed"]
Done: TypeAlias = Callable[[Decision, int], None]
"""Called with a decision, and with the strength of the bot that made it."""
Observe: TypeAlias = Callable[[str, int, float, Lateness], None]
"""Called with the game of each choice, the strength of the bot that made it, its seconds, and what
was wrong with the bot that was asked, if anything."""


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
        self._processes = Processes(workers, serve, renewed=self._load_again)
        self._confined = Processes(DESCRIBED_WORKERS, serve_confined, lane_share=1)
        self._warming = Warming(self._processes, self._ended)
        self._waiting: defaultdict[BotName, list[_PendingAnswer]] = defaultdict(list)
        self._bot_ended = asyncio.Event()
        # Seconds of the event loop that moves in a hurry may take; the slowest is charged whole.
        self._hurry = TokenBucket.full(HURRY_SHARE, HURRY_SECONDS, perf_counter())

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

    def is_cold(self, game: str, strength: int) -> bool:
        """Whether that is a compiled bot that is not ready, and may still become so."""
        bot = (game, strength)
        if not is_compiled(game, strength) or self._warming.is_ready(bot):
            return False
        return not self._warming.has_failed(bot)

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
        """A bot is ready, or cannot be made ready: questions that waited for it are answered."""
        ready = self._warming.is_ready(bot)
        for pending in self._waiting.pop(bot, ()):
            if ready:
                pending.wait(self._processes, REPEATABLE_SECONDS)
            else:
                pending.think_plainly()
        self._bot_ended.set()
        self.on_ready(bot)

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
        pending = _PendingAnswer(question, done, self._observe, no_hint, hurried)
        game, strength = question.position.game, question.strength
        if not thinks_apart(game, strength) and thinking.bot_of(game, strength).in_place:
            pending.think()
            return pending.drop
        repeatable = question.budget != Budget()
        meanwhile = self.meanwhile(game, strength, repeatable=repeatable)
        if meanwhile is None:
            deadline = REPEATABLE_SECONDS if repeatable else DEADLINE_SECONDS
            pending.wait(self._confined if question.source else self._processes, deadline)
        elif meanwhile.strength is None:
            self._waiting[game, strength].append(pending)
            self.prepare(game, strength)
        else:
            pending.think_plainly()
        return pending.drop

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

    def hints_full(self, described: bool) -> bool:
        """Whether so many hints wait that one more would come too late."""
        processes = self._confined if described else self._processes
        return processes.hints_waiting >= HINTS_WAITING * len(processes.workers)

    def close(self) -> None:
        """Kill all processes. What was asked is not answered any more."""
        self._warming.close()
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
        hasty: Callable[[], Decision | None] | None = None,
    ) -> None:
        self._hasty = hasty
        self._question = question
        self._done: Done | None = done
        self._no_hint = no_hint
        self._observe = observe
        self._started = perf_counter()
        self._timer: asyncio.TimerHandle | None = None
        self._deadline = 0.0
        self._best: Decision | None = None
        self._stop_work: Callable[[], None] = lambda: None

    def think(self) -> None:
        """Answer here and now."""
        try:
            decision = thinking.think(self._question)
        except Exception as error:
            self._failed(type(error).__name__)
        else:
            self._decided(decision)

    def think_plainly(self) -> None:
        """Have the bot's standby answer here and now."""
        if self._done is None:
            return
        decision = self._standby()
        if decision is None:
            self._fall_back("failed")
        else:
            self._answer(decision, "", self._standby_strength)

    def wait(self, processes: Processes, seconds: float) -> None:
        """Have one of the processes answer, within so many seconds."""
        if self._done is None:
            return
        question, game = self._question, self._question.position.game
        loads = (game, question.strength) if is_compiled(game, question.strength) else None
        hint = self._no_hint is not None
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + seconds
        job = Job(thinking.think, (question,), self._thought, question.lane, hint=hint, loads=loads)
        if question.source is not None:
            job.work, job.lane, job.improved = think_confined, game, self._improved
            job.fitted = self._fitted
        self._stop_work = lambda: processes.drop(job)
        self._timer = loop.call_at(self._deadline, self._fall_back, "late")
        processes.submit(job)

    def drop(self) -> None:
        """Nobody waits for the answer any more."""
        if self._done is not None:
            self._end()
            self._stop_work()

    def _fitted(self, load: Load) -> tuple[BotQuestion]:
        """The question with as much time as the load allows, unless it has a budget."""
        if self._question.budget != Budget():
            return (self._question,)
        left = self._deadline - asyncio.get_running_loop().time()
        return (replace(self._question, budget=described_budget(left, load)),)

    def _improved(self, found: object) -> None:
        """Keep what the bot would choose if it were stopped now."""
        if isinstance(found, Decision) and self._question.position.choices.allows(found.action):
            self._best = found

    def _thought(self, result: object) -> None:
        if isinstance(result, Decision):
            self._decided(result)
        else:
            self._failed(result.reason if isinstance(result, Failed) else type(result).__name__)

    def _fall_back(self, why: Lateness) -> None:
        """Play the best found so far; else have the standby play, or say that there is no hint."""
        question, no_hint = self._question, self._no_hint
        if why == "late":
            self._stop_work()
        if self._best is not None:
            log.info("bot_stopped", reason=why, strength=question.strength)
            self._answer(
                self._best, "", thinking.offered(question.position.game, question.strength)
            )
            return
        log.warning("bot_replaced", reason=why, strength=question.strength)
        if no_hint is not None:
            self._end()
            no_hint()
            return
        decision, strength = self._standby(), self._standby_strength
        if decision is None:
            rng = Random(question.seed)
            decision, strength = Decision(random_action(question.position.choices, rng)), 0
        self._answer(decision, why, strength)

    @property
    def _standby_strength(self) -> int:
        question = self._question
        # In a hurry strength 1 plays: random playouts of every move.
        return 1 if question.source else standby(question.position.game, question.strength)

    def _standby(self) -> Decision | None:
        """What the bot's standby chooses; None if there is no such bot, or if it fails."""
        question = self._question
        choose: Callable[[], Decision | None] | None = self._hasty
        if question.source is None and standby_plays_at_once(
            question.position.game, question.strength
        ):
            choose = partial(thinking.think_plainly, question)
        if choose is None:
            return None
        try:
            decision = choose()
        except Exception as error:
            log.error("bot_failed", game=question.position.game, reason=type(error).__name__)
            return None
        if decision is None or not question.position.choices.allows(decision.action):
            return None
        return decision

    def _decided(self, decision: Decision) -> None:
        if self._question.position.choices.allows(decision.action):
            made_by = thinking.offered(self._question.position.game, self._question.strength)
            self._answer(decision, "", made_by)
        else:
            self._failed("illegal_action")

    def _failed(self, reason: str) -> None:
        # Neither the bot's words nor its move: both may show hidden cards.
        log.error("bot_failed", game=self._question.position.game, reason=reason)
        self._fall_back("failed")

    def _answer(self, decision: Decision, lateness: Lateness, strength: int) -> None:
        done = self._done
        self._end()
        if done is not None:
            with isolated("count_failed"):
                game, seconds = self._question.position.game, perf_counter() - self._started
                self._observe(game, strength, seconds, lateness)
            done(decision, strength)

    def _end(self) -> None:
        self._done = None
        if self._timer is not None:
            self._timer.cancel()
