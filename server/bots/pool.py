"""Answers the tables' questions to bots, in processes for the bots with compiled kernels.

Every question for a move is answered. If a bot is late, fails or is lost, the best move that it has
found so far is played. If there is none, its standby plays for it: the strongest bot that needs no
compiling, or in a described game a search of a few milliseconds. If that fails too, any legal move
is played. The log records this. A hint is no move: if it is late, the player who wanted it is told
so.

Quick bots answer in the event loop of the tables. All other bots are always given the facts, so
that the process with the tables need not load them. Until a bot is ready (`server.bots.warming`)
its standby plays in its place; at a table whose moves must be repeatable, the choice of the bot may
not depend on the time, so the table waits.

Bots of described games run in separate processes, at most one a game, and think for a shorter time
the more questions wait (`server.bots.thinking_time`). A description may make a bot run for ever:
its process is then killed, and no other game's bots have waited for it.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Literal, NamedTuple, TypeAlias

import structlog

from bots import Budget, Decision
from bots.review import Judgement
from bots.roster import compiled_bots, is_compiled, standby, thinks_apart
from engine import AnyGame
from server.bots import thinking
from server.bots.job_queue import BotName, Job, Load
from server.bots.process import Failed
from server.bots.standby import BotChoice, Standbys, any_move
from server.bots.thinking import (
    BotQuestion,
    ReviewQuestion,
    judge_confined,
    serve,
    serve_confined,
    think_confined,
)
from server.bots.thinking_time import described_budget
from server.bots.warming import Warming
from server.bots.workers import Processes
from server.ops.isolation import isolated

log = structlog.get_logger()

DEADLINE_SECONDS = 5.0
REPEATABLE_SECONDS = 60.0
"""The deadline of a question with a budget: the same shall happen again, however busy the machine.
"""
DESCRIBED_WORKERS = 2
HINTS_WAITING = 4
"""How many hints wait at most, for each process."""


Lateness: TypeAlias = Literal["late", "failed"]
Observe: TypeAlias = Callable[[str, int, float, str], None]
"""Told the game of each choice, the strength of the bot that made it, its seconds, and what was
wrong with the bot that was asked, if anything."""


class Substitute(NamedTuple):
    """Who plays until a bot is ready: a bot of `strength`, or nobody with None: the table waits.

    `seconds` is about how long that takes, 0 if the bot can never be made ready here.
    """

    strength: int | None
    seconds: float


class NoAnswer(Exception):
    """A bot is late or has failed, and has found no move until then."""

    def __init__(self, why: Lateness) -> None:
        super().__init__(why)
        self.why = why


class BotPool:
    """At most `workers` processes, started when they are warmed or the first slow bot is asked.

    `observe` is called with each choice: `Metrics.bot_chose`.
    """

    def __init__(self, workers: int, observe: Observe | None = None) -> None:
        self._observe = observe
        self._standbys = Standbys()
        self._processes = Processes(
            workers, serve, renewed=lambda worker: self._warming.load_again(worker)
        )
        self._confined = Processes(DESCRIBED_WORKERS, serve_confined, lane_share=1)
        self._warming = Warming(self._processes)

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        return self._processes.pids + self._confined.pids + self._warming.pids

    @property
    def ready(self) -> int:
        """The number of compiled bots that are ready."""
        return self._warming.ready

    async def warm(self) -> None:
        """Make all compiled bots of the roster ready; without any, no process starts."""
        if not compiled_bots():
            return
        started = perf_counter()
        log.info("bots_warming")
        for bot in compiled_bots():
            self._warming.want(bot, first=False)
        for bot in compiled_bots():
            await self._warming.ended(bot)
        log.info("bots_warmed", seconds=round(perf_counter() - started, 2))

    def prepare(self, game: str, strength: int) -> None:
        """Make a compiled bot ready before those that no table waits for."""
        self._warming.want((game, strength))

    def substitute(self, game: str, strength: int, *, repeatable: bool) -> Substitute | None:
        """Return the substitute for this bot now; None if the bot itself is ready."""
        bot = (game, strength)
        if not is_compiled(game, strength) or self._warming.is_ready(bot):
            return None
        if self._warming.has_failed(bot):
            return Substitute(standby(game, strength), 0.0)
        strongest = None if repeatable else standby(game, strength)
        return Substitute(strongest, self._warming.seconds_left(bot))

    def is_cold(self, game: str, strength: int) -> bool:
        """Whether this is a compiled bot that is not ready, and may still become so."""
        substitute = self.substitute(game, strength, repeatable=True)
        return substitute is not None and substitute.seconds > 0

    def needs_facts(self, game: str, strength: int) -> bool:
        """Whether a bot of a game wants the facts of the deal beside the view."""
        return thinks_apart(game, strength) or thinking.bot_of(game, strength).needs_facts

    async def ended(self, game: str, strength: int) -> None:
        """Wait until a compiled bot is ready, or cannot be made ready."""
        await self._warming.ended((game, strength))

    async def choose(self, question: BotQuestion, rules: AnyGame | None = None) -> BotChoice:
        """Return the bot's move, or a substitute's. Cancel the call when it is not needed.

        With the `rules` of a described game its standby can choose.
        """
        started, lateness = perf_counter(), ""
        try:
            choice = await self._answer(question, hint=False)
        except NoAnswer as error:
            lateness = error.why
            log.warning("bot_replaced", reason=lateness, strength=question.strength)
            choice = self._standbys.choice(question, rules) or any_move(question)
        self._count(question, choice, started, lateness)
        return choice

    async def advise(self, question: BotQuestion) -> BotChoice | None:
        """Return a hint, which is computed after all moves; None if it is not ready in time."""
        started = perf_counter()
        try:
            choice = await self._answer(question, hint=True)
        except NoAnswer as error:
            log.warning("hint_unanswered", reason=error.why, strength=question.strength)
            return None
        self._count(question, choice, started)
        return choice

    async def judge(self, question: ReviewQuestion) -> Judgement | None:
        """Return a bot's analysis of a decision, after all moves and hints; None if it fails.

        A bot that is not compiled yet is loaded for it, so prepare it first.
        """
        game = question.moment.position.game
        loads = None if question.plainly else _kernels(game, question.strength)
        job = Job(thinking.judge_moment, (question,), game, review=True, loads=loads)
        processes = self._processes
        if question.source is not None:
            # In a lane of its own, since moves at tables of the game do not wait for reviews.
            job.work, job.lane = judge_confined, f"review {game}"
            processes = self._confined
        result = await processes.run(job)
        if isinstance(result, Judgement):
            return result
        log.info("review_failed", reason=getattr(result, "reason", type(result).__name__))
        return None

    def hints_full(self, described: bool) -> bool:
        """Whether so many hints wait that another one would be late."""
        processes = self._confined if described else self._processes
        return processes.hints_waiting >= HINTS_WAITING * len(processes.workers)

    def close(self) -> None:
        """Kill all processes. Open questions are not answered any more."""
        self._warming.close()
        self._processes.close()
        self._confined.close()

    async def _answer(self, question: BotQuestion, *, hint: bool) -> BotChoice:
        """Return the choice of the bot, or of its standby until it is compiled."""
        game, strength = question.position.game, question.strength
        if not thinks_apart(game, strength) and thinking.bot_of(game, strength).in_place:
            return _think_here(question)
        repeatable = question.budget != Budget()
        substitute = self.substitute(game, strength, repeatable=repeatable)
        if substitute is not None and substitute.strength is None:
            self.prepare(game, strength)
            await self.ended(game, strength)
            substitute = self.substitute(game, strength, repeatable=repeatable)
        if substitute is None:
            seconds = REPEATABLE_SECONDS if repeatable else DEADLINE_SECONDS
            return await self._think_apart(question, hint, seconds)
        choice = self._standbys.choice(question)
        if choice is None:
            raise NoAnswer("failed")
        return choice

    async def _think_apart(self, question: BotQuestion, hint: bool, seconds: float) -> BotChoice:
        """Return a process's answer, or the best move that it has found in these seconds."""
        game, strength = question.position.game, question.strength
        deadline = asyncio.get_running_loop().time() + seconds
        loads = _kernels(game, strength)
        job = Job(thinking.think, (question,), question.lane, hint=hint, loads=loads)
        processes = self._processes
        if question.source is not None:
            job.work, job.lane, processes = think_confined, game, self._confined
            job.fitted = partial(_in_time, question, deadline)
        why: Lateness = "failed"
        try:
            async with asyncio.timeout_at(deadline):
                result = await processes.run(job)
        except TimeoutError:
            why = "late"
        else:
            if not isinstance(result, Decision):
                failed = result.reason if isinstance(result, Failed) else type(result).__name__
            elif question.position.choices.allows(result.action):
                return BotChoice(result, thinking.offered(game, strength))
            else:
                failed = "illegal_action"
            _log_failed(question, failed)
        for found in reversed(job.found):
            if isinstance(found, Decision) and question.position.choices.allows(found.action):
                log.info("bot_stopped", reason=why, strength=strength)
                return BotChoice(found, thinking.offered(game, strength))
        raise NoAnswer(why)

    def _count(
        self, question: BotQuestion, choice: BotChoice, started: float, lateness: str = ""
    ) -> None:
        with isolated("count_failed"):
            if self._observe is not None:
                seconds = perf_counter() - started
                self._observe(question.position.game, choice.strength, seconds, lateness)


def _think_here(question: BotQuestion) -> BotChoice:
    """Return a quick bot's choice, computed in this process; raise `NoAnswer` if it fails."""
    game, strength = question.position.game, question.strength
    try:
        decision = thinking.think(question)
    except Exception as error:
        _log_failed(question, type(error).__name__)
        raise NoAnswer("failed") from None
    if not question.position.choices.allows(decision.action):
        _log_failed(question, "illegal_action")
        raise NoAnswer("failed")
    return BotChoice(decision, thinking.offered(game, strength))


def _log_failed(question: BotQuestion, reason: str) -> None:
    # Neither the bot's words nor its move: both may show hidden cards.
    log.error("bot_failed", game=question.position.game, reason=reason)


def _kernels(game: str, strength: int) -> BotName | None:
    """Return the bot whose kernels a process must have loaded; None if it needs none."""
    return (game, strength) if is_compiled(game, strength) else None


def _in_time(question: BotQuestion, deadline: float, load: Load) -> tuple[BotQuestion]:
    """Return the question with the time that the load allows, unless it has a budget."""
    if question.budget != Budget():
        return (question,)
    left = deadline - asyncio.get_running_loop().time()
    return (replace(question, budget=described_budget(left, load)),)
