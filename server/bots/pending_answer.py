"""One question to a bot until it is answered: in time, late, by a standby, or by any legal move."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from time import perf_counter
from typing import Literal, TypeAlias

import structlog

from bots import Budget, Decision
from bots.random_bot import random_action
from bots.roster import is_compiled, standby, standby_plays_at_once
from server.bots import thinking
from server.bots.job_queue import Job, Load
from server.bots.process import Failed
from server.bots.thinking import BotQuestion, think_confined
from server.bots.thinking_time import described_budget
from server.bots.workers import Processes
from server.ops.isolation import isolated
from server.ops.tracing import CAUSE, caused_by

log = structlog.get_logger()

Lateness: TypeAlias = Literal["", "late", "failed"]
Done: TypeAlias = Callable[[Decision, int], None]
"""Called with a decision, and with the strength of the bot that made it."""
Observe: TypeAlias = Callable[[str, int, float, Lateness], None]
"""Called with the game of each choice, the strength of the bot that made it, its seconds, and what
was wrong with the bot that was asked, if anything."""


class PendingAnswer:
    """A question that is not answered yet: the first answer counts, unless it is dropped."""

    def __init__(
        self,
        question: BotQuestion,
        done: Done,
        observe: Observe,
        no_hint: Callable[[], None] | None = None,
        hasty: Callable[[], Decision | None] | None = None,
    ) -> None:
        """The arguments are those of `BotPool.ask`; `hasty` may find no time for a move."""
        self.question = question
        self._hasty = hasty
        self._done: Done | None = done
        self._no_hint = no_hint
        self._observe = observe
        self._cause = CAUSE.get()
        self._started = perf_counter()
        self._timer: asyncio.TimerHandle | None = None
        self._deadline = 0.0
        self._best: Decision | None = None
        self._stop_work: Callable[[], None] = lambda: None

    def think(self) -> None:
        """Answer here and now."""
        try:
            decision = thinking.think(self.question)
        except Exception as error:
            self._failed(type(error).__name__)
        else:
            self._decided(decision)

    def think_plainly(self) -> None:
        """Have the bot's standby answer here and now."""
        if self._done is None:
            return
        with caused_by(self._cause):
            decision = self._standby()
            if decision is None:
                self._fall_back("failed")
            else:
                self._answer(decision, "", self._standby_strength)

    def wait(self, processes: Processes, seconds: float) -> None:
        """Have one of the processes answer, within so many seconds."""
        if self._done is None:
            return
        question, game = self.question, self.question.position.game
        loads = (game, question.strength) if is_compiled(game, question.strength) else None
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + seconds
        job = Job(
            thinking.think,
            (question,),
            self._thought,
            question.lane,
            hint=self._no_hint is not None,
            loads=loads,
            cause=self._cause,
        )
        if question.source is not None:
            job.work, job.lane, job.improved = think_confined, game, self._improved
            job.fitted = self._fitted
        self._stop_work = lambda: processes.drop(job)
        self._timer = loop.call_at(self._deadline, self._late)
        processes.submit(job)

    def drop(self) -> None:
        """Nobody waits for the answer any more."""
        if self._done is not None:
            self._end()
            self._stop_work()

    def _fitted(self, load: Load) -> tuple[BotQuestion]:
        """The question with as much time as the load allows, unless it has a budget."""
        if self.question.budget != Budget():
            return (self.question,)
        left = self._deadline - asyncio.get_running_loop().time()
        return (replace(self.question, budget=described_budget(left, load)),)

    def _improved(self, found: object) -> None:
        """Keep what the bot would choose if it were stopped now."""
        if isinstance(found, Decision) and self.question.position.choices.allows(found.action):
            self._best = found

    def _thought(self, result: object) -> None:
        with caused_by(self._cause):
            if isinstance(result, Decision):
                self._decided(result)
            else:
                self._failed(result.reason if isinstance(result, Failed) else type(result).__name__)

    def _late(self) -> None:
        with caused_by(self._cause):
            self._fall_back("late")

    def _fall_back(self, why: Lateness) -> None:
        """Play the best found so far; else have the standby play, or say that there is none."""
        question = self.question
        if why == "late":
            self._stop_work()
        if self._best is not None:
            log.info("bot_stopped", reason=why, strength=question.strength)
            self._answer(
                self._best, "", thinking.offered(question.position.game, question.strength)
            )
            return
        if self._no_hint is not None:
            log.warning("hint_unanswered", reason=why, strength=question.strength)
            self._end()
            self._no_hint()
            return
        log.warning("bot_replaced", reason=why, strength=question.strength)
        decision, strength = self._standby(), self._standby_strength
        if decision is None:
            rng = Random(question.seed)
            decision, strength = Decision(random_action(question.position.choices, rng)), 0
        self._answer(decision, why, strength)

    @property
    def _standby_strength(self) -> int:
        question = self.question
        # In a hurry strength 1 plays: random playouts of every move.
        return 1 if question.source else standby(question.position.game, question.strength)

    def _standby(self) -> Decision | None:
        """What the bot's standby chooses; None if there is no such bot, or if it fails."""
        question = self.question
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
        if self.question.position.choices.allows(decision.action):
            made_by = thinking.offered(self.question.position.game, self.question.strength)
            self._answer(decision, "", made_by)
        else:
            self._failed("illegal_action")

    def _failed(self, reason: str) -> None:
        # Neither the bot's words nor its move: both may show hidden cards.
        log.error("bot_failed", game=self.question.position.game, reason=reason)
        self._fall_back("failed")

    def _answer(self, decision: Decision, lateness: Lateness, strength: int) -> None:
        done = self._done
        self._end()
        if done is not None:
            with isolated("count_failed"):
                game, seconds = self.question.position.game, perf_counter() - self._started
                self._observe(game, strength, seconds, lateness)
            done(decision, strength)

    def _end(self) -> None:
        self._done = None
        if self._timer is not None:
            self._timer.cancel()
